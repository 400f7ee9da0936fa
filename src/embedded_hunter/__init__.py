"""EmbeddedHunter (AAAI-17), executable and machine-checked.

Read `hunter` beside Algorithm 1 of the paper first. Then read `node`, `tree` and `projection`,
which it uses. Then read `run.asktell` and `run.minimize`, which drive it. A claim that a docstring
names, such as ``frozen-classes``, is stated in docs/claims.toml, and proved or tested as
docs/claims.md says.
"""

import importlib
import warnings
from typing import TYPE_CHECKING, Any

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.errors import CheckpointError, CheckpointWriteError, EvaluationError
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

if TYPE_CHECKING:
    from embedded_hunter.plots.evaluations import plot
    from embedded_hunter.plots.report import report
    from embedded_hunter.run.influence import Influence, influence

__all__ = [
    "CheckpointError",
    "CheckpointWriteError",
    "EvaluationError",
    "ForestSettings",
    "Influence",
    "Run",
    "Search",
    "Settings",
    "__version__",
    "influence",
    "minimize",
    "plot",
    "report",
]


LATER = {
    "Influence": "embedded_hunter.run.influence",
    "influence": "embedded_hunter.run.influence",
    "plot": "embedded_hunter.plots.evaluations",
    "report": "embedded_hunter.plots.report",
}
"""Names that a run does not need, and their modules."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    if name != "EmbeddedHunter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "embedded_hunter.EmbeddedHunter is called Search since version 2.0.0, whatever its policy",
        DeprecationWarning,
        stacklevel=2,
    )
    return Search
