"""Algorithm 1 of "Embedded Bandits for Large-Scale Black-Box Optimization", in one file.

    python hunter.py           minimises a function of 10,000 variables; this needs NumPy
    python hunter.py - < RUN   makes the run of a trace again, as a trace (README.md)

Comments mark the lines of the paper's listing. Copy this file to wherever you need it.
"""

import json
import math
import sys
from fractions import Fraction


class Node:
    """A node (h, i): the numerators c of its base point, f* and the base point's evaluations."""

    def __init__(self, h, i, c, f_star=math.inf, count=0):
        self.h, self.i, self.c, self.f_star, self.count = h, i, c, f_star, count


def children(node, K, d):
    """Split coordinate h mod d. The center child keeps base point, f* and count of its parent."""
    for digit in range(K):
        c = list(node.c)
        c[node.h % d] = K * c[node.h % d] + digit - K // 2
        past = (node.f_star, node.count) if digit == K // 2 else ()
        yield Node(node.h + 1, K * node.i + digit, c, *past)


def base_point(h, c, K, side):
    """Return y, exactly: coordinate j was split once for each of the depths j, j + d, ..."""
    return [side * a / K ** ((h - j + len(c) - 1) // len(c)) for j, a in enumerate(c)]


def squared_norm(node, K, side):
    """Return ||y||^2, exactly."""
    return sum(a * a for a in base_point(node.h, node.c, K, side))


def hunt(settings, value_of, write=lambda **event: None):
    """Run Algorithm 1. `value_of` evaluates a base point, `write` takes each other event."""
    K, d, v, h_max = (int(settings[name]) for name in ("K", "d", "v", "h_max"))
    M, side = Fraction(settings["M"]), 2 * d / Fraction(settings["eta"])
    best, made = math.inf, 0

    def evaluate(node):
        nonlocal best, made
        made, node.count = made + 1, node.count + 1
        value = value_of(event="evaluate", h=node.h, i=node.i, c=node.c, p=node.count)
        best, node.f_star = min(best, value), min(node.f_star, value)

    def may_be_evaluated(node):
        return node.count == 0 or node.count**2 <= M**2 * squared_norm(node, K, side)

    root = Node(0, 0, [0] * d)  # Alg. 1, initialization
    evaluate(root)
    leaves, t, sweep, expanded = [root], 1, 0, True
    while made < v and expanded:  # Alg. 1, line 1
        nu_min, sweep, expanded = None, sweep + 1, False  # Alg. 1, line 2
        limit = min(max(leaf.h for leaf in leaves), h_max)
        write(event="sweep", sweep=sweep, limit=limit)
        for l in range(limit + 1):  # Alg. 1, line 3
            write(event="visit", t=t, l=l)
            classes = {}  # Alg. 1, line 4
            for leaf in leaves:
                if leaf.h == l:
                    classes.setdefault(squared_norm(leaf, K, side), []).append(leaf)
            for norm in sorted(classes, reverse=True):
                leaf = min(classes[norm], key=lambda leaf: (leaf.f_star, leaf.i))  # Alg. 1, line 5
                if nu_min is None or leaf.f_star < nu_min:  # Alg. 1, line 6
                    nu_min, expanded = leaf.f_star, True  # Alg. 1, line 7
                    write(event="expand", h=leaf.h, i=leaf.i, nu_min=nu_min)
                    family = list(children(leaf, K, d))  # Alg. 1, line 8
                    for child in family:  # Alg. 1, line 9
                        if may_be_evaluated(child):
                            if made == v:
                                break
                            evaluate(child)
                    else:
                        leaves.remove(leaf)  # Alg. 1, line 10
                        leaves += family
                if made == v:
                    break
            t += 1  # Alg. 1, lines 13-14
            if made == v:
                break
    depth, reason = max(leaf.h for leaf in leaves), "maxfun" if made == v else "h_max"
    write(event="end", answer=best, evaluations=made, t=t - 1, sweeps=sweep, depth=depth,
          leaves=len(leaves), reason=reason)  # fmt: skip
    return best  # Alg. 1, line 17


def minimize(f, n, d, v, seed=None, eta="0.3", K=3, M="5"):
    """Minimise f over [-1, 1]^n by v evaluations; return the best x and its value.

    At most d of the n variables should matter. Each evaluation has a new random matrix (eq. 3).
    """
    import numpy as np

    rng, side, best = np.random.default_rng(seed), 2 * d / Fraction(eta), (None, math.inf)

    def value_of(h, c, **event):
        nonlocal best
        A = rng.standard_normal((n, d)) / math.sqrt(n)
        x = np.clip(A @ np.array(base_point(h, c, K, side), dtype=float), -1, 1)
        best = min(best, (x, value := float(f(x))), key=lambda point: point[1])
        return value

    hunt({"eta": eta, "K": K, "M": M, "d": d, "v": v, "h_max": math.isqrt(v)}, value_of)
    return best


def print_event(**event):
    """Print an event, an infinite number as a string; return its value, if it has one."""
    print(json.dumps({k: str(x) if x in (math.inf, -math.inf) else x for k, x in event.items()}))
    return event.get("value")


if __name__ == "__main__" and sys.argv[1:] == ["-"]:
    header, *events = map(json.loads, sys.stdin)
    values = iter([float(event["value"]) for event in events if "value" in event])
    print_event(**header)
    hunt(header["settings"], lambda **e: print_event(**e, value=next(values)), print_event)
elif __name__ == "__main__":
    x, value = minimize(lambda x: abs(x[3] - 0.02) + abs(x[700] + 0.01), 10_000, 2, 500, seed=1)
    print(f"f(x) = {value:.4f} at x[3] = {x[3]:.4f}, x[700] = {x[700]:.4f}")
