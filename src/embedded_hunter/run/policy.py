"""A policy: everything that runs, traces, pictures and commands ask about a way to search.

`Policy` lists the questions. `algorithm_1` answers them for the two policies of Algorithm 1,
``fresh`` and ``indexed``; `forest` answers them for the policy ``forest``. `policies` is the
registry.

A search is a generator that yields *visits*. A visit lists *requests*; each asks for one
evaluation. What a request is belongs to the policy: `hunter.Evaluation` for Algorithm 1, one of
`forest.requests` for the forest. Everyone else hands requests on, and asks the policy about them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from embedded_hunter.matrices import Floats, Key
from embedded_hunter.node import Node, splits
from embedded_hunter.settings import Space
from embedded_hunter.tree import Tree

if TYPE_CHECKING:
    from embedded_hunter.run.events import Event

NARROW = 50
"""A cell is narrow if Y is at least this many times as wide."""


class Parameters(Protocol):
    """The parameters of a run, as every policy has them: a frozen object that can be compared."""

    @property
    def policy(self) -> str:
        """The name of the policy."""

    @property
    def n(self) -> int:
        """Number of variables."""

    @property
    def d(self) -> int:
        """Dimension of the search space, the greatest one if there are several."""

    @property
    def v(self) -> int:
        """Evaluation budget."""

    @property
    def K(self) -> int:
        """Partition factor."""

    @property
    def h_max(self) -> int:
        """Greatest depth at which a node is expanded."""

    def as_json(self) -> dict[str, object]:
        """Return the parameters as JSON has them; `Policy.from_json` reads them."""


class AnyVisit(Protocol):
    """A visit of a search: `hunter.Visit`, `forest.search.ForestVisit`, or one like them."""

    @property
    def tree(self) -> Tree:
        """The leaves."""

    @property
    def sweep(self) -> int:
        """Number of the sweep, 0 before the first one."""

    @property
    def t(self) -> int:
        """Number of the visit; 0 for the first evaluation."""

    @property
    def l(self) -> int:  # noqa: E743
        """The depth that is visited."""

    @property
    def expansions(self) -> Sequence[Any]:
        """The expansions of the visit, see `hunter.Expansion`."""

    @property
    def evaluations(self) -> Sequence[Any]:
        """The requests of the visit. The search receives their values, in this order."""


AnyHunt = Generator[AnyVisit, Sequence[float], float]
"""A search: it yields visits, receives the values of their requests, returns the least value."""


class Points(Protocol):
    """Turns requests into points of X."""

    def project(self, evaluations: Sequence[Any], /) -> Floats:
        """Return the points of some requests, shape (len(evaluations), rows), all in [-1, 1]."""


class Origin(NamedTuple):
    """Where an evaluation was made, for tables, pictures and messages."""

    kind: str
    """The kind of the search that made it: each has a colour."""
    row: int
    """Its row in a picture: the depth, or the number of a tree or of another search."""
    label: str
    """The name of the row."""
    phrase: str
    """The same for a sentence, with more detail."""


S = TypeVar("S", bound=Parameters)


class Policy(ABC, Generic[S]):
    """A policy. `S` is the class of its parameters."""

    name: ClassVar[str]
    """The value of the argument `policy`."""
    says: ClassVar[str]
    """The part of the message of a result that names it."""
    settings: type[S]
    """The class of its parameters; `as_json` writes all that its constructor needs."""
    reaches_farther: ClassVar[str]
    """The parameter to increase if the best point lies at the edge of what was searched."""
    draws_in_order: ClassVar[bool] = False
    """Whether one stream draws all points, in the order of the requests. Otherwise a point is a
    function of its request and the key."""
    defaults_from_x0: ClassVar[Mapping[str, Any]] = {}
    """Parameters with another default if the user gives a starting point."""

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters, besides n and v."""
        return frozenset(signature(self.settings).parameters) - {"n", "v", "policy"}

    @abstractmethod
    def make(self, n: int, d: int | None, v: int, **given: Any) -> S:
        """Return parameters, of which d may be None if the policy does not need it.

        TypeError or ValueError if one is missing or not allowed.
        """

    @abstractmethod
    def from_json(self, written: Mapping[str, object]) -> S:
        """Return the parameters that `as_json` has written.

        TypeError or ValueError if a name is missing or unknown, or a value is not allowed.
        """

    @abstractmethod
    def run(self, settings: S, key: Key, rows: int) -> AnyHunt:
        """Return the generator of a run whose points have `rows` coordinates.

        The key does not matter to the decisions: they depend on the values alone.
        """

    @abstractmethod
    def points(self, settings: S, key: Key, rows: int, memory: int) -> Points:
        """Return what makes the points of a run.

        `rows` is the number of their coordinates, `memory` the bytes for what is kept.
        """

    @abstractmethod
    def trees(self, settings: S) -> tuple[Space, ...]:
        """Return the cubes Y of the trees, with their partitions."""

    @abstractmethod
    def origin(self, settings: S, request: Any) -> Origin:
        """Say where a request is made."""

    @abstractmethod
    def narrate(self, settings: S, visit: Any) -> Iterator[Event]:
        """Yield what happens in a visit, before the run has received its values."""

    def at_edge(self, settings: S, asked: Sequence[Any], k: int) -> bool:
        """Tell whether evaluation k of a visit, from 0, lies at the edge of what the run searches.

        `asked` are the requests of the visit. If the optimum has no preimage in the cubes Y, the
        best evaluation of a run shows it.
        """
        return False


def narrows_in_on_the_boundary(node: Node, K: int) -> bool:
    """Tell whether a cell touches the boundary of Y in a coordinate in which it is narrow.

    A tree narrows in on the boundary of Y if the optimum has no preimage in Y. A cell that touches
    the boundary and is wider says little: with K = 3 two of three children touch it. A coordinate
    of x that is clipped to its bound is no sign: most coordinates do not matter, and an optimum may
    lie on the bounds.
    """
    for c_j, s_j in zip(node.c, splits(node.h, len(node.c)), strict=True):
        cells = K**s_j  # across Y
        if cells >= NARROW and abs(c_j) == cells // 2:
            return True
    return False
