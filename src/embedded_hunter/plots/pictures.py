"""The style of all pictures, and how they are written.

They are drawn by matplotlib without a display. The same data give the same bytes, because SVG
identifiers are salted and no date is written.
"""

from pathlib import Path
from typing import Any

from embedded_hunter.common.extras import extra

STYLE = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.hashsalt": "embedded-hunter",
}


def saved(figure: Any, caption: str, path: Path) -> list[Path]:
    """Write path.svg and path.png with a caption below the picture; return both.

    The path may end with either suffix.
    """
    figure.supxlabel(caption, fontsize=7, color="#555555")
    stem = path.name.removesuffix(".svg").removesuffix(".png")
    files = [path.with_name(f"{stem}.svg"), path.with_name(f"{stem}.png")]
    with extra("matplotlib").rc_context(STYLE):
        figure.savefig(files[0], metadata={"Date": None})
        figure.savefig(files[1])
    return files
