"""The same seed gives the same points, to the last bit, however the processor computes."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node, norm
from embedded_hunter.settings import Settings
from paper.instances import descend
from paper.test_node import nodes
from regression import same_bits
from reproduction.arithmetic import ENVIRONMENT

WIDE = (
    "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3 "
    "X86_V3 X86_V4"
)
"""Names of the wide instructions of x86-64 in the versions of NumPy; it warns of unknown ones."""
UNFUSED = "-AVX2_Usable,-FMA_Usable,-AVX2,-FMA,-FMA4"
"""The GNU C library then has other versions of exp, log and log1p; it passes over unknown names."""


def hashes(**variables: str) -> dict[str, Any]:
    """The hashes of the runs, made by a process with these environment variables."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", same_bits.__file__, "--maxfun", "200"],
        capture_output=True,
        text=True,
        check=True,
        env={name: x for name, x in os.environ.items() if name not in ENVIRONMENT} | variables,
    )
    printed: dict[str, Any] = json.loads(ran.stdout)
    return printed


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    return hashes()


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    "variables",
    [
        {
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": WIDE,
            "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={UNFUSED}",
        },
        *(
            pytest.param({"OPENBLAS_CORETYPE": core}, marks=pytest.mark.long)
            for core in ("Nehalem", "Haswell", "Zen", "SkylakeX")
        ),
        *(
            pytest.param({"OPENBLAS_NUM_THREADS": threads}, marks=pytest.mark.long)
            for threads in "12"
        ),
    ],
    ids=str,
)
def test_all_points_of_a_run_have_the_same_bits_with_other_instructions(
    variables: dict[str, str], here: dict[str, Any]
) -> None:
    """With local search too, though that is not promised: LAPACK fits its models."""
    assert hashes(**variables) == here


class OtherGenerator(np.random.Generator):
    """Its C library has another log1p: other last bits beyond 3.65 standard deviations."""

    def standard_normal(self, *args: Any, **kwargs: Any) -> Any:
        z = super().standard_normal(*args, **kwargs)
        tail = np.abs(z) > 3.65
        z[tail] = np.nextafter(z[tail], np.inf)
        return z


FORESTS = {
    "forest with evolution strategy": ForestSettings(400, 1000, refine=False),
    "forest with local search": ForestSettings(
        400, 1000, dimensions=(10,), evolve=False, sample=False
    ),
}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("name", [*same_bits.runs(400), *FORESTS])
def test_another_last_bit_of_the_c_library_changes_no_point(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each result of exp and log, and each normal number that log1p makes, is the next float."""
    settings = (same_bits.runs(400) | FORESTS)[name]
    expected = same_bits.hash_of(settings, 1)
    for module, used in ((math, "exp"), (math, "log"), (np, "log"), (np, "log1p")):
        monkeypatch.setattr(module, used, following(getattr(module, used)))
    monkeypatch.setattr(np.random, "Generator", OtherGenerator)
    assert same_bits.hash_of(settings, 1) == expected


def following(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function whose results are the next floats."""

    def other(x: Any) -> Any:
        found = np.nextafter(function(x), np.inf)
        return found if np.ndim(found) else float(found)

    return other


@pytest.mark.claim("norms-of-depth")
@given(nodes(max_h=40), st.sampled_from([0.3, 0.5, 0.07]))
@example((descend([0] * 400, 1, 3), 3, [0] * 400), 0.3)  # Nrm is beyond the floats
def test_the_norm_is_rounded_once_in_each_of_its_steps(
    node: tuple[Node, int, list[int]], eta: float
) -> None:
    """The quotient of integers, its root, and the product with 2 R: runs rest on these bits."""
    leaf, K, _ = node
    settings = Settings(n=9, d=len(leaf.c), v=5, K=K, eta=eta)
    rounds = -(-leaf.h // settings.d)
    quotient = float(Fraction(leaf.nrm, K ** (2 * rounds)))
    assert norm(leaf, settings) == float(2 * settings.d / Fraction(str(eta))) * math.sqrt(quotient)
