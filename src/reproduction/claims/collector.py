"""The pytest plugin that records the outcomes of the tests of claims in ``.evidence/tests.json``.

For every test with the marker ``@pytest.mark.claim("id", ...)`` it records the ids, the outcome and
the code at which the test ran (see `evidence`). A run of the whole suite also records the list of
all tests. Nothing is recorded outside a git checkout, or if the code changed during the run. With
``-n`` (pytest-xdist) each worker finds the claims of the tests and passes them on at its end.

``pytest --claim ID`` runs the tests of a claim. ``pytest --missing-evidence`` runs the tests of
claims that have not passed with the present code.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reproduction.claims.evidence import (
    NotACheckout,
    checkout,
    code_of,
    read_tests,
    write_tests,
)
from reproduction.claims.verdict import SLOW

if TYPE_CHECKING:
    import pytest

NAME = "embedded-hunter-claims"
"""Name of the plugin (a `Collector`) that a recording run registers."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options --claim and --missing-evidence."""
    group = parser.getgroup("claims")
    group.addoption(
        "--claim", action="append", default=[], metavar="ID", help="run only the tests of a claim"
    )
    group.addoption(
        "--missing-evidence",
        action="store_true",
        help="run only the tests of claims that have not passed with the present code",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Record this run if it is run in a checkout."""
    import pytest

    with suppress(NotACheckout):
        if checkout(config.rootpath) == config.rootpath:
            collector = Collector(config)
            config.pluginmanager.register(collector, NAME)
            if hasattr(config.option, "dist"):  # pytest-xdist is there
                config.pluginmanager.register(Workers(collector))
            return
    if config.getoption("claim") or config.getoption("missing_evidence"):
        raise pytest.UsageError("--claim and --missing-evidence need a git checkout")


class Collector:
    """Records the tests, claims and outcomes of one run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.root = config, Path(config.rootpath)
        self.code = code_of(self.root)
        self.claims: dict[str, list[str]] = {}
        self.outcomes: dict[str, str] = {}
        self.broken = False

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Record the claims of a test, even if it is deselected later."""
        ids = [id for mark in item.iter_markers("claim") for id in mark.args]
        if ids:
            slow = [SLOW] if item.get_closest_marker("slow") else []
            self.claims[item.nodeid] = sorted(set(ids)) + slow

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record whether a file could not be collected."""
        self.broken = self.broken or report.failed

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect the tests that the two options exclude."""
        wanted = set(self.config.getoption("claim"))
        if wanted:
            self._keep(items, lambda item: wanted & set(self.claims.get(item.nodeid, ())))
        if self.config.getoption("missing_evidence"):
            tests = read_tests(self.root)
            passed = {t for t in tests.outcomes if tests.outcome(t, self.code) == "passed"}
            self._keep(items, lambda item: item.nodeid in self.claims and item.nodeid not in passed)

    def _keep(self, items: list[pytest.Item], keeps: Callable[[pytest.Item], object]) -> None:
        left_out = [item for item in items if not keeps(item)]
        items[:] = [item for item in items if keeps(item)]
        self.config.hook.pytest_deselected(items=left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome of a test: the worst outcome of its phases."""
        before = self.outcomes.get(report.nodeid)
        if before is None or report.failed or (report.skipped and before == "passed"):
            self.outcomes[report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Write the recorded claims and outcomes, unless the code has changed."""
        if (output := getattr(self.config, "workeroutput", None)) is not None:
            output |= {"claims": self.claims, "broken": self.broken}
            return
        if code_of(self.root).sources != self.code.sources:
            return
        self.outcomes = {test: x for test, x in self.outcomes.items() if test in self.claims}
        tests = read_tests(self.root)
        if self.whole_suite:
            tests.collect(self.code, self.claims)
        tests.record(self.code, self.outcomes)
        write_tests(self.root, tests)

    @property
    def whole_suite(self) -> bool:
        """Whether `claims` contains the tests of the whole suite."""
        option = self.config.option
        everything = self.config.args_source is self.config.ArgsSource.TESTPATHS
        parts = [
            getattr(option, name, None) for name in ("ignore", "ignore_glob", "lf", "stepwise")
        ]
        return everything and not self.broken and not any(parts)


class Workers:
    """Takes over what the workers of pytest-xdist have found."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector

    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker has found; one that crashed found nothing."""
        found = getattr(node, "workeroutput", {"claims": {}, "broken": True})
        self.collector.claims |= found["claims"]
        self.collector.broken = self.collector.broken or found["broken"]
