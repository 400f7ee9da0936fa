"""Do runs have the same bits on every processor? Make some runs and print hashes of their points.

    python tests/regression/same_bits.py [--forests COUNT] [--maxfun V]

Environment variables make this processor compute as others do: ``OPENBLAS_CORETYPE`` (Prescott,
Nehalem, Haswell, Zen, SkylakeX), ``OPENBLAS_NUM_THREADS``, ``NPY_DISABLE_CPU_FEATURES`` and, for
the functions of the GNU C library, ``GLIBC_TUNABLES``: glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable
before version 2.33, -AVX2,-FMA,-FMA4 since. Compare the printed hashes. Equal hashes: equal bits in
all coordinates of all points of all evaluations.
"""

import argparse
import hashlib
import json
import platform
from collections.abc import Callable

import numpy as np
import scipy

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.settings import Settings

N, V, SEED = 2003, 1000, 1


def runs(v: int) -> dict[str, Parameters]:
    """Return the settings of the runs of v evaluations that have one hash each, by name."""
    return {
        "fresh": Settings(N, 5, v),
        "fresh, sampler matrix": Settings(N, 5, v, sampler="matrix"),
        "indexed": Settings(N, 5, v, policy="indexed"),
        "forest without local search": ForestSettings(
            N, v, dimensions=(10,), evolve=False, sample=False, refine=False
        ),
    }


def hash_of(settings: Parameters, seed: int) -> str:
    """Return the hash of all points of a run, in the order of their evaluations."""
    found = hashlib.sha256()

    def objective(x: Floats) -> float:
        found.update(x.astype("<f8").tobytes())
        a, b, c, d = x[:4].tolist()  # Python's floats are rounded alike everywhere
        value: float = abs(a - 0.3) + 10 * (b + 0.1) * (b + 0.1) + abs(c + b) + (d - a) * (d - a)
        return value

    parts = parts_of(settings, np.random.default_rng(seed))
    for _ in drive(parts.run, parts.projection.project, lambda x: list(map(objective, x))):
        pass
    return found.hexdigest()[:16]


def main(show: Callable[[str], object] = print) -> None:
    """Make the runs and print their hashes as one JSON object."""
    parser = argparse.ArgumentParser(description="Hashes of all points of some runs.")
    parser.add_argument(
        "--forests", type=int, default=1, help="seeds of the forests with local searches (1)"
    )
    parser.add_argument("--maxfun", type=int, default=V, help=f"evaluations of a run ({V})")
    args = parser.parse_args()
    versions = {
        "python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
    }  # fmt: skip
    hashes = {name: hash_of(settings, SEED) for name, settings in runs(args.maxfun).items()}
    forests = {
        "forest": ForestSettings(N, args.maxfun),
        "forest without evolution strategy": ForestSettings(
            N, args.maxfun, dimensions=(10,), evolve=False, sample=False
        ),
    }
    more = {
        name: [hash_of(settings, seed) for seed in range(args.forests)]
        for name, settings in forests.items()
    }
    show(json.dumps(versions | hashes | more))


if __name__ == "__main__":
    main()
