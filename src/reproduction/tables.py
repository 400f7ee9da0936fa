"""Tables in Markdown, and the numbers in them."""

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table of the cells of each line, without a line break at its end."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (header, ["---"] * len(header), *rows))


def apart(values: Sequence[float]) -> list[str]:
    """Return numbers with as many significant digits, 2 to 7, as tell those apart that differ."""
    for digits in range(2, 8):
        texts = [f"{x:.{digits}g}" for x in values]
        if len(set(texts)) == len(set(values)):
            break
    return texts


def short(x: float) -> str:
    """Return two or three significant digits of a number, and whole thousands."""
    if abs(x) < 999.5:
        return f"{x:.2g}" if abs(x) < 99.5 else f"{x:.3g}"
    return f"{x:,.0f}" if x < 99_999.5 else f"{x:.1e}"
