"""A visitor of the pages: opens them over a workbench, reads what they show, and uses what is on them."""

import functools
import re
import time
from collections.abc import Callable

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from ghost.types import Run
from tests.ui.bench import ScriptedBench

# Each new visitor would look through all installed packages for components of the page, which takes a second.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

SECONDS = 60
LIVE = re.compile(
    r"(?<!\\)(<(img|script)|!\[|\]\((?!#|<https?:)|`|\$)|:smile:|:material/home:|:red\[red|https?://(?!www\.nasa)"
)
"""Markup of the hostile text that is not escaped."""
Use = Callable[[ScriptedBench], AppTest]
"""The app over a workbench, not yet run."""
Patch = pytest.MonkeyPatch
Keep = Callable[[Run], Run]
Open = Callable[..., AppTest]
"""A page, opened with these parameters in its address."""


def shown(at: AppTest) -> str:
    """All texts on the page, escapes removed."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.text)
    kinds += (at.success, at.error, at.warning, at.info)
    texts = [element.value for elements in kinds for element in elements] + [b.label for b in at.button]
    return "\n".join(texts).replace(":small[]", "").replace("\\", "")


def tables(at: AppTest) -> str:
    """All tables on the page."""
    return "\n".join(table.value.to_string() for table in at.table)


def assert_no_markup(at: AppTest, but: str = r"\]\(<https://[\w./%-]+>\)|`rerank`|`classify`|`verdict`") -> None:
    """Nothing from outside is markup; ``but`` is what the page itself writes."""
    kinds = (at.markdown, at.caption, at.header, at.subheader, at.title, at.success, at.error, at.warning, at.info)
    texts = [element.value for elements in kinds for element in elements]
    texts += [element.label for element in (*at.checkbox, *at.button)]
    texts += [cell for table in at.table for cell in table.value.astype(str).to_numpy().ravel()]
    for text in texts:
        assert not LIVE.search(re.sub(but, "", text)), text


def turn_to(at: AppTest, page: int, key: str = "") -> AppTest:
    """Turn the pages of the one list that is shown, or of that with this key, as somebody who clicks on a number."""
    states = at._tree.get_widget_states()
    (widget,) = (found for found in at.get("pagination") if key in found.proto.id)
    states.widgets.append(WidgetState(id=widget.proto.id, int_value=page))
    at._run(states)
    assert not at.exception
    return at


def finish(at: AppTest, button: str = "verify_cancel") -> AppTest:
    """Rerun, as a browser does on a timer, until what this button would stop has ended."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        at.run()
        # A run can end between the two looks of the page that draws it: then it has no button and goes on once more.
        if not any(found.key == button for found in at.button) and "IN PROGRESS" not in shown(at):
            return at
        time.sleep(0.02)
    raise AssertionError("it did not end")


def open_page(at: AppTest, run_id: str) -> AppTest:
    """The Verify page with this run in its address."""
    at.query_params["run"] = run_id
    at.run()
    assert not at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    """Press the button with this key."""
    at.button(key=key).click().run()
    assert not at.exception
    return at


def check(at: AppTest, text: str = "The wall is visible") -> AppTest:
    """Enter a claim in the form, and start its check."""
    at.run()
    at.text_area(key="verify_claim").input(text)
    return click(at, "verify_check")
