"""Outside text wherever outside text can come in."""

from dataclasses import replace

from ghost.types import (
    Claim,
    ErrorKind,
    ErrorReport,
    JudgeInfo,
    Label,
    Override,
    Review,
    Run,
    SourceMark,
    TraceStep,
    Usage,
)
from tests.reports.runs import NOON, evidence, finished, passage

HOSTILE = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "--></title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" \'',
    "<b>bold</b> &amp; &lt;",
    "[click](https://evil.example) ![img](https://evil.example/x.png)",
    "# heading",
    "- list",
    "1. list",
    "> quote",
    "--- | --- | ---",
    "a | b | c",
    "`code` ``` fence",
    "*bold* **bold** _em_ ~~gone~~",
    "https://evil.example www.evil.example me@evil.example",
    ":red[streamlit] :material/home: :smile: $x^2$",
    "one\n\n# two\r\nthree\u2028four\x85five",
    "\\[a](b) \\",
    "\x1b[31mred\u202eevil\x00",
    "=====",
    "    indented",
    "[ref]: https://evil.example",
    "[1] [99] [x] [",
    "javascript:alert(1)",
    "../../etc/passwd",
    "C:\\windows\\system32",
    '=HYPERLINK("https://evil.example")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "a lone \ud800 surrogate",
)


def poisoned(text: str, label: Label = Label.FALSE) -> Run:
    """A run that has ``text`` in every field that others write."""
    run = finished()
    assert run.verdict
    assert run.classification
    cited = replace(
        run.verdict.citations[0], quote=text, title=text, url=text, domain=text, why=text, archived_url=text
    )
    return replace(
        run,
        claim=Claim(text, text, None, text),
        judge=JudgeInfo(text, text, (text,)),
        settings={text: text, "denied_here": [text]},
        classification=replace(run.classification, reason=text),
        evidence=(
            evidence(
                kin=text,
                passage=passage(id=text, text=text, title=text, publisher=text, domain=text, source_url=text),
            ),
        ),
        verdict=replace(
            run.verdict,
            explanation=text,
            citations=(cited, replace(cited, accepted=False)),
            reasons=tuple(replace(r, text=text, remedy=text) for r in run.verdict.reasons),
        ),
        steps=(
            replace(run.steps[0], name=text, decision=text, reason=text, inputs={text: text}),
            _read(text),
            _dropped(text),
        ),
        usage=Usage(1, 1, 1, 0.1, 1.0),
        error=text,
        review=Review(
            Override(1, label, text, NOON),
            (ErrorReport(2, ErrorKind.OTHER, text, NOON),),
            (SourceMark(3, "domain", text, text, NOON), SourceMark(4, "passage", text, text, NOON)),
        ),
    )


def _read(text: str) -> TraceStep:
    """A step that was told to read a page, and found a notice in it."""
    row = {"url": text, "final_url": text, "state": "read", "verdict": "", "why": text}
    row |= {"notices": [{"kind": text, "text": text}]}  # type: ignore[dict-item]
    return TraceStep("investigate", NOON, 0.1, text, text, {"links": [text]}, {"sources": [row]})


def _dropped(text: str) -> TraceStep:
    """A step that left a passage out."""
    row = {"statement": 1, "passage_id": "x", "kept": False, "code": "", "why": text, "title": text, "domain": text}
    return TraceStep("rerank", NOON, 0.1, text, text, {}, {"candidates": [row]})
