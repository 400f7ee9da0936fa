r"""Theorem 1: how far two random projections of one point move the objective.

For an L-Lipschitz f and two independent Gaussian matrices, the paper proves
``E|g_p(y) - g_q(y)| <= sqrt(8) L ||y||``. That is true and far from tight. From the weakest to
the sharp statement, for entries of variance ``sigma^2`` (the paper: ``sigma = 1/sqrt(n)``) and
an f that depends on m coordinates (m = n if all of them are effective):

=====================================  ====================================  =============
function                               bound on ``E|g_p(y) - g_q(y)|``       needs
=====================================  ====================================  =============
:func:`printed_variation_bound`        ``sqrt(8) sqrt(n) sigma L ||y||``     (R), d <= n
:func:`coupled_variation_bound`        ``2 sqrt(m) sigma L ||y||``           (R)
:func:`second_moment_variation_bound`  ``sqrt(2 m) sigma L ||y||``           (D)
:func:`gini_variation_bound`           ``(2/sqrt 3) sqrt(m) sigma L ||y||``  (I)
:func:`gaussian_variation_bound`       ``(2/sqrt pi) sigma L ||y||``         iid Gaussian
=====================================  ====================================  =============

(R): in each row of A_p, and of A_q, ``E[A_ij A_ik]`` is ``sigma^2`` for j = k and 0 otherwise.
Entries of mean 0 and variance ``sigma^2`` that are uncorrelated within each row have this property.
The joint law of A_p and A_q is free.

(D): the same for ``D = A_p - A_q`` with ``2 sigma^2``. It holds if the entries within each row are
uncorrelated with variance ``sigma^2``, A_p and A_q are uncorrelated, and they have the same mean.

(I): A_p and A_q are independent copies, and the entries within each row are uncorrelated with
variance ``sigma^2``; their mean and their law are free, and rows may depend on one another.

Without the means, (R) and (D) do not follow from correlations. Constant entries are uncorrelated.
Let n = 1, d = 2, all entries of A_p be 1 and those of A_q be -1: their second moments are 1. For
``y = (1/5, 1/5)`` and f(x) = x the variation is 0.8. The three bounds of this kind with ``sigma =
1`` would be 0.8, 0.566 and 0.4.

The bound ``sqrt(2 m)`` is attained by dependent pairs, and for ``m >= 2`` also by independent pairs
of two different laws. Independent copies do not attain it: by Gini's bound their constant is at
most ``2/sqrt 3 = 1.155`` instead of ``sqrt 2 = 1.414``. Uniform entries attain that one.

The last constant is attained, as ``sigma ||y|| -> 0``, by ``f(x) = L x_1``. The vector itself
moves by ``E||A_p y - A_q y|| = sqrt(2) sigma ||y|| E[chi_m]`` exactly, which is why bounds that
pass through the distance of the projections lose a factor of order ``sqrt(m)``.

Each function takes L (`lipschitz`, in the coordinates that f depends on), ``||y||`` (`norm`) and,
but for the printed bound, the standard deviation `sigma` of the entries.
"""

import math


def printed_variation_bound(lipschitz: float, norm: float) -> float:
    """Bound of Theorem 1 as printed, ``sqrt(8) L ||y||`` (claim theorem-1).

    It is stated for entries of variance 1/n and ``d <= n``.
    """
    return math.sqrt(8) * lipschitz * norm


def coupled_variation_bound(lipschitz: float, norm: float, m: int, sigma: float) -> float:
    """Bound for any joint law of A_p and A_q, ``2 sqrt(m) sigma L ||y||`` (claim theorem-1).

    From ``E||A_p y - A_q y||^2 <= 2 E||A_p y||^2 + 2 E||A_q y||^2``: even the printed constant
    needs no independence of the two matrices.
    """
    return _scale(lipschitz, norm, sigma) * 2 * math.sqrt(m)


def second_moment_variation_bound(lipschitz: float, norm: float, m: int, sigma: float) -> float:
    """Bound from second moments alone, ``sqrt(2 m) sigma L ||y||`` (claim theorem-1).

    With ``sigma = 1/sqrt(n)``: ``sqrt(2) L ||y||`` for m = n and ``sqrt(2 d_e/n) L ||y||`` for ``m
    = d_e`` effective coordinates.
    """
    return _scale(lipschitz, norm, sigma) * math.sqrt(2 * m)


def gini_variation_bound(lipschitz: float, norm: float, m: int, sigma: float) -> float:
    """Bound for independent copies, ``(2/sqrt 3) sqrt(m) sigma L ||y||`` (claim theorem-1).

    Gini's mean difference of two independent copies is at most ``2/sqrt(3)`` standard
    deviations (attained by the uniform law), and the standard deviation of ``g_P(y)`` is at
    most ``sqrt(m) sigma L ||y||``: its variance is ``E|g_p(y) - g_q(y)|^2 / 2``, at most
    ``L^2 E||A_p y - A_q y||^2 / 2``.
    """
    return _scale(lipschitz, norm, sigma) * math.sqrt(m) * 2 / math.sqrt(3)


def gaussian_variation_bound(lipschitz: float, norm: float, sigma: float) -> float:
    """Sharp Gaussian bound, ``(2/sqrt pi) sigma L ||y||``, for every m (claim theorem-1).

    ``g_P(y)`` is a ``sigma L ||y||``-Lipschitz function of a standard Gaussian vector; by the
    Gaussian isoperimetric inequality it is distributed like such a function of one standard
    Gaussian variable, and ``E|z - z'| = 2/sqrt(pi)``. Attained in the limit of small
    ``sigma ||y||`` by ``f(x) = L x_1``.
    """
    return _scale(lipschitz, norm, sigma) * 2 / math.sqrt(math.pi)


def _scale(lipschitz: float, norm: float, sigma: float) -> float:
    return lipschitz * norm * sigma
