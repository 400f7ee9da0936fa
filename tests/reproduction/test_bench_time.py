"""Specification of ``bench resume`` and ``bench workers``: what is measured and printed."""

import json
from typing import Any

import pytest

from embedded_hunter.run.minimize import minimize
from reproduction.cli import main
from reproduction.commands import resuming, workers
from reproduction.studies.speedup import KINDS


def test_resume_opens_the_file_of_the_run_twice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """First with its answer, then without."""
    seen: list[tuple[str, int, int]] = []

    def noting(*given: Any, **run: Any) -> Any:
        path = run["checkpoint"]
        before = path.read_bytes().count(b'"answer"') if path.exists() else -1
        result = minimize(*given, **run)
        seen.append((run["policy"], before, result.nfev))
        return result

    monkeypatch.setattr(resuming, "minimize", noting)
    assert main(["bench", "resume", "--n", "12", "--maxfun", "40", "--json"]) == 0
    policies = ("fresh", "indexed", "forest")
    assert seen == [(name, before, 40) for name in policies for before in (-1, 1, 0)]
    found = json.loads(capsys.readouterr().out)
    assert (found["n"], found["v"]) == (12, 40)
    assert [row["policy"] for row in found["policies"]] == list(policies)
    assert all(row[key] > 0 for row in found["policies"] for key in ("run", "complete"))
    assert found["command"] == "python -m reproduction bench resume --n 12 --maxfun 40"
    assert main(["bench", "resume", "--n", "12", "--maxfun", "40"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(policies)


def test_workers_measures_every_kind_of_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = {name: KINDS[name] for name in ("fresh", "forest")}
    monkeypatch.setattr(workers, "KINDS", kinds)
    monkeypatch.setattr(workers, "WORKERS", (1, 2))
    given = ["bench", "workers", "--maxfun", "30", "--milliseconds", "0"]
    assert main([*given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["kind"] for row in found["kinds"]] == list(kinds)
    assert [row["turns"][0] for row in found["kinds"]] == [30, 30]
    assert found["command"] == "python -m reproduction bench workers --maxfun 30 --milliseconds 0.0"
    assert main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:8].strip() for line in lines] == list(kinds)
    assert all("1:   30 turns," in line for line in lines)
