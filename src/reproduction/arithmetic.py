"""The arithmetic of a machine: how it rounds products and functions.

The last bits of a value depend on the kernel of OpenBLAS and on the functions of NumPy that the
processor selects. With the variables of `ENVIRONMENT` every x86-64 processor with AVX2 and FMA
selects the same ones, given the same NumPy and C library. They must be set before NumPy is
imported.
"""

import hashlib
import os
from importlib.metadata import version

NEW_NAMES = tuple(map(int, version("numpy").split(".")[:2])) >= (2, 4)
"""NumPy 2.4 has other names for the groups of instructions."""
ENVIRONMENT = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"
    if NEW_NAMES
    else "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}
"""The variables with which values are stored and compared."""


def standard() -> bool:
    """Tell whether this process has the variables."""
    return all(os.environ.get(name) == value for name, value in ENVIRONMENT.items())


def arithmetic() -> str:
    """Return a hash of products and functions of some numbers: it differs if their bits do."""
    import numpy as np

    x = np.sin(np.arange(1.0, 4001.0)) * 3.0
    A = x.reshape(40, 100)
    results = (
        x, np.cos(x), np.exp(x), np.log(np.abs(x)), np.abs(x) ** 1.7, np.sqrt(np.abs(x)),
        A @ A.T, A @ A[0], A[0] @ A[1], A[:10, 0].dot(A[:10]), np.linalg.norm(A, axis=1),
        np.linalg.eigh(A @ A.T)[0], np.linalg.qr(A.T)[0],
    )  # fmt: skip
    return hashlib.sha256(b"".join(result.tobytes() for result in results)).hexdigest()[:8]
