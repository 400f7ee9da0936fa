"""Tables in Markdown."""

from reproduction.tables import table


def test_a_table_is_markdown() -> None:
    head, rows = ["a", "b"], [["1", "22"], ["", "3"]]
    assert table(head, rows) == "| a | b |\n| --- | --- |\n| 1 | 22 |\n|  | 3 |"
    assert table(head, []) == "| a | b |\n| --- | --- |"
