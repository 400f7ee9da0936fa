"""What Bayesian optimisation needs beside botorch: trust regions, candidates, the missing extra."""

import sys

import numpy as np
import pytest

from embedded_hunter.extras import UsageError
from reproduction.methods import METHODS
from reproduction.optimizers.bayesian import TrustRegion, candidates
from reproduction.optimizers.black_box import BlackBox, ProblemInfo


def test_a_trust_region_grows_with_successes_and_shrinks_with_failures() -> None:
    """Three in sequence double it, d of them, or four, halve it; 1.6 is the most."""
    region = TrustRegion(6)
    lengths = []
    for improved in (True, True, False, True, True, True, *[True] * 3, *[False] * 12):
        region.tell(improved)
        lengths.append(region.length)
    assert lengths == [*[0.8] * 5, *[1.6] * 9, *[1.6 / 2] * 6, 1.6 / 4]
    small = TrustRegion(2)
    for _ in range(7 * 4 - 1):
        small.tell(False)
    assert not small.ended
    small.tell(False)
    assert small.length == 0.8 / 2**7
    assert small.ended


def test_the_sides_are_proportional_to_the_lengthscales_and_cut_to_the_cube() -> None:
    region = TrustRegion(3, length=0.2)
    low, high = region.sides(np.full(3, 0.5), np.array([1.0, 2.0, 4.0]))
    assert high - low == pytest.approx([0.1, 0.2, 0.4])
    assert low + high == pytest.approx(1)
    low, high = region.sides(np.array([0.0, 0.95, 0.5]), np.ones(3))
    assert low == pytest.approx([0, 0.85, 0.4])
    assert high == pytest.approx([0.1, 1, 0.6])


@pytest.mark.parametrize("d", [1, 20, 1_000])
def test_candidates_lie_in_the_region_and_differ_from_its_center_in_few_variables(d: int) -> None:
    """About 20 of them; the seed is fixed, and the mean of 500 binomials varies by 0.2."""
    rng = np.random.default_rng(1)
    center, low, high = np.full(d, 0.5), np.full(d, 0.4), np.full(d, 0.7)
    found = candidates(rng, center, low, high, rng.uniform(0.01, 0.99, (500, d)))
    assert found.shape == (500, d)
    assert ((low < found) & (found < high)).all()
    changed = (found != center).sum(axis=1)
    assert changed.min() >= 1
    assert changed.mean() == pytest.approx(min(d, 20), abs=1)


@pytest.mark.parametrize("name", ["gp", "turbo", "gp_sketch", "turbo_sketch"])
def test_without_botorch_the_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "botorch", None)
    box = BlackBox(np.sum, 5, 30)
    with pytest.raises(UsageError, match=r"botorch is not installed.*\.\[bayes\]"):
        METHODS[name].minimize(box, ProblemInfo(5, 2), np.random.default_rng(0))
    assert box.evaluations == 0
