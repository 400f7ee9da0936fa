"""The examples in docstrings, run as they stand, and the parameters that a docstring explains."""

import doctest
import inspect
import re
from collections.abc import Callable
from types import ModuleType

import pytest

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run import asktell, minimize
from embedded_hunter.run.policies import POLICIES
from embedded_hunter.settings import Settings


@pytest.mark.parametrize("module", [minimize, asktell], ids=lambda module: module.__name__)
def test_the_examples_of_a_docstring_show_what_they_say(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried >= 4
    assert failed == 0


def listed(described: object) -> set[str]:
    """Return the parameters that a docstring explains, each by itself."""
    text = (inspect.getdoc(described) or "").partition("Parameters\n---")[2]
    found = re.findall(r"^([\w, ]+)$\n {4}", text, re.MULTILINE)
    return {name for names in found for name in names.split(", ")}


@pytest.mark.parametrize(
    "front_door", [minimize.minimize, asktell.Search, Settings, ForestSettings]
)
def test_every_parameter_is_explained_by_itself(front_door: Callable[..., object]) -> None:
    assert {*inspect.signature(front_door).parameters} - {"parameters"} <= listed(front_door)


def test_minimize_leads_from_each_parameter_of_a_policy_to_where_it_is_explained() -> None:
    text = inspect.getdoc(minimize.minimize) or ""
    text = text.partition("**parameters")[2].partition("\nrng")[0]
    of_matrices, _, of_the_forest = text.partition("Settings`. Those of")
    for name_of_policy, policy in POLICIES.items():
        of_a_forest = name_of_policy == "forest"
        explained = listed(policy.settings)
        for name in policy.parameters:
            assert re.search(rf"\b{name}\b", of_the_forest if of_a_forest else of_matrices), name
            assert name in explained | {"d"}
