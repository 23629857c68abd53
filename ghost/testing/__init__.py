"""What tests and benchmarks stand on: a scripted language model and a temporary workbench."""

from ghost.testing.chroma import ChromaServer
from ghost.testing.postgres import PostgresServer
from ghost.testing.scripted_llm import Answer, Asked, Scripted, ScriptedLLM
from ghost.testing.workbench import (
    OFF_TOPIC,
    ON_TOPIC,
    REFUTING,
    SUPPORTING,
    HashingEncoder,
    ScriptedJudge,
    ScriptedReader,
    ScriptedSearch,
    drafted,
    evidence,
    passage,
)

__all__ = [
    "OFF_TOPIC",
    "ON_TOPIC",
    "REFUTING",
    "SUPPORTING",
    "Answer",
    "Asked",
    "ChromaServer",
    "HashingEncoder",
    "PostgresServer",
    "Scripted",
    "ScriptedJudge",
    "ScriptedLLM",
    "ScriptedReader",
    "ScriptedSearch",
    "drafted",
    "evidence",
    "passage",
]
