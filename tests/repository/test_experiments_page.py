"""The pages experiments, data and benchmark: commands parse, and what the first names exists.

`test_names.py` says that the options exist.
"""

import re
import shlex
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import embedded_hunter
from reproduction.benchmark.plan import SETS
from reproduction.benchmark.results import kept_results
from reproduction.cli import COMMANDS, parser
from reproduction.figure_1.plan import EXPERIMENTS, all_algorithms
from reproduction.kept_runs import kept
from reproduction.optimizers.libraries import FULL_COVARIANCE
from reproduction.tables import short

DOCS = Path(__file__).parents[2] / "docs"
TEXT, DATA, BENCHMARK = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name in ("experiments", "data", "benchmark")
)
BLOCKS = re.findall(r"^```bash\n(.*?)^```", TEXT + BENCHMARK, re.MULTILINE | re.DOTALL)
LINES = [
    line for block in BLOCKS for line in block.replace("\\\n", " ").splitlines() if line.strip()
]
SOURCE = Path(embedded_hunter.__file__).parents[1]


@pytest.mark.parametrize("line", LINES)
def test_every_command_parses(line: str) -> None:
    python, m, program, command, *options = shlex.split(line)
    assert [python, m, program] == ["python", "-m", "reproduction"]
    assert command in COMMANDS
    args = parser(command).parse_args([command, *options])
    assert args.command == command
    assert set(getattr(args, "experiments", [])) <= {"all", *EXPERIMENTS}


def test_experiments_profiles_and_algorithms_are_all_there() -> None:
    for name in (*EXPERIMENTS, "paper", "released", "indexed", *all_algorithms()[-2:]):
        assert f"`{name}`" in TEXT, name
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| .*? \| (.*) \|$", TEXT, re.MULTILINE))
    for name, experiment in EXPERIMENTS.items():
        said = re.split(r", |; ", rows[name].replace("beyond the paper", ""))
        values = [_number(text) for text in said]
        assert values == [*experiment.values, *experiment.beyond], name
    assert f"up to n = {FULL_COVARIANCE};" in BENCHMARK


def test_the_sets_of_the_benchmark_are_those_of_the_table_of_runs() -> None:
    """With where they are hidden; and what pooling does to the median of one cell."""
    count = {"the paper's four": 4, "five others": 5, "COCO's 24": 24}
    rows = re.findall(
        rf"^\| `([a-z0-9-]+)` \| ([a-z-]+), \$n = ([0-9{{}},]+)\$ \| ({'|'.join(count)})",
        DATA, re.MULTILINE,
    )  # fmt: skip
    told = {
        (name, kind, int(re.sub("[{},]", "", n)), count[functions])
        for name, kind, n, functions in rows
    }
    planned = {
        (name, "rotated" if of_set.rotated else "axis-aligned", of_set.n, len(of_set.problems))
        for name, of_set in SETS.items()
        if of_set.n
    }
    lines = kept("benchmark")
    groups = lines.groupby(["set", "kind", "n"])["function"].nunique()
    made = {(*key, number) for key, number in groups.items()}
    assert made <= told == planned | {("pilot", "axis-aligned", 10_000, 4)}
    lines = lines.query(
        "method == 'forest' and kind == 'rotated' and function == 'ellipsoid' and v == 10000"
    )
    medians = lines.groupby("set")["value"].median()
    values = (medians["rotated"], medians["rotated-large"], lines["value"].median())
    words = ("in `rotated`,", "in `rotated-large`,", "\nin both together.")
    for word, value in zip(words, values, strict=True):
        assert f"{short(value)} {word}".replace(" \n", "\n") in DATA


def test_the_view_of_the_page_gives_the_medians_of_the_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its code runs as printed; the tables are made of `kept_results`."""
    monkeypatch.chdir(SOURCE.parent)
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", DATA, re.DOTALL):
        exec(block, names)
    cells = {cell: runs for cell, runs in kept_results().items() if cell.v == 10_000}
    assert len(cells) > 100
    for (problem_set, function, method, _), runs in cells.items():
        assert names["medians"][problem_set, function, method] == pytest.approx(median(runs))
    assert short(names["medians"]["axis-aligned", "fletcher_powell", "forest"]) == "80"


def _number(text: str) -> int:
    """Read "50", "10,000" or "$10^6$"."""
    found = re.fullmatch(r"\s*\$?([\d,]+)(?:\^(\d+))?\$?", text)
    assert found, text
    power: int = int(found[1].replace(",", "")) ** int(found[2] or 1)
    return power


def test_the_modules_that_are_named_exist() -> None:
    named = re.findall(r"`(\w+(?:/\w+)*\.py)[ `]", TEXT)
    assert len(named) >= 2
    assert [name for name in named if not (SOURCE / name).exists()] == []
