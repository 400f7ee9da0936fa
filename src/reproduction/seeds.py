"""Random seeds of the experiments: the seed of a run is a function of the names of the run."""

import hashlib

import numpy as np


def seed_of(*names: object) -> np.random.SeedSequence:
    """Return a seed that is a function of some names."""
    digest = hashlib.sha256("/".join(map(str, names)).encode()).digest()
    return np.random.SeedSequence(int.from_bytes(digest, "big"))
