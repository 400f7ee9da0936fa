"""Specification of `claims.report`, by runs of pytest in this process on a small project."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from repository.claims_project import FILES, committed, git, write
from reproduction.claims import report
from reproduction.claims.evidence import FOLDER, SuiteReport, commit_of, read_report

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
LEFT_OUT = (
    "cacheprovider", "faulthandler", "warnings", "logging", "unraisableexception",
    "threadexception",
)  # fmt: skip
TESTS = """
import pytest

@pytest.mark.claim("one")
def test_one():
    assert True

@pytest.mark.claim("two", "one")
@pytest.mark.claim("one")
@pytest.mark.parametrize("k", [1, 2])
def test_two(k):
    assert k < 3

@pytest.mark.slow
@pytest.mark.claim("two")
def test_three():
    assert True

@pytest.mark.slow
def test_of_no_claim():
    assert True
"""
ONE, TWO_1, TWO_2, THREE = (
    f"tests/test_it.py::test_{name}" for name in ("one", "two[1]", "two[2]", "three")
)
CLAIMS = {ONE: ["one"], TWO_1: ["one", "two"], TWO_2: ["one", "two"], THREE: ["two"]}
INI = "[pytest]\ntestpaths = tests\nmarkers =\n    claim\n    slow\n"
WITHOUT_SLOW = INI + "addopts = -m 'not slow'\n"
CONFTEST = "def pytest_addoption(parser):\n    parser.addoption('--long', action='store_true')\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a checkout with five tests, four of them of claims, and go there."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    root = committed(
        tmp_path,
        {
            **FILES,
            "tests/test_it.py": TESTS,
            "pytest.ini": INI,
            "tests/conftest.py": CONFTEST,
        },
    )
    monkeypatch.chdir(root)
    return root


class Probe:
    """A plugin that notes which tests are run, and may set options of a run."""

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.ran: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        for name, value in self.options.items():
            setattr(config.option, name, value)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.ran.append(nodeid)


def run(*arguments: str, probe: Probe | None = None) -> tuple[int, list[str]]:
    """Run pytest in this process, with the reporting plugin and few others."""
    probe = probe or Probe()
    options = [part for name in LEFT_OUT for part in ("-p", f"no:{name}")]
    options += ["--assert=plain", "--import-mode=importlib", "-p", report.__name__]
    known = set(sys.modules)
    status = int(pytest.main(["-q", "--capture=no", *options, *arguments], plugins=[probe]))
    for name in set(sys.modules) - known:
        if name.partition(".")[0] == "tests":  # may be another one in the next run
            del sys.modules[name]
    return status, probe.ran


def commit(root: Path, files: dict[str, str]) -> None:
    """Write files, and commit all."""
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Change")


def test_a_run_of_all_tests_reports_what_became_of_those_of_claims(project: Path) -> None:
    status, ran = run("--long")
    assert (status, len(ran)) == (0, 5)
    passed = dict.fromkeys(CLAIMS, "passed")
    assert read_report(project) == SuiteReport(commit_of(project), CLAIMS, passed)


def test_the_tests_that_the_settings_leave_out_are_no_part_of_it(project: Path) -> None:
    commit(project, {"pytest.ini": WITHOUT_SLOW})
    assert run("--long")[0] == 0
    assert set(read_report(project).outcomes) == {ONE, TWO_1, TWO_2}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {"long": False}),
        (["tests"], {}),
        (["-k", "test"], {}),
        (["-m", "not slow"], {}),
        (["-x"], {}),
        (["--claim", "one"], {}),
        (["--collect-only"], {}),
        (["--deselect", ONE], {}),
        (["--ignore", "tests/gone"], {}),
        (["--ignore-glob", "gone*"], {}),
        ([], {"lf": True}),
        ([], {"stepwise": True}),
        ([], {"errata": True}),
    ],
)
def test_a_run_that_may_lack_tests_reports_nothing(
    project: Path, arguments: list[str], options: dict[str, bool]
) -> None:
    assert run("--long", *arguments, probe=Probe(**options))[0] == 0
    assert not (project / FOLDER).exists()


BROKEN = {"tests/test_a_first.py": "import no_such_module\n"}
STOPS = {"tests/test_it.py": TESTS.replace("k < 3", "pytest.exit('enough')")}


@pytest.mark.parametrize(("files", "status"), [(BROKEN, 1), (STOPS, 2)])
def test_a_run_without_some_tests_reports_nothing(
    project: Path, files: dict[str, str], status: int
) -> None:
    """A file cannot be collected, or the run ends early."""
    commit(project, files)
    assert run("--long", "--continue-on-collection-errors")[0] == status
    assert not (project / FOLDER).exists()


def test_the_tests_of_claims_are_run_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--claim", "two")[1] == [TWO_1, TWO_2, THREE]
    assert "3 passed, 2 deselected" in capsys.readouterr().out
    assert run("--claim", "two", "--claim", "one")[1] == [ONE, TWO_1, TWO_2, THREE]


PHASES = """
import pytest

@pytest.fixture
def before():
    raise RuntimeError

@pytest.fixture
def after():
    yield
    raise RuntimeError

@pytest.mark.claim("x")
class TestX:
    def test_skipped(self): pytest.skip("no")
    def test_before(self, before): ...
    def test_after(self, after): ...
    @pytest.mark.xfail
    def test_expected(self): assert False
"""


def test_the_worst_phase_of_a_test_is_its_outcome(project: Path) -> None:
    commit(project, {"tests/test_it.py": PHASES})
    assert run("--long")[0] == 1
    outcomes = read_report(project).outcomes
    found = {test.rpartition("::test_")[2]: outcome for test, outcome in outcomes.items()}
    failed, skipped = dict.fromkeys(("before", "after"), "failed"), ("skipped", "expected")
    assert found == failed | dict.fromkeys(skipped, "skipped")


def test_a_run_of_code_of_no_commit_reports_nothing(project: Path) -> None:
    """It was changed before the run, or is changed during it."""
    write(project, {"src/a.py": "A = 2\n"})
    assert run("--long")[0] == 0
    change = "__import__('pathlib').Path('src/a.py').write_text('#')"
    commit(project, {"tests/test_it.py": TESTS.replace("assert k < 3", change)})
    assert run("--long")[0] == 0
    assert not (project / FOLDER).exists()


@pytest.mark.long
def test_several_processes_report_what_one_does(project: Path) -> None:
    commit(project, {"tests/test_it.py": TESTS.replace("assert k < 3", "assert k < 2")})
    several = ("--long", "-p", "xdist.plugin", "-n", "2")
    assert run(*several)[0] == pytest.ExitCode.TESTS_FAILED
    reported = read_report(project)
    assert reported.claims == CLAIMS
    assert reported.outcomes[TWO_2] == "failed"
    shutil.rmtree(project / FOLDER)
    assert run("--long")[0] == pytest.ExitCode.TESTS_FAILED
    assert read_report(project) == reported


@pytest.mark.long
def test_a_run_of_which_a_process_dies_reports_nothing(project: Path) -> None:
    commit(
        project, {"tests/test_it.py": TESTS.replace("assert k < 3", "__import__('os')._exit(1)")}
    )
    run("--long", "-p", "xdist.plugin", "-n", "2")
    assert not (project / FOLDER).exists()


@pytest.mark.parametrize("place", ["outside", "below"])
def test_a_run_of_another_folder_reports_nothing(
    project: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "outside":
        shutil.rmtree(project / ".git")
    else:
        files = {"pytest.ini": INI, "tests/test_it.py": TESTS, "tests/conftest.py": CONFTEST}
        commit(project, {f"src/{name}": content for name, content in files.items()})
        monkeypatch.chdir(project / "src")
    status, ran = run("--long")
    assert (status, len(ran)) == (0, 5)
    assert list(project.rglob(FOLDER)) == []
