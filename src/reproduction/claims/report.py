"""The pytest plugin that reports what the tests say about the claims, in ``.evidence/tests.json``.

A run of the whole suite (``pytest --long``) writes the report: the commit, and for each test with
the marker ``@pytest.mark.claim("id", ...)`` the ids and the outcome. It writes none if some tests
were left out, if the run did not come to its end, or if the code is not that of a commit.
``pytest --claim ID`` runs the tests of a claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reproduction.claims.evidence import (
    NotACheckout,
    SuiteReport,
    checkout,
    commit_of,
    write_report,
)

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --claim."""
    parser.getgroup("claims").addoption(
        "--claim", action="append", default=[], metavar="ID", help="run only the tests of a claim"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Report on this run if it runs the whole suite of a checkout."""
    if whole_suite(config) and config.getoption("long") and not hasattr(config, "workerinput"):
        try:
            if checkout(config.rootpath) == config.rootpath:
                config.pluginmanager.register(Reporter(config))
        except NotACheckout:
            return


def whole_suite(config: pytest.Config) -> bool:
    """Return whether no option of a run leaves out tests, but for those that the settings do."""
    option, settings = config.option, config.getini("addopts")
    names = (
        "claim", "collectonly", "deselect", "errata", "ignore", "ignore_glob", "keyword", "lf",
        "maxfail", "stepwise",
    )  # fmt: skip
    everything = config.args_source is config.ArgsSource.TESTPATHS
    parts = any(getattr(option, name, None) for name in names)
    return everything and not parts and option.markexpr in ("", *settings)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test the ids of its claims, for its reports."""
    ids = {id for mark in item.iter_markers("claim") for id in mark.args}
    item.user_properties.append(("claims", sorted(ids)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of other claims than those asked for."""
    if wanted := set(config.getoption("claim")):
        left_out = [item for item in items if not wanted & set(claims_of(item))]
        items[:] = [item for item in items if wanted & set(claims_of(item))]
        config.hook.pytest_deselected(items=left_out)


def claims_of(test: pytest.Item | pytest.TestReport) -> list[str]:
    """Return the ids of the claims of a test.

    Raises
    ------
    KeyError
        If it does not tell: its process died.
    """
    ids: list[str] = dict(test.user_properties)["claims"]  # type: ignore[assignment]
    return ids


class Reporter:
    """Collects the outcomes of one run, in the process that shows them."""

    def __init__(self, config: pytest.Config) -> None:
        self.root, self.commit = config.rootpath, commit_of(config.rootpath)
        self.claims: dict[str, list[str]] = {}
        self.outcomes: dict[str, str] = {}
        self.complete = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file could not be collected."""
        self.complete = self.complete and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a test: the worst outcome of its phases."""
        try:
            ids = claims_of(report)
        except KeyError:
            self.complete = False
            return
        before = self.outcomes.get(report.nodeid)
        if ids and (before is None or report.failed or (report.skipped and before == "passed")):
            self.claims[report.nodeid], self.outcomes[report.nodeid] = ids, report.outcome

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the report if all tests were run with the code of one commit."""
        unchanged = self.commit == commit_of(self.root) and not self.commit.endswith("+")
        if self.complete and unchanged and exitstatus in (0, 1):
            write_report(self.root, SuiteReport(self.commit, self.claims, self.outcomes))
