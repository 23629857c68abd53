"""Sentences: what nobody answers for, and what is a verdict on the sentence before."""

import pytest

from ghost.judges.hearsay import hearsay, verdict
from ghost.web.rating import Meaning

SOLD = "The Orlen Bridge has been sold."
POSTS = "Posts on social media say that the Orlen Bridge has been sold."
CITY = "The city still owns the bridge."


@pytest.mark.parametrize(
    "text",
    [
        POSTS,
        "A video shared thousands of times on Telegram shows that the bridge was sold.",
        "Thousands of Facebook users claim that the bridge was sold.",
        "In recent days, viral messages warn that the bridge will be sold.",
        "According to a viral post, the bridge has been sold.",
        "The senator falsely told the crowd “The bridge has been sold” on Monday.",
        "The paper had wrongly reported that the bridge was sold.",
        "Many people believe that the bridge has been sold.",
        "It is often said that the bridge has been sold.",
        "There are rumours that the bridge has been sold.",
        "Rumour has it that the bridge has been sold.",
        "Claim: The bridge has been sold.",
        "The notion that the bridge has been sold refuses to die.",
        "Unconfirmed accounts from the town speak of dozens of dead.",
        "Screenshots have convinced many that the bridge has been sold.",
        "The ministry denied the rumour of a sale.",
        "The company boasted that the bridge had been sold.",
        "We use ten per cent of our brains, the saying goes.",
    ],
)
def test_what_nobody_answers_for_is_hearsay(text: str) -> None:
    assert hearsay(text)


@pytest.mark.parametrize(
    "text",
    [
        SOLD,
        "The ministry says that the bridge has been sold.",
        "The ministry sent a message to all users saying that the bridge is closed.",
        "A study of 400 people shows that tea does not help.",
        "Police said on Monday that two people had died.",
        "The volcano claimed the lives of 40 people.",
        "The bridge was painted in 1968.",
        "Researchers posted their data online.",
        "The pictures show that the roof of the station has collapsed.",
        "The sites show traces of Roman walls.",
        "A den of thieves lay behind the old story house.",
        "The Post Office said that it would close 115 branches.",
        "The post office says that it will close.",
        "The podcaster Mira Holt said that she had moved to Orlen.",
        "The blogger Tom Arden was sentenced to ten years, his lawyer said.",
        "Threads gained 100 million users in five days, the company said.",
        "A blog post by the Bank of Orlen says that prices fell.",
        "Most voters said yes in the referendum of 2018.",
        "The company denied the allegations but paid a fine.",
        "The High Court dismissed his claim for damages in May.",
        "There are three claims in the patent, which was granted in 2016.",
        "There was speculation on the currency market, and the pound fell.",
        "Orlen claimed the cup in 2015.",
        "The story that the author wrote won a prize.",
        "False accounts filed by the firm showed a profit.",
    ],
)
def test_who_can_be_asked_is_a_source(text: str) -> None:
    assert not hearsay(text)


@pytest.mark.parametrize(
    ("sentence", "means"),
    [
        ("This is false.", Meaning.FALSE),
        ("That is wrong, as the bank and the ministry confirm.", Meaning.FALSE),
        ("But that isn't true.", Meaning.FALSE),
        ("The figure is wrong: it was four percent.", Meaning.FALSE),
        ("This claim is completely baseless.", Meaning.FALSE),
        ("The viral picture is a fake.", Meaning.FALSE),
        ("Not true.", Meaning.FALSE),
        ("Our rating: False", Meaning.FALSE),
        ("Verdict: Mostly true.", Meaning.TRUE),
        ("Verdict: half true.", Meaning.MIXED),
        ("The claim has no scientific basis.", Meaning.FALSE),
        ("Investigators have ruled this out.", Meaning.FALSE),
        ("This is a popular myth.", Meaning.FALSE),
        ("This is correct.", Meaning.TRUE),
        ("The message is genuine.", Meaning.TRUE),
        ("That is not wrong.", None),
        ("This is misleading.", Meaning.MISLEADING),
        ("This is wrong for young players.", None),
        ("It was invented in 1816.", None),
        ("It was false of him to say so.", None),
        ("The alarm was false.", None),
        ("They are not right in the centre.", None),
        (CITY, None),
    ],
)
def test_what_is_a_verdict_on_a_report_before(sentence: str, means: Meaning | None) -> None:
    assert verdict(sentence, POSTS) is means


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("The police kept the files for ten years.", "This was wrong."),
        ("The diamond was sold for two millions.", "It was a fake."),
        ("The alarm rang at five.", "It was false."),
        ("The ministry published a report on Monday.", "The report is wrong."),
        ("The mayor did not vote on the budget.", "She was wrong, many felt."),
        ("The team has four games left.", "The coach has ruled that out."),
        ("The museum announced that it had bought a Vermeer.", "It was a forgery."),
        ("The museum says it has shown the skull since 1912.", "It is a fake."),
        ("The firm said it had fired 300 workers.", "It was not right, the union said."),
        ("The minister said she had voted for the war.", "She was wrong, she now says."),
        ("The airline says it cancelled 40 flights.", "The message was misleading, passengers said."),
    ],
)
def test_what_may_speak_of_a_deed_or_a_thing_is_no_verdict_on_a_plain_sentence(before: str, sentence: str) -> None:
    assert verdict(sentence, before) is None
    assert verdict(sentence) is None


@pytest.mark.parametrize("sentence", ["This is false.", "That is a myth.", "These claims are baseless.", "Not true."])
def test_what_can_only_be_true_or_false_is_judged_whatever_it_is(sentence: str) -> None:
    assert verdict(sentence, "Goldfish have a memory of three seconds.") is Meaning.FALSE


@pytest.mark.parametrize(
    "sentence",
    [
        "Conclusion: False positives are common.",
        "Finding: misleading labels harm buyers.",
        "Verdict: Correct use matters.",
        "Conclusion: wrong-way drivers are rare.",
        "Verdict: guilty.",
    ],
)
def test_what_goes_on_behind_the_word_is_no_rating(sentence: str) -> None:
    assert verdict(sentence, POSTS) is None


@pytest.mark.parametrize("sentence", ["This is partly true.", "That is partially false.", "Rating: Partly false."])
def test_what_is_true_in_part_settles_nothing(sentence: str) -> None:
    assert verdict(sentence, POSTS) in (Meaning.MISLEADING, Meaning.MIXED)


@pytest.mark.parametrize(
    "sentence",
    ["The port denied it.", "Dockers say that this is untrue.", "The union called the statement false.",
     "The company has rejected this."],
)  # fmt: skip
def test_a_denial_by_somebody_else_leaves_a_named_report_open(sentence: str) -> None:
    assert verdict(sentence, "Jorid Alm said that the ferry line had closed.") is Meaning.MIXED
    assert verdict(sentence, "The ferry line closed in May.") is None


@pytest.mark.parametrize(
    "sentence",
    ["Had it rained, the ferry would have sunk.", "The line plans to buy it.", "The ferry might soon be scrapped."],
)  # fmt: skip
def test_what_is_only_planned_or_imagined_says_nothing_of_what_is(sentence: str) -> None:
    assert hearsay(sentence)


def test_a_rating_that_is_announced_has_a_colon_and_nothing_else() -> None:
    assert verdict("AP's assessment: Missing context.") is Meaning.MISLEADING
    assert verdict("The result: false hopes.") is None
    assert verdict("We rate this claim as Pants on Fire!") is Meaning.FALSE
    assert verdict("The verdict was wrong.") is None
