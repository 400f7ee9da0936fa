"""The OptunaHub package of EmbeddedHunter: a sampler, and an importance evaluator."""

from embedded_hunter.adapters.optuna import InfluenceEvaluator, Sampler

__all__ = ["InfluenceEvaluator", "Sampler"]
