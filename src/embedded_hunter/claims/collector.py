"""The pytest plugin that records, in ``.evidence/tests.json``, what tests say about claims.

For every test that carries ``@pytest.mark.claim("id", ...)``: its ids, its outcome, and the code at
which it ran (see `evidence`). A run of the whole suite also records which tests there are. Nothing
is recorded outside a git checkout, by several processes (pytest-xdist), or when the code changed
during the run.

``pytest --claim ID`` runs the tests of a claim; ``pytest --missing-evidence`` those that carry a
claim and have not passed with the code as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from embedded_hunter.claims.evidence import (
    NotACheckout,
    checkout,
    code_of,
    read_tests,
    write_tests,
)
from embedded_hunter.claims.verdict import SLOW

if TYPE_CHECKING:
    import pytest

NAME = "embedded-hunter-claims"
"""Of the plugin that a recording run registers, a `Collector`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("claims")
    group.addoption(
        "--claim", action="append", default=[], metavar="ID", help="run only the tests of a claim"
    )
    group.addoption(
        "--missing-evidence",
        action="store_true",
        help="run only the tests of claims that have not passed with the code as it is",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Record this run, if it is one of a checkout and of one process."""
    import pytest

    if hasattr(config, "workerinput"):
        return  # one process of several (pytest-xdist) sees a part
    with suppress(NotACheckout):
        alone = getattr(config.option, "dist", "no") == "no"
        if alone and checkout(config.rootpath) == config.rootpath:
            config.pluginmanager.register(Collector(config), NAME)
            return
    if config.getoption("claim") or config.getoption("missing_evidence"):
        raise pytest.UsageError("--claim and --missing-evidence need a git checkout, one process")


class Collector:
    """What one run sees of tests and claims."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.root = config, Path(config.rootpath)
        self.code = code_of(self.root)
        self.claims: dict[str, list[str]] = {}
        self.outcomes: dict[str, str] = {}
        self.broken = False

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note the claims of a test, also of one that is deselected later."""
        ids = [id for mark in item.iter_markers("claim") for id in mark.args]
        if ids:
            slow = [SLOW] if item.get_closest_marker("slow") else []
            self.claims[item.nodeid] = sorted(set(ids)) + slow

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file could not be collected."""
        self.broken = self.broken or report.failed

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect what the two options leave out."""
        wanted = set(self.config.getoption("claim"))
        if wanted:
            self._keep(items, lambda item: wanted & set(self.claims.get(item.nodeid, ())))
        if self.config.getoption("missing_evidence"):
            outcomes = read_tests(self.root).outcomes
            passed = {
                test
                for test, record in outcomes.items()
                if record["outcome"] == "passed" and record["sources"] == self.code.sources
            }
            self._keep(items, lambda item: item.nodeid in self.claims and item.nodeid not in passed)

    def _keep(self, items: list[pytest.Item], keeps: Callable[[pytest.Item], object]) -> None:
        left_out = [item for item in items if not keeps(item)]
        items[:] = [item for item in items if keeps(item)]
        self.config.hook.pytest_deselected(items=left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a phase; the worst of the phases is that of the test."""
        if report.nodeid in self.claims:
            before = self.outcomes.get(report.nodeid)
            if before is None or report.failed or (report.skipped and before == "passed"):
                self.outcomes[report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        if code_of(self.root) != self.code:
            return
        tests = read_tests(self.root)
        if self.whole_suite:
            tests.collect(self.code, self.claims)
        tests.record(self.code, self.outcomes)
        write_tests(self.root, tests)

    @property
    def whole_suite(self) -> bool:
        """Tell whether `claims` holds all tests that there are."""
        option = self.config.option
        everything = self.config.args_source is self.config.ArgsSource.TESTPATHS
        parts = [
            getattr(option, name, None) for name in ("ignore", "ignore_glob", "lf", "stepwise")
        ]
        return everything and not self.broken and not any(parts)
