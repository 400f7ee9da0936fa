"""Minimise a function of 100 parameters of which two matter, and find out which ones."""

import optuna
import optunahub

module = optunahub.load_module("samplers/embedded_hunter")
bounds = {f"x{i}": (-5.0, 5.0) for i in range(100)}


def objective(trial: optuna.Trial) -> float:
    """Return the value; two parameters matter."""
    x = {name: trial.suggest_float(name, low, high) for name, (low, high) in bounds.items()}
    return (x["x3"] - 1.5) ** 2 + (x["x50"] + 0.5) ** 2


study = optuna.create_study(sampler=module.Sampler(bounds, budget=300, rng=1))
study.optimize(objective, n_trials=300)
print(f"best value {study.best_value:.4f}")

evaluator = module.InfluenceEvaluator(objective, maxfun=200, rng=1)
effects = evaluator.evaluate(study)
for name, (low, high) in evaluator.intervals.items():
    print(f"{name}: effect {effects[name]:.3g}, 95 % interval {low:.3g} to {high:.3g}")
