"""What a frame does to a passage: the one place that decides how it counts.

A claim that the page rates takes what follows from the rating. What its page lists as a myth, asks in a quiz, shows in
a made-up picture or takes back in the next sentence supports nothing, and contradicts only where it says why.
All other framed words settle nothing: they are somebody else's, or the page itself doubts them. A statement that is
about the myth, the picture, the work or the speaker is read like any other.
"""

from collections.abc import Sequence
from dataclasses import replace

from ghost.inference import StanceReader
from ghost.judges.embedded.readers import followed
from ghost.knowledge import sentences
from ghost.types import Frame, FrameKind, Passage, Stance
from ghost.web import Meaning, concerns, frame_of, meaning

_ARGUED = frozenset({FrameKind.MYTH, FrameKind.QUIZ, FrameKind.PICTURE, FrameKind.TAKEN_BACK})
"""Beside such words the page may say what is so."""


def with_frame(passage: Passage) -> Passage:
    """The passage with the frame that its own words give it, where its page gives it none."""
    return passage if passage.frame.kind else replace(passage, frame=frame_of(passage.text))


def frame_for(passage: Passage, statement: str) -> Frame:
    """The frame by which a passage counts otherwise for this statement; an empty one where it does not."""
    frame = with_frame(passage).frame
    return Frame() if concerns(frame, statement) else frame


def read_framed(reader: StanceReader, pairs: Sequence[tuple[Passage, str]]) -> list[Stance]:
    """The stance of each passage towards its statement, read with the words of its frame, and counted as it allows."""
    frames = [frame_for(passage, statement) for passage, statement in pairs]
    read = reader.read([(_text(passage, frame), s) for (passage, s), frame in zip(pairs, frames, strict=True)])
    found = [_counted(stance, frame, p.text) for stance, frame, (p, _) in zip(read, frames, pairs, strict=True)]
    bare = [i for i, (p, _) in enumerate(pairs) if frames[i].kind is FrameKind.MYTH and len(sentences(p.text)) < 2]
    # A lone myth contradicts what says the same. What contradicts a myth may be another one.
    for i, alone in zip(
        bare, reader.read([(pairs[i][0].text, pairs[i][1]) for i in bare]) if bare else (), strict=True
    ):
        found[i] = found[i].at_most(refutes=alone.supports)
    return found


def _text(passage: Passage, frame: Frame) -> str:
    """The words of its frame in front, unless they stand there already or are a rating, which is worked out."""
    own = with_frame(passage).frame
    if not own.words or own.words in passage.text or frame.kind is FrameKind.CLAIM:
        return passage.text
    return f"{own.words.rstrip(':')}: {passage.text}"


def _counted(stance: Stance, frame: Frame, text: str) -> Stance:
    if not frame.kind:
        return stance
    if frame.kind is FrameKind.CLAIM:
        return followed(stance, meaning(frame.words) or Meaning.UNPROVEN)
    argued = frame.kind in _ARGUED and (frame.kind is FrameKind.MYTH or len(sentences(text)) > 1)
    return stance.at_most(0.0, 1.0 if argued else 0.0)
