"""The JSON Schema of a line of a trace, which follows from the table `fields.FIELDS`."""

from embedded_hunter.run.header import TRACE, VERSION
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.traces.fields import FIELDS, INTEGER, INTEGERS, OPTIONAL, TYPES

EXACT: Fields = {"$ref": "#/definitions/exact"}
SETTINGS: Fields = {
    **dict.fromkeys(("n", "d", "v", "K", "h_max", "n_embeddings"), INTEGER),
    **dict.fromkeys(("eta", "M"), EXACT),
    "refine": {"type": "boolean"},
    "evolve": {"type": "boolean"},
    "sigma": {"type": "number", "exclusiveMinimum": 0},
    "policy": {"type": "string"},
    "dimensions": INTEGERS,
}

DESCRIPTION = (
    "The first line is the header, each other line is an event. What lines say about one another "
    "is for `embedded-hunter check`: the number of numerators in c, the order of events, and which "
    "settings a policy needs (d and M in Algorithm 1). An integer of more than 53 bits that a "
    "program has rounded is valid here."
)


def schema() -> Fields:
    """Return the schema (draft 7) of one line of a trace."""
    settings = _object(SETTINGS, ("v", "K", "h_max", "eta"))
    header = {"format": {"const": TRACE}, "version": {"const": VERSION}, "settings": settings}
    events = [
        _object({"event": {"const": kind}} | _types(kind), ("event", *FIELDS[kind]))
        for kind in FIELDS
    ]
    number, digits = {"type": "number"}, "^[0-9]+(/0*[1-9][0-9]*|\\.[0-9]+)?$"
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A line of a trace of EmbeddedHunter",
        "description": DESCRIPTION,
        "definitions": {
            "integer": {"anyOf": [{"type": "integer"}, _text("^-?[0-9]+$")]},
            "exact": {"anyOf": [number | {"minimum": 0}, _text(digits)]},
            "value": {"anyOf": [number, {"enum": ["inf", "-inf"]}]},
            "header": _object(header, tuple(header)),
            "event": {"oneOf": events},
        },
        "oneOf": [{"$ref": "#/definitions/header"}, {"$ref": "#/definitions/event"}],
    }


def _types(kind: str) -> Fields:
    """Return the schemas of the fields of an event."""
    table = FIELDS[kind] | OPTIONAL.get(kind, {})
    return {name: TYPES[read] for name, read in table.items()}


def _object(properties: Fields, required: tuple[str, ...]) -> Fields:
    return {"type": "object", "properties": properties, "required": list(required)}


def _text(pattern: str) -> Fields:
    return {"type": "string", "pattern": pattern}
