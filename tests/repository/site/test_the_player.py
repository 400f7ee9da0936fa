"""The player of the start page, and of a page that `play` writes, driven by keyboard and mouse."""

from typing import TYPE_CHECKING, Any

import pytest

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.plots.listing import RULES, TURN
from repository.site.html_pages import WIDE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.docs
PLAYER = "div.eh-player"
DATA = (
    "JSON.parse(document.querySelector('.eh-player script[type=\"application/json\"]').textContent)"
)
# What is on the screen: the active lines of listing and code, leaves, nodes, points, and the texts.
SHOWN = """() => {
  const all = (s) => [...document.querySelectorAll(".eh-player " + s)];
  return {
    step: +document.querySelector(".eh-player").dataset.step,
    listing: all(".eh-listing .eh-now").map(e => +e.dataset.lines),
    code: all(".eh-code .eh-now").flatMap(e => e.dataset.lines.split(" ").map(Number)),
    says: all(".eh-says")[0].textContent,
    cells: all(".eh-y rect").length,
    nodes: all(".eh-tree circle").length,
    points: all(".eh-x circle").length,
    classes: all(".eh-classes circle").length,
  };
}"""


def expected(run: Any, step: int) -> dict[str, Any]:
    """What `SHOWN` must return, from the data of the page."""
    lines, says, _, visit, _, _, leaf, _ = run["steps"][step]
    nodes = run["nodes"]
    leaves = [
        n for n in nodes
        if n["born"] is not None and n["born"] <= step < (n["split"] or len(run["steps"]))
    ]  # fmt: skip
    made = [n for n in nodes if n["made"] <= step]
    # children that line 8 has made and line 10 has not added are drawn above their parent
    cut = [n for n in made[1:] if n["parent"] == leaf and (n["born"] is None or n["born"] > step)]
    return {
        "step": step,
        "listing": lines,
        "code": lines,
        "says": says.replace("ν_min", "νmin"),
        "cells": len(leaves) + len(cut),
        "nodes": len(made),
        "points": sum(e[0] <= step and e[4] is not None for e in run["evaluations"]),
        # between visits that picture shows all values so far
        "classes": sum(map(len, run["visits"][visit][2]))
        if visit is not None
        else sum(e[0] <= step for e in run["evaluations"]),
    }


def test_the_keyboard(page: "Page") -> None:
    page.goto("index.html?highlight=tree")  # as after a search
    run = page.evaluate(DATA)
    assert page.evaluate(SHOWN) == expected(run, 0)
    last = len(run["steps"]) - 1
    sweeps = [k for k, s in enumerate(run["steps"]) if s[0] == [1]]
    page.locator(PLAYER).focus()
    for key, step in (
        ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
        ("PageDown", sweeps[1]), ("PageDown", sweeps[2]), ("Shift+ArrowRight", sweeps[3]),
        ("PageUp", sweeps[2]), ("Shift+ArrowLeft", sweeps[1]), ("End", last), ("ArrowRight", last),
        ("PageUp", sweeps[-1]),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate(SHOWN) == expected(run, step), key
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.wait_for_function("document.querySelector('.eh-player').dataset.step === '2'")
    page.keyboard.press(" ")
    assert page.locator(".eh-play").inner_text() == "Play"


def test_the_speed_can_be_chosen_while_it_plays(page: "Page") -> None:
    """By the times between steps that the browser asks for, so that no clock decides."""
    page.goto("index.html")
    page.evaluate("""() => {
        window.asked = []; const real = window.setInterval;
        window.setInterval = (f, t) => { window.asked.push(t); return real(f, 10 ** 6); };
    }""")
    page.locator(".eh-play").click()
    for speed in ("16", "1"):
        page.locator(".eh-speed select").select_option(speed)
    assert page.evaluate("window.asked") == [250, 62.5, 1000]
    page.locator(".eh-play").click()
    page.locator(".eh-speed select").select_option("4")
    assert page.evaluate("window.asked.length") == 3
    assert page.locator(".eh-play").inner_text() == "Play"


def test_the_columns_of_the_classes_stand_at_their_norms(page: "Page") -> None:
    """The axis says 0 and the norm of a corner; each number of a class stands below its column."""
    page.goto("index.html")
    page.locator(PLAYER).focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    page.locator(".eh-listing li").nth(7).click()
    texts = page.locator(".eh-classes text").evaluate_all(
        "all => all.map(e => [e.textContent, +e.getAttribute('x'), +e.getAttribute('y')])"
    )
    below = sorted((x, text) for text, x, y in texts if y == 75)
    corner = 2 / 0.3 * 2**0.5
    assert [text for _, text in below] == ["0", "norm ‖y‖ of the base points", f"{corner:.4g}"]
    (zero, _), _, (far, _) = below
    run, step = page.evaluate(DATA), page.evaluate(SHOWN)["step"]
    classes = run["visits"][run["steps"][step][3]][2]
    numbers = {text: x for text, x, y in texts if y == 69.5}
    assert set(numbers) == {"class", *(str(j + 1) for j in range(len(classes)))}
    for j, group in enumerate(classes):
        norm = run["nodes"][group[0]]["norm"]
        assert numbers[str(j + 1)] == pytest.approx(zero + (far - zero) * norm / corner)


def test_keys_elsewhere_on_the_page_do_nothing(page: "Page") -> None:
    page.goto("index.html")
    before = page.evaluate(SHOWN)
    page.locator("h1").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert page.evaluate(SHOWN) == before


def test_the_mouse(page: "Page") -> None:
    """The buttons, the slider, a line of the listing, and Play up to the end."""
    page.goto("index.html")
    run = page.evaluate(DATA)
    sweeps = [k for k, s in enumerate(run["steps"]) if s[0] == [1]]
    for button, step in (
        ("first", 0), ("next", 1), ("next", 2), ("back", 1), ("sweepnext", sweeps[1]),
        ("sweepnext", sweeps[2]), ("sweepback", sweeps[1]),
    ):  # fmt: skip
        page.locator(f".eh-{button}").click()
        assert page.evaluate(SHOWN) == expected(run, step), button
    page.locator(".eh-listing li").nth(9).click()
    first = next(k for k, s in enumerate(run["steps"]) if k > sweeps[1] and s[0] == [9])
    assert page.evaluate(SHOWN) == expected(run, first)
    box = page.locator(".eh-bar input").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    assert page.evaluate(SHOWN) == expected(run, len(run["steps"]) - 1)


def test_without_a_script_the_listing_and_a_picture_are_there(
    browser: "Browser", base: str
) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=base)
    page.goto("index.html")
    for what, number in ((".eh-listing li", 18), (".eh-y svg", 1), (".eh-code pre", 1)):
        assert page.locator(what).count() == number
        assert page.locator(what).first.is_visible()
    assert page.locator(".eh-y rect").count() > 20
    for what in (".eh-bar", ".eh-hint", ".eh-tree"):
        assert page.locator(what).is_hidden()
    assert "With JavaScript" in page.locator(".eh-says").inner_text()
    page.close()


@pytest.mark.parametrize("name", ["first-steps", "classes", "infinite"])
def test_the_page_that_play_writes(page: "Page", tmp_path: "Path", name: str) -> None:
    """From its file, without any request; the keys work at once; as wide as the window."""
    out = tmp_path / "play.html"
    assert main(["play", str(KIT / "golden" / f"{name}.jsonl"), "--out", str(out)]) == 0
    page.goto(out.as_uri())
    run = page.evaluate(DATA)
    page.keyboard.press("Home")
    for step in range(len(run["steps"])):
        shown = page.evaluate(SHOWN)
        wanted = expected(run, step)
        if run["trees"][0][0] > 2:
            wanted["cells"] = 0
        assert shown == wanted
        page.keyboard.press("ArrowRight")
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDE) == []


def test_a_run_of_the_forest_shows_its_rules_values_and_members(
    page: "Page", tmp_path: "Path"
) -> None:
    """The active rules; a dot for each value so far; between visits a bar for each member."""
    trace, out = tmp_path / "run.jsonl", tmp_path / "play.html"
    minimize(lambda x: (x[3] - 0.2) ** 2, [(-1, 1)] * 50, maxfun=60, rng=1, checkpoint=trace)
    assert main(["play", str(trace), "--out", str(out)]) == 0
    page.goto(out.as_uri())
    run = page.evaluate(DATA)
    for k, step in enumerate(run["steps"]):
        active = page.locator(".eh-rules .eh-now").evaluate_all(
            "all => all.map(e => e.dataset.number)"
        )
        wanted = [name for name, lines, _ in RULES["forest"] if {*lines} & {*step[0]}]
        assert active == wanted != []
        so_far = [e for e in run["evaluations"] if e[0] <= k]
        assert page.locator(".eh-values svg circle").count() == len(so_far) + len(run["kinds"])
        if step[0] == [TURN]:
            texts = page.locator(".eh-classes text").all_text_contents()
            for n, (kind, _) in enumerate(run["kinds"]):
                assert kind in texts
                assert str(sum(e[5] == n for e in so_far)) in texts
        page.keyboard.press("ArrowRight")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDE) == []
