"""The stored results: which code decides them, which are stale, and runs that are made again."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

from reproduction.arithmetic import arithmetic
from reproduction.cli import main
from reproduction.stored import reached, stamps
from reproduction.stored.catalogue import Part, parts
from reproduction.stored.reached import Definition
from reproduction.stored.stamps import Stamp, confirm, differing, draw, sentence, sentences, stale

PARTS = parts()
STAMPS = stamps.read()
FEW = 3_000
"""Evaluations, about, of a run that is made again here; more if a part has no such run."""
REPEATED = 30 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 3


# Runs that are made again


def test_every_part_has_a_stamp() -> None:
    assert set(STAMPS) == set(PARTS)
    assert all(stamp.commit for stamp in STAMPS.values())


def of_this_commit() -> np.random.SeedSequence:
    """Return a seed that is another one at each commit; without git always the same one.

    So over time every run is drawn, and at a commit the same ones on every machine.
    """
    found = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    return np.random.SeedSequence(int(found.stdout or "20", 16))


@pytest.mark.claim("kept-results")
@pytest.mark.long
def test_runs_give_today_the_bits_that_are_stored() -> None:
    """Three of each part that is neither stale nor made with another arithmetic, and can be made.

    A value that the file has with six digits is compared in these. The runs of `optimal-rule` take
    minutes: the command `results --confirm` makes them again.
    """
    left_out, wrong = ["optimal-rule"], []
    for name, part in PARTS.items():
        same = STAMPS[name].arithmetic == arithmetic() and not stale(part, STAMPS[name])
        if not (same and part.installed):
            left_out.append(name)
        elif name not in left_out:
            wrong += differing(part, draw(part, REPEATED, of_this_commit(), FEW))
    assert wrong == []
    if len(left_out) == len(PARTS):
        pytest.skip("all parts are stale, or made with another arithmetic")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, part in PARTS.items()
        if part.installed and part.stored() and name != "optimal-rule"
    ],
)
def test_a_run_calls_nothing_that_its_hash_leaves_out(name: str) -> None:
    part = PARTS[name]
    values = part.stored()
    (run,) = draw(part, 1, np.random.SeedSequence(20), 100)
    with called() as found:
        part.again(run)
    assert found <= part.definitions()
    assert len(found) > 5
    # Another run has another value; not every one: 9.0 is Rosenbrock's value at 0.
    assert len(set(values.values())) > len(values) / 20


@contextmanager
def called() -> Iterator[set[Definition]]:
    """Note the definitions of the project whose functions are called, but for the catalogue's."""
    found: set[Definition] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        module = str(frame.f_globals.get("__name__"))
        if event == "call" and reached.module_of(module) and ".stored." not in module:
            name = frame.f_code.co_qualname.partition(".")[0]
            if not name.startswith(("<", "__create_fn__")):  # of dataclasses
                found.add((module, name))

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


def test_a_run_that_differs_is_told_and_confirms_nothing() -> None:
    part = Part(
        "made up", (("reproduction.seeds", "seed_of"),),
        stored=lambda: {(k,): str(k) for k in range(10)},
        again=lambda run: "4" if run == (7,) else str(*run),
    )  # fmt: skip
    assert differing(part, [(6,), (7,)]) == [
        "made up, 7: 7 is stored, 4 comes out today"
    ]  # fmt: skip
    old = Stamp("1234567", {"src/a.py": "0"}, 5.0)
    stamp, wrong = confirm(part, old, 10, "7654321")
    assert stamp == old
    assert len(wrong) == 1
    stamp, wrong = confirm(replace(part, again=lambda run: str(*run)), old, 4, "7654321")
    assert stamp == Stamp("1234567", part.code(), 5.0, arithmetic(), "", (4, "7654321"))
    assert wrong == []


def test_drawn_runs_are_short_where_a_part_has_short_ones() -> None:
    part = Part(
        "made up", (), stored=lambda: {(v,): "1" for v in range(100, 200)}, size=lambda run: run[0]
    )  # fmt: skip
    drawn = draw(part, 5, np.random.SeedSequence(0), 150)
    assert len(set(drawn)) == 5
    assert all(v <= 150 for (v,) in drawn)
    assert draw(part, 5, np.random.SeedSequence(0), 20) == [(100,)]
    assert len(draw(part, 500, np.random.SeedSequence(0))) == 100


# What is stale


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in the place of src, with two modules."""
    monkeypatch.setattr(reached, "SOURCE", tmp_path)
    reached.module_of.cache_clear()
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.py").write_text("from p.b import used\n")
    (tmp_path / "p" / "a.py").write_text(A)
    (tmp_path / "p" / "b.py").write_text(B)
    yield tmp_path
    reached.module_of.cache_clear()


A = '''"""A."""
import math
import p
from p import b as other

REGISTRY = {"f": other.unused}

def run(x: "Unread") -> float:
    """Doc."""
    return p.used(x) + other.Thing().go() if x else REGISTRY
class Unread:
    pass
'''
B = """LIMIT = 3
AWAY: int = 4
def used(x):
    return math.inf if x > LIMIT else helper(x)
def helper(x):
    from p.a import Unread as late
    return [late for _ in x]
def unused():
    return AWAY
class Thing:
    size: int = 1
    def go(self):
        return self.size
"""
START = (("p.a", "run"),)
CUT = (("p.a", "REGISTRY"),)


@pytest.mark.usefixtures("project")
def test_what_a_function_reaches() -> None:
    """Through imports, packages, modules and classes; not through annotations."""
    expected = {
        ("p.a", ""), ("p.a", "run"), ("p.a", "Unread"), ("p.b", ""), ("p.b", "used"),
        ("p.b", "LIMIT"), ("p.b", "helper"), ("p.b", "Thing"),
    }  # fmt: skip
    assert reached.reached(START, CUT) == expected
    assert reached.reached(START) == expected | {
        ("p.a", "REGISTRY"), ("p.b", "unused"), ("p.b", "AWAY")
    }  # fmt: skip
    with pytest.raises(KeyError, match=r"p\.a does not define jump"):
        reached.reached([("p.a", "jump")])


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("b.py", "LIMIT = 3", "LIMIT = 3  # said", []),
        ("b.py", "def helper(x):", 'def helper(x):\n    "Doc."', []),
        ("b.py", "size: int", "size: float", []),
        ("b.py", "return AWAY", "return 0", []),
        ("a.py", '"""Doc."""', '"""Other."""', []),
        ("a.py", '(x: "Unread") -> float', "(x)", []),
        ("b.py", "LIMIT = 3", "LIMIT = 2", ["src/p/b.py"]),
        ("b.py", "size: int = 1", "size: int = 2", ["src/p/b.py"]),
        ("b.py", "class Thing:", "print()\nclass Thing:", ["src/p/b.py"]),
        ("a.py", "p.used(x) +", "p.used(x) -", ["src/p/a.py"]),
        ("a.py", "class Unread:\n    pass", "class Unread:\n    go = 1", ["src/p/a.py"]),
    ],
)
def test_what_changes_a_hash(
    project: Path, file: str, old: str, new: str, changed: list[str]
) -> None:
    part = Part("made up", START, CUT)
    stamp = Stamp("1234567", part.code())
    assert stale(part, stamp) == []
    path = project / "p" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    reached.module_of.cache_clear()
    assert stale(part, stamp) == changed


def test_the_hash_of_a_method_is_not_that_of_another() -> None:
    forest, sep = (PARTS[f"benchmark/{name}"] for name in ("forest", "sep_cma"))
    assert "src/embedded_hunter/forest/model.py" in forest.code()
    assert not [file for file in sep.code() if "forest" in file or "hunter.py" in file]
    first, second = (PARTS[f"benchmark/hesbo_cma_2_{step}"] for step in ("0.1", "0.2"))
    assert first.definitions() == second.definitions()
    assert stale(first, Stamp("1234567", second.code())) == ["the registry's entry"]


def test_a_sentence_says_what_made_a_part() -> None:
    part = Part("a/b", (("reproduction.seeds", "seed_of"),))
    code = part.code()
    assert sentence(part, Stamp("1234567", code)) == "Made at commit 1234567."
    assert sentence(part, Stamp("1234567", code, 5432.1, "", "", (9, "7654321"))) == (
        "Made at commit 1234567, in 5,432 seconds of processor time. 9 runs, drawn at random, gave "
        "the same bits again at commit 7654321."
    )
    assert sentence(part, Stamp("1234567", {}, None, "", "", (9, "7654321"))) == (
        "**Made at commit 1234567 by an earlier version of the code**."
    )
    old = Stamp("1234567", {**code, "src/reproduction/seeds.py": "0"})
    assert sentence(part, old) == (
        "**Made at commit 1234567 by an earlier version of `reproduction/seeds.py`**."
    )
    many = Stamp("1234567", {**code, **{f"src/{k}.py": "0" for k in "abcd"}})
    assert sentence(part, many).endswith("of `a.py`, `b.py`, `c.py` and 1 more files**.")
    other = replace(part, name="a/c")
    table = {"a/b": Stamp("1234567", code), "a/c": old}
    assert sentences([part], table) == "Made at commit 1234567."
    assert sentences([part, other], table) == (
        f"- `b`: Made at commit 1234567.\n- `c`: {sentence(part, old)}"
    )


def test_stamps_are_kept(tmp_path: Path) -> None:
    table = {"b": Stamp("1234567", {"f": "0"}, 1.5, "0", "Python", (2, "c")), "a": Stamp("1")}
    stamps.write(table, tmp_path)
    content = json.loads((tmp_path / stamps.FILE).read_text())
    assert list(content) == ["a", "b"]
    assert stamps.read(tmp_path) == table


# The command


def test_the_command_says_what_is_stale(capsys: pytest.CaptureFixture[str]) -> None:
    old = [name for name in PARTS if stale(PARTS[name], STAMPS[name])]
    assert main(["results"]) == int(bool(old))
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(PARTS)
    assert [line.partition(":")[0] for line in lines if "earlier version" in line] == old
    main(["results", "--check", "sequool", "performance"])
    shown = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert shown == ["sequool", *(name for name in PARTS if name.startswith("performance/"))]


def test_a_result_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["results", "sequol"])
    assert "there is no result 'sequol'" in capsys.readouterr().err
