"""`Run`: what determines a run. Everything else follows from it.

A run is a function of its settings, its key and its values. The file of a run holds these three, a
pickle has them, and whoever continues, traces, checks or draws a run gets them and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import (
    MEMORY,
    Floats,
    Key,
    generator,
    is_key,
    key_from,
    seed_behind,
)
from embedded_hunter.run.box import BoundsLike, Box, box_of, floats, from_cube
from embedded_hunter.run.policies import policy_of, run_of, settings_from_json
from embedded_hunter.run.policy import AnyHunt, AnyVisit, Parameters
from embedded_hunter.version import __version__


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
        Those of evaluations 1, 2, ...: given as any sequence of floats, kept as a read-only array;
        nan where there is none yet. The numbers up to the last one have been asked for.
    box
        The user's bounds, a `Box`; None if the points are those of X.
    rows
        Number of coordinates of the points, n unless given. Not with a box.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed. The message names the argument.
    """

    settings: Parameters
    key: Key | None = None
    seed: int | None = None
    values: Any = ()
    box: Box | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        policy_of(self.settings)  # TypeError if there is none
        if self.key is not None and not is_key(self.key):
            raise ValueError(f"key must be None or 8 integers below 2^32, got {self.key!r:.120}")
        if self.rows is not None:
            object.__setattr__(self, "rows", integer("rows", self.rows, 1))
        if not isinstance(self.box, Box | None):
            raise TypeError(f"box must be a Box or None, got {self.box!r:.80}")
        if self.box is not None:
            box_of(self.box, self.settings.n, self.rows)
        values = floats(self.values, "values must be a sequence of floats, nan where there is none")
        if values.ndim != 1:
            raise ValueError(f"values must have one dimension, got shape {values.shape}")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        s = self.settings
        return f"Run({s.policy}, n={s.n}, v={s.v}, seed={self.seed}, {len(self.known)} values)"

    @classmethod
    def begin(
        cls,
        settings: Parameters,
        rng: object = None,
        bounds: BoundsLike | Box | None = None,
        rows: int | None = None,
    ) -> "Run":
        """Return a run that has no value yet; the arguments and errors are those of `Search`."""
        policy_of(settings)
        box = None if bounds is None else box_of(bounds, settings.n, rows)
        begun = cls(settings, box=box, rows=rows)  # before anything is drawn
        source = generator(rng)
        seed = seed_behind(source)
        return replace(begun, key=key_from(source), seed=seed)

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
        from embedded_hunter.run.header import key_in, settings_in
        from embedded_hunter.run.jsonlines import FormatError
        from embedded_hunter.run.records import read_run

        header, records = read_run(lines)
        if (version := header.get("package")) != __version__:
            raise FormatError(f"line 1: {other_version(version)}")
        header["settings"]["v"] = records.budget
        values = np.array(records.values)
        return cls(settings_in(header), key_in(header), header.get("seed"), values)

    @property
    def known(self) -> Floats:
        """The values of evaluations 1, 2, ... up to the first one that has none."""
        values: Floats = self.values
        missing = np.flatnonzero(np.isnan(values))
        return values[: missing[0]] if missing.size else values

    def visits(self) -> Iterator[Told]:
        """Yield each visit of the run with its known values, before the run receives them.

        If some are missing, the visit is the last one. ValueError if the run ends before all of its
        known values are used.
        """
        return self._visits(run_of(self.settings))

    def _visits(self, hunt: AnyHunt) -> Iterator[Told]:
        known, made = self.known.tolist(), 0
        visit = next(hunt)
        while True:
            told = known[made : made + len(visit.evaluations)]
            made += len(told)
            yield Told(visit, told)
            if len(told) < len(visit.evaluations):
                return
            try:
                visit = hunt.send(told)
            except StopIteration:
                break
        if made < len(known):
            raise ValueError(f"the run has {made} evaluations, got {len(known)} values")

    def points(self) -> Floats:
        """Return the points of the known values, shape (k, rows), in the box if there is one.

        ValueError if the run has no key.
        """
        parts = [points for _, points in self.evaluated() if len(points)]
        return np.concatenate(parts) if parts else np.empty((0, self.rows or self.settings.n))

    def evaluated(self) -> Iterator[tuple[Told, Floats]]:
        """Yield each visit with its known values and their points; see `visits` and `points`."""
        if self.key is None:
            raise ValueError("the points of a run without a key are not known")
        policy, rows = policy_of(self.settings), self.rows or self.settings.n
        maker = policy.points(self.settings, self.key, rows, MEMORY)
        for told in self._visits(policy.run(self.settings, self.key, rows)):
            asked = told.visit.evaluations[: len(told.values)]
            yield told, from_cube(self.box, maker.project(asked))

    def __reduce__(self) -> tuple[Callable[..., "Run"], tuple[Any, ...]]:
        from embedded_hunter.run.header import header_of_run

        header = header_of_run(self.settings, self.key, self.seed)
        box = None if self.box is None else (self.box.low, self.box.high, self.box.x0)
        return from_pickle, (header, self.values, box, self.rows)


def from_pickle(header: dict[str, Any], values: Floats, box: Any, rows: int | None) -> Run:
    """Return the run of a pickle.

    ValueError if another version of the package, or a machine that computes other points, has
    written it.
    """
    from embedded_hunter.run.header import header_of_run, other_points

    if (version := header["package"]) != __version__:
        raise ValueError(f"the pickle of the run: {other_version(version)}")
    settings = settings_from_json(header["settings"])
    here = header_of_run(settings, header["key"], header["seed"])
    if differs := other_points(header, here):
        raise ValueError(f"the pickle of the run {differs}")
    if box is not None:
        low, high, x0 = box
        of_user = Box(np.column_stack([low, high]), x0)
    return Run(settings, header["key"], header["seed"], values, box and of_user, rows)


def other_version(version: object) -> str:
    """Return what to do with a run that another version of the package has written."""
    return f"version {version} of embedded-hunter has written it, this is version {__version__}"
