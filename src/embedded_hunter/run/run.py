"""`Run`: what determines a run. Everything else follows from it.

A run is a function of its settings, its key and its values. The file of a run holds these three, a
pickle has them, and whoever continues, traces, checks or draws a run gets them and nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

import numpy as np

from embedded_hunter.matrices import MEMORY, Floats, Key
from embedded_hunter.policy import AnyHunt, AnyVisit, Parameters
from embedded_hunter.run.box import Box, from_cube
from embedded_hunter.run.drive import next_visit
from embedded_hunter.run.header import key_in, settings_in
from embedded_hunter.run.policies import policy_of, run_of
from embedded_hunter.run.records import read_run


class Told(NamedTuple):
    """A visit of a run, and what is known of its values."""

    visit: AnyVisit
    values: Sequence[float]
    """Those of its first evaluations, all of them unless it is the last visit."""


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The settings, the key and the values of one run.

    Attributes
    ----------
    settings
        The parameters: `Settings` or `ForestSettings`.
    key
        The key of all random numbers of the run. None if its points are not known, as for the run
        of another program.
    seed
        The seed that leads to the key; None if there is none.
    values
        Those of evaluations 1, 2, ..., read-only; nan where there is none yet. The numbers up to
        the last one have been asked for.
    box
        The user's bounds; None if the points are those of X.
    rows
        Number of coordinates of the points, n unless given.
    """

    settings: Parameters
    key: Key | None = None
    seed: int | None = None
    values: Sequence[float] | Floats = ()
    box: Box | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        policy_of(self.settings)  # TypeError if there is none
        values = np.array(self.values, dtype=float)
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        s = self.settings
        return f"Run({s.policy}, n={s.n}, v={s.v}, seed={self.seed}, {len(self.known)} values)"

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "Run":
        """Return the run of a file that `minimize` has written as its checkpoint.

        OSError if it cannot be read, FormatError if it is not the file of a run, or is damaged.
        """
        with open(path, "rb") as file:
            return cls.from_lines(file)

    @classmethod
    def from_lines(cls, lines: Iterable[bytes]) -> "Run":
        """Return the run of the lines of its file; FormatError as for `read`."""
        header, records = read_run(lines)
        header["settings"]["v"] = records.budget
        values = np.full(max(records.values, default=0), np.nan)
        for number, value in records.values.items():
            values[number - 1] = value
        return cls(settings_in(header), key_in(header), header.get("seed"), values)

    @property
    def known(self) -> Floats:
        """The values of evaluations 1, 2, ... up to the first one that has none."""
        values = np.asarray(self.values)
        missing = np.flatnonzero(np.isnan(values))
        return values[: missing[0]] if missing.size else values

    def visits(self) -> Iterator[Told]:
        """Yield each visit of the run with its known values, before the run receives them.

        If some are missing, the visit is the last one. ValueError if the run ends before all of its
        known values are used.
        """
        return self._visits(run_of(self.settings))

    def _visits(self, hunt: AnyHunt) -> Iterator[Told]:
        known = self.known.tolist()
        made = 0
        visit: AnyVisit | None = next(hunt)
        while visit is not None:
            told = known[made : made + len(visit.evaluations)]
            made += len(told)
            yield Told(visit, told)
            visit = next_visit(hunt, told) if len(told) == len(visit.evaluations) else None
        if made < len(known):
            raise ValueError(f"the run has {made} evaluations, got {len(known)} values")

    def points(self) -> Floats:
        """Return the points of the known values, shape (k, rows), in the box if there is one.

        ValueError if the run has no key.
        """
        if self.key is None:
            raise ValueError("the points of a run without a key are not known")
        policy, rows = policy_of(self.settings), self.rows or self.settings.n
        maker = policy.points(self.settings, self.key, rows, MEMORY)
        points = np.empty((len(self.known), rows))
        made = 0
        for visit, told in self._visits(policy.run(self.settings, self.key, rows)):
            asked = visit.evaluations[: len(told)]
            points[made : made + len(asked)] = from_cube(self.box, maker.project(asked))
            made += len(asked)
        return points
