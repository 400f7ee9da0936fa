"""The result of ``embedded-hunter minimize`` as it is printed: as JSON, or as lines of text."""

import json

from scipy.optimize import OptimizeResult

from embedded_hunter.run.jsonlines import value_to_json


def as_json(result: OptimizeResult, seed: int | None, regret: float | None) -> str:
    """Return the result as one JSON object. Infinite values are the strings "inf" and "-inf".

    Without any value `fun` is null, and there is no regret.
    """
    fields = {name: value for name, value in result.items() if name not in ("x", "fun", "history")}
    fields["fun"] = value_to_json(float(result.fun)) if result.nfev > 0 else None
    fields["seed"] = seed
    if regret is not None and result.nfev > 0:
        fields["regret"] = value_to_json(float(regret))
    fields["x"] = None if result.x is None else result.x.tolist()
    return json.dumps(fields, allow_nan=False)


def as_text(result: OptimizeResult, seed: int | None, regret: float | None) -> str:
    """Return a result with values as lines ``name  value``, at most 8 coordinates of x."""
    lines = {
        "message": result.message,
        "fun": f"{result.fun:.10g}",
        **({} if regret is None else {"regret": f"{regret:.10g}"}),
        "nfev": result.nfev,
        "nit": f"{result.nit} visits of a depth in {result.nsweep} sweeps",
        "depth": f"{result.depth}, {result.nleaves} leaves",
        **({} if seed is None else {"seed": seed}),
    }
    shown = " ".join(f"{value:.6g}" for value in result.x[:8])
    more = result.x.size - 8
    lines["x"] = shown + (f" ... ({more} more; --json or --save-x)" if more > 0 else "")
    return "\n".join(f"{name:<8} {value}" for name, value in lines.items())
