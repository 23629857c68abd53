"""Compound sentences cut into statements, or left whole."""

import pytest

from ghost.judges.embedded.claims.clauses import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Napoleon was short and died on Saint Helena", ["Napoleon was short", "Napoleon died on Saint Helena"]),
        ("In 2019, Oslo was rich and Rome was poor", ["In 2019, Oslo was rich", "In 2019, Rome was poor"]),
        ("The whale is a mammal and it has lungs", ["The whale is a mammal", "The whale has lungs"]),
        ("The dam broke in 2020, and it flooded two towns", ["The dam broke in 2020", "The dam flooded two towns"]),
        ("The drug came from Oxford, and it costs 3 euros", ["The drug came from Oxford", "The drug costs 3 euros"]),
        ("Anna met Mary and she was happy", ["Anna met Mary and she was happy"]),
        ("The storm hit Florida on Monday, and it killed twelve people",
         ["The storm hit Florida on Monday, and it killed twelve people"]),
        ("The bus crashed into the bridge, and it collapsed", ["The bus crashed into the bridge, and it collapsed"]),
        ("Marie Curie was famous and won two of them", ["Marie Curie was famous and won two of them"]),
        ("The whale is a mammal and the largest animal known ever to have lived",
         ["The whale is a mammal and the largest animal known ever to have lived"]),
    ],
)  # fmt: skip
def test_clauses(text: str, parts: list[str]):
    assert clauses(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "The mayor said 'the bridge is safe and the toll is fair'",
        "Smoking causes cancer and heart attacks in older men",
        "The storm had two causes: the sea was warm and the wind was weak",
        "Finland joined the EU in 1995 and the Czech Republic in 2004",
        "The retreat of the glacier and its neighbours is driven by warm water",
        "The village was burnt while the men were working in the fields",
        "The plant closes in May, the firm and the union announced",
        "Denmark has a minimum wage and Finland does not",
        "Police found guns and stolen cars parked outside",
    ],
)
def test_what_a_cut_would_spoil_stays_whole(text: str):
    assert clauses(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Oslo is rich, Rome is old and Lima is dry.", ["Oslo is rich.", "Rome is old.", "Lima is dry."]),
        ("Oslo has trams, whereas Lima has buses", ["Oslo has trams", "Lima has buses"]),
        ("She won the 100 metres in 2008 and the 200 metres in 2012",
         ["She won the 100 metres in 2008", "She won the 200 metres in 2012"]),
    ],
)  # fmt: skip
def test_rows_contrasts_and_repeated_deeds(text: str, parts: list[str]):
    assert clauses(text) == parts
