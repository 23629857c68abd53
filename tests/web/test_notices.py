import pytest

from ghost.web import Notice, NoticeKind
from ghost.web.lines import Block
from ghost.web.notices import MAX_NOTICES, notices_of

RETRACTION, CORRECTION, NOTE = NoticeKind.RETRACTION, NoticeKind.CORRECTION, NoticeKind.EDITORS_NOTE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("This article has been corrected to give the right year.", CORRECTION),
        ("Correction: the bridge is 180 metres long, not 810.", CORRECTION),
        ("CORRECTION (4 May 2021): The mayor's name is Lind.", CORRECTION),
        ("Corrections and clarifications: the tower stands in Ostwick.", CORRECTION),
        ("This story was updated to correct the spelling of a name.", CORRECTION),
        ("An earlier version of this story misstated the cost.", CORRECTION),
        ("A previous version of this article gave the wrong date.", CORRECTION),
        ("Retraction: the authors withdraw this work in full.", RETRACTION),
        ("This paper has been retracted by its authors.", RETRACTION),
        ("We have retracted the story about the tower.", RETRACTION),
        ("RETRACTED ARTICLE: The height of the tower and its clock", RETRACTION),
        ("Retraction – the tower was never measured by us.", RETRACTION),
        ("Dieser Artikel wurde zurückgezogen, weil er Fehler hatte.", RETRACTION),
        ("Editor's note: the names in this text were changed.", NOTE),
        ("Editor’s Note: This story has been corrected; the tower is 90 metres high.", CORRECTION),
        ("Korrektur: In der Überschrift stand zuerst eine falsche Zahl.", CORRECTION),
        ("In einer früheren Version dieses Artikels stand, die Brücke sei neu.", CORRECTION),
        ("Anmerkung der Redaktion: Der Text wurde am Abend ergänzt.", NOTE),
        ("Rectificatif : le pont mesure 180 mètres et non 810.", CORRECTION),
        ("Note de la rédaction : les prénoms ont été modifiés.", NOTE),
        ("Una versión anterior de este artículo decía que eran veinte.", CORRECTION),
        ("Fe de errores: el puente mide 180 metros de largo.", CORRECTION),
        ("Una versione precedente di questo articolo riportava un altro nome.", CORRECTION),
        ("Correção: a ponte tem 180 metros de comprimento.", CORRECTION),
        ("In een eerdere versie van dit artikel stond een verkeerd jaartal.", CORRECTION),
        ("Rättelse: bron är 180 meter lång, inte 810.", CORRECTION),
        ("Sprostowanie: most ma 180 metrów długości, nie 810.", CORRECTION),
        ("Исправление: длина моста составляет 180 метров.", CORRECTION),
        ("訂正：橋の長さは二百メートルではなく百八十メートルです。ご迷惑をおかけしました。", CORRECTION),
    ],
)
def test_a_notice_is_recognised(text: str, kind: NoticeKind) -> None:
    (found,) = notices_of([Block("The bridge was opened on Monday by the mayor."), Block(text)])
    assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    "text",
    [
        "Corrections",
        "Corrections policy",
        "The journal retracted a study about frogs.",
        "The department of corrections opened a new prison.",
        "Market correction: what now?",
        "Correction fluid was invented by a typist who became rich with it.",
        "The editor noted that the article was long.",
        "She withdrew the claim, and the paper printed a correction the next day.",
        "The earlier version of the engine used more oil.",
        "In 1998 a doctor claimed a link. The study was retracted in 2010 by the journal.",
        "The paper was later withdrawn after fraud was found.",
        "The Facebook post was taken down after 20,000 shares.",
        "Der Artikel wurde zurückgezogen, weil er Fehler hatte.",
        "Withdrawal: how the army left the valley",
        "Withdrawal (from the union): the country left on 31 January 2020.",
        "Withdrawal-related symptoms include tremor in 30 percent of patients.",
        "Correction-fluid sales fell by half between 2000 and 2010.",
    ],
)
def test_other_talk_of_corrections_is_none(text: str) -> None:
    assert notices_of([Block(text)]) == ()


@pytest.mark.parametrize(
    "title", ["Retracted: the tower", "WITHDRAWN: the tower", "Rétractation : la tour", "撤稿：塔"]
)
def test_a_title_may_say_that_its_page_is_retracted(title: str) -> None:
    assert [(n.kind, n.text) for n in notices_of([], [title])] == [(RETRACTION, title)]


@pytest.mark.parametrize(
    "title", ["Withdrawal: the valley", "Retracted claws", "Retraction - why?", "Correction: a year"]
)
def test_another_title_is_no_notice(title: str) -> None:
    assert notices_of([], [title]) == ()


def test_only_the_sentence_is_kept() -> None:
    text = "The tower is high. An earlier version of this article said it was low. It has a clock."
    assert notices_of([Block(text)])[0].text == "An earlier version of this article said it was low."


def test_notices_are_bounded_and_each_once() -> None:
    same = [Block("This article has been corrected.")] * 3
    assert len(notices_of(same)) == 1
    many = [Block(f"Correction: the number was {n}, not {n + 1}.") for n in range(100)]
    assert len(notices_of(many)) == MAX_NOTICES
    assert len(notices_of([Block("Correction: " + "x " * 100_000)])[0].text) <= 400


def test_structured_data_may_state_a_correction() -> None:
    assert notices_of([], stated=[Notice(CORRECTION, "The name of the mayor was wrong.")])[0].kind is CORRECTION
