"""EmbeddedHunter (AAAI-17), executable and machine-checked.

Read `hunter` beside Algorithm 1 of the paper first; then `node`, `tree` and `projection`, which it
rests on; then `asktell` and `minimize`, which drive it.
"""

from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.checkpoint import CheckpointError, CheckpointWriteError
from embedded_hunter.run.minimize import EvaluationError, minimize
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

__all__ = [
    "CheckpointError",
    "CheckpointWriteError",
    "EmbeddedHunter",
    "EvaluationError",
    "Settings",
    "__version__",
    "minimize",
]
