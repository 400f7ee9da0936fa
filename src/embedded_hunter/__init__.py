"""EmbeddedHunter (AAAI-17), executable and machine-checked.

Read `hunter` beside Algorithm 1 of the paper first. Then read `node`, `tree` and `projection`,
which it uses. Then read `run.asktell` and `run.minimize`, which drive it.
"""

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
]


def __getattr__(name: str) -> Any:
    if name in ("Influence", "influence"):  # a run does not need it
        from embedded_hunter.run import influence as module

        return getattr(module, name)
    if name != "EmbeddedHunter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "embedded_hunter.EmbeddedHunter is called Search since version 2.0.0, whatever its policy",
        DeprecationWarning,
        stacklevel=2,
    )
    return Search
