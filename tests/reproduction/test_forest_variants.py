"""The variants of the forest: one for each constant, and the defaults are those of a user."""

from dataclasses import fields

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS, EVOLUTION
from embedded_hunter.forest.search import Forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import search_of
from reproduction.kept_runs import Values
from reproduction.studies import forest_variants
from reproduction.studies.forest_variants import (
    D_E,
    DEFAULT,
    FUNCTIONS,
    RUNS,
    SPREAD,
    VARIANTS,
    N,
    V,
    comparisons,
    objective,
    plan,
    report,
)


def test_every_constant_has_a_variant_with_another_value() -> None:
    for kind, shipped in (("constants", CONSTANTS), ("evolution", EVOLUTION)):
        changed = [getattr(variant, kind) for variant in VARIANTS.values()]
        for field in fields(shipped):
            values = [change[field.name] for change in changed if field.name in change]
            assert len(values) >= 2, field.name
            assert getattr(shipped, field.name) not in values


def test_a_variant_changes_one_thing() -> None:
    for name, variant in VARIANTS.items():
        changed = [*variant.constants, *variant.evolution, *variant.settings]
        changed += ["kind"] * (variant.kind is not ForestSettings)
        changed += ["forest"] * (variant.forest is not Forest)
        assert len(changed) == (name != DEFAULT), name


def test_the_defaults_are_those_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest_variants, "V", 60)
    f, rng = objective("Powell", 0), np.random.default_rng(0)
    mine = forest_variants.search_of(VARIANTS[DEFAULT], False, rng)
    theirs = search_of(ForestSettings(N, 60), np.random.default_rng(0), D_E)
    found = [[values for _, values in drive(search, f)] for search in (mine, theirs)]
    assert found[0] == found[1]


def test_the_reach_is_halved_and_doubled() -> None:
    shipped = ForestSettings(N, V).trees[0].sigma
    for name, factor in (("REACH = 2.5", 0.5), ("REACH = 10", 2)):
        assert VARIANTS[name].kind(N, V).trees[0].sigma == factor * shipped


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_optimum_of_a_function_is_hidden_in_the_cube(function: str) -> None:
    f = FUNCTIONS[function]
    assert abs(f(np.zeros((D_E, 1)))[0]) < 1e-12
    t = np.random.default_rng(1).uniform(-5 - 5 * SPREAD, 5 + 5 * SPREAD, (D_E, 200))
    assert (f(t) > 0).all()
    assert f(t)[3] == pytest.approx(f(t[:, 3:4])[0])
    at = np.random.default_rng(2).uniform(-1, 1, (4, D_E))
    assert len(set(objective(function, 0)(at))) == 4


def test_a_variant_that_is_better_is_named() -> None:
    values: Values = {
        (run.variant, run.function, str(run.run)): 1.0 + 0.01 * run.run + 0.1 * len(run.function)
        for run in plan()
    }
    for name in ("REACH = 10", "one queue"):
        factor = 0.5 if name == "REACH = 10" else 3.0
        for key in values:
            if key[0] == name:
                values[key] *= factor
    text = report(values)
    assert "- better than the defaults: REACH = 10;\n" in text
    assert "- worse than the defaults: one queue.\n" in text
    assert {test.runs for test in comparisons(values)} == {len(FUNCTIONS) * RUNS}
