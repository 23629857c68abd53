"""A site of the demo web: a host with a name, a language and habits."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Site(BaseModel):
    """One entry of ``sites/sites.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    about: str = ""
    """What kind of site it is, for whoever reads the list."""
    language: str = "en"
    dates: Literal["json-ld", "meta", "time", "text", "none"] = "meta"
    """How its pages say when they were published; ``none``: not at all, even where the file knows it."""
    robots: str | None = None
    """Text of its ``robots.txt``; without one there is no such file."""
