"""How probably one evaluation with a new matrix succeeds, for ``f(x) = ||x_eff - x*||``.

For ``d_e >= 2`` the ball of radius eps about ``x*`` lies inside the cube, so that clipping does not
matter. For ``d_e = 1`` an interval that reaches a face takes the points that are clipped to it.
"""

from scipy import special, stats


def distance_success_probability(eps: float, norm: float, d_e: int, s: float) -> float:
    """The probability of a regret of at most eps at the scale s, exactly; `norm` is ``||x*||``."""
    if d_e > 1:
        return float(stats.ncx2.cdf((eps / s) ** 2, d_e, (norm / s) ** 2))
    below = float(special.ndtr((eps - norm) / s))
    if eps >= 1 - norm:  # all above the interval is clipped to 1, which is in it
        return 1.0 if eps >= 1 + norm else below
    return below - float(special.ndtr(-(eps + norm) / s))
