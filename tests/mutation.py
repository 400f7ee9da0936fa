"""Mutation testing of the package, module by module: which faults would the tests not see?

    python tests/mutation.py WORK asktell regret/cone    # or `all`; WORK is a scratch folder
    python tests/mutation.py WORK all --table --survivors

mutmut makes the mutants of a module in a copy of the tree. The tests of the module are collected
once; each mutant is then run in a forked process, which runs the tests that reach the mutated
function, those first that kill much in little time, until one fails. The outcomes stand in
``WORK/<module>/outcomes.jsonl``: a run can be stopped and started again, and runs again what was
not killed, so that a new test is tried on the survivors alone. A changed module begins anew.
A mutant that spins or takes all memory is "ended" by its limits; one is "unreached" if no test of
its module calls its function.
"""

import argparse
import ast
import contextlib
import difflib
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/embedded_hunter"
REGRET = "spec/test_regret_*.py spec/test_printed_statements.py"
TESTS = {
    "asktell": "spec/test_asktell*.py",
    "claims/*": "spec/test_claims.py repo/test_claims.py repo/test_errata.py",
    "cli": "spec/test_cli.py",
    "commands/claims": "spec/test_claims.py repo/test_claims.py",
    "commands/coco": "experiments/test_coco.py",
    "commands/demo": "spec/test_demo.py",
    "commands/overhead": "spec/test_overhead.py",
    "commands/pictures": "spec/test_demo.py",
    "commands/*": "spec/test_cli.py spec/test_demo.py repo/test_experiments_page.py",
    "conformance": "conformance/test_[cgv]*.py",
    "hunter": "spec/test_hunter*.py",
    "minimize": "spec/test_minimize*.py spec/test_checkpoint.py",
    "projection": "spec/test_projection*.py",
    "regret/*": REGRET,
    "trace": "conformance/test_[cg]*.py",
}
"""Module (or pattern): its tests, below tests/; of any other module spec/test_<name>.py."""
LEFT_OUT = "not killed_at_any_moment and not the_speed"
"""Tests of whole processes that take seconds and specify no single module."""
ALLOWANCE = 10  # seconds of processor time that a mutant has beside five times its tests' own
MEMORY = 8 * 10**9


def modules() -> list[str]:
    """Every module with functions, experiments aside, as paths below the package."""
    root = ROOT / PACKAGE
    paths = sorted(path.relative_to(root).with_suffix("") for path in root.rglob("*.py"))
    return [str(p) for p in paths if p.parts[0] != "experiments" and p.name != "__main__"]


def tests_of(module: str, tree: Path) -> list[str]:
    """The test files that specify a module."""
    name = next((name for name in TESTS if Path(module).match(name) or name == module), None)
    own = f"spec/test_{module.replace('/', '_')}.py"
    found: dict[str, None] = {}
    for pattern in [own, *(TESTS[name].split() if name else ())]:
        found |= dict.fromkeys(str(path) for path in sorted((tree / "tests").glob(pattern)))
    return list(found)


# --- in the copy: one process for each module ---------------------------------------------------


class Mutants:
    """A pytest plugin: in the place of the tests, the mutants with their tests."""

    def __init__(self, module: str, names: Sequence[str], outcomes: Path) -> None:
        self.dotted = f"embedded_hunter.{module.replace('/', '.')}".removesuffix(".__init__")
        self.names, self.outcomes = names, outcomes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        items = {item.nodeid: item for item in session.items}
        reached, seconds = forked(lambda: self.unmutated(list(items.values())), None)
        kills: Counter[str] = Counter()
        with self.outcomes.open("a", encoding="utf-8") as file:
            for name in self.names:
                tests = reached.get(f"{self.dotted}.{name.rpartition('__mutmut_')[0]}", [])
                tests = sorted(tests, key=lambda test: seconds[test] / (1 + kills[test]))
                began = time.monotonic()
                outcome: dict[str, object] = {"mutant": name, "status": "unreached", "by": None}
                if tests:
                    chosen = [items[test] for test in tests]
                    limit = ALLOWANCE + 5 * sum(seconds[test] for test in tests)
                    by = forked(partial(self.mutated, chosen, name), limit)
                    status = "survived" if by is None else "killed" if by in items else "ended"
                    kills[by] += 1
                    outcome |= {"status": status, "by": by}
                outcome["seconds"] = round(time.monotonic() - began, 3)
                file.write(json.dumps(outcome) + "\n")
                file.flush()
        return True

    def unmutated(self, items: list[pytest.Item]) -> Any:
        """All tests pass; which functions of the module does each reach, in what time?"""
        from mutmut.mutation.trampoline import set_mutant_under_test
        from mutmut.state import state

        set_mutant_under_test("stats")
        reached: defaultdict[str, list[str]] = defaultdict(list)
        seconds: dict[str, float] = {}
        for item in items:
            state()._stats.clear()
            began = time.process_time()
            if failing([item]) is not None:
                raise SystemExit(f"{item.nodeid} fails without a mutant")
            seconds[item.nodeid] = time.process_time() - began
            for function in state()._stats:
                reached[function].append(item.nodeid)
        return dict(reached), seconds

    def mutated(self, items: list[pytest.Item], name: str) -> str | None:
        """Return the test that kills a mutant."""
        from mutmut.mutation.trampoline import set_mutant_under_test

        set_mutant_under_test(f"{self.dotted}.{name}")
        return failing(items)


def failing(items: list[pytest.Item]) -> str | None:
    """Run tests until one fails; return its name."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            return item.nodeid
    return None


def forked(task: Callable[[], Any], limit: float | None) -> Any:
    """Return what a task returns in a process of its own; "" if that was ended by a signal.

    Nothing that a task leaves behind, a cache or a patched function, meets the next one.
    """
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(math.ceil(60 + 10 * limit))  # of a mutant that sleeps
        answer = b"\x00"
        try:
            answer = json.dumps(task()).encode()
        except BaseException as error:
            answer = json.dumps(f"{type(error).__name__} outside of a test: {error}").encode()
        finally:
            with open(sending, "wb") as pipe:
                pipe.write(answer)
            os._exit(0)
    os.close(sending)
    with open(receiving, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # workers that it started
    return json.loads(answer) if answer else ""


def inside(module: str, outcomes: Path) -> int:
    """Run the mutants that `outcomes` does not yet know to be killed, in the copy."""
    wanted = json.loads((outcomes.parent / "wanted.json").read_text())
    known = latest(outcomes)
    names = [name for name in wanted if known.get(name, {}).get("status") != "killed"]
    files = tests_of(module, Path.cwd())
    arguments = ["-q", "-p", "no:cacheprovider", "-k", LEFT_OUT, *files]
    return int(pytest.main(arguments, plugins=[Mutants(module, names, outcomes)]))


# --- outside: the copy, the mutants, the table ---------------------------------------------------


def prepare(work: Path, module: str, sample: int | None, seed: int) -> Path:
    """Copy the tree, write the mutants of a module into it; return the file of its outcomes."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    place = work / module.replace("/", "-")
    tree, outcomes = place / "tree", place / "outcomes.jsonl"
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    )
    for name in listed.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    path = f"{PACKAGE}/{module}.py"
    made = mutate_file_contents(path, (tree / path).read_text(encoding="utf-8"), None, None)
    before = place / "mutated.py"
    if not before.exists() or before.read_text(encoding="utf-8") != made.code:
        outcomes.unlink(missing_ok=True)
    for file in (before, tree / path):
        file.write_text(made.code, encoding="utf-8")
    names = list(made.mutant_names)
    if sample is not None and sample < len(names):
        names = random.Random(seed).sample(names, sample)
    (place / "wanted.json").write_text(json.dumps(names))
    (place / "of.json").write_text(json.dumps({"mutants": len(made.mutant_names), "seed": seed}))
    return outcomes


def latest(outcomes: Path) -> dict[str, dict[str, Any]]:
    """The last outcome of each mutant."""
    lines = outcomes.read_text(encoding="utf-8").splitlines() if outcomes.exists() else []
    return {fields["mutant"]: fields for fields in map(json.loads, lines)}


def run(work: Path, module: str, sample: int | None, seed: int) -> None:
    """Run the mutants of a module."""
    outcomes = prepare(work, module, sample, seed)
    environment = os.environ | {
        "PYTHONPATH": "src",
        "HYPOTHESIS_PROFILE": "mutation",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "tests/mutation.py", "--inside", str(outcomes), module]
    done = subprocess.run(command, cwd=outcomes.parent / "tree", env=environment, check=False,
                          capture_output=True, text=True)  # fmt: skip
    (outcomes.parent / "log").write_text(done.stdout + done.stderr)
    if done.returncode:
        print(f"{module}: see {outcomes.parent / 'log'}")


def row(work: Path, module: str) -> str | None:
    """A module's line of the table."""
    place = work / module.replace("/", "-")
    if not (place / "of.json").exists():
        return None
    wanted = json.loads((place / "wanted.json").read_text())
    known = latest(place / "outcomes.jsonl")
    counts = Counter(known[name]["status"] for name in wanted if name in known)
    of = json.loads((place / "of.json").read_text())["mutants"]
    seconds = sum(fields["seconds"] for fields in known.values())
    return (
        f"| {module} | {of} | {len(wanted)} | {counts['killed']} | {counts['ended']} "
        f"| {counts['survived']} | {counts['unreached']} | {len(wanted) - counts.total()} "
        f"| {seconds:.0f} s |"
    )


def functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions of a module's mutated source, by their mangled names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node


def survivors(work: Path, module: str) -> Iterator[str]:
    """What is left of the mutants, as the lines that they change."""
    place = work / module.replace("/", "-")
    known = latest(place / "outcomes.jsonl")
    found = dict(functions(ast.parse((place / "mutated.py").read_text(encoding="utf-8"))))
    for name, fields in known.items():
        if fields["status"] == "killed":
            continue
        original = found[name.rpartition("__mutmut_")[0] + "__mutmut_orig"]
        old, new = (ast.unparse(node).splitlines()[1:] for node in (original, found[name]))
        yield f"## {module} {name}: {fields['status']}"
        for line in difflib.unified_diff(old, new, lineterm="", n=0):
            if not line.startswith(("---", "+++", "@@")):
                yield f"   {line}"


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--sample", type=int, help="a simple random sample of so many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="show outcomes, run nothing")
    parser.add_argument("--survivors", action="store_true", help="show them, run nothing")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        return inside(str(given.work), given.inside)
    work = given.work.resolve()
    chosen = modules() if given.modules == ["all"] else given.modules
    if given.table:
        print("| module | mutants | run | killed | ended | survived | unreached | left | time |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        print("\n".join(filter(None, (row(work, module) for module in chosen))))
    if given.survivors:
        print("\n".join(line for module in chosen for line in survivors(work, module)))
    if not given.table and not given.survivors:
        for module in chosen:
            run(work, module, given.sample, given.seed)
            print(row(work, module), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
