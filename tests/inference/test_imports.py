"""The bundled models run where torch is not installed, and nothing heavy is imported before it is needed."""

import subprocess
import sys
import textwrap

from config import PROJECT


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=PROJECT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BLOCKER = """
    import sys
    from pathlib import Path

    class Blocker:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in {"torch", "sentence_transformers", "transformers"}:
                raise ImportError(f"{name} must not be imported here", name=name)

    sys.meta_path.insert(0, Blocker())
"""


def test_bundled_models_never_import_torch() -> None:
    out = _run(
        BLOCKER
        + """
    from ghost.inference import load_encoder, load_relevance_scorer, load_stance_reader

    models = Path("ghost/models")
    reader = load_stance_reader(models)
    scorer = load_relevance_scorer("bundled", reader)
    pair = ("Bats are mammals.", "Bats are mammals.")
    print(load_encoder("all-MiniLM-L6-v2", models).encode(["Bats are mammals."]).shape, len(scorer.score([pair])))
    """
    )
    assert out.split("\n")[0] == "(1, 384) 1"


def test_named_models_say_what_to_install() -> None:
    out = _run(
        BLOCKER
        + """
    from ghost.errors import ModelError
    from ghost.inference import SentenceTransformerEncoder, SentenceTransformerScorer

    for use in (
        lambda: SentenceTransformerEncoder("some/encoder").encode(["text"]),
        lambda: SentenceTransformerScorer("some/reranker").score([("a", "b")]),
    ):
        try:
            use()
        except ModelError as error:
            print(error)
    """
    )
    first, second = out.strip().split("\n")
    assert "GHOST_EMBEDDING_MODEL" in first
    assert "GHOST_RERANKER_MODEL" in second
    for message in (first, second):
        assert "pip install -r requirements.txt" in message


def test_loading_the_modules_loads_nothing_heavy() -> None:
    out = _run(
        """
        import sys
        from pathlib import Path
        from ghost.inference import load_encoder, load_stance_reader

        load_encoder("all-MiniLM-L6-v2", Path("ghost/models"))
        load_stance_reader(Path("ghost/models"))
        heavy = {"onnxruntime", "tokenizers", "torch", "transformers", "huggingface_hub", "httpx2"}
        print(sorted(heavy & set(sys.modules)))
        """
    )
    assert out.strip() == "[]"
