"""The examples in docstrings, run as they stand, and the parameters that a docstring explains."""

import doctest
import inspect
import re
from collections.abc import Callable
from types import ModuleType

import pytest

from embedded_hunter.run import asktell, minimize
from embedded_hunter.run.policies import Given


@pytest.mark.parametrize("module", [minimize, asktell], ids=lambda module: module.__name__)
def test_the_examples_of_a_docstring_show_what_they_say(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried >= 4
    assert failed == 0


@pytest.mark.parametrize("front_door", [minimize.minimize, asktell.EmbeddedHunter])
def test_every_parameter_is_explained_by_itself(front_door: Callable[..., object]) -> None:
    text = inspect.getdoc(front_door) or ""
    listed = re.findall(r"^(\w+)$\n {4}", text.partition("Parameters\n---")[2], re.MULTILINE)
    expected = [name for name in inspect.signature(front_door).parameters if name != "parameters"]
    if front_door is minimize.minimize:
        expected += Given.__annotations__
    assert set(expected) <= set(listed)
