"""Each picture twice: as it is, and as it looks on a dark page. The theme shows one of them.

Grey turns round: what is white becomes the dark background, what is black becomes the colour of the
text; colours stay. The pictures of the gallery are drawn a second time when they are made
(`scraper`), those that are stored as SVG are rewritten (`dark_svg`).
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

BACKGROUND, TEXT = (0x13, 0x14, 0x16), (0xCF, 0xD0, 0xD0)
"""The theme's dark background, and a text on it."""
GREY = 0.08
"""A colour whose parts differ by less, of 1, is taken for a grey."""


def dark(rgb: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return what a colour, with parts in [0, 1], becomes."""
    if max(rgb) - min(rgb) > GREY:
        return rgb
    light = sum(rgb) / 3
    red, green, blue = (
        (light * b + (1 - light) * t) / 255 for b, t in zip(BACKGROUND, TEXT, strict=True)
    )
    return red, green, blue


def dark_svg(text: str) -> str:
    """Return an SVG picture of matplotlib's with dark colours."""

    def turn(match: re.Match[str]) -> str:
        number = match[1]
        red, green, blue = dark(
            (int(number[:2], 16) / 255, int(number[2:4], 16) / 255, int(number[4:], 16) / 255)
        )
        return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"

    text = re.sub(r"#([0-9a-fA-F]{6})\b", turn, text)
    # What has no colour of its own is black, above all the letters.
    letters = "svg{{fill:#{:02x}{:02x}{:02x}}}".format(*TEXT)
    return text.replace('<style type="text/css">', f'<style type="text/css">{letters}', 1)


def darken(figure: Any) -> None:
    """Give each part of a figure its dark colour."""
    from matplotlib.collections import Collection
    from matplotlib.colors import to_rgba
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    def turned(color: Any) -> Any:
        *rgb, alpha = to_rgba(color)
        return (*dark((rgb[0], rgb[1], rgb[2])), alpha)

    for part in figure.findobj():
        if isinstance(part, Text):
            part.set_color(turned(part.get_color()))
        elif isinstance(part, Line2D):
            part.set_color(turned(part.get_color()))
            part.set_markerfacecolor(turned(part.get_markerfacecolor()))
            part.set_markeredgecolor(turned(part.get_markeredgecolor()))
        elif isinstance(part, Patch):
            face, edge = turned(part.get_facecolor()), turned(part.get_edgecolor())
            part.set_facecolor(face)
            part.set_edgecolor(edge)
        elif isinstance(part, Collection):
            edges = [turned(color) for color in part.get_edgecolor()]
            if part.get_array() is None:
                part.set_facecolor([turned(color) for color in part.get_facecolor()])
            if edges:
                part.set_edgecolor(edges)


def scraper(block: Any, variables: dict[str, Any], conf: dict[str, Any], **options: Any) -> str:
    """Save the figures of a block, then once more with dark colours, as ``NAME_dark.png``."""
    import matplotlib.pyplot as plt
    from sphinx_gallery.scrapers import matplotlib_scraper

    figures = [plt.figure(number) for number in plt.get_fignums()]
    before = len(variables["image_path_iterator"].paths)
    made: str = matplotlib_scraper(block, variables, conf, **options)
    paths = variables["image_path_iterator"].paths[before:]
    for path, figure in zip(map(Path, paths), figures, strict=True):
        darken(figure)
        figure.savefig(path.with_name(f"{path.stem}_dark.png"))
    return made


def twins(app: Sphinx, doctree: nodes.document) -> None:
    """Put the dark picture beside each picture that has one."""
    from sphinx_gallery.directives import imgsgnode

    for node in list(doctree.findall(imgsgnode)):
        attributes = {"uri": node["uri"], "alt": node.get("alt") or ""}
        node.replace_self(nodes.image("", **attributes, classes=["sphx-glr-single-img"]))
    for node in list(doctree.findall(nodes.image)):
        if "://" in node["uri"]:
            continue
        name, path = app.env.relfn2path(node["uri"], app.env.docname)
        light = Path(path)
        if light.suffix == ".svg" and light.is_file():
            written = Path(app.srcdir, "_build", "dark", name)
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(dark_svg(light.read_text(encoding="utf-8")), encoding="utf-8")
            uri = "/" + written.relative_to(app.srcdir).as_posix()
        elif light.with_name(f"{light.stem}_dark.png").is_file():
            uri = str(Path(node["uri"]).with_name(f"{light.stem}_dark.png"))
        else:
            continue
        other = node.deepcopy()
        other["uri"] = uri
        other["classes"].append("only-dark")
        node["classes"].append("only-light")
        node.parent.insert(node.parent.index(node) + 1, other)


def setup(app: Sphinx) -> dict[str, Any]:
    """Act before Sphinx looks for pictures."""
    app.connect("doctree-read", twins, priority=50)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
