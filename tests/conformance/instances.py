"""Random instances of Algorithm 1 and objectives, aimed at ties, equality in the cap and cuts.

An instance is made from a seed alone, so that a run over many of them can be repeated exactly.
"""

import hashlib
import math
import random
from collections.abc import Callable
from fractions import Fraction

from oracle import Instance, Name, Objective


def instance(seed: int) -> tuple[Instance, Fraction, Fraction, Objective]:
    """Return an instance, its eta and M, and an objective."""
    rnd = random.Random(seed)
    K = rnd.choice([3, 3, 3, 5, 7])
    d = rnd.randint(1, 4)
    h_max = rnd.randint(0, 6)
    v = rnd.choice([rnd.randint(1, 12), rnd.randint(1, 80), rnd.randint(1, 300)])
    eta = Fraction(rnd.randint(1, 9), 10)
    M = near_equality(rnd, K, d, eta) if rnd.random() < 0.7 else Fraction(rnd.randint(0, 40), 10)
    cap = (2 * d / eta * M) ** 2
    return Instance(K, d, h_max, v, cap), eta, M, objective(rnd, K)


def of_the_paper(v: int) -> tuple[Instance, Fraction, Fraction, Objective]:
    """Return the paper's setting with budget v, its eta and M, and a noisy valley."""
    K, d, h_max, eta, M = 3, 10, 100, Fraction(3, 10), Fraction(5)

    def g(node: Name, p: int) -> float:
        h, i = node
        digest = hashlib.blake2b(f"{node}:{p}".encode(), digest_size=6).digest()
        noise = int.from_bytes(digest, "big") % 1000
        return abs((i + 0.5) / float(K**h) - 0.37) + noise * 1e-3

    return Instance(K, d, h_max, v, (2 * d / eta * M) ** 2), eta, M, g


def near_equality(rnd: random.Random, K: int, d: int, eta: Fraction) -> Fraction:
    """An M with M ||y|| = count for some lattice point y, or just above or below it."""
    m = rnd.randint(1, 3)
    root = rnd.randint(1, (K**m - 1) // 2)  # sqrt(Nrm) of a point on an axis
    count = rnd.randint(1, 4)
    M = count * Fraction(K**m, root) * eta / (2 * d)
    return M * (1 + Fraction(rnd.choice([0, 0, 0, -1, 1]), 10**6))


def objective(rnd: random.Random, K: int) -> Objective:
    """One of several kinds of objective; ties are frequent, some values are infinite."""
    salt = rnd.getrandbits(64)
    levels = rnd.choice([1, 2, 3, 10, 10**6])

    def hashed(node: Name, p: int) -> int:
        text = f"{salt}:{node}:{p}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "big")

    def tied(node: Name, p: int) -> float:
        return float(hashed(node, p) % levels)

    def often_infinite(node: Name, p: int) -> float:
        return math.inf if hashed(node, p) % 3 else float(hashed(node, p + 1) % levels)

    def constant(node: Name, p: int) -> float:
        return 1.0

    def deeper_is_better(node: Name, p: int) -> float:
        return float(-node[0] + hashed(node, p) % 2)

    def later_is_better(node: Name, p: int) -> float:
        return -float(p) + hashed(node, 0) % levels

    def valley(node: Name, p: int) -> float:
        h, i = node
        return abs((i + 0.5) / float(K**h) - (salt % 97) / 97) + (hashed(node, p) % levels) * 1e-3

    def infinite(node: Name, p: int) -> float:
        return math.inf

    kinds: list[Callable[[Name, int], float]] = [
        *(tied, tied, tied, often_infinite, constant, deeper_is_better),
        *(later_is_better, valley, valley, infinite),
    ]
    return rnd.choice(kinds)
