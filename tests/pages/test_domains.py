"""Ratings of domains on the page of the knowledge base."""

from ghost.errors import StoreError
from ghost.knowledge import rating_of
from ghost.types import NewPassage, SourceType
from ghost.workbench import Workbench
from tests.pages.sections import OTTERS, Page, assert_plain, at_address, bench, elsewhere_and_back, keys, page
from tests.pages.visits import Patch, click, shown, turn_to
from tests.ui.samples import HOSTILE

__all__ = ["bench", "page"]


def fail(*_: object) -> None:
    raise StoreError("The disk is full.")


def test_rating_a_domain_shows_the_effect_first_and_can_be_undone(page: Page, bench: Workbench) -> None:
    at = page("knowledge", section="domains")
    words = shown(at)
    assert "No active passage has an address yet." in words
    assert "You have not rated any domain." in words
    bench.knowledge.add([NewPassage(OTTERS, "https://www.nasa.gov/otters")])
    at_address(at, section="domains", rate="nasa.gov")
    assert at.text_input(key="domains_entry").value == "nasa.gov"
    assert at.slider(key="domains_score").value == 0.95
    assert list(at.dataframe[0].value["Rated by"]) == ["settings"]
    at.slider(key="domains_score").set_value(0.2)
    at.text_input(key="domains_reason").input("they like otters")
    click(at, "domains_show")
    assert "**1 passage** affected, 1 of them active. Now: 1 with 0.95." in shown(at)
    assert "No verdict cites them yet." in shown(at)
    assert bench.knowledge.book.credibility("nasa.gov") == 0.95
    click(at, "domains_apply")
    assert "nasa.gov is rated 0.20." in shown(at)
    assert bench.knowledge.book.credibility("https://www.nasa.gov/x") == 0.2
    assert list(at.dataframe[0].value["Rated by"]) == ["you"]
    click(at, "knowledge_undo")
    assert "The previous ratings apply again." in shown(at)
    assert bench.knowledge.book.credibility("nasa.gov") == 0.95
    click(at, "knowledge_dismiss")
    assert "The previous ratings apply again." not in shown(at)


def test_the_form_keeps_what_is_typed_and_takes_what_is_known_of_a_domain(page: Page, bench: Workbench) -> None:
    kept = rating_of("nasa.gov", 0.9, SourceType.GOVERNMENT, "they were there")
    bench.ratings.change({kept.entry: kept}, kept.note)
    at = page("knowledge", section="domains")
    fields = (at.text_input(key="domains_entry"), at.text_input(key="domains_reason"), at.slider(key="domains_score"))
    assert not any(field.proto.form_id for field in fields)  # a form hands nothing over before its button
    at.text_input(key="domains_entry").input("otters.org").run()
    elsewhere_and_back(at, "knowledge")
    assert at.text_input(key="domains_entry").value == "otters.org"
    at_address(at, section="domains", rate="nasa.gov")
    assert at.selectbox(key="domains_kind").value == SourceType.GOVERNMENT
    assert at.text_input(key="domains_reason").value == "they were there"
    click(at, "domains_show")
    assert "Kind of source: Government or public body · Reason: they were there" in shown(at)
    at_address(at, section="domains", rate="example.org")
    assert at.selectbox(key="domains_kind").value is None
    assert at.text_input(key="domains_reason").value == ""
    click(at, "domains_show")
    assert "Kind of source: as known to Ghost · Reason: none" in shown(at)
    assert "No passage comes from there yet." in shown(at)
    click(at, "domains_leave")
    assert not keys(at, "domains_apply")
    click(at, "domains_remove_nasa.gov")
    assert bench.ratings.all() == {}
    assert "Your rating of nasa.gov was removed." in shown(at)
    at_address(at, section="domains", rate=HOSTILE)
    click(at, "domains_show")
    assert "is no domain" in at.warning[0].value
    assert_plain(at)


def test_what_failed_is_not_shown_as_done(page: Page, bench: Workbench, monkeypatch: Patch) -> None:
    at = page("knowledge", section="domains", rate="nasa.gov")
    at.slider(key="domains_score").set_value(0.2)
    click(at, "domains_show")
    with monkeypatch.context() as patch:
        patch.setattr(bench.ratings, "change", fail)
        click(at, "domains_apply")
        assert ":red[:material/error:] The disk is full." in shown(at)
    click(at, "domains_apply")
    assert ":green[:material/check_circle:] nasa.gov is rated 0.20." in shown(at)
    with monkeypatch.context() as patch:
        patch.setattr(bench.ratings, "undo", fail)
        click(at, "knowledge_undo")
        assert ":red[:material/error:] The disk is full." in shown(at)
    monkeypatch.setattr(bench.ratings, "all", fail)
    assert "The disk is full." in at.run().error[0].value.replace("\\", "")


def test_every_rating_and_change_can_be_undone(page: Page, bench: Workbench) -> None:
    names, changes = [f"{letter}.org" for letter in "abcdefghijklmnopqrstuvwxyz"], []
    for name in names:
        kept = rating_of(name, 0.9)
        changes.append(bench.ratings.change({kept.entry: kept}))
    at = page("knowledge", section="domains")
    assert not keys(at, "domains_remove_z.org")
    turn_to(at, 2, "domains_own_page")
    turn_to(at, 3, "domains_changes_page")
    click(at, "domains_remove_z.org")
    assert set(bench.ratings.all()) == set(names[:-1])
    click(at, f"domains_undo_{changes[0]}")
    assert set(bench.ratings.all()) == set(names[1:-1])


def test_a_list_is_shown_before_it_counts(page: Page, bench: Workbench, monkeypatch: Patch) -> None:
    bench.knowledge.add([NewPassage(OTTERS, "https://www.nasa.gov/otters")])
    at = page("knowledge", section="domains")

    def upload(body: bytes, name: str = "list.csv") -> None:
        (uploader,) = at.get("file_uploader")
        uploader.set_value((name, body, "text/csv"))
        at.run()
        assert not at.exception

    upload(b"%PDF-1.4")
    assert at.error
    click(at, "domains_cancel")
    assert not at.error
    upload(f"domain,score,note\nnasa.gov,0.3,{HOSTILE}\nx.org,7,\n".encode(), f"{HOSTILE}.csv")
    assert "· 1 domain\n" in shown(at)
    assert_plain(at)
    assert bench.ratings.all() == {}
    with monkeypatch.context() as patch:
        patch.setattr(bench.ratings, "change", fail)
        click(at, "domains_list_apply")
        assert "The disk is full." in shown(at)
    click(at, "domains_list_apply")
    assert "1 domain rated." in shown(at)
    assert set(bench.ratings.all()) == {"nasa.gov"}
    assert not keys(at, "domains_list_apply")
    assert_plain(at)
