"""An optimizer for nevergrad; importing this module imports `nevergrad`."""

from typing import Any

import numpy as np

from embedded_hunter.adapters.searches import Method, PointByPoint, hunter_of

try:
    from nevergrad.common.errors import TellNotAskedNotSupportedError
    from nevergrad.optimization.base import Optimizer as Base
    from nevergrad.parametrization.parameter import Array
except ImportError as error:
    raise ImportError(
        "nevergrad is not installed; it comes with: pip install -e '.[adapters]' in a checkout"
    ) from error


class Optimizer(Base):
    """A search of this project as an optimizer, which evaluates one point at a time.

    The parametrization must be an `Array` with finite bounds; its `random_state` is the source of
    the random numbers. The number of evaluations, `budget`, must be given, and `num_workers` must
    be 1. `effective_dimension` and `method` are those of `searches.hunter_of`. TypeError or
    ValueError if an argument is not allowed.
    """

    no_parallelization = True

    def __init__(
        self,
        parametrization: Any,
        budget: int | None = None,
        num_workers: int = 1,
        *,
        effective_dimension: int | None = None,
        method: Method = "forest",
    ) -> None:
        super().__init__(parametrization, budget=budget, num_workers=num_workers)
        array = self.parametrization
        if type(array) is not Array or any(bound is None for bound in array.bounds):
            raise TypeError(f"the parametrization must be an Array with bounds, got {array}")
        if budget is None:
            raise TypeError("budget must be given")
        shape = array.value.shape
        low, high = (np.broadcast_to(bound, shape).ravel() for bound in array.bounds)
        seed = int(array.random_state.randint(2**31))
        bounds = np.column_stack([low, high])
        hunter = hunter_of(method, bounds, effective_dimension, budget, seed)
        self._search = PointByPoint(hunter)

    def _internal_ask_candidate(self) -> Any:
        """Return the next point as a candidate."""
        array = self.parametrization
        return array.spawn_child(new_value=self._search.ask().reshape(array.value.shape))

    def _internal_tell_candidate(self, candidate: Any, loss: float) -> None:
        """Tell the search the value of its point."""
        self._search.tell(float(loss))

    def _internal_tell_not_asked(self, candidate: Any, loss: float) -> None:
        """Refuse the value of a point that the search did not ask for."""
        raise TellNotAskedNotSupportedError
