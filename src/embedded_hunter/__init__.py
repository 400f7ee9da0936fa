"""EmbeddedHunter (AAAI-17), executable and machine-checked.

Read `hunter` beside Algorithm 1 of the paper first. Then read `node`, `tree` and `projection`,
which it uses. Then read `run.asktell` and `run.minimize`, which drive it.
"""

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.asktell import EmbeddedHunter
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
    "EmbeddedHunter",
    "EvaluationError",
    "ForestSettings",
    "Influence",
    "Run",
    "Settings",
    "__version__",
    "influence",
    "minimize",
]
