"""The order of the specification: what is used comes before what uses it."""

import pytest

ORDER = ("settings", "node", "tree", "hunter", "hunter_limits", "projection", "regret")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests of this folder; a failing one that says most comes first."""
    here = [k for k, item in enumerate(items) if item.path.parent.name == "paper"]
    chosen = [items[k] for k in here]
    chosen.sort(key=lambda item: ORDER.index(item.path.stem.removeprefix("test_")))
    for k, item in zip(here, chosen, strict=True):
        items[k] = item
