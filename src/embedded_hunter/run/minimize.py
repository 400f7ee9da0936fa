"""`minimize`: one call that minimises a function, in the style of `scipy.optimize`.

It evaluates the objective at the points of an `asktell.Search`, and returns an `OptimizeResult`.
No decision of the algorithm is taken here.
"""

from __future__ import annotations

import inspect
import math
import multiprocessing
import operator
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack, get_args

import numpy.typing as npt
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import Real, flag, integer, one_of
from embedded_hunter.matrices import MEMORY, Seed
from embedded_hunter.run.asktell import Search
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.errors import CheckpointError
from embedded_hunter.run.minimization import (
    Callback,
    Limits,
    Minimization,
    OnError,
    as_report,
)
from embedded_hunter.run.outcomes import Evaluator, Failure, Guarded, Map, Objective, Serial
from embedded_hunter.run.policies import (
    DEFAULT,
    POLICIES,
    Given,
    PolicyName,
    settings_of,
)
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.run import Run

if TYPE_CHECKING:
    from embedded_hunter.run.checkpoint import Checkpoint


def minimize(
    fun: Objective,
    bounds: BoundsLike,
    *,
    args: object = (),
    maxfun: int | None = None,
    policy: PolicyName = DEFAULT,
    rng: Seed = None,
    x0: npt.ArrayLike | None = None,
    f_target: Real | None = None,
    timeout: Real | None = None,
    patience: int | None = None,
    callback: Callback | None = None,
    on_error: OnError = "raise",
    workers: int | Map = 1,
    vectorized: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    objective: str | None = None,
    fsync: bool = False,
    check_machine: bool = True,
    memory: int = MEMORY,
    disp: bool = False,
    **parameters: Unpack[Given],
) -> OptimizeResult:
    """Minimise a function of many variables, few of which matter.

    Parameters
    ----------
    fun
        The objective, ``fun(x, *args) -> float`` with x of shape (n,). +inf is an allowed value;
        NaN is an error unless `on_error` allows it. `fun` may write into x, which is a copy.
    bounds
        `scipy.optimize.Bounds` or n pairs (low, high). All bounds are finite.
    args
        Further arguments of `fun`, a tuple. Any other object is passed as the only argument.
    maxfun
        Evaluation budget v >= 1, which must be given. It is used up unless the tree is full, or
        f_target, timeout, patience or callback ends the run, and never exceeded. The check of the
        objective when a checkpoint is resumed does not count.
    policy
        ``"forest"``, our extension of the paper, which needs no parameter; ``"fresh"``, the paper's
        text; or ``"indexed"``, our variant of it, which keeps its matrices.
    **parameters
        Parameters of the policy. Passing one that it does not accept raises an error that lists
        those it does. ``"fresh"`` and ``"indexed"`` accept d, which must be given, M, sigma,
        sampler (``"fresh"`` only), eta, K and h_max: see
        `embedded_hunter.settings.Settings`. Those of ``"forest"`` are effective_dimension,
        dimensions, scale, n_embeddings, refine, evolve, sample, batch, first_step, eta, K and
        h_max: see `embedded_hunter.forest.settings.ForestSettings`; d stands for
        ``dimensions=[d]``.
    rng
        Seed, `numpy.random.Generator` or any other argument of `numpy.random.default_rng`. The
        same seed gives the same run for all values of `workers` and `vectorized`.
    x0
        The point that is evaluated first, shape (n,), within the bounds; their middle unless given.
        The search is made around it: it is what the zero vector of X stands for, see `run.box`.
        Then the `first_step` of the policy ``forest`` is 0.01 unless given.
    f_target
        The run ends, with success, after the first visit with a value that is at most this one.
    timeout
        A limit in seconds. No evaluation begins after it; those already running finish.
    patience
        The run ends after the first visit with which this many evaluations have not improved the
        best value.
    callback
        A function called with the `OptimizeResult` so far (without `history`), after each visit of
        a depth that evaluated something. It ends the run, with success, by raising StopIteration or
        returning True. If its only parameter is named ``intermediate_result``, it is called by this
        name, as in SciPy. When a run is resumed, it is not called for visits in the checkpoint.
    on_error
        What happens if `fun` raises an exception or returns NaN: ``"raise"``, the default, raises
        `EvaluationError`; with ``"inf"`` the value is +inf, and the result counts such evaluations.
    workers
        Number of processes from 1 to 1024, or -1 (one for each processor), or a map-like callable.
        The points of one visit are evaluated at a time, which limits what many workers save: with
        policy ``forest`` a visit has at most 2 (K - 1) points, one of a local search 8, one of the
        evolution strategy 12, twice as many after each restart (docs/performance.md). With
        ``batch=B``, a different run, it requests about B points together. The processes end with
        this one. `workers` must be 1 if `vectorized` is true. A map-like callable is called as
        ``workers(function, tasks)``. It calls the function once for each task and returns the
        results in any order.
    vectorized
        Whether `fun` takes points as the columns of an array of shape (n, S) and returns S values.
    checkpoint
        A file in which each value is logged as soon as this process knows it. If the file exists,
        the run is resumed: it is the same run, and no logged evaluation is repeated. If `rng` is
        None, the random generator is taken from the file. A greater `maxfun` extends the run,
        finished or not. Unless h_max is given, it stays that of the first budget: the extended run
        is the one that `maxfun` and this h_max give.
    objective
        A name for `fun` and `args`, written to the checkpoint. A checkpoint with another name, or
        without a name, is refused. Without a name, the best point of the file is evaluated once
        more, and the file is refused if the value differs. So an objective with noise needs a name.
    fsync
        Whether each value is forced to the storage device before the run continues. Without it, a
        checkpoint survives the end of this process, whatever the cause, but not a power failure.
    check_machine
        Whether a checkpoint is refused if the machine that wrote it computes other points than
        this one in a small test run (see `embedded_hunter.run.probe`), or if the objective has
        another value at the best point of the file. With False it is resumed anyway: then the
        logged values may belong to other points than those computed here, and `fun` may not be the
        value at `x`.
    memory
        Bytes for the matrices that policies ``"indexed"`` and ``"forest"`` keep, an integer >= 0;
        512 MiB (536,870,912) unless given. A matrix takes at most 4 n d bytes, 8 n d if
        n <= 10,000. What does not fit is drawn again when needed, so more memory can make a run
        faster if n is large; the run is the same. The points of a visit, and a generation of the
        evolution strategy, take memory besides.
    disp
        Whether to print progress: after every twentieth of the budget and after each minute, the
        best value, where it was found (a depth; with policy ``"forest"`` a tree or a local search),
        the time and an estimate of the time left; and at the end why the run has ended.

    Returns
    -------
    OptimizeResult
        x (shape (n,), within the bounds), fun, nfev, nit, nsweep, depth (of the tree), nleaves,
        success, status, message, policy, seed, nfailed, nuniform, better_part, history, run.

        `status` tells why the run has ended; `run.status` lists its values, and which are a
        success: the run has ended as it should, its best point does not lie at the edge of what it
        searched (see `Policy.at_edge`), and its values are not all equal or +inf, nor is one -inf.
        `success` does not mean that the best point is an optimum.

        `history` has the columns ``"evaluation"``, the numbers 1, 2, ..., and ``"value"``. `run` is
        the `Run`, from which its points follow: `influence` and ``Run.points`` use it. `seed` is a
        value of `rng` that repeats the run, even if `rng` was not given; None if `rng` is a
        generator that had been used. `nfailed` counts the evaluations that failed under
        ``on_error="inf"``, `nit` the complete visits of a depth, including those that expanded no
        leaf, without the evaluation of the root.

        `nuniform` counts the independent uniform points of policy ``"forest"``. With probability
        95 %, less than `better_part` of the box is better than `fun`, whatever `fun` is. It follows
        from the number of uniform points that no values can take away, a few less than `nuniform`,
        and is 1 if nothing is known: with `x0`, or if the values ended the run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed. The message names the argument and the allowed values.
    CheckpointError
        If `checkpoint` is in use, damaged, of another run, or of a machine that computes other
        points. The file is not changed.
    CheckpointWriteError
        If `checkpoint` cannot be written, for example because the disk is full.
    EvaluationError
        If `fun` raises an exception or returns NaN, unless `on_error` is ``"inf"``, or if it
        returns an object of a wrong shape or type.
    KeyboardInterrupt
        After Ctrl-C; the message tells how to continue. Every exception that ends a run, also one
        of the callback, has the attributes `result` and `resume` of `EvaluationError`.

    Examples
    --------
    Two of 100 variables matter, and their best values are 1 and -2:

    >>> from embedded_hunter import minimize
    >>> def fun(x):
    ...     return (x[0] - 1) ** 2 + (x[1] + 2) ** 2
    >>> result = minimize(fun, [(-5, 5)] * 100, maxfun=500, rng=1)
    >>> result.nfev, result.fun < 0.001
    (500, True)

    The paper's algorithm, with a guess of the effective dimension:

    >>> result = minimize(fun, [(-5, 5)] * 100, maxfun=500, policy="fresh", d=2, rng=1)
    >>> result.nfev, result.fun < 0.1
    (500, True)
    """
    refuse_unknown(parameters)
    if maxfun is None:
        raise TypeError("maxfun, the budget of evaluations, must be given: an integer >= 1")
    if isinstance(maxfun, float) and float(maxfun).is_integer():  # 1e3
        maxfun = int(maxfun)
    box = Box(bounds, x0)

    def settings_at(v: int) -> Parameters:
        given: dict[str, Any] = dict(parameters)
        if x0 is not None and policy in POLICIES:
            given = {**POLICIES[policy].defaults_from_x0, **given}
        return settings_of(policy, box.n, given.pop("d", None), v, **given)

    run = Run.begin(settings_at(maxfun), rng, box)
    memory = integer("memory", memory, 0)
    if not callable(fun):
        raise TypeError(f"fun must be callable, got {fun!r} of type {type(fun).__name__}")
    disp = flag("disp", disp)
    args = args if isinstance(args, tuple) else (args,)
    evaluator = make_evaluator(fun, args, workers, vectorized)
    how = (
        evaluator,
        as_report(callback),
        Limits(f_target, timeout, patience),
        one_of("on_error", on_error, get_args(OnError)),
        disp,
    )
    if checkpoint is None:
        if objective is not None or fsync is not False or check_machine is not True:
            raise ValueError(
                "objective, fsync and check_machine are allowed only with a checkpoint, got "
                f"checkpoint=None, objective={objective!r}, fsync={fsync!r}, "
                f"check_machine={check_machine!r}"
            )
        return Minimization(Search(run, memory=memory), None, *how).go()
    from embedded_hunter.run.checkpoint import Checkpoint

    log = Checkpoint(
        checkpoint, run, settings_at=settings_at, any_seed=rng is None, objective=objective,
        fsync=fsync, check_machine=check_machine, memory=memory,
    )  # fmt: skip
    with log:
        if objective is None and check_machine:
            require_same_value(log, evaluator)
        return Minimization(log.search, log, *how).go()


MOST_WORKERS = 1024
"""Greatest number of processes that may be asked for."""
SYNONYMS = {
    "seed": "rng", "random_state": "rng", "maxiter": "maxfun", "maxfev": "maxfun",
    "max_evals": "maxfun", "budget": "maxfun", "tol": "f_target", "verbose": "disp",
    "n_jobs": "workers", "constraints": "bounds",
}  # fmt: skip
"""Names of other programs, and what they are here."""


def refuse_unknown(parameters: Iterable[str]) -> None:
    """Raise TypeError if `minimize` has no argument of one of these names."""
    for name in set(parameters).difference(Given.__annotations__):
        if not any(name in policy.parameters for policy in POLICIES.values()):
            from embedded_hunter.common.extras import did_you_mean

            known = [*inspect.signature(minimize).parameters, *Given.__annotations__]
            hint = did_you_mean(SYNONYMS.get(name, name), known)
            raise TypeError(f"minimize has no argument {name!r}{hint}")


def make_evaluator(
    fun: Objective, args: tuple[Any, ...], workers: int | Map, vectorized: bool
) -> Evaluator:
    """Return the evaluator for these arguments of `minimize`, with its errors."""
    guarded = Guarded(fun, args)
    vectorized = flag("vectorized", vectorized)
    allowed = (
        f"workers must be an integer from 1 to {MOST_WORKERS}, -1 (all processors), or a "
        "map-like callable"
    )
    count = 0  # a map-like callable
    if not callable(workers):
        try:
            count = operator.index(None if isinstance(workers, bool) else workers)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"{allowed}, got {workers!r} of type {type(workers).__name__}"
            ) from None
        if count != -1 and not 1 <= count <= MOST_WORKERS:
            raise ValueError(f"{allowed}, got {count}")
    if vectorized:
        if count != 1:
            raise ValueError(
                "workers must be 1 if vectorized is true: one call takes all points, "
                f"got {workers!r}"
            )
        from embedded_hunter.run.evaluators import Vectorized

        return Vectorized(guarded)
    if callable(workers):
        from embedded_hunter.run.evaluators import Mapped

        return Mapped(guarded, workers)
    if count == 1:
        return Serial(guarded)
    if multiprocessing.current_process().daemon:
        raise ValueError(
            "workers must be 1 in a process that may not start others, such as a worker of "
            f"multiprocessing.Pool (of a ProcessPoolExecutor it may be greater), got {workers!r}"
        )
    from embedded_hunter.run.processes import Processes

    return Processes(guarded, min(os.cpu_count() or 1, MOST_WORKERS) if count == -1 else count)


def require_same_value(log: Checkpoint, evaluator: Evaluator) -> None:
    """Evaluate the best point of a checkpoint once more, if there is one.

    CheckpointError if the value is not that of the file, up to 1e-6 of it.
    """
    x, best = log.search.x, log.search.fun
    if x is None:
        return
    with evaluator:
        ((_, found),) = evaluator.outcomes(iter([x]))
    if isinstance(found, Failure):
        if best == math.inf:  # it may have failed before, too
            return
        now = f"now {found.why}"
    elif math.isclose(found, best, rel_tol=1e-6):
        return
    else:
        now = f"now its value is {found!r}"
    raise CheckpointError(
        f"{log.path} is of another objective: its best value was {best!r}, {now}. The file is "
        "unchanged. To resume a run of an objective with noise, give check_machine=False. A name, "
        "given by `objective` when a run begins, replaces this test"
    )
