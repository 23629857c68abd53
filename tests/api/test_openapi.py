"""What /api/openapi.json says is so: for schemathesis, which tries what it allows and what it does not."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from ghost.records import Role
from ghost.types import NewPassage
from tests.api.bench import CLAIM, bearer, served
from tests.pages.benches import real_bench
from tests.ui.asking import wall_card

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
    unsupported_method,
]
EXAMPLES = 8


@dataclass
class Place:
    """A server, a key that may do everything there, and the ids of what it has."""

    base: str
    key: dict[str, str]
    ids: dict[str, str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    bench = real_bench(tmp_path_factory.mktemp("openapi"))
    (passage,) = bench.knowledge.add([NewPassage("A fact of this test.", "https://example.org/a", "A page")]).ids
    bench.cards.store.add(card := wall_card())
    with served(bench) as (_, port):
        base = f"http://127.0.0.1:{port}"
        run = httpx.post(f"{base}/api/verify", json=CLAIM).json()
        asked = httpx.post(f"{base}/api/chat/ask", json={"question": "Is the sky green?"}).json()
        research = httpx.post(f"{base}/api/research", json={"topic": "Honey", "web": False}).json()
        ids = {"run_id": run["run_id"], "card_id": card.id, "passage_id": passage, "reading_id": "1"}
        ids |= {"conversation_id": asked["conversation_id"], "research_id": research["research_id"]}
        yield Place(base, bearer(bench.keys.add("everything", Role.CURATE)[1]), ids)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_api_does_what_it_says(place: Place, mode: GenerationMode) -> None:
    refusing = {"expected-statuses": [400, 404, 405, 409, 413, 415, 422]}  # 413 is for a text that is far too long
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": refusing}})
    schema = schemathesis.openapi.from_url(f"{place.base}/api/openapi.json", config=config)
    problems = []
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
            continue

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def tries(case: Any) -> None:
            for name, value in (case.path_parameters or {}).items():
                if mode is GenerationMode.POSITIVE and len(str(value)) % 2:
                    case.path_parameters[name] = place.ids[name]  # half of the ids exist
            case.call_and_validate(checks=CHECKS, headers=place.key, timeout=20)

        try:
            tries()
        except Exception as problem:
            problems.append(f"{operation.label}: {problem}")
    assert not problems, "\n\n".join(problems)


def test_every_operation_says_what_it_does_and_how_it_refuses(place: Place) -> None:
    told = httpx.get(f"{place.base}/api/openapi.json").json()
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            assert operation.get("summary"), f"{method} {path}"
            assert operation["responses"]["401"]["content"].keys() == {"application/problem+json"}


def test_every_example_is_one(place: Place) -> None:
    told = httpx.get(f"{place.base}/api/openapi.json").json()
    for name, described in told["components"]["schemas"].items():
        schema = {"$ref": f"#/components/schemas/{name}", "components": told["components"]}
        for example in described.get("examples", []):
            jsonschema_rs.validate(schema, example)
    with_examples = {name for name, described in told["components"]["schemas"].items() if described.get("examples")}
    assert {"VerifyRequest", "RunResult", "StartedRun", "RunList", "Health", "ProblemDocument"} <= with_examples


def test_no_page_that_loads_scripts_from_elsewhere_is_served(place: Place) -> None:
    for path in ("/docs", "/redoc", "/api/docs"):
        assert httpx.get(place.base + path).status_code == 404


def test_a_generated_client_works(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described, config = tmp_path / "openapi.json", tmp_path / "config.yml"
    described.write_bytes(httpx.get(f"{place.base}/api/openapi.json").content)
    config.write_text("post_hooks: []\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "openapi_python_client", "generate", "--path", described, "--meta", "none",
        "--config", config, "--output-path", tmp_path / "ghost_client",
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    monkeypatch.syspath_prepend(tmp_path)
    with import_module("ghost_client").Client(base_url=place.base) as client:
        request = import_module("ghost_client.models").VerifyRequest(claim=CLAIM["claim"], web=False)
        run = import_module("ghost_client.api.runs.runs_verify").sync(client=client, body=request)
        assert run.claim.text == CLAIM["claim"]
        assert run.status == "finished"
        listed = import_module("ghost_client.api.runs.runs_runs").sync(client=client, text="Great Wall")
        assert run.run_id in [found.run_id for found in listed.runs]
        problem = import_module("ghost_client.api.runs.runs_run").sync(run_id="none", client=client)
        assert (problem.code, problem.status) == ("no_such_run", 404)
