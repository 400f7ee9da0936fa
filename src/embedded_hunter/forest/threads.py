"""One BLAS thread for the fits of local searches, which are small.

OpenBLAS starts threads for matrices of some tens of rows. They wait for one another longer than
they compute: with n = 30 a run took about five times as long on two cores as with one thread.
Without the optional package threadpoolctl nothing is limited: set OPENBLAS_NUM_THREADS=1 then.
"""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which BLAS has one thread, if threadpoolctl is installed."""
    controller = _controller()
    context: AbstractContextManager[object] = (
        nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")
    )
    return context
