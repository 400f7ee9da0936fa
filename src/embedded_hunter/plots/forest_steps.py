"""A run of the policy ``forest`` as a list of steps: one for each sweep and for each evaluation.

Each evaluation belongs to a tree or to a local search; `evaluations` says to which.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.plots.evaluations import evaluations_of
from embedded_hunter.plots.steps import rounded, shown
from embedded_hunter.run.jsonlines import Fields, FormatError, integer_from_json
from embedded_hunter.run.policies import is_forest
from embedded_hunter.traces.events import open_trace, read

MODES = ("intensify", "diversify")
"""The modes of local searches that a step names."""
BEGIN = [1]
"""Marks the step that begins a sweep, as in a run of Algorithm 1, whose line 1 it is."""


@dataclass
class ForestSteps:
    """The steps of a run."""

    settings: ForestSettings
    steps: list[tuple[list[int], str, int]] = field(default_factory=list)
    """`BEGIN` or no mark, what happens, as a sentence, and the number of the sweep."""
    evaluations: list[list[Any]] = field(default_factory=list)
    """The step, the kind (see `evaluations.COLORS`), the tree p or P + k for the k-th local search,
    the value, and the point of X if the trace has it with two coordinates."""
    complete: bool = False
    """Whether the last step is the end of the run."""

    def as_json(self) -> Fields:
        """Return all of it as an object of JSON; `player.js` draws it."""
        return {
            "P": len(self.settings.trees),
            "v": self.settings.v,
            "complete": self.complete,
            "steps": [[*step, *[None] * 5] for step in self.steps],
            "nodes": [],
            "visits": [],
            "evaluations": self.evaluations,
        }


def forest_steps_of(lines: Iterable[str | bytes], most: int | None = None) -> ForestSteps:
    """Return the steps of the run that a trace of a forest records.

    Parameters
    ----------
    lines
        The lines of a trace that conforms (`traces.check`).
    most
        Stop at the first visit after this number of steps.

    Raises
    ------
    FormatError
        If the lines are not a trace of a forest, or have no evaluation.
    """
    lines = list(lines)
    run, (settings, number, following) = evaluations_of(lines), open_trace(lines)
    if not is_forest(settings):
        raise FormatError("it does not record a run with the policy forest")
    out = ForestSteps(settings)
    numbers, made, sweep, best = count(), Counter[int](), 0, float("inf")
    for at, fields in read(following, number):
        event = fields["event"]
        if event == "visit" and most is not None and len(out.steps) > most:
            return out
        if event == "sweep":
            sweep = integer_from_json(fields, "sweep", at)
            limit = integer_from_json(fields, "limit", at)
            says = f"Sweep {sweep} begins. It visits the depths 0 to {limit} of all trees."
            out.steps.append((BEGIN, says, sweep))
        if event == "evaluate":
            k = next(numbers)
            source, value, x = int(run.sources[k]), float(run.values[k]), fields.get("x")
            made[source] += 1
            name = run.name(k)
            if source > run.trees or source == 0:
                mode = f", to {run.kinds[k]}" if run.kinds[k] in MODES else ""
                who = f"{name[0].upper()}{name[1:]}{mode}: its evaluation {made[source]}"
            elif fields["h"] == 0:
                who = "The zero vector, which all trees share,"
            else:
                who = f"{name.capitalize()}: the base point of node ({fields['h']}, {fields['i']})"
            what = f"{who} has the value {shown(value)}{', the best so far' * (value < best)}."
            best = min(best, value)
            point = x if isinstance(x, list) and len(x) == 2 else None
            out.evaluations.append(
                [
                    len(out.steps),
                    run.kinds[k],
                    source,
                    rounded(value),
                    point and [*map(rounded, point)],
                ]
            )
            out.steps.append(([], what, sweep))
    out.steps.append(
        ([], f"The run ends. The least of the {len(run.values)} values is {shown(best)}.", sweep)
    )
    out.complete = True
    return out
