import pytest

from ghost.web import declared_language, language_of


@pytest.mark.parametrize(
    ("tag", "language"),
    [("en", "en"), ("en-GB", "en"), ("pt_BR", "pt"), (" DE ", "de"), ("", ""), ("english", ""), ("<b>", "")],
)
def test_a_tag_without_its_country(tag: str, language: str) -> None:
    assert declared_language(tag) == language


def test_the_text_decides_and_a_short_one_believes_its_page() -> None:
    german = "Der Gemeinderat hat am Montag beschlossen, ein neues Rathaus zu bauen. Es kostet viel Geld."
    assert language_of(german, "en") == language_of(german) == "de"
    assert language_of("1931–1954", "sv") == "sv"
    assert language_of("", "") == ""
