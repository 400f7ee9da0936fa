"""`compare` passes on what it is told, and says what was done.

What the experiments compute is specified in tests/reproduction; here they are replaced by spies.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reproduction.benchmark import plan
from reproduction.cli import main
from reproduction.commands import compare
from reproduction.landscapes import OF_PAPER
from reproduction.methods import in_benchmark
from spec.interface.command_spies import Calls, Spies, complaint, spies_with


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> Spies:
    return spies_with(monkeypatch)


def compare_spies(spies: Spies, **answers: Any) -> Calls:
    """Spies on all that `compare` uses; of the methods two are installed."""
    usual: dict[str, Any] = {
        "extra": None,
        "make_runs": SimpleNamespace(cost=lambda: (12_345, 6789.4)),
        "present": [Path("there/tables.md"), Path("there/comparison.svg")],
    }  # fmt: skip
    return spies(compare, **{**usual, **answers})


@pytest.fixture
def two_methods(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two methods are installed, sep_cma among the others; what is said of those that are not."""
    monkeypatch.setattr(plan, "available", lambda: ("fresh", "resoo"))
    return [name for name in in_benchmark() if name not in ("fresh", "resoo")]


def test_compare_makes_all_runs_of_what_is_installed(
    two_methods: list[str], capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    calls = compare_spies(spies)
    assert main(["compare"]) == 0
    wanted = plan.tasks(
        list(plan.MAIN), list(plan.BUDGETS), plan.RUNS, ("fresh", "resoo"), OF_PAPER,
    )  # fmt: skip
    assert calls == [
        ("extra", ("pandas", "compare"), {}),
        ("extra", ("matplotlib",), {}),
        ("make_runs", (wanted, "results-compare"), {"jobs": 1, "cluster": None}),
        ("present", ("results-compare", True, []), {}),
    ]
    assert capsys.readouterr().out == (
        "results-compare: 12,345 evaluations in 6,789 seconds of processor time\n"
        "not installed (pip install -e '.[compare]' in a checkout): "
        f"{', '.join(two_methods)}\n"
        "there/tables.md\nthere/comparison.svg\n"
    )


def test_compare_can_only_present(capsys: pytest.CaptureFixture[str], spies: Spies) -> None:
    calls = compare_spies(spies)
    assert main(["compare", "--no-runs"]) == 0
    assert [name for name, _, _ in calls] == ["extra", "extra", "present"]
    assert capsys.readouterr().out == "there/tables.md\nthere/comparison.svg\n"


def test_a_method_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for given, question in (("fressh", "; did you mean fresh?"), ("12345", "")):
        with pytest.raises(SystemExit):
            main(["compare", "--methods", "resoo", given])
        said = capsys.readouterr().err
        assert f"there is no method '{given}'{question} (see" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize("error", [OSError("it is read-only"), ValueError("it is something else")])
def test_compare_says_what_is_wrong(
    error: Exception, capsys: pytest.CaptureFixture[str], spies: Spies
) -> None:
    compare_spies(spies, present=error)
    assert complaint(capsys, "compare", "--no-runs") == str(error)
