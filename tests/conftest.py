"""Hypothesis profiles, time limits, and the marker that ties a test to its claim."""

import gc
import os
import re
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from reproduction.arithmetic import ENVIRONMENT
from reproduction.claims import registry

os.environ.update(ENVIRONMENT)  # before NumPy is imported
settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=200, derandomize=True, deadline=None, print_blob=True)
settings.register_profile("nightly", max_examples=5000, deadline=None)
# Without shrinking, a killed mutant costs one failing example and no more.
settings.register_profile(
    "mutation",
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "dev")
settings.load_profile(PROFILE)

HOURS = 6 * 3600
"""Time limit, in seconds, of a test marked slow and of each test of a nightly run."""
TAKES_ALL = ("long", "claim", "errata")
"""The options that keep the tests marked long."""

# Started in the background by a shell, the tests and their children would ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Reports what the tests say about the claims of the paper, in .evidence/.
pytest_plugins = ["reproduction.claims.report"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--long` and `--errata`."""
    parser.addoption("--long", action="store_true", help="also run the tests marked long (.ci/run)")
    parser.addoption(
        "--errata",
        action="store_true",
        help="run only the counterexamples of docs/errata.md (with -s they say what happened)",
    )


def errata_tests() -> set[str]:
    """Return the tests that refute a claim or are named in the errata, and that of their blocks."""
    root = Path(__file__).parents[1]
    text = (root / "docs" / "errata.md").read_text(encoding="utf-8")
    refuting = {name for c in registry.load(root).values() for name in c.refuting_tests}
    blocks = "tests/repository/test_errata.py::test_every_block_runs_and_asserts"
    return {blocks, *refuting, *re.findall(r"`(tests/\S+::\w+)`", text)}


def pytest_configure(config: pytest.Config) -> None:
    """Say what is missing or wrong.

    Without pytest-timeout the settings are not understood. A file pytest.toml or pytest.ini would
    take precedence over pyproject.toml.
    """
    if not config.pluginmanager.hasplugin("timeout"):
        raise pytest.UsageError("pytest-timeout is missing: pip install -e '.[test]'")
    settings = Path(__file__).parents[1] / "pyproject.toml"
    if config.inipath != settings:
        raise pytest.UsageError(f"the settings are {config.inipath}, not {settings}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests unless asked for them; give slow tests hours.

    The time limit of all other tests is `timeout` in pyproject.toml.
    """
    if not any(config.getoption(name) for name in TAKES_ALL):
        left_out = [item for item in items if item.get_closest_marker("long")]
        if left_out:
            items[:] = [item for item in items if not item.get_closest_marker("long")]
            config.hook.pytest_deselected(items=left_out)
    if config.getoption("errata"):
        wanted = errata_tests()
        left_out = [item for item in items if item.nodeid.partition("[")[0] not in wanted]
        items[:] = [item for item in items if item.nodeid.partition("[")[0] in wanted]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        hours = PROFILE == "nightly" or item.get_closest_marker("slow")
        if hours and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(HOURS))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the modules and tests that are there now each later collection of garbage.

    Some tests collect it on purpose, and so does statsmodels, whose correction for several tests
    is used hundreds of times.
    """
    gc.collect()
    gc.freeze()
