"""The registry of policies, and searches made from settings.

This is the one file that knows policies by their names. A further policy has a folder with its
`policy.Policy`, and an entry in `POLICIES`. For type checkers, its name is in `PolicyName` and its
parameters are in `Given`. The files of a policy are imported when it is first asked something.
"""

from collections import UserDict
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from embedded_hunter.common.arguments import Real, one_of
from embedded_hunter.matrices import MEMORY, generator, key_from, raise_trim_threshold
from embedded_hunter.run.policy import AnyHunt, Parameters, Points, Policy
from embedded_hunter.settings import Sampler

PolicyName = Literal["fresh", "indexed", "forest"]


class Registry(UserDict[str, Any]):
    """The policies by name; each is given as a function that imports and makes it."""

    def __getitem__(self, name: str) -> Policy[Any]:
        """Return a policy, always the same object."""
        found: Any = self.data[name]
        policy: Policy[Any] = found if isinstance(found, Policy) else found()
        self.data[name] = policy
        return policy


def _fresh() -> Policy[Any]:
    from embedded_hunter.run.algorithm_1 import FreshPolicy

    return FreshPolicy()


def _indexed() -> Policy[Any]:
    from embedded_hunter.run.algorithm_1 import IndexedPolicy

    return IndexedPolicy()


def _forest() -> Policy[Any]:
    from embedded_hunter.run.forest import ForestPolicy

    return ForestPolicy()


POLICIES = Registry(fresh=_fresh, indexed=_indexed, forest=_forest)
"""The paper's policy, its variant with matrices that are kept, and the policy beyond the paper."""
DEFAULT: PolicyName = "forest"
"""The policy of `minimize` unless given."""


class Given(TypedDict, total=False):
    """The parameters of all policies; `Policy.parameters` says which ones a policy has."""

    d: int | None
    effective_dimension: int | None
    eta: Real
    K: int
    M: Real
    h_max: int | None
    sigma: float | None
    sampler: Sampler
    scale: Real | None
    dimensions: Iterable[int] | None
    n_embeddings: int | None
    refine: bool
    evolve: bool
    sample: bool
    batch: int
    first_step: Real | None


class Parts(NamedTuple):
    """What asks for evaluations, and where their points lie."""

    run: AnyHunt
    """The generator that requests evaluations."""
    projection: Points
    """Computes the points of its evaluations."""


def parts_of(settings: Parameters, rng: object = None, rows: int | None = None) -> Parts:
    """Return the parts of a run, for a loop over its visits without ask/tell.

    Its random numbers come from `rng`, any argument of `numpy.random.default_rng`. `rows` is the
    number of coordinates of its points, n unless given.
    """
    raise_trim_threshold()
    policy, key = policy_of(settings), key_from(generator(rng))
    rows = settings.n if rows is None else rows
    return Parts(policy.run(settings, key, rows), policy.points(settings, key, rows, MEMORY))


def run_of(settings: Parameters) -> AnyHunt:
    """Return the generator of a run whose points do not matter: it depends on the values alone."""
    return policy_of(settings).run(settings, [0] * 8, 0)


def policy_of(settings: Parameters) -> Policy[Any]:
    """Return the policy that these settings belong to; TypeError if there is none."""
    policy: Policy[Any] | None = POLICIES.get(getattr(settings, "policy", ""))
    if policy is None or not isinstance(settings, policy.settings):
        raise TypeError(
            "settings must be Settings or ForestSettings, as ForestSettings(n=100, v=500), "
            f"got {settings!r:.50}"
        )
    return policy


def settings_of(policy: str, n: int, d: int | None, v: int, **given: Any) -> Parameters:
    """Return the settings of a policy, with n, d, v as for `Settings`.

    With policy ``"forest"``, d may be None; otherwise it is the only dimension of the trees.
    TypeError or ValueError as the settings, or if the policy does not have a parameter, or if d is
    missing.
    """
    has = POLICIES[one_of("policy", policy, tuple(POLICIES))].parameters
    for name in given:
        if name not in has:
            names = ", ".join(sorted(has, key=str.lower))
            raise TypeError(f"policy {policy!r} has no parameter {name}; it has {names}")
    settings: Parameters = POLICIES[policy].make(n, d, v, **given)
    return settings


def settings_from_json(fields: Mapping[str, object]) -> Parameters:
    """Return the settings that `as_json` has written.

    TypeError or ValueError if a name is missing or unknown, or a value is not allowed.
    """
    settings: Parameters = named(fields.get("policy")).from_json(fields)
    return settings


def named(name: object) -> Policy[Any]:
    """Return the policy of this name, the paper's unless there is one."""
    return POLICIES[name if isinstance(name, str) and name in POLICIES else "fresh"]
