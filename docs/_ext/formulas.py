"""Formulas in plain text, as in the sentences of ``docs/claims.toml``: found, and set as LaTeX.

The registry is read in a terminal, so its formulas are plain text: ``E|g_p(y)| <= sqrt(8) L``. A
formula is a longest piece of the text that `expression` accepts. Everything else is prose.
"""

import re
from collections.abc import Iterator

from docutils import nodes

Found = tuple[str, int] | None
"""A formula in LaTeX and where it ends in the text; None if there is none."""
NAME = re.compile(
    r"(?:pbar|Ay|inf|beta|delta|eps|eta|phi|gamma|kappa|lambda|mu|nu|pi|sigma|tau|Gamma|Lambda|[B-HJ-Zb-z]"
    r"|I(?=_)"
    r"|A(?=_| =| y)|(?<=matrix )A|a(?= its))(?![A-Za-z0-9'’])"
)
"""Letters that stand for something. A, I and a are words as well."""
LETTERS = {"eps": r"\varepsilon", "pbar": r"\bar p", "Ay": "A y", "inf": r"\infty"}
NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?:e(\d+))?(?![A-Za-z0-9])")
INDEX = re.compile(r"max|min|op|hat|inf|eps|[A-Za-z](?![A-Za-z])|-?\d+")
INDICES = {"max": r"\max", "min": r"\min", "op": r"\mathrm{op}"} | LETTERS
SIGN = re.compile(r" ?(<=|>=|!=|[<>=]) ?| ([-+/]) |([-+/])|(, \.\.\., )")
SIGNS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", ", ..., ": r",\dots,"}
RELATION = re.compile("[<>=]|!=")
CALL = re.compile(r"(depth|floor|sqrt|min|max)\(")
PREFIX = re.compile(r"(sup|min|ln|log2|sum)(?=[ _])")
CLOSING = {"(": ")]", "[": "])", "{": "}"}


def expression(text: str, at: int, within: str = "") -> Found:
    """Return the longest expression that begins here; `within` has the bars that are open."""
    found = term(text, at, within)
    while found:
        tex, end = found
        sign = SIGN.match(text, end)
        if sign and (follows := term(text, sign.end(), within)):
            (mark,) = filter(None, sign.groups())
            found = f"{tex} {SIGNS.get(mark, mark)} {follows[0]}", follows[1]
        elif follows := factor(text, end, within):
            found = f"{tex} {follows[0]}", follows[1]
        else:
            break
    return found


def factor(text: str, at: int, within: str) -> Found:
    """Return a term that multiplies the one before, after a space; or an argument, after none."""
    if text.startswith(" ", at):
        found = term(text, at + 1, within)
        product = found and not NUMBER.fullmatch(text, at + 1, found[1])
        return found if product and not aside(text, at + 1) else None
    return term(text, at, within) if text.startswith(("(", "[", "|"), at) else None


def aside(text: str, at: int) -> bool:
    """Return whether a parenthesis is part of the sentence: it holds an equation."""
    return text[at] == "(" and bool(RELATION.search(text[at : text.find(")", at)]))


def term(text: str, at: int, within: str) -> Found:
    """Return a number, a name, a function's value or a group, with sign, indices and exponents."""
    if (sign := re.compile(r"[-+](?=\S)").match(text, at)) and (
        found := term(text, at + 1, within)
    ):
        return sign[0] + found[0], found[1]
    if text.startswith("...", at):
        return r"\dots", at + 3
    if prefix := PREFIX.match(text, at):
        tex, end = indexed(text, "\\" + prefix[1].replace("2", "_2"), prefix.end())
        found = term(text, end + 1, within) if text.startswith(" ", end) else None
        return found and (f"{tex} {found[0]}", found[1])
    if call := CALL.match(text, at):
        return called(text, call[1], call.end() - 1, within)
    if number := NUMBER.match(text, at):
        digits, power = number.groups()
        ten = rf"10^{{{power}}}"
        tex = digits if power is None else ten if digits == "1" else rf"{digits}\cdot {ten}"
        return indexed(text, tex, number.end())
    for bar, tex in (("||", "Vert"), ("|", "vert")):
        if text.startswith(bar, at):
            inner = None if bar in within else expression(text, at + len(bar), f"{within} {bar}")
            if not inner or not text.startswith(bar, inner[1]):
                return None
            return indexed(text, rf"\l{tex} {inner[0]}\r{tex} ", inner[1] + len(bar))
    if text[at : at + 1] in CLOSING and (found := group(text, at)):
        tex, end = found
        left, right = (text[k].replace("{", r"\{").replace("}", r"\}") for k in (at, end - 1))
        return indexed(text, f"{left}{tex}{right}", end)
    if name := NAME.match(text, at):
        letter = name[0]
        tex = LETTERS.get(letter, letter if len(letter) == 1 else f"\\{letter}")
        mean = letter == "E" and re.match(r"\||_u\[", text[name.end() :])
        return indexed(text, r"\mathbb{E}" if mean else tex, name.end())
    return None


def called(text: str, function: str, at: int, within: str) -> Found:
    """Return a function with its arguments, whose parenthesis opens here."""
    if not (found := group(text, at)):
        return None
    tex, end = found
    shapes = {"floor": r"\lfloor %s \rfloor", "sqrt": r"\sqrt{%s}", "depth": r"\mathrm{depth}(%s)"}
    return indexed(text, shapes.get(function, f"\\{function}(%s)") % tex, end)


def group(text: str, at: int) -> Found:
    """Return what stands between brackets, one or more expressions, and where they have closed."""
    parts, end = [], at + 1
    while found := expression(text, end):
        parts.append(found[0])
        end = found[1]
        if text[end : end + 1] in tuple(CLOSING[text[at]]):
            return ", ".join(parts), end + 1
        if not (comma := re.compile(", ?").match(text, end)):
            break
        end = comma.end()
    return None


def indexed(text: str, tex: str, at: int) -> tuple[str, int]:
    """Return a term with its stars, indices and exponents."""
    while True:
        if re.compile(r"\*(?!\w)|\*(?=_)").match(text, at):
            tex, at = f"{tex}^*", at + 1
        elif text[at : at + 1] in ("_", "^") and (found := script(text, at + 1, text[at] == "^")):
            index, end = found
            tex = rf"\hat {tex}" if index == "hat" else f"{tex}{text[at]}{{{index}}}"
            at = end
        else:
            return tex, at


def script(text: str, at: int, exponent: bool) -> Found:
    """Return an index or an exponent; brackets around it are left out."""
    if text[at : at + 1] in ("{", "("):
        return group(text, at)
    if exponent and (call := CALL.match(text, at)):
        return called(text, call[1], call.end() - 1, "")
    if not (index := INDEX.match(text, at)):
        return None
    tex = INDICES.get(index[0], index[0])
    nested = exponent and re.match(r"_\w", text[index.end() :])  # (-1, 1)^d_e, but not L^j_{t,h}
    return indexed(text, tex, index.end()) if nested else (tex, index.end())


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Split a text into prose, each piece with "", and formulas, each with its LaTeX."""
    prose = at = 0
    while at < len(text):
        found = None
        if not re.match(r"[\w'’`]", text[at - 1 : at]) and text[at] != "." and not aside(text, at):
            found = expression(text, at)
        if found and not re.fullmatch(r"[\d.]+", text[at : found[1]]):
            if prose < at:
                yield text[prose:at], ""
            yield text[at : found[1]], found[0].strip()
            prose = found[1]
        at = found[1] if found else at + 1
    if prose < len(text):
        yield text[prose:], ""


def escaped(text: str) -> str:
    """Return a text as Markdown, with its formulas and its code."""
    parts = re.split(r"(\$[^$]*\$|`[^`]+`)", text)
    return "".join(
        part if k % 2 else re.sub(r"([|*_`$<>\[\]])", r"\\\1", part) for k, part in enumerate(parts)
    )


def markdown(text: str) -> str:
    """Return a text of the registry as Markdown, its formulas as LaTeX."""
    return "".join(f"${tex}$" if tex else escaped(prose) for prose, tex in pieces(text))


def words(text: str) -> Iterator[nodes.Node]:
    """Yield the nodes of a text: prose, formulas, and code between backticks."""
    for code in re.split("(`[^`]+`)", text):
        if code.startswith("`"):
            yield nodes.literal("", code.strip("`"))
            continue
        for source, tex in pieces(code):
            yield nodes.math("", tex) if tex else nodes.Text(source.replace(">=", "≥"))
