"""Sparse BBOB against COCO's own suite: the same values at the same variables, whatever n is."""

from importlib.util import find_spec

import numpy as np
import pytest

from reproduction.benchmark.plan import perform
from reproduction.benchmark.race import OwnFunction, starts
from reproduction.problems.sparse_bbob import FUNCTIONS, SparseBbob

pytestmark = pytest.mark.skipif(
    find_spec("cocoex") is None, reason="the extra coco is not installed"
)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_has_the_values_of_cocos_suite(function: int, rotated: bool) -> None:
    import cocoex

    cocoex.log_level("error")
    chosen = f"function_indices: {function} dimensions: 5"
    suite = cocoex.Suite("bbob", "instances: 3", chosen)  # without it its problems are invalid
    theirs = suite[0]
    ours = SparseBbob(function, 200, 5, 3, rotated)
    rng, least = np.random.default_rng(function), ours.coco.best_value()
    for z in rng.uniform(-5, 5, (5, 5)):
        x = ours.outer(z)
        assert np.abs(x).max() <= 1
        np.testing.assert_allclose(ours.inner(x), z, atol=1e-12)
        np.testing.assert_allclose(ours(x) + least, theirs(z), rtol=1e-9, atol=1e-9)
    best = np.asarray(ours.coco.best_parameter())
    assert theirs(best) == pytest.approx(least, abs=1e-6)
    assert ours(ours.outer(best)) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(("n", "d_e"), [(100, 2), (100, 40), (100_000, 40)])
def test_the_least_value_is_0_in_the_cube(n: int, d_e: int, rotated: bool) -> None:
    """Also where few coordinates hide many variables, and of the largest sizes."""
    hidden = SparseBbob(8, n, d_e, 2, rotated)
    best = np.asarray(hidden.coco.best_parameter())
    x = hidden.outer(best)
    assert np.abs(x).max() <= 1
    assert hidden(x) == pytest.approx(0, abs=1e-7)
    assert hidden(np.zeros(n)) > 1


@pytest.mark.parametrize("rotated", [False, True])
def test_other_directions_do_not_matter(rotated: bool) -> None:
    hidden = SparseBbob(15, 300, 7, 1, rotated)
    rng = np.random.default_rng(1)
    x, step = rng.uniform(-0.5, 0.5, (2, 300))
    coordinates, rotation, _ = hidden.hiding
    if rotation is None:
        assert coordinates is not None
        assert len(set(coordinates.tolist())) == 7
        step[coordinates] = 0
    else:
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(7), atol=1e-12)
        step -= rotation @ (rotation.T @ step)
    assert hidden(x + step) == pytest.approx(hidden(x), rel=1e-9)
    assert hidden(x + 0.1) != pytest.approx(hidden(x), rel=1e-9)


def test_an_instance_is_a_number() -> None:
    hidden = SparseBbob.of("bbob:f3,d_e=4,rotated", 50)
    assert hidden == SparseBbob(3, 50, 4, 1, True)
    again, other = hidden.instance(0), hidden.instance(6)
    assert (again, other.number) == (hidden, 7)
    x = np.full(50, 0.3)
    assert again(x) == hidden(x) != other(x)
    assert not np.allclose(hidden.hiding.rotation, other.hiding.rotation)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "n", "match"),
    [
        ("bbob:8", 10, "the form is bbob:f8,d_e=5"),
        ("bbob:f8,d_e=5", None, "how many variables"),
        ("bbob:f25,d_e=2", 10, "f1 to f24"),
        ("bbob:f1,d_e=1", 10, r"2 \.\. n = 10"),
        ("bbob:f1,d_e=11", 10, r"2 \.\. n = 10"),
    ],
)
def test_what_is_no_function_is_refused(place: str, n: int | None, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        SparseBbob.of(place, n)


def test_a_race_has_an_instance_for_each_run() -> None:
    """The methods that must be told it are told the effective dimension."""
    function = OwnFunction("bbob:f1,d_e=3", 40)
    assert function.told == 3
    values = [perform(start)[0]["value"] for start in starts([function], ["resoo"], [60], 3)]
    assert len(set(values)) == 3
    box, info = function.box(None, 1, 9, ())  # type: ignore[arg-type]
    assert (info.n, info.d_e) == (40, 3)
    assert box(np.zeros(40)) == SparseBbob(1, 40, 3, 2)(np.zeros(40))
