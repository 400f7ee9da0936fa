"""The numbers in the pictures of the gallery. All of its scripts run when the site is built."""

import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.regret import base_points

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"


@pytest.fixture
def pyplot(monkeypatch: pytest.MonkeyPatch) -> Any:
    """pyplot without a display, whose figures stay open until the test has looked at them."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    with plt.rc_context():
        yield plt
    plt.close("all")


def run(name: str) -> dict[str, Any]:
    return runpy.run_path(str(GALLERY / name))


@pytest.mark.long
def test_the_classes_are_those_of_equal_exact_norms(pyplot: Any) -> None:
    names = run("plot_2_norm_classes.py")
    y = [[Fraction(t).limit_denominator(10**6) for t in row] for row in base_points(4, 2, 3, 1.0)]
    squares = [a * a + b * b for a, b in y]
    classes = sorted(set(squares), reverse=True)
    assert names["place"].tolist() == [classes.index(s) for s in squares]
    drawn = {line.get_label(): line for line in pyplot.figure(1).axes[1].get_lines()}
    for h, count in enumerate(drawn["classes, d = 2"].get_ydata()[:7]):
        y = [[Fraction(t).limit_denominator(10**6) for t in row] for row in base_points(h, 2, 3, 1)]
        assert count == len({a * a + b * b for a, b in y})
    # The visit that is shown: each expanded leaf is the least of its class, and below all before.
    level = names["nu_min"]
    for value in names["expanded"]:
        assert value < level
        assert any(min(one_class) == value for one_class in names["values"])
        level = value


@pytest.mark.long
def test_the_near_optimal_nodes_are_counted_right(
    pyplot: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run("plot_5_delta_tau.py")
    for h in (1, 3, 5):
        y = base_points(h, 1, 3, 2.0)[:, 0]
        g = names["f"](0.45 * y[:, None])
        # delta and tau are what the definitions say, over all base points and cells of the depth
        half = 2.0 / 3**h
        t = np.linspace(-half, half, 401)
        inside = names["f"]((0.45 * (y[:, None] + t)).reshape(-1, 1)).reshape(y.size, -1)
        assert np.abs(inside - g[:, None]).max() <= names["delta"][h] * (1 + 1e-9)
        for b in (0.42, 0.48):
            assert np.abs(names["f"](b * y[:, None]) - g).max() <= names["tau"][h] * (1 + 1e-9)
        assert names["counts"](names["eps"])[h] == np.sum(g <= names["eps"][h])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    for h, nodes, three, one, _ in (map(int, row) for row in rows):
        assert nodes == sum(3**k for k in range(h + 1))
        assert one <= three <= nodes
