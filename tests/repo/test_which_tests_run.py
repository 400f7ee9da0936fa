"""Which tests run by default, and which have hours: what tests/conftest.py decides."""

from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("profile", "marks", "limits"),
    [("dev", [], []), ("ci", ["slow"], ["hours"]), ("nightly", [], ["hours"]),
     ("nightly", ["slow", "timeout"], [7])],
)  # fmt: skip
def test_slow_tests_and_those_of_a_nightly_run_have_hours(
    profile: str, marks: list[str], limits: list[object], request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    conftest = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    assert conftest is not None
    monkeypatch.setattr(conftest, "PROFILE", profile)
    item = pytest.Function.from_parent(request.node.parent, name="it", callobj=lambda: None)
    for mark in marks:
        item.add_marker(pytest.mark.timeout(7) if mark == "timeout" else mark)
    conftest.pytest_collection_modifyitems(request.config, [item])
    found = [marker.args[0] for marker in item.iter_markers("timeout")]
    assert found == [conftest.HOURS if limit == "hours" else limit for limit in limits]
    assert conftest.HOURS >= 3600


def kept(request: pytest.FixtureRequest, options: dict[str, object]) -> list[str]:
    """Return which of an ordinary and a long test these options keep."""
    conftest = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    assert conftest is not None
    names = ["ordinary", "long"]
    items = [
        pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        for name in names
    ]
    items[1].add_marker("long")
    given = dict.fromkeys(("long", "claim", "missing_evidence", "errata"), None) | options
    left_out: list[pytest.Item] = []
    config = SimpleNamespace(
        getoption=given.__getitem__,
        hook=SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items)),
    )
    conftest.pytest_collection_modifyitems(config, items)
    assert [item.name for item in [*items, *left_out]] == names
    return [item.name for item in items]


@pytest.mark.parametrize(
    "options", [{"long": True}, {"claim": ["lemma-1"]}, {"missing_evidence": True}]
)
def test_long_tests_run_only_if_asked_for(
    options: dict[str, object], request: pytest.FixtureRequest
) -> None:
    assert kept(request, {}) == ["ordinary"]
    assert kept(request, options) == ["ordinary", "long"]
