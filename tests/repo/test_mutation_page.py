"""The page of the mutants is what its script makes of the record."""

import importlib.util
import json
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="the script limits the memory of its processes")

SCRIPT = Path(__file__).parents[1] / "mutation.py"
_spec = importlib.util.spec_from_file_location("mutation", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
mutation = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(mutation)
RECORD = json.loads(mutation.RECORD.read_text(encoding="utf-8"))


def test_the_page_is_written_from_the_record() -> None:
    assert mutation.PAGE.read_text(encoding="utf-8") == mutation.page(RECORD)
    assert mutation.RECORD.read_text(encoding="utf-8") == mutation.written(RECORD)


@pytest.mark.parametrize("module", RECORD["modules"])
def test_the_mutants_of_a_module_add_up(module: str) -> None:
    found = RECORD["modules"][module]
    assert found["mutants"] == sum(found[name] for name in mutation.RESULT[1:])
    assert module in mutation.modules()


def test_a_result_counts_the_reasons_that_are_given() -> None:
    record = {"same": [["a", "`f` (3), `g`", "", ""], ["b", "`f`", "", ""]]}
    found = Counter(mutants=10, killed=4, ended=1)
    result = mutation.recorded(record, "a", found)
    assert [result[name] for name in mutation.RESULT] == [10, 4, 1, 4, 1]
    found["killed"] = 9
    assert mutation.recorded(record, "a", found)["same"] == 0
