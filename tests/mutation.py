"""Mutation testing of the package, module by module: which faults would the tests not see?

    python tests/mutation.py WORK asktell regret/cone    # or `all`; WORK is a scratch folder
    python tests/mutation.py WORK 'commands/*' --sample 300 --seed 1
    python tests/mutation.py WORK all --table --survivors
    python tests/mutation.py WORK run/box --record       # into mutation.json and mutation.md
    python tests/mutation.py --page                      # mutation.md from mutation.json

mutmut makes the mutants of a module in a copy of the tree. The tests of the module are collected
once; each mutant is then run in a forked process, which runs the tests that reach the mutated
function, those first that kill much in little time, until one fails. The outcomes stand in
``WORK/<module>/outcomes.jsonl``: a run can be stopped and started again, and runs again what was
not killed, so that a new test is tried on the survivors alone. A changed module begins anew.
A mutant that spins or takes all memory is "ended" by its limits; one is "unreached" if it survives
and no test of its module calls its function in the same process.

``mutation.json`` holds the result of each module with the commit and the date of its run, written
by ``--record``, and the reasons why some mutants are the same program, written by hand.
``mutation.md`` is made from it.
"""

import argparse
import ast
import contextlib
import difflib
import gc
import importlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from scipy.stats import binomtest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"": "embedded_hunter/", "reproduction/": "reproduction/"}
"""The modules are named below ``embedded_hunter``, or with ``reproduction/`` in front."""
ALGORITHM, THEORY, INTERFACE = "spec/algorithm/", "spec/theory/", "spec/interface/"
FIGURE_1, BENCHMARK = "reproduction/figure_1/", "reproduction/benchmark/"
COMMANDS, OPTIONS = "reproduction/test_commands_*.py", f"{INTERFACE}test_commands_options.py"
TESTS = {
    "run/asktell": f"{INTERFACE}test_asktell*.py",
    "run/minimize": f"{INTERFACE}test_minimize*.py {INTERFACE}test_checkpoint.py",
    "run/minimization": f"{INTERFACE}test_minimize*.py {INTERFACE}test_checkpoint.py",
    "run/edge": f"{INTERFACE}test_edge.py",
    "run/header": f"{INTERFACE}test_checkpoint.py",
    "run/policies": f"{ALGORITHM}test_forest_settings.py {INTERFACE}test_traces_events.py",
    "run/drive": f"{INTERFACE}test_drive.py",
    "run/outcomes": f"{INTERFACE}test_evaluators.py {INTERFACE}test_hostile*.py",
    "run/processes": f"{INTERFACE}test_evaluators.py {INTERFACE}test_parallel.py",
    "run/status": f"{INTERFACE}test_asktell*.py",
    "run/*": f"{INTERFACE}test_{{}}.py",
    "commands/__init__": OPTIONS,
    "commands/demo": f"{INTERFACE}test_demo*.py {OPTIONS}",
    "commands/objectives": f"{INTERFACE}test_cli*.py {INTERFACE}test_commands_minimize*.py",
    "commands/minimize": f"{INTERFACE}test_cli*.py {INTERFACE}test_commands_*.py",
    "commands/program": f"{INTERFACE}test_cli.py",
    "commands/*": f"{INTERFACE}test_commands_*.py",
    "cli": f"{INTERFACE}test_cli.py",
    "extras": f"{INTERFACE}test_demo.py",
    "plots/pictures": f"{INTERFACE}test_demo*.py",
    "plots/overview": "repo/test_readme.py",
    "plots/steps": f"{INTERFACE}test_plots_steps.py",
    "plots/player": f"{INTERFACE}test_plots_player.py",
    "plots/forest_steps": f"{INTERFACE}test_commands_play.py",
    "plots/evaluations": f"{INTERFACE}test_plots_evaluations.py",
    "plots/listing": f"repo/test_algorithm_lines.py {INTERFACE}test_plots_player.py",
    "plots/*": f"{INTERFACE}test_plots_growth*.py",
    "problems/lipschitz": "reproduction/test_lipschitz.py",
    "problems/*": f"{INTERFACE}test_problems_{{}}.py",
    "traces/check_forest": "conformance/test_*forest*.py",
    "traces/events": f"{INTERFACE}test_traces_events.py conformance/test_goldens.py",
    "traces/*": "conformance/test_[gv]*.py",
    "forest/search": f"{ALGORITHM}test_forest_s*.py {ALGORITHM}test_forest_[fl]*.py",
    "forest/refinement": f"{ALGORITHM}test_forest_refinement.py {ALGORITHM}test_forest_search.py",
    "forest/*": f"{ALGORITHM}test_forest_{{}}.py",
    "reproduction/commands/claims": f"reproduction/test_claims_in_a_project.py {COMMANDS}",
    "reproduction/commands/coco": f"{COMMANDS} reproduction/test_coco.py",
    "reproduction/commands/compare": f"{COMMANDS} reproduction/test_benchmark.py",
    "reproduction/commands/overhead": f"reproduction/test_overhead*.py {OPTIONS}",
    "reproduction/commands/provenance": "reproduction/test_commands_provenance.py",
    "reproduction/commands/resuming": "reproduction/test_bench_time.py",
    "reproduction/commands/workers": "reproduction/test_bench_time.py",
    "reproduction/commands/scaling": f"reproduction/test_scaling.py {OPTIONS}",
    "reproduction/commands/figure": COMMANDS,
    "reproduction/commands/reproduce": COMMANDS,
    "reproduction/commands/*": COMMANDS,
    "reproduction/claims/*": "reproduction/test_claims_{}.py",
    "reproduction/statistics": "reproduction/test_statistics.py",
    f"{FIGURE_1}hypotheses": "reproduction/test_rules_of_judgement.py",
    f"{FIGURE_1}agreement": "reproduction/test_agreement.py",
    f"{FIGURE_1}plan": "reproduction/test_plan.py",
    f"{FIGURE_1}published": "reproduction/test_results_pages.py",
    f"{FIGURE_1}runs": "reproduction/test_figure_1_runs.py",
    "reproduction/optimizers/best_scale": "reproduction/test_plan.py",
    f"{FIGURE_1}report": "reproduction/test_report.py",
    f"{FIGURE_1}campaign": "reproduction/test_store.py",
    f"{FIGURE_1}store": "reproduction/test_store.py",
    f"{FIGURE_1}repeated": "reproduction/test_repeated.py",
    f"{FIGURE_1}*": "reproduction/test_statistics.py reproduction/test_statements.py",
    f"{BENCHMARK}ranking": "reproduction/test_statistics.py",
    f"{BENCHMARK}report": "reproduction/test_benchmark_report.py",
    f"{BENCHMARK}results": "reproduction/test_benchmark_results.py",
    f"{BENCHMARK}runs": "reproduction/test_benchmark_runs.py",
    f"{BENCHMARK}plan": "reproduction/test_benchmark_runs.py",
    "reproduction/optimizers/embeddings": "reproduction/test_benchmark_runs.py",
    f"{BENCHMARK}pages": "reproduction/test_benchmark_pages.py",
    f"{BENCHMARK}campaign": "reproduction/test_benchmark_pages.py",
    f"{BENCHMARK}*": "reproduction/test_benchmark.py",
    "reproduction/bounds/indexed": "reproduction/test_bounds.py",
    "reproduction/bounds/forest": "reproduction/test_bounds.py",
    "reproduction/tables": "reproduction/test_constants.py",
    "reproduction/seeds": "reproduction/test_black_box.py",
    "reproduction/*": "reproduction/test_{}.py",
    "testing": f"{ALGORITHM}test_testing.py",
    "hunter": f"{ALGORITHM}test_hunter*.py",
    "projection": f"{ALGORITHM}test_projection*.py",
    "regret/cone": f"{THEORY}test_regret_cone.py {THEORY}test_regret_ceiling.py",
    "regret/coverage": f"{THEORY}test_regret_coverage.py {THEORY}test_coverage_law.py",
    "regret/estimate": f"{THEORY}test_regret_[cev]*.py",
    "regret/geometry": f"{THEORY}test_regret_geometry.py {THEORY}test_regret_finite_time.py",
    "regret/sphere": f"{THEORY}test_regret_sphere.py {THEORY}test_regret_coverage.py",
    "regret/*": f"{THEORY}test_regret_{{}}.py",
    "baselines/*": f"{ALGORITHM}test_baselines_{{}}.py",
    "*": f"{ALGORITHM}test_{{}}.py",
}
"""Module (or pattern, the first that fits): its tests, below tests/; {} is its last name."""
LEFT_OUT = (
    "not killed_at_any_moment and not the_speed and not no_marker_names and not often_than_stated"
)
"""Tests of whole processes or error rates that take seconds and specify no single module."""
ALLOWANCE = 3  # seconds of processor time that a test has beside five times its own
MEMORY = 8 * 10**9


def modules() -> list[str]:
    """Every module with functions."""
    found = []
    for name, folder in PACKAGES.items():
        root = ROOT / "src" / folder
        paths = sorted(path.relative_to(root).with_suffix("") for path in root.rglob("*.py"))
        found += [f"{name}{p}" for p in paths if p.name != "__main__"]
    return found


def file_of(module: str) -> str:
    """The file of a module, below the root of the repository."""
    below = "" if module.startswith("reproduction/") else PACKAGES[""]
    return f"src/{below}{module}.py"


def tests_of(module: str, tree: Path) -> list[str]:
    """The test files that specify a module."""
    name = next(name for name in TESTS if fnmatch(module, name))
    found: dict[str, None] = {}
    patterns = TESTS[name].format(module.split("/")[-1]).split()
    if module.startswith("regret/"):
        patterns.append(f"{THEORY}test_refusals.py")
    for pattern in patterns:
        found |= dict.fromkeys(str(path) for path in sorted((tree / "tests").glob(pattern)))
    return list(found)


# --- in the copy: one process for each module ---------------------------------------------------


class Mutants:
    """A pytest plugin: in the place of the tests, the mutants with their tests."""

    def __init__(self, module: str, names: Sequence[str], outcomes: Path) -> None:
        path = file_of(module).removeprefix("src/").removesuffix(".py")
        self.dotted = path.replace("/", ".").removesuffix(".__init__")
        self.names, self.outcomes = names, outcomes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        items = {item.nodeid: item for item in session.items}
        answer = forked(partial(self.unmutated, list(items.values())))
        if isinstance(answer, str):
            raise SystemExit(answer)
        reached, seconds, imported = answer
        for name in imported:  # once, not in each process
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        gc.freeze()
        kills: Counter[str] = Counter()
        with self.outcomes.open("a", encoding="utf-8") as file:
            for name in self.names:
                function = f"{self.dotted}.{name.rpartition('__mutmut_')[0]}"
                # What none reaches here may be reached by a program that a test starts.
                tests = reached.get(function, [*items])
                tests = sorted(tests, key=lambda test: seconds[test] / (1 + kills[test]))
                began = time.monotonic()
                chosen = [(items[test], seconds[test]) for test in tests]
                by = forked(partial(self.mutated, chosen, name))
                status = "killed" if by in items else "ended"
                if by is None:
                    status = "survived" if function in reached else "unreached"
                kills[by] += 1
                outcome = {"mutant": name, "status": status, "by": by}
                outcome["seconds"] = round(time.monotonic() - began, 3)
                file.write(json.dumps(outcome) + "\n")
                file.flush()
        return True

    def unmutated(self, items: list[pytest.Item]) -> Any:
        """All tests pass; which functions does each reach, in what time; what is imported?"""
        from mutmut.configuration import config
        from mutmut.mutation.trampoline import set_mutant_under_test
        from mutmut.state import state

        config()  # while the tree is the current folder
        set_mutant_under_test("stats")
        del os.environ["MUTANT_UNDER_TEST"]  # other programs that a test starts keep no statistics
        reached: defaultdict[str, list[str]] = defaultdict(list)
        seconds: dict[str, float] = {}
        for item in items:
            state()._stats.clear()
            began = time.process_time()
            if failing([(item, math.inf)]) is not None:
                raise SystemExit(f"{item.nodeid} fails without a mutant")
            seconds[item.nodeid] = time.process_time() - began
            for function in state()._stats:
                reached[function].append(item.nodeid)
        return dict(reached), seconds, [*sys.modules]

    def mutated(self, items: list[tuple[pytest.Item, float]], name: str) -> str | None:
        """Return the test that kills a mutant."""
        from mutmut.mutation.trampoline import set_mutant_under_test

        set_mutant_under_test(f"{self.dotted}.{name}")
        return failing(items)


def failing(items: list[tuple[pytest.Item, float]]) -> str | None:
    """Run tests, each of so many seconds, until one fails; return its name."""
    following = [item for item, _ in items[1:]]
    for (item, seconds), after in zip(items, [*following, None], strict=True):
        if seconds < math.inf:
            used = time.process_time() + ALLOWANCE + 5 * seconds
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used), resource.RLIM_INFINITY))
            signal.alarm(math.ceil(60 + 20 * seconds))  # for a mutant that sleeps
        reports = runtestprotocol(item, log=False, nextitem=after)
        if any(report.failed for report in reports):
            return item.nodeid
    return None


def forked(task: Callable[[], Any]) -> Any:
    """Return what a task returns in a process of its own; "" if that was ended by a signal.

    Nothing that a task leaves behind, a cache or a patched function, meets the next one.
    """
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            try:
                told = task()
            except BaseException as error:
                told = f"{type(error).__name__} outside of a test: {error}"
            answer.write(json.dumps(told).encode())
            answer.flush()
            os._exit(0)
        os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # workers that it started
        answer.seek(0)
        content = answer.read()
    return json.loads(content) if content else ""


def inside(module: str, outcomes: Path) -> int:
    """Run the mutants that `outcomes` does not yet know to be killed, in the copy."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also if started in the background
    wanted = json.loads((outcomes.parent / "wanted.json").read_text())
    known = latest(outcomes)
    names = [name for name in wanted if known.get(name, {}).get("status") != "killed"]
    files = tests_of(module, Path.cwd())
    arguments = ["-q", "--long", "--tb=native", "-p", "no:cacheprovider", "-k", LEFT_OUT, *files]
    return int(pytest.main(arguments, plugins=[Mutants(module, names, outcomes)]))


# --- outside: the copy, the mutants, the table ---------------------------------------------------


@cache
def mutants(module: str) -> tuple[str, list[str]]:
    """Return a module's source with all mutants in it, and their names."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    path = ROOT / file_of(module)
    made = mutate_file_contents(str(path), path.read_text(encoding="utf-8"), None, None)
    return made.code, list(made.mutant_names)


def prepare(work: Path, module: str, wanted: list[str]) -> Path:
    """Copy the tree, write the mutants of a module into it; return the file of its outcomes."""
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
    code, names = mutants(module)
    before = place / "mutated.py"
    if not before.exists() or before.read_text(encoding="utf-8") != code:
        outcomes.unlink(missing_ok=True)
    for file in (before, tree / file_of(module)):
        file.write_text(code, encoding="utf-8")
    (place / "wanted.json").write_text(json.dumps(wanted))
    (place / "of.json").write_text(json.dumps(len(names)))
    return outcomes


def latest(outcomes: Path) -> dict[str, dict[str, Any]]:
    """The last outcome of each mutant."""
    lines = outcomes.read_text(encoding="utf-8").splitlines() if outcomes.exists() else []
    return {fields["mutant"]: fields for fields in map(json.loads, lines)}


def run(work: Path, module: str, names: list[str]) -> None:
    """Run mutants of a module."""
    outcomes = prepare(work, module, names)
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


def counts(work: Path, module: str) -> Counter[str] | None:
    """How many of a module's mutants ended in which way; None if it was not run."""
    place = work / module.replace("/", "-")
    if not (place / "of.json").exists():
        return None
    wanted = json.loads((place / "wanted.json").read_text())
    known = latest(place / "outcomes.jsonl")
    result = Counter(known[name]["status"] for name in wanted if name in known)
    result["left"] = len(wanted) - result.total()
    result["run"] = len(wanted)
    result["mutants"] = json.loads((place / "of.json").read_text())
    return result


COLUMNS = ("mutants", "run", "killed", "ended", "survived", "unreached", "left")


def table(work: Path, chosen: list[str]) -> Iterator[str]:
    """The outcomes; of a sample also what holds of all mutants with 95 % confidence."""
    from reproduction.tables import table as markdown  # not what is mutated

    rows = []
    total: Counter[str] = Counter()
    for module in chosen:
        if (found := counts(work, module)) is not None:
            total.update(found)
            rows.append([module, *(str(found[name]) for name in COLUMNS)])
    rows.append(["all", *(str(total[name]) for name in COLUMNS)])
    yield markdown(["module", *COLUMNS], rows)
    if total["run"] > 0:
        seen = total["killed"] + total["ended"]
        bound = binomtest(seen, total["run"], alternative="greater").proportion_ci(0.95).low
        yield f"\n{seen / total['run']:.1%} are seen"
        if total["run"] < total["mutants"]:
            yield f"At least {bound:.1%} of all would be (Clopper-Pearson, 95 %)"


# --- the page ------------------------------------------------------------------------------------

RECORD = ROOT / "tests" / "mutation.json"
PAGE = ROOT / "tests" / "mutation.md"
RESULT = ("mutants", "killed", "ended", "same", "unseen")
INTRODUCTION = """\
# What the mutants say

This page is written by `python tests/mutation.py --page` from `mutation.json`. `python
tests/mutation.py WORK all` makes every mutant of every module that mutmut 3.8.1 knows and runs the
tests that specify the module; CONTRIBUTING.md says how. Of `reproduction`, only the modules in
the table were run so far, without the tests that simulate error rates. A mutant is *killed* when a
test fails, *ended* when its limits of time or memory end it, *the same* when it does what the
original does, for the reason given below, and otherwise *seen by none*. The runs use 30
derandomized examples for each property (HYPOTHESIS_PROFILE=mutation), fewer than any other profile.

## The modules

A module was run at the commit that stands beside it; the date is that of the commit.
`tree` and the modules of `reproduction` in the table stand today as they were run, except
`reproduction/benchmark/report`. The files of the other modules were moved or changed since, so
their numbers describe earlier versions.
`traces/events` was run with the sources of 7306284, `forest/search` and `traces/check_forest` with
the sources of 567f1ba. `testing` was run before its last change. Modules that do not stand here,
such as `version`, have no mutants. Modules have their names of today; the runs of 2026-11-21 and
before were made before the files were moved into folders, and before later changes of sources and
tests, among them those of `run`, `claims`, `commands`, `traces` and `regret`. The local search of
`forest` was written anew since: its modules were not run again. The tests of
`plots/pictures` looked at colours and sizes then, and read the data of the pictures alone today.
"""
WHAT_IS_LEFT = """\
mutmut leaves alone what is decorated, class bodies and constants. 32 mutants of those were made by
hand in the modules of the algorithm: all that change a result are killed; without `slots` (two) or
with another `lru_cache` (two) the same comes out with more memory or time. The one function of
`commands/progress` is decorated: seven were made of it, all killed.
"""


def page(record: dict[str, Any]) -> str:
    """Return mutation.md."""
    from reproduction.tables import table as markdown  # not what is mutated

    modules = record["modules"]
    total = {name: sum(found[name] for found in modules.values()) for name in RESULT}
    rows = [
        [module, *(str(found[name]) for name in RESULT), found["commit"], found["date"]]
        for module, found in modules.items()
    ]
    rows.append(["all", *(str(total[name]) for name in RESULT), "", ""])
    header = ["module", "mutants", "killed", "ended", "the same", "seen by none", "commit", "date"]
    seen = total["killed"] + total["ended"]
    others = total["mutants"] - total["same"]
    return "\n".join(
        [
            INTRODUCTION,
            markdown(header, rows),
            "",
            f"{seen / total['mutants']:.1%} are seen; {seen} of the {others} that are not the same "
            "program.\n",
            "## The same program\n",
            markdown(["module", "function (mutants)", "mutant", "why it is the same"],
                     record["same"]),
            "",
            WHAT_IS_LEFT,
        ]
    ).rstrip() + "\n"  # fmt: skip


def recorded(record: dict[str, Any], module: str, found: Counter[str]) -> dict[str, Any]:
    """Return the result of a module that was run whole; its reasons say how many are the same."""
    reasons = [
        re.findall(r"`(?: \((\d+)\))?", row[1]) for row in record["same"] if row[0] == module
    ]
    explained = sum(int(number or 1) for row in reasons for number in row[1::2])
    left = found["mutants"] - found["killed"] - found["ended"]
    log = ["git", "log", "-1", "--format=%h %cs"]
    commit, date = subprocess.run(
        log, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    same = min(left, explained)
    values = (found["mutants"], found["killed"], found["ended"], same, left - same)
    return {**dict(zip(RESULT, values, strict=True)), "commit": commit, "date": date}


def written(record: dict[str, Any]) -> str:
    """Return mutation.json, a line for each module and each reason."""
    modules = ",\n".join(
        f"  {json.dumps(module)}: {json.dumps(found)}"
        for module, found in record["modules"].items()
    )
    same = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in record["same"])
    return f'{{\n"modules": {{\n{modules}\n}},\n"same": [\n{same}\n]\n}}\n'


def functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions of a module's mutated source, by their mangled names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node


def survivors(work: Path, module: str) -> Iterator[str]:
    """What is left of the mutants, as the lines that they change."""
    place = work / module.replace("/", "-")
    if not (place / "mutated.py").exists():
        return
    known = latest(place / "outcomes.jsonl")
    found = dict(functions(ast.parse((place / "mutated.py").read_text(encoding="utf-8"))))
    for name, fields in known.items():
        if fields["status"] == "killed":
            continue
        original = found[name.rpartition("__mutmut_")[0] + "__mutmut_orig"]
        found[name].name = original.name
        old, new = (ast.unparse(node).splitlines() for node in (original, found[name]))
        yield f"## {module} {name}: {fields['status']} {fields['by'] or ''}"
        for line in difflib.unified_diff(old, new, lineterm="", n=0):
            if not line.startswith(("---", "+++", "@@")):
                yield f"   {line}"


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path, nargs="?")
    parser.add_argument("modules", nargs="*")
    parser.add_argument(
        "--sample", type=int, help="run a simple random sample of so many of all these mutants"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="show outcomes, run nothing")
    parser.add_argument("--survivors", action="store_true", help="show them, run nothing")
    parser.add_argument("--record", action="store_true", help="write the results of whole modules")
    parser.add_argument("--page", action="store_true", help="write mutation.md, run nothing")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        return inside(str(given.work), given.inside)
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    if given.page:
        PAGE.write_text(page(record), encoding="utf-8")
        return 0
    work = given.work.resolve()
    patterns = ["*"] if given.modules == ["all"] else given.modules
    chosen = [name for name in modules() if any(fnmatch(name, pattern) for pattern in patterns)]
    if given.table:
        print("\n".join(table(work, chosen)))
    if given.survivors:
        print("\n".join(line for module in chosen for line in survivors(work, module)))
    if given.record:
        for module in chosen:
            found = counts(work, module)
            if found is not None and found["run"] == found["mutants"] and not found["left"]:
                record["modules"][module] = recorded(record, module, found)
        RECORD.write_text(written(record), encoding="utf-8")
        PAGE.write_text(page(record), encoding="utf-8")
    if given.table or given.survivors or given.record:
        return 0
    sample: dict[str, list[str]] | None = None
    if given.sample is not None:
        everything = [(module, name) for module in chosen for name in mutants(module)[1]]
        sample = {module: [] for module in chosen}
        for module, name in random.Random(given.seed).sample(everything, given.sample):
            sample[module].append(name)
    for module in chosen:
        names = mutants(module)[1] if sample is None else sample[module]
        if not names:
            continue
        run(work, module, names)
        found = counts(work, module)
        print(module, dict(found or {}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
