"""Algorithm 1 of EmbeddedHunter in plain Python: from a trace it makes the trace of its own run."""

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


def squared_norm(node, K, d, side):
    """Return ||y||^2, exactly: coordinate j was split once for each of the depths j, j + d, ..."""
    splits = [(node.h - j + d - 1) // d for j in range(d)]
    return sum((side * c / K**s) ** 2 for c, s in zip(node.c, splits, strict=True))


def hunt(settings, value_of, write):
    """Run Algorithm 1. `write` takes each event, `value_of` an evaluation and returns its value."""
    K, d, v, h_max = (int(settings[name]) for name in ("K", "d", "v", "h_max"))
    M, side = Fraction(settings["M"]), 2 * d / Fraction(settings["eta"])
    best, made = math.inf, 0

    def evaluate(node):
        nonlocal best, made
        made, node.count = made + 1, node.count + 1
        value = value_of(event="evaluate", h=node.h, i=node.i, c=node.c, p=node.count)
        best, node.f_star = min(best, value), min(node.f_star, value)

    def may_be_evaluated(node):
        return node.count == 0 or node.count**2 <= M**2 * squared_norm(node, K, d, side)

    root = Node(0, 0, [0] * d)
    evaluate(root)
    leaves, t, sweep, expanded = [root], 0, 0, True
    while made < v and expanded:
        nu_min, sweep, expanded = None, sweep + 1, False
        limit = min(max(leaf.h for leaf in leaves), h_max)
        write(event="sweep", sweep=sweep, limit=limit)
        for l in range(limit + 1):
            if made == v:
                break
            t += 1
            write(event="visit", t=t, l=l)
            classes = {}
            for leaf in leaves:
                if leaf.h == l:
                    classes.setdefault(squared_norm(leaf, K, d, side), []).append(leaf)
            for norm in sorted(classes, reverse=True):
                leaf = min(classes[norm], key=lambda leaf: (leaf.f_star, leaf.i))
                if made == v or not (nu_min is None or leaf.f_star < nu_min):
                    continue
                nu_min, expanded = leaf.f_star, True
                write(event="expand", h=leaf.h, i=leaf.i, nu_min=nu_min)
                family = list(children(leaf, K, d))
                for child in family:
                    if may_be_evaluated(child):
                        if made == v:
                            break
                        evaluate(child)
                else:
                    leaves.remove(leaf)
                    leaves += family
    depth, reason = max(leaf.h for leaf in leaves), "maxfun" if made == v else "h_max"
    write(event="end", answer=best, evaluations=made, t=t, sweeps=sweep, depth=depth,
          leaves=len(leaves), reason=reason)  # fmt: skip


def write(**event):
    """Write an event; an infinite number is a string."""
    event = {name: str(x) if x in (math.inf, -math.inf) else x for name, x in event.items()}
    print(json.dumps(event))


if __name__ == "__main__":
    header, *events = map(json.loads, sys.stdin)
    values = [float(event["value"]) for event in events if "value" in event]

    def value_of(**event):
        """Write an evaluation with the next value; return the value."""
        write(**event, value=values[0])
        return values.pop(0)

    write(**header)
    hunt(header["settings"], value_of, write)
