"""Specification of `claims.collector`, by runs of pytest in this process on a small project."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from claims_project import FILES, committed, write

from reproduction.claims import collector
from reproduction.claims.evidence import FOLDER, Suite, code_of, read_tests

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
COLLECTED = {
    ONE: ["one"], TWO_1: ["one", "two"], TWO_2: ["one", "two"], THREE: ["two", "(slow)"],
}  # fmt: skip
INI = "[pytest]\ntestpaths = tests\nmarkers =\n    claim\n    slow\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a checkout with five tests, four of them of claims, and go there."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    root = committed(tmp_path, {**FILES, "tests/test_it.py": TESTS, "pytest.ini": INI})
    monkeypatch.chdir(root)
    return root


class Probe:
    """A plugin that looks at a run, and may set options of it."""

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.plugin: collector.Collector | None = None
        self.ran: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        for name, value in self.options.items():
            setattr(config.option, name, value)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.plugin = session.config.pluginmanager.get_plugin("embedded-hunter-claims")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.ran.append(nodeid)


def run(*arguments: str, probe: Probe | None = None) -> tuple[int, Probe]:
    """Run pytest in this process, with the recording plugin and few others."""
    probe = probe or Probe()
    options = [part for name in LEFT_OUT for part in ("-p", f"no:{name}")]
    options += ["--assert=plain", "--import-mode=importlib", "-p", collector.__name__]
    known = set(sys.modules)
    status = int(pytest.main(["-q", "--capture=no", *options, *arguments], plugins=[probe]))
    for name in set(sys.modules) - known:
        if name.partition(".")[0] == "tests":  # may be another one in the next run
            del sys.modules[name]
    return status, probe


def outcomes(root: Path) -> dict[str, str]:
    return {test: record["outcome"] for test, record in read_tests(root).outcomes.items()}


def test_a_run_of_all_tests_records_which_there_are_and_what_became_of_them(project: Path) -> None:
    status, probe = run()
    assert status == 0
    assert len(probe.ran) == 5
    code = code_of(project)
    record = {"outcome": "passed", "sources": code.sources, "commit": code.commit}
    assert read_tests(project) == Suite(COLLECTED, code.sources, dict.fromkeys(COLLECTED, record))


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["tests"], {}),
        (["--ignore", "tests/gone"], {}),
        (["--ignore-glob", "gone*"], {}),
        ([], {"lf": True}),
        ([], {"stepwise": True}),
    ],
)
def test_a_run_that_may_lack_tests_does_not_tell_which_there_are(
    project: Path, arguments: list[str], options: dict[str, bool]
) -> None:
    assert run(*arguments, probe=Probe(**options))[0] == 0
    assert (read_tests(project).collected, read_tests(project).collected_at) == ({}, "")
    assert outcomes(project) == dict.fromkeys(COLLECTED, "passed")


def test_evidence_is_added_and_tests_that_are_gone_are_dropped(project: Path) -> None:
    run("-k", "one", "-m", "not slow")
    assert read_tests(project).collected == COLLECTED  # deselected, but there
    assert outcomes(project) == {ONE: "passed"}
    run("tests", "-k", "two")
    assert outcomes(project) == {ONE: "passed", TWO_1: "passed", TWO_2: "passed"}
    write(project, {"tests/test_it.py": TESTS.replace("def test_one", "def test_none")})
    run("--collect-only")
    assert outcomes(project) == {TWO_1: "passed", TWO_2: "passed"}
    assert "tests/test_it.py::test_none" in read_tests(project).collected


def test_a_file_that_cannot_be_collected_is_missed(project: Path) -> None:
    """Behind it there is a file that can."""
    run()
    before = read_tests(project)
    write(project, {"tests/test_a_first.py": "import no_such_module\n"})
    assert run("--continue-on-collection-errors")[0] == 1
    tests = read_tests(project)
    assert tests.collected_at == before.collected_at != code_of(project).sources
    assert tests.outcomes[ONE]["sources"] == code_of(project).sources


def test_the_tests_of_claims_are_run_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--claim", "two")[1].ran == [TWO_1, TWO_2, THREE]
    assert "3 passed, 2 deselected" in capsys.readouterr().out
    assert read_tests(project).collected == COLLECTED
    assert run("--claim", "two", "--claim", "one")[1].ran == [ONE, TWO_1, TWO_2, THREE]


def test_the_tests_without_evidence_are_run_alone(project: Path) -> None:
    run("-k", "one")
    assert run("--missing-evidence")[1].ran == [TWO_1, TWO_2, THREE]
    assert run("--missing-evidence")[0] == pytest.ExitCode.NO_TESTS_COLLECTED
    # Evidence of other code is none; nor is that of a test that failed or was skipped.
    write(project, {"src/a.py": "A = 2\n"})
    assert run("--missing-evidence", "--claim", "one")[1].ran == [ONE, TWO_1, TWO_2]
    some = "(k == 1 and pytest.skip('no')) or k < 2"
    write(project, {"tests/test_it.py": TESTS.replace("k < 3", some)})
    run()
    assert run("--missing-evidence")[1].ran == [TWO_1, TWO_2]


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
    def test_passed(self): ...
    def test_failed(self): assert False
    def test_skipped(self): pytest.skip("no")
    def test_before(self, before): ...

    def test_after(self, after): ...
    def test_failed_and_after(self, after): assert False
    @pytest.mark.xfail
    def test_expected(self): assert False
"""


def test_the_worst_phase_of_a_test_is_its_outcome(project: Path) -> None:
    write(project, {"tests/test_it.py": PHASES})
    assert run()[0] == 1
    found = {test.rpartition("::test_")[2]: outcome for test, outcome in outcomes(project).items()}
    assert found == {
        "passed": "passed",
        "failed": "failed",
        "skipped": "skipped",
        "before": "failed",
        "after": "failed",
        "failed_and_after": "failed",
        "expected": "skipped",
    }


def test_a_run_during_which_the_code_changes_records_nothing(project: Path) -> None:
    changing = TESTS.replace(
        "assert k < 3", "__import__('pathlib').Path('src/a.py').write_text('#')"
    )
    write(project, {"tests/test_it.py": changing})
    assert run()[0] == 0
    assert not (project / FOLDER).exists()


@pytest.mark.long
def test_several_processes_record_what_one_does(project: Path) -> None:
    write(project, {"tests/test_it.py": TESTS.replace("assert k < 3", "assert k < 2")})
    several = ("-p", "xdist.plugin", "-n", "2")
    assert run(*several)[0] == pytest.ExitCode.TESTS_FAILED
    recorded = read_tests(project)
    assert recorded.collected == COLLECTED
    assert recorded.outcomes[TWO_2]["outcome"] == "failed"
    shutil.rmtree(project / FOLDER)
    assert run()[0] == pytest.ExitCode.TESTS_FAILED
    assert read_tests(project) == recorded


@pytest.mark.parametrize("place", ["outside", "below"])
def test_a_run_of_another_folder_records_nothing(
    project: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "outside":
        shutil.rmtree(project / ".git")
    else:
        write(project, {"src/pytest.ini": INI, "src/tests/test_it.py": TESTS})
        monkeypatch.chdir(project / "src")
    status, probe = run()
    assert (status, len(probe.ran), probe.plugin) == (0, 5, None)
    assert not (project / FOLDER).exists()
    assert not (project / "src" / FOLDER).exists()


def test_the_options_need_a_checkout(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs = "ERROR: --claim and --missing-evidence need a git checkout"
    shutil.rmtree(project / ".git")
    for option in (["--claim", "one"], ["--missing-evidence"]):
        assert run(*option)[0] == pytest.ExitCode.USAGE_ERROR
        assert needs in capsys.readouterr().err.splitlines()
