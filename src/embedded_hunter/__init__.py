"""EmbeddedHunter (AAAI-17), executable and machine-checked.

Read `hunter` beside Algorithm 1 of the paper first. Then read `node`, `tree` and `projection`,
which it uses. Then read `run.asktell` and `run.minimize`, which drive it.
"""

import warnings

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.influence import Influence, influence
from embedded_hunter.run.locked_file import CheckpointError, CheckpointWriteError
from embedded_hunter.run.minimization import EvaluationError
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

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


def __getattr__(name: str) -> type[Search]:
    if name != "EmbeddedHunter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "embedded_hunter.EmbeddedHunter is called Search since version 2.0.0, whatever its policy",
        DeprecationWarning,
        stacklevel=2,
    )
    return Search
