"""The package for OptunaHub, by its loader, and the importance evaluator beside Optuna's own."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.matrices import Floats

optuna = pytest.importorskip("optuna")
InfluenceEvaluator: Any = import_module("embedded_hunter.adapters.optuna").InfluenceEvaluator
ROOT = Path(__file__).parents[2]
REGISTRY = ROOT / "docs" / "optunahub"
NAME = "samplers/embedded_hunter"
PACKAGE = REGISTRY / NAME


@pytest.fixture(autouse=True)
def _quiet() -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def loaded(package: str) -> Any:
    hub = pytest.importorskip("optunahub")
    return hub.load_local_module(package=package, registry_root=str(REGISTRY))


def blocks(language: str) -> list[str]:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_package_has_the_files_and_the_header_of_the_registry() -> None:
    assert (PACKAGE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    _, header, _ = (PACKAGE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in header.splitlines())
    assert set(fields) == {"author", "title", "description", "tags", "optuna_versions", "license"}
    assert all(fields.values())
    assert sorted(loaded(NAME).__all__) == ["InfluenceEvaluator", "Sampler"]


@pytest.mark.parametrize(
    "source", ["README.md", pytest.param("example.py", marks=pytest.mark.long)]
)
def test_its_examples_find_what_matters(
    source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hub = pytest.importorskip("optunahub")
    monkeypatch.setattr(hub, "load_module", loaded)
    code = (PACKAGE / source).read_text(encoding="utf-8")
    exec(blocks("python")[0] if source == "README.md" else code, {})
    first, *found = capsys.readouterr().out.splitlines()
    assert 0 <= float(first.split()[-1]) < 1e-3
    names = [name for line in found for name in re.findall(r"x\d+", line)]
    assert set(names[:2]) == {"x3", "x50"}


NAMES = [f"x{k:02}" for k in range(20)]
MATTER = ["x03", "x11", "x15", "x17"]


def additive(x: Floats) -> float:
    """Each term has about a quarter of the variance of the one before it."""
    return float(8 * x[3] + 4 * x[11] + 2 * x[15] + x[17])


def curved(x: Floats) -> float:
    """Two variables matter alone, two in a product."""
    return float(4 * x[3] ** 2 + 2 * abs(x[11] - 0.5) + (x[15] + 0.3) * (x[17] - 0.2))


def objective_of(fun: Any) -> Any:
    return lambda trial: fun(np.array([trial.suggest_float(name, -1, 1) for name in NAMES]))


@cache
def study_of(fun: Any) -> Any:
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(objective_of(fun), n_trials=150)
    return study


@cache
def importances(fun: Any) -> dict[str, dict[str, float]]:
    """Return what each evaluator finds: ours and two of Optuna's."""
    pytest.importorskip("sklearn")
    evaluators = {
        "influence": InfluenceEvaluator(objective_of(fun), rng=1),
        "fANOVA": optuna.importance.FanovaImportanceEvaluator(n_trees=16, seed=1),
        "PED-ANOVA": optuna.importance.PedAnovaImportanceEvaluator(),
    }
    return {
        name: optuna.importance.get_param_importances(study_of(fun), evaluator=evaluator)
        for name, evaluator in evaluators.items()
    }


@pytest.mark.long
def test_the_evaluators_agree_on_the_order_of_effects_that_differ_much() -> None:
    for name, found in importances(additive).items():
        assert list(found)[:2] == MATTER[:2], name
        assert sum(found.values()) == pytest.approx(1)


@pytest.mark.long
@pytest.mark.parametrize("fun", [additive, curved])
def test_only_the_tests_of_groups_give_no_importance_to_what_does_not_matter(fun: Any) -> None:
    for name, found in importances(fun).items():
        positive = {each for each, importance in found.items() if importance > 0}
        assert positive == (set(MATTER) if name == "influence" else set(NAMES))


@pytest.mark.parametrize("fun", [additive, curved])
def test_the_intervals_contain_the_effects(fun: Any) -> None:
    """The effects by a grid of 400 values of each parameter at the best trial."""
    study, evaluator = study_of(fun), InfluenceEvaluator(objective_of(fun), rng=1)
    found = evaluator.evaluate(study)
    best = np.array([study.best_params[name] for name in NAMES])
    assert list(evaluator.intervals) == list(found)[:4]
    assert list(found.values()) == sorted(found.values(), reverse=True)
    for name, (low, high) in evaluator.intervals.items():
        changed = np.tile(best, (400, 1))
        changed[:, NAMES.index(name)] = np.linspace(-1, 1, 400)
        effect = np.mean([abs(fun(x) - study.best_value) for x in changed])
        assert low < effect < high
        assert low < found[name] < high


def test_integers_logarithms_failures_and_categories() -> None:
    """A category stays as it is; a pruned evaluation is a change."""

    def objective(trial: Any) -> float:
        rate = trial.suggest_float("rate", 1e-6, 1.0, log=True)
        layers = trial.suggest_int("layers", 1, 9)
        trial.suggest_float("none", 0, 1)
        kind = trial.suggest_categorical("kind", ["a", "b"])
        if layers > 7:
            raise optuna.TrialPruned
        return float((np.log10(rate) + 3) ** 2 + abs(layers - 4.3) + (kind == "b"))

    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(objective, n_trials=60)
    evaluator = InfluenceEvaluator(objective, maxfun=60, rng=1)
    found = evaluator.evaluate(study)
    assert set(found) == {"rate", "layers", "none"}
    assert found["none"] == 0 < found["rate"] < found["layers"] == np.inf
    assert set(evaluator.evaluate(study, ["none", "rate"])) == {"none", "rate"}
    with pytest.raises(ValueError, match=r"params must be numbers.*\['kind', 'other'\]"):
        evaluator.evaluate(study, ["kind", "other", "rate"])
    with pytest.raises(ValueError, match="target must be None"):
        evaluator.evaluate(study, target=lambda trial: 0.0)


def test_what_remains_undecided_is_a_warning() -> None:
    def all_matter(x: Floats) -> float:
        return float(np.sum(x**2))

    study = study_of(all_matter)
    with pytest.warns(UserWarning, match="4 variables were not tested"):
        InfluenceEvaluator(objective_of(all_matter), maxfun=20, rng=1).evaluate(study)
