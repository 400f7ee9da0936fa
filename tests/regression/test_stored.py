"""The stored results: how each was made, and drawn runs that are made again."""

import math
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.version import __version__
from reproduction import kept_runs
from reproduction.arithmetic import arithmetic
from reproduction.benchmark.plan import HiddenFunction, Start
from reproduction.cli import main
from reproduction.provenance import Provenance
from reproduction.stored import headers
from reproduction.stored.catalogue import RESULTS, Part, Run, parts
from reproduction.stored.headers import (
    NONE,
    OTHER,
    SAME,
    Header,
    sentence,
    sentences,
)

PARTS = {name: part for name, part in parts().items() if part.is_time or part.stored()}
"""Those that are stored; a method may be registered before it has runs."""
HEADERS = headers.read(RESULTS)
DRAWN = 30 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 3
"""Runs of a part."""
MOST = 1_000
"""Evaluations of a run that is called short."""
SEARCHED = 10_000
"""Evaluations with which a forest of more than 40 variables makes many local searches."""
SETS = ["effective-dimension-knowledge"]
"""Where d_e is not what a method is told."""


RELEASES = {"1.0.0": "412517b", "1.1.0": "579a281"}
"""The last commit of each released version. The first commit after a release adds its line."""


# Runs that are made again


def test_every_part_has_a_header_and_a_program_unless_it_says_that_it_has_none() -> None:
    assert {name for name, header in HEADERS.items() if header.today != NONE} == set(PARTS)
    assert {header.today for header in HEADERS.values()} <= {SAME, OTHER, NONE}
    assert all(header.made.date for header in HEADERS.values())


def test_a_line_states_the_version_of_the_program_that_made_it() -> None:
    lines = kept_runs.read(RESULTS / kept_runs.KEPT)
    stated = lines.groupby(["part", "method"])["version"].agg(set)
    for (part, method), versions in stated.items():
        header = HEADERS.get(f"{part}/{method}") or HEADERS[part]
        assert versions == {header.version}, (part, method)


def is_ancestor(commit: str, of: str = "HEAD") -> bool:
    """Whether git knows it, and a commit comes from it: a source distribution has no history."""
    command = ["git", "merge-base", "--is-ancestor", commit, of]
    return subprocess.run(command, cwd=Path(__file__).parent, capture_output=True).returncode == 0


with_history = pytest.mark.skipif(
    not is_ancestor(RELEASES["1.0.0"]), reason="needs the history of the repository"
)


def version_of(commit: str) -> str | None:
    """The first version that has a commit; none if it comes after the release of this version."""
    for version, last in RELEASES.items():
        if is_ancestor(commit, last):
            return version
    return None if __version__ in RELEASES else __version__


@with_history
@pytest.mark.parametrize("commit", sorted({header.commit for header in HEADERS.values()}))
def test_a_part_was_made_at_a_commit_of_its_version(commit: str) -> None:
    assert is_ancestor(commit)
    stated = {header.version for header in HEADERS.values() if header.commit == commit}
    assert stated == {version_of(commit)}


def draw(part: Part, count: int, seed: np.random.SeedSequence) -> list[Run]:
    """Draw some runs of a part, a run of twice as many evaluations half as often."""
    listed = list(part.stored())
    weights = np.array([1 / part.size(run) for run in listed])
    rng = np.random.default_rng(seed)
    chosen = rng.choice(
        len(listed), min(count, len(listed)), replace=False, p=weights / weights.sum()
    )
    return [listed[k] for k in chosen]


def of_this_commit() -> np.random.SeedSequence:
    """Return a seed that is another one at each commit; without git always the same one."""
    found = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return np.random.SeedSequence(int(found.stdout or "20", 16))


MADE_HERE = [
    name
    for name, part in PARTS.items()
    if part.installed and not part.is_time and HEADERS[name].today == SAME
]
by_part = pytest.mark.parametrize("name", MADE_HERE)


def made_again(name: str, runs: list[Any]) -> list[tuple[Any, str, str]]:
    """The runs of a part that differ in any bit, with what is stored and what comes out today.

    Nothing is made again that another arithmetic made.
    """
    if not HEADERS[name].made.machine.endswith(f"arithmetic {arithmetic()}"):
        pytest.skip("made with another arithmetic")
    stored = PARTS[name].stored()
    again = {run: PARTS[name].again(run) for run in runs}
    return [(run, stored[run], text) for run, text in again.items() if text != stored[run]]


@pytest.mark.claim("kept-results")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long)
        if name.startswith("paper/") and name != "paper/embedded_hunter"
        else name
        for name in MADE_HERE
    ],
)
def test_a_short_run_of_each_set_gives_today_the_bits_that_are_stored(name: str) -> None:
    """The shortest run of each set of problems, and of the forest one with local searches."""
    assert made_again(name, short_runs(name)) == []


def short_runs(name: str) -> list[Any]:
    part, chosen = PARTS[name], dict[Any, Any]()
    for run in sorted(part.stored(), key=part.size):
        a_set = run.function.names[1] if isinstance(run, Start) else run[0]
        if part.size(run) <= MOST or a_set in SETS:
            chosen.setdefault(a_set, run)
        elif part.size(run) >= SEARCHED and name.endswith("/forest"):
            chosen.setdefault((a_set, "searched"), run)
    return list(chosen.values())


def test_the_short_runs_of_the_forest_tell_another_constant_of_its_local_searches() -> None:
    part = PARTS["benchmark/forest"]
    runs = [run for run in short_runs("benchmark/forest") if "axis-aligned" in run.function.names]
    before = [part.again(run) for run in runs]
    damping = CONSTANTS.damping
    try:
        object.__setattr__(CONSTANTS, "damping", 1.03 * damping)
        assert [part.again(run) for run in runs] != before
    finally:
        object.__setattr__(CONSTANTS, "damping", damping)


@pytest.mark.claim("kept-results")
@pytest.mark.long
@by_part
def test_runs_give_today_the_bits_that_are_stored(name: str) -> None:
    """A value that the file has with six digits is compared in these."""
    assert made_again(name, draw(PARTS[name], DRAWN, of_this_commit())) == []


REACH_H_MAX = [
    Start(HiddenFunction("wider", "staircase"), "fresh", 1000, 0),
    Start(HiddenFunction("wider-rotated", "rastrigin"), "fresh", 1000, 4),
]
"""Few runs of `fresh` do: of the kept ones with v = 1,000 about one in fifty."""


@pytest.mark.claim("kept-results")
def test_runs_that_reach_the_greatest_depth_tell_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert made_again("benchmark/fresh", REACH_H_MAX) == []
    monkeypatch.setattr(math, "isqrt", lambda v, isqrt=math.isqrt: isqrt(v) - 1)
    assert len(made_again("benchmark/fresh", REACH_H_MAX)) == 2


def test_every_run_can_be_drawn_a_short_one_more_often() -> None:
    sizes = {(k,): v for k, v in enumerate((100, 200, 400))}
    part = Part("made up", stored=lambda: dict.fromkeys(sizes, ""), size=sizes.__getitem__)
    found = Counter(run for k in range(700) for run in draw(part, 1, np.random.SeedSequence(k)))
    # 400, 200 and 100 are expected; the bounds are four standard deviations away.
    assert 347 < found[0,] < 453
    assert 152 < found[1,] < 248
    assert 63 < found[2,] < 137
    assert sorted(draw(part, 5, np.random.SeedSequence(0))) == sorted(sizes)


# How they were made

MADE = Provenance("make it", "1234567", "2026-01-02", "x86_64, arithmetic 0", "Python 3, numpy 2")
SAID = (
    "Made by `make it` with version 1.1.0 at commit 1234567, 2026-01-02; x86_64, arithmetic 0; "
    "Python 3, numpy 2."
)


def test_a_sentence_says_what_made_a_part() -> None:
    assert sentence(Header(MADE, "1.1.0")) == SAID
    unknown = MADE._replace(command="", versions="")
    assert sentence(Header(unknown, "1.0.0")) == (
        "Made with version 1.0.0 at commit 1234567, 2026-01-02; x86_64, arithmetic 0."
    )


@pytest.mark.parametrize(
    ("today", "words"),
    [
        (OTHER, "the program has changed since and makes other runs"),
        (NONE, "this version no longer has the program"),
    ],
)
def test_a_sentence_says_first_that_the_runs_are_not_made_again(today: str, words: str) -> None:
    several = MADE._replace(commit="7654321, 1234567")
    assert sentence(Header(several, "1.1.0", today)) == (
        f"**Of version 1.1.0**: {words}. "
        f"{SAID.replace(' with version 1.1.0', '').replace('1234567', '7654321, 1234567')}"
    )


def test_the_parts_of_a_result_are_told_apart_where_they_differ() -> None:
    other = MADE._replace(commit="7654321")
    made = {"a/b": MADE, "a/c": other, "a/d": MADE, "ab": other}
    table = {name: Header(by, "1.1.0") for name, by in made.items()}
    assert sentences("a/b", table) == SAID
    assert sentences("a", table) == (
        f"- `b`, `d`: {SAID}\n- `c`: {SAID.replace('1234567', '7654321')}"
    )
    assert sentences("ab", table) == SAID.replace("1234567", "7654321")
    with pytest.raises(KeyError, match=r"made\.csv has no line for b"):
        sentences("b", table)


# The command


def test_the_command_says_how_results_were_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{name}: {sentence(header)}" for name, header in HEADERS.items()]
    main(["results", "sequool", "coco"])
    shown = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert shown == [name for name in HEADERS if name.startswith("coco/") or name == "sequool"]


def test_a_result_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["results", "sequol"])
    assert "there is no result 'sequol'" in capsys.readouterr().err


def test_results_are_made_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["results", "--make"]) == 2
    assert "--make needs the names of results" in capsys.readouterr().err
    monkeypatch.setattr("reproduction.commands.results.parts", dict)
    assert main(["results", "--make", "sequool"]) == 2
    assert "the program of sequool is not in this version" in capsys.readouterr().err
