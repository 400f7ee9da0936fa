"""Tables in Markdown."""

import pytest

from reproduction.tables import table


def test_a_table_is_markdown_and_may_be_aligned() -> None:
    head, rows = ["a", "b"], [["1", "22"], ["", "3"]]
    assert table(head, rows) == "| a | b |\n| --- | --- |\n| 1 | 22 |\n|  | 3 |"
    assert table(head, rows, aligned=True).splitlines() == [
        "| a | b  |",
        "| - | -- |",
        "| 1 | 22 |",
        "|   | 3  |",
    ]
    assert table(head, []) == "| a | b |\n| --- | --- |"
    with pytest.raises(ValueError, match="zip"):
        table(head, [["1"]], aligned=True)
