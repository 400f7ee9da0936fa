"""The player's element and page: what they contain before a script runs, and what they load."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import ForestSettings, Settings, hunter
from embedded_hunter.forest.constants import SHARES
from embedded_hunter.plots.listing import RULES
from embedded_hunter.plots.player import Player
from embedded_hunter.plots.steps import Steps, steps_of
from embedded_hunter.run.run import Run
from reproduction.growth import steps_of_run
from reproduction.problems.registry import PROBLEMS

PROBLEM = PROBLEMS["ackley"](50, 2, 0)


def steps(d: int = 2) -> Steps:
    settings = Settings(50, d, 60, policy="indexed", h_max=4)
    return steps_of_run(settings, PROBLEM.effective, 4, rows=2)


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.open: list[str] = []
        self.data: dict[int, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        at = len(self.found) - 1
        self.data[at] = self.data.get(at, "") + data

    def of(self, tag: str, **given: str) -> list[dict[str, Any]]:
        return [a for t, a in self.found if t == tag and given.items() <= a.items()]


@pytest.mark.parametrize("whole", [Player.element, Player._repr_html_, lambda p: p.page("a < b")])
def test_the_player_loads_nothing(whole: Any) -> None:
    text = whole(Player(steps(), "0f"))
    assert text.count('<div class="eh-player"') == 1
    body = re.sub(r'"http://www.w3.org/2000/svg"', "", text)
    assert not re.search(r"https?:|\bsrc=|href=|@import|url\(", body)


def test_the_data_are_those_of_the_steps() -> None:
    seen, plane = steps(), "0f"
    elements = Elements(Player(seen, plane).element())
    (at,) = [k for k, (tag, a) in enumerate(elements.found) if a.get("type") == "application/json"]
    assert json.loads(elements.data[at]) == seen.as_json() | {"plane": plane}


def test_without_a_script_the_cells_after_the_run_are_shown_and_no_control() -> None:
    seen = steps()
    elements = Elements(Player(seen).element())
    cells = elements.of("rect", **{"class": "eh-cell"})
    leaves = list(seen.leaves_after(len(seen.steps)))
    assert len(cells) == len(leaves)
    area = sum(float(a["width"]) * float(a["height"]) for a in cells)
    assert area == pytest.approx(100**2, rel=1e-3)
    shade = [float(a["style"].removeprefix("--s:").removesuffix("%")) for a in cells]
    values = [node.f_star[-1][1] for node in leaves]
    assert shade[int(np.argmin(values))] == 100
    assert shade[int(np.argmax(values))] == 0
    by_value = [s for _, s in sorted(zip(values, shade, strict=True))]
    assert by_value == sorted(by_value, reverse=True)
    for name in ("eh-bar", "eh-hint"):
        assert ["hidden" in a for _, a in elements.found if a.get("class") == name] == [True]
    shown = [a["class"] for a in elements.of("figure") if "hidden" not in a]
    assert shown == ["eh-y", "eh-code"]


@pytest.mark.parametrize("d", [1, 3])
def test_cells_that_are_no_part_of_a_square_are_left_to_the_script(d: int) -> None:
    assert Elements(Player(steps(d)).element()).of("rect") == []


def test_the_code_is_that_of_the_hunter() -> None:
    """All lines from the initialization to the return, without their marks."""
    elements = Elements(Player(steps()).element())
    lines = [k for k, (tag, a) in enumerate(elements.found) if tag == "span" and "data-lines" in a]
    shown = "\n".join(elements.data[k] for k in lines).split("\n")
    source = Path(hunter.__file__).read_text(encoding="utf-8").splitlines()
    first = next(k for k, line in enumerate(source) if "# Alg. 1, initialization" in line)
    last = next(k for k, line in enumerate(source) if "# Alg. 1, line 17" in line)
    expected = [line.partition("  # Alg. 1,")[0][4:] for line in source[first : last + 1]]
    assert [line for line in shown if line] == [line for line in expected if line]
    numbers = [k for a in elements.of("span") for k in a.get("data-lines", "").split()]
    assert numbers == [str(k) for k in (*range(11), 13, 14, 17)]
    assert [a["data-lines"] for a in elements.of("li")] == [str(k) for k in range(18)]


def test_only_a_page_of_its_own_has_all_keys() -> None:
    player = Player(steps())
    assert 'data-keys="page"' in player.page("x")
    assert 'data-keys="page"' not in player._repr_html_()
    assert "<title>a &lt; b</title>" in player.page("a < b")


def test_a_run_of_the_forest_has_its_rules_and_values_and_no_line_of_algorithm_1() -> None:
    run = Run(ForestSettings(50, 60), values=[float(k * 7 % 11) for k in range(60)])
    elements = Elements(Player(steps_of(run)).element())
    numbers = [a["data-number"] for a in elements.of("li")]
    assert numbers == [f"F{k}" for k in range(1, 9)]
    (share,) = [text for name, _, text in RULES["forest"] if name == "F6"]
    assert f"less than 1/{SHARES.least}. " in share
    figures = [a["class"] for a in elements.of("figure")]
    assert figures == ["eh-rules", "eh-values", "eh-classes", "eh-x", "eh-tree"]
    plain = Elements(Player(steps(3)).element())
    assert [a["class"] for a in plain.of("figure")][:2] == ["eh-values", "eh-code"]
