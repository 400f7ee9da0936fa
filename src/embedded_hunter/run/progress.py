"""What `minimize(..., disp=True)` prints: the progress of a run."""

from embedded_hunter.forest.search import ForestVisit
from embedded_hunter.hunter import Visit
from embedded_hunter.run.asktell import EmbeddedHunter

LINES = 20
"""Number of lines at most, besides the first and the last one."""


class Progress:
    """Prints the best value after every twentieth part of the budget, and where it was found."""

    def __init__(self, hunter: EmbeddedHunter) -> None:
        self._hunter, self._best, self._found = hunter, hunter.fun, "before this start"
        self._step = -(-hunter.settings.v // LINES)
        self._next = (hunter.nfev // self._step + 1) * self._step
        print(_line("evaluations", "best value", "sweep", "depth", "best found in"), flush=True)

    def visited(self, visit: Visit) -> None:
        """Take a visit that is complete; print a line if one is due."""
        hunter = self._hunter
        if hunter.fun < self._best:
            self._best, self._found = hunter.fun, place(visit)
        if hunter.nfev >= self._next or hunter.finished:
            self._next = (hunter.nfev // self._step + 1) * self._step
            value, now = f"{hunter.fun:.6e}", hunter.visit
            print(_line(hunter.nfev, value, now.sweep, now.tree.depth, self._found), flush=True)


def place(visit: Visit) -> str:
    """Return where the evaluations of a visit were made, in words."""
    if visit.t == 0:
        return "the zero vector"
    if not isinstance(visit, ForestVisit):
        return f"depth {visit.l + 1}"
    if visit.local is not None:
        if visit.local.mode == "evolve":
            return "evolution strategy"
        return f"local search {visit.local.q}, {visit.local.mode}"
    trees = sorted({p for _, p in visit.evaluations})
    return f"tree {' or '.join(map(str, trees))}, depth {visit.l + 1}"


def _line(made: object, value: object, sweep: object, depth: object, found: str) -> str:
    return f"{made!s:>11}  {value!s:>14}  {sweep!s:>6}  {depth!s:>5}  {found}"
