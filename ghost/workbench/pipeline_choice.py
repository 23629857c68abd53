"""The pipelines that a run may take, and which one it takes."""

from collections.abc import Sequence

from ghost.errors import ClaimError
from ghost.types import Pipeline, PipelineChoice

SEVEN_STEPS = "Seven fixed steps, the same for every claim. Works without a language model."
SINGLE_CONVERSATION = (
    "A language model searches, reads and decides in one conversation with hard limits. If it fails, the seven steps "
    "continue with what it found."
)
NO_MODEL = (
    "It needs a language model, but none is set up. Set GHOST_LOCAL_BASE_URL to a server on your machine, or "
    "OPENAI_API_KEY."
)
MODELS_OFF = "It needs a language model, but GHOST_JUDGE or --judge allows only the embedded judge."


def pipeline_choices(judges: Sequence[str], model_set_up: bool) -> tuple[PipelineChoice, ...]:
    """The ways that a run may take, each with what it does or what it needs.

    ``judges`` are the kinds that may be asked; a language model may be set up and still not be among them.
    """
    steps = PipelineChoice(Pipeline.SEVEN_STEPS, True, SEVEN_STEPS)
    if any(kind != "embedded" for kind in judges):
        return steps, PipelineChoice(Pipeline.SINGLE_CONVERSATION, True, SINGLE_CONVERSATION)
    return steps, PipelineChoice(Pipeline.SINGLE_CONVERSATION, False, MODELS_OFF if model_set_up else NO_MODEL)


def choose_pipeline(choices: Sequence[PipelineChoice], wanted: str, preferred: str, judge: str) -> Pipeline:
    """The pipeline of a run that wants one, or none, where the settings prefer one.

    Raises ClaimError for one that the run has asked for and cannot take.
    """
    if wanted and wanted not in tuple(Pipeline):
        raise ClaimError(f"There is no pipeline of this name. Choose one of {', '.join(Pipeline)}.")
    chosen = Pipeline(wanted or preferred)
    if chosen is Pipeline.SEVEN_STEPS:
        return chosen
    choice = next(c for c in choices if c.name is chosen)
    problem = "" if choice.usable else choice.why
    if judge == "embedded":
        problem = "It needs a language model, but this run asks for the embedded judge."
    if problem and wanted:
        raise ClaimError(f"A single conversation cannot run here. {problem} The seven steps work without one.")
    return Pipeline.SEVEN_STEPS if problem else chosen  # the settings may prefer what is not possible here
