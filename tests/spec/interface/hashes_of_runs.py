"""Print the hashes of all points of some runs: a program that `test_same_bits` runs.

With ``--seeds N`` the forest with local search makes N runs. The first line names the versions.
"""

import argparse
import hashlib
import json
import platform
import time

import numpy as np
import scipy

from embedded_hunter.projection import Floats
from embedded_hunter.run.minimize import minimize

RUNS = {
    "fresh": {"d": 4},
    "fresh, sampler matrix": {"d": 4, "sampler": "matrix"},
    "indexed": {"d": 4, "policy": "indexed"},
    "forest without local search": {"d": 6, "policy": "forest"},
}
