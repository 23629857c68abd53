"""What stands in the extension's files: permissions, icons, no markup from data, no code from elsewhere."""

import json
import re
import struct

import pytest

from tests.browser.extension.conftest import EXTENSION

MANIFEST = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))
SCRIPTS = sorted(EXTENSION.rglob("*.js"))
PAGES = sorted(EXTENSION.rglob("*.html"))
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|parseFromString|setHTML"
    r"|\beval\b|new Function|importScripts|XMLHttpRequest|WebSocket|postMessage\([^)]*\*|setTimeout\(['\"`]"
    r"|https?://(?!127\.0\.0\.1:5000|\*/|www\.w3\.org/2000/svg)[a-z0-9]",
    re.IGNORECASE,
)
"""Markup from strings, code from strings, and addresses of others."""


def test_it_asks_for_no_more_than_it_needs() -> None:
    assert sorted(MANIFEST["permissions"]) == ["activeTab", "contextMenus", "scripting", "sidePanel", "storage"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1:5000/*", "http://localhost:5000/*"]
    assert MANIFEST["optional_host_permissions"] == ["http://*/*", "https://*/*"]
    assert not {"content_scripts", "web_accessible_resources", "externally_connectable"} & set(MANIFEST)
    policy = MANIFEST["content_security_policy"]["extension_pages"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy


def test_the_manifest_names_files_that_exist() -> None:
    named = [
        *MANIFEST["icons"].values(), *MANIFEST["action"]["default_icon"].values(), MANIFEST["action"]["default_popup"],
        MANIFEST["side_panel"]["default_path"], MANIFEST["sidebar_action"]["default_panel"],
        MANIFEST["sidebar_action"]["default_icon"], MANIFEST["background"]["service_worker"],
        *MANIFEST["background"]["scripts"],
    ]  # fmt: skip
    assert [name for name in named if not (EXTENSION / name).is_file()] == []


@pytest.mark.parametrize("size", [16, 32, 48, 128])
def test_icons_have_their_sizes(size: int) -> None:
    data = (EXTENSION / MANIFEST["icons"][str(size)]).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (size, size)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(EXTENSION).as_posix())
def test_no_script_makes_markup_or_code_from_text(script: object) -> None:
    text = script.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    found = [line.strip() for line in text.splitlines() if FORBIDDEN.search(line)]
    assert found == []
    assert len(text.splitlines()) <= 260
    assert [line for line in text.splitlines() if len(line) > 120] == []


def test_pages_load_only_scripts_that_are_there() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<style|style=|\son[a-z]+=|//", text.replace("<!doctype", "")), page
        scripts = re.findall(r'<script src="([^"]+)"(?: type="module")?></script>', text)
        assert text.count("<script") == len(scripts)
        assert all((page.parent / script).is_file() for script in scripts), page


def test_imports_lead_to_files_and_every_script_is_used() -> None:
    used = {MANIFEST["background"]["service_worker"]}
    for path in [*SCRIPTS, *PAGES]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'(?:from |import |src=)"(\.[^"]+\.js|[a-z]+\.js)"', text):
            target = (path.parent / name).resolve()
            assert target.is_file(), (path, name)
            used.add(target.relative_to(EXTENSION.resolve()).as_posix())
        used |= {name for name in re.findall(r'"([a-z]+/[a-z]+\.js)"', text) if (EXTENSION / name).is_file()}
    assert {path.relative_to(EXTENSION).as_posix() for path in SCRIPTS} == used
