"""The variants of the forest: one for each constant, and the defaults are those of a user."""

from dataclasses import fields

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS, EVOLUTION, SHARES
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.trees import Forest
from embedded_hunter.projection import drive
from embedded_hunter.run.policies import parts_of
from reproduction.benchmark.pages import fill
from reproduction.kept_runs import RESULTS, kept
from reproduction.studies import forest_variants
from reproduction.studies.forest_variants import (
    D_E,
    DEFAULT,
    FUNCTIONS,
    PART,
    RUNS,
    VARIANTS,
    N,
    comparisons,
    objective,
    plan,
    report,
    values_of,
)


def test_every_constant_has_a_variant_with_another_value() -> None:
    shipped_kinds = (("constants", CONSTANTS), ("evolution", EVOLUTION), ("shares", SHARES))
    for kind, shipped in shipped_kinds:
        changed = [getattr(variant, kind) for variant in VARIANTS.values()]
        for field in fields(shipped):
            values = [change[field.name] for change in changed if field.name in change]
            assert len(values) >= 2, field.name
            assert getattr(shipped, field.name) not in values


def test_a_variant_changes_one_thing() -> None:
    for name, variant in VARIANTS.items():
        changed = [*variant.constants, *variant.evolution, *variant.shares, *variant.settings]
        changed += ["kind"] * (variant.kind is not ForestSettings)
        changed += ["forest"] * (variant.forest is not Forest)
        assert len(changed) == (name != DEFAULT), name


def test_the_defaults_are_those_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest_variants, "V", 60)
    f, rng = objective("Powell", 0), np.random.default_rng(0)
    mine = forest_variants.search_of(VARIANTS[DEFAULT], False, rng)
    theirs = parts_of(ForestSettings(N, 60), np.random.default_rng(0), D_E)
    found = []
    for run, points, *_ in (mine, theirs):
        found.append([values for _, values in drive(run, points.project, f)])
    assert found[0] == found[1]


def test_a_variant_that_is_better_is_named() -> None:
    values = {run: 1.0 + 0.01 * run.run + 0.1 * len(run.function) for run in plan()}
    for name in ("REACH = 10", "one queue"):
        factor = 0.5 if name == "REACH = 10" else 3.0
        for key in values:
            if key.variant == name:
                values[key] *= factor
    text = report(values)
    assert "- better than the defaults: REACH = 10;\n" in text
    assert "- worse than the defaults: one queue.\n" in text
    assert {test.runs for test in comparisons(values)} == {len(FUNCTIONS) * RUNS}


NEW = {name for name in VARIANTS if name.startswith("shares: ")} | {"sample = False"}
"""Variants of the rules of today, which the program that made the stored runs does not have."""


def test_every_run_is_stored_and_the_report_is_that_of_the_runs() -> None:
    lines = kept(PART)
    values = values_of(lines)
    kept_variants = set(lines["variant"])
    assert list(values) == [run for run in plan() if run.variant in kept_variants]
    assert {run.variant for run in plan()} - kept_variants == NEW
    page = (RESULTS / PART / "study.md").read_text(encoding="utf-8")
    assert fill(page, {PART: report(values)}) == page
