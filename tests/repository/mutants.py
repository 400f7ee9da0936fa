"""Mutants: faults in the library, and the name of the test that a reader sees first.

    python tests/repository/mutants.py [GROUP or part of a mutant's name ...]

Each mutant replaces one text of one file in a copy of ``src``; then the tests of its group run
until one fails. The table has a line for each mutant: its file, its name, and the name of that
test. A mutant that no test notices, or whose text is no longer there, is an error. Before a test
goes, run this with and without it. (`differential/bugs.py` does the same for the checker.)
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TESTS = {"paper": "tests/paper"}


class Mutant(NamedTuple):
    """A change of one text of a file below ``src/embedded_hunter``."""

    group: str
    name: str
    file: str
    old: str
    new: str
    tests: str = ""
    """Where to look for the test that fails, if not in all tests of the group."""


def paper(file: str, *changes: tuple[str, str, str]) -> list[Mutant]:
    """Return mutants of a file of the paper."""
    return [Mutant("paper", name, f"{file}.py", old, new) for name, old, new in changes]


def others(group: str, *rows: tuple[str, str, str, str, str]) -> list[Mutant]:
    """Return mutants of a group: file, name, old text, new text, the tests to run."""
    return [
        Mutant(group, name, f"{file}.py", old, new, tests) for file, name, old, new, tests in rows
    ]


MUTANTS = [
    *paper(
        "hunter",
        ("nu_min is kept from sweep to sweep", "nu_min, sweep, expanded = None, sweep + 1,",
         "nu_min, sweep, expanded = nu_min if sweep else None, sweep + 1,"),
        ("an infinite value is never below the first nu_min", "nu_min is None or f_star < nu_min",
         "f_star < (math.inf if nu_min is None else nu_min)"),
        ("a leaf equal to nu_min is expanded", "or f_star < nu_min", "or f_star <= nu_min"),
        ("nu_min stays at the first leaf of the sweep", "nu_min = leaf.f_star  #",
         "nu_min = leaf.f_star if nu_min is None else nu_min  #"),
        ("the greatest depth is left out", "range(min(tree.depth, h_max) + 1)",
         "range(min(tree.depth, h_max))"),
        ("h_max is forgotten", "min(tree.depth, h_max)", "tree.depth"),
        ("h_max + 1 is expanded", "min(tree.depth, h_max)", "min(tree.depth, h_max + 1)"),
        ("a sweep begins at depth 1", "range(min(tree.depth, h_max) + 1)",
         "range(min(tree.depth, 1, h_max), min(tree.depth, h_max) + 1)"),
        ("a depth is passed over by the least value of another", "is_below(tree.least[l], nu_min)",
         "is_below(tree.least[0], nu_min)"),
        ("the second leaf of a class is chosen", "leaf = L_j[0]  #",
         "leaf = L_j[min(1, len(L_j) - 1)]  #"),
        ("the root is not counted", "left, expanded = v - 1, True", "left, expanded = v, True"),
        ("one evaluation less is made", "left, expanded = v - 1, True",
         "left, expanded = v - 2, True"),
        ("an expansion that just fits is dropped", "if len(visit.evaluations) > left:",
         "if len(visit.evaluations) >= left:"),
        ("the children of a cut expansion enter the tree", "complete = visit.expansions[:-1]",
         "complete = visit.expansions"),
        ("the budget is exceeded by the last expansion", "del visit.evaluations[left:]", "pass"),
        ("leaves are expanded after the budget is used", "if len(visit.evaluations) >= left:\n"
         "                        break", "if False:\n                        break"),
        ("a full tree does not end the run", "while left > 0 and expanded:", "while left > 0:"),
        ("a sweep that expands one leaf ends the run", "left - len(visit.evaluations), True",
         "left - len(visit.evaluations), len(visit.expansions) > 1"),
        ("t counts the visits that expand", "t += 1  #", "t += bool(visit.expansions)  #"),
        ("the parent stays a leaf", "tree.replace(*expansion)",
         "[tree.add(child) for child in expansion.children]"),
        ("a new value replaces f*", "node.f_star = min(node.f_star, value)",
         "node.f_star = value"),
        ("evaluations are not counted", "node.evaluations += 1", "node.evaluations = 1"),
        ("each evaluation has number 1", "Evaluation(child, child.evaluations + 1)",
         "Evaluation(child, 1)"),
        ("children are evaluated from right to left", "for child in expansion.children\n",
         "for child in reversed(expansion.children)\n"),
        ("the answer leaves out the root", "best = record(first, (yield first), best)",
         "record(first, (yield first), best)"),
        ("the answer is the last value", "best = min(best, value)", "best = value"),
    ),
    *paper(
        "node",
        ("ties go to the greatest index", "return self.i < other.i", "return self.i > other.i"),
        ("ties go by equal values", "self.f_star != other.f_star", "self.i == other.i"),
        ("the first coordinate is always split", "j = h % len(c)", "j = 0"),
        ("the children are mirrored", "numerator = at + digit - center",
         "numerator = at - digit + center"),
        ("the norm keeps the denominator of the last round", "parent.nrm * K * K if j == 0",
         "parent.nrm if j == 0"),
        ("the first child inherits f*", "nodes[center].f_star", "nodes[0].f_star"),
        ("the center child does not inherit the count",
         "nodes[center].evaluations = parent.evaluations", "pass"),
        ("the index of a child is that of its parent", "K * parent.i + digit", "parent.i + digit"),
        ("the splits are counted from the last coordinate",
         "(rounds + 1,) * extra + (rounds,) * (d - extra)",
         "(rounds,) * (d - extra) + (rounds + 1,) * extra"),
        ("the norm of a point is that of half the side", "settings.side_as_float * math",
         "settings.side_as_float / 2 * math"),
        ("the cap is strict", "<= cap.numerator * node.nrm", "< cap.numerator * node.nrm"),
        ("the cap counts the coming evaluation", "node.evaluations**2 * settings",
         "(node.evaluations + 1) ** 2 * settings"),
    ),
    *paper(
        "tree",
        ("small norms come first", "sorted(level, reverse=True)", "sorted(level)"),
        ("all leaves of a depth are one class", "node.nrm if self._by_norm else 0", "0"),
        ("the last leaf of the class is taken out", "del level[name][0]", "del level[name][-1]"),
        ("the depth is one too large", "self.depth = node.h", "self.depth = node.h + 1"),
        ("the least value of a depth is kept when its leaf goes",
         "if leaf.f_star == self.least[leaf.h]:", "if False:"),
        ("a class is in the order of its making", "insort(self._levels[node.h].setdefault("
         "self.class_of(node), []), node)",
         "self._levels[node.h].setdefault(self.class_of(node), []).append(node)"),
    ),
    *paper(
        "projection",
        ("points are not clipped above", "x.clip(-1.0, 1.0, out=x)", "x.clip(-1.0, None, out=x)"),
        ("sigma is forgotten", "row *= self._settings.sigma * norm(node, self._settings)",
         "row *= norm(node, self._settings)"),
        ("a batch shares its matrix", "normals(self.rng, row)",
         "normals(stream(self.key), row)"),
        ("all evaluations use the first kept matrix", "x[chosen] = self.product(matrix, ways)",
         "x[chosen] = self.product(1, ways)"),
        ("the seed is not used", "self._settings, self.key, self._rows = settings, key_from(rng), "
         "rows\n        self.rng", "self._settings, self.key, self._rows = settings, key_from("
         "np.random.default_rng(0)), rows\n        self.rng"),
    ),
    *others(
        "run",
        ("run/evaluators", "an empty call goes to the function of columns",
         "        if not columns:\n            return\n", "",
         "tests/tool/test_nothing_is_lost.py tests/tool/test_evaluators.py"),
        ("run/evaluators", "an empty list goes to the workers",
         "        if not tasks:\n            return\n", "", "tests/tool/test_nothing_is_lost.py"),
        ("run/asktell", "a point that was changed is accepted",
         "if x is not waiting[number] and not np.array_equal(x, waiting[number]):", "if False:",
         "tests/tool/test_asktell.py"),
        ("run/asktell", "a run that was left does not go on", "            self.go_on()\n"
         "            position = self._position\n            waiting",
         "            position = self._position\n            waiting",
         "tests/tool/test_asktell.py"),
        ("run/errors", "an error of an evaluation loses what it knows in a pickle",
         "    def __reduce__(self) -> tuple[Any, ...]:\n        return EvaluationError",
         "    def _x(self) -> tuple[Any, ...]:\n        return EvaluationError",
         "tests/tool/test_errors_travel.py"),
        ("run/checkpoint", "the file of a run moves with the folder",
         "os.path.abspath(path)", "path", "tests/tool/test_checkpoint.py"),
        ("run/checkpoint", "a file is repaired although another run has it",
         "if kind is not None and self._accepted:", "if kind is not None:",
         "tests/tool/test_nothing_is_lost.py tests/tool/test_checkpoint_refused.py"),
        ("run/minimization", "an exception of the callback is not marked as one",
         "            error.add_note(\"The callback of minimize has raised this exception.\")\n",
         "",
         "tests/tool/test_nothing_is_lost.py tests/tool/test_minimize_failures.py"),
        ("run/position", "a resumed run computes every point again",
         "if not self.draws_in_order:", "if False:", "tests/tool/test_run.py"),
        ("run/run", "a run of other points is resumed",
         "if differs := other_points(header, here):",
         "if False and (differs := other_points(header, here)):",
         "tests/tool/test_asktell.py tests/tool/test_checkpoint_refused.py"),
    ),
    *others(
        "forest",
        ("forest/trees", "a leaf equal to nu_min is expanded",
         "is_below(leaf.f_star, nu_min.get(queue))",
         "leaf.f_star <= nu_min.get(queue, leaf.f_star)", "tests/differential"),
        ("forest/search", "the uniform points have half of their share",
         "SHARES.least * made[self._sample]", "2 * SHARES.least * made[self._sample]",
         "tests/differential tests/tool/test_forest_shares.py"),
        ("forest/search", "the strategy has no share of its own",
         "start >= N or SHARES.each * strategy < N", "start >= N",
         "tests/differential tests/tool/test_forest_shares.py"),
        ("forest/search", "local searches begin before all trees are evaluated",
         "settings.refine and self._trees.all_begun", "settings.refine",
         "tests/differential tests/tool/test_forest_shares.py"),
    ),
    *others(
        "check",
        ("traces/check", "two different values are the same",
         "        wrong = {name: pair for name, pair in pairs.items() if not is_same(*pair)}",
         "        wrong = {}", "tests/differential"),
        ("traces/check", "f_star is not compared", "if \"f_star\" in found:", "if False:",
         "tests/differential"),
    ),
]  # fmt: skip


def first_failing(mutant: Mutant | None, tests: str) -> str | None:
    """Return the first test that fails with a mutant; None if all pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        if mutant:
            path = copy / "embedded_hunter" / mutant.file
            text = path.read_text(encoding="utf-8")
            if text.count(mutant.old) != 1:
                return f"ERROR: the text occurs {text.count(mutant.old)} times in {mutant.file}"
            path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        environment = os.environ | {"HYPOTHESIS_PROFILE": "mutation", "PYTHONPATH": str(copy)}
        options = ["-x", "-q", "-p", "no:cacheprovider", "--timeout=120", "--tb=no"]
        options += ["--ignore=tests/differential/test_python_text.py"]  # it compares with this src
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests.split()],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if failed:
        return failed[0].split(" - ")[0].removeprefix("FAILED ").removeprefix("tests/")
    return None if done.returncode == 0 else f"ERROR: pytest ends with {done.returncode}"


def main(words: list[str]) -> int:
    """Print the table; return 1 if a mutant survives or cannot be made."""
    chosen = [
        m
        for m in MUTANTS
        if not words or m.group in words or any(w in f"{m.file} {m.name}" for w in words)
    ]
    bad = 0
    for mutant in chosen:
        found = first_failing(mutant, mutant.tests or TESTS[mutant.group])
        bad += found is None or found.startswith("ERROR:")
        print(f"| {mutant.file} | {mutant.name} | {found or 'SURVIVES'} |", flush=True)
    print(f"{len(chosen)} mutants, {bad} not noticed")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
