"""A Pydantic model as a JSON schema that servers with strict structured output accept."""

from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "enum", "items", "properties", "description")


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every field required, nothing else allowed, references written out; limits are left to our own check."""
    whole = model.model_json_schema()
    return _strict(whole, whole.get("$defs", {}))


def _strict(node: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return _strict(named[node["$ref"].rpartition("/")[2]], named)
    found = {key: value for key, value in node.items() if key in _KEPT}
    if "items" in found:
        found["items"] = _strict(found["items"], named)
    if "properties" in found:
        found["properties"] = {name: _strict(child, named) for name, child in found["properties"].items()}
        found["required"] = list(found["properties"])
        found["additionalProperties"] = False
    return found
