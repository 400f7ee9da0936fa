r"""Split the LaTeX source of the paper into sentences.

The text is divided into parts: sections and paragraphs with a heading, statements, their proofs,
floats, footnotes. A sentence belongs to one part. It ends

- at a full stop, question mark or exclamation mark before a space, unless that ends an abbreviation
  or a number of a list (``ii).``);
- at a formula that ends with a full stop, at ``\intertext`` and ``\item``;
- at an empty line, unless a colon is before it, and at a heading or statement.

Each line of an algorithm, each row of a table and a displayed formula on its own count as one
sentence. A sentence is a tuple of words. A formula in the text is one word (its source without
spaces), a displayed one is ``[formula]``, the number of an equation or statement is ``[number]``,
and a reference to the bibliography is its key in brackets.
"""

import re

PLAIN = ("theorem", "lemma", "definition", "assumption")
FLOATS = {"figure": "Figure", "figure*": "Figure", "table": "Table", "algorithm": "Algorithm"}
ABBREVIATIONS = {"e.g.", "i.e.", "viz.", "w.r.t.", "vs.", "al.", "Eq.", "Fig.", "cf."}
MACROS = {
    "ouralg": "EmbeddedHunter",
    "eg": "e.g.",
    "ie": "i.e.",
    "optcell": r"$\mathcal{Y}_{h,i^*_p}$",
    "cell": r"$\mathcal{Y}_{h,i}$",
    "vx": r"\mathbf{x}",
    "vy": r"\mathbf{y}",
}
BREAK = " \0 "
"""Ends a sentence."""
HIDE = str.maketrans(r"\{}~", "\1\2\3\4")
"""Protects formulas while commands are removed from the text."""
SHOW = str.maketrans("\1\2\3\4", r"\{}~")
GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
DISPLAY = re.compile(r"\\begin\{((?:equation|align|eqnarray)\*?)\}(.*?)\\end\{\1\}", re.DOTALL)
INLINE = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
STRUCTURE = re.compile(
    r"\\(?P<level>(?:sub)?section|paragraph)\*?\s*" + GROUP.replace("(", "(?P<title>", 1)
    + r"|\\(?P<edge>begin|end)\{(?P<name>abstract|proof|figure\*?|table|algorithm|"
    + "|".join(PLAIN)
    + r")\}(?:\[[^]]*\])?"
    + r"|\\setcounter\{(?P<counter>\w+)\}\{(?P<value>\d+)\}"
    + r"|\\noindent\s*\\textbf\{(?P<bold>[^{}]*)\.\}|\n\s*\n\s*\\textit\{(?P<italic>[^{}]*)\}\."
)  # fmt: skip
LINES = {
    "While": "while", "For": "for", "If": "if", "EndWhile": "end while", "EndFor": "end for",
    "EndIf": "end if", "State": "", "Statex": "", "Statey": "",
}  # fmt: skip


def sentences(tex: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return all sentences of the paper and its supplement, each with the name of its part."""
    main, _, rest = re.sub(r"(?<!\\)%.*", "", tex).partition(r"\end{document}")
    texts = {
        "": main.partition(r"\maketitle")[2].partition(r"\begin{thebibliography}")[0],
        "Supplement": rest.partition(r"\maketitle")[2],
    }
    return [
        (", ".join(filter(None, (document, part))), words)
        for document, text in texts.items()
        for part, source in parts(text).items()
        for words in split(part, source)
    ]


def parts(tex: str) -> dict[str, str]:
    """Return the text of each part, in the order in which the parts begin."""
    tex = without_formulas(tex)
    found: dict[str, str] = {}
    numbers: dict[str, int] = {}
    section, statement, stack, at = "", "", ["opening"], 0
    for match in STRUCTURE.finditer(tex):
        _add(found, stack[-1], tex[at : match.start()])
        at = match.end()
        title = match["title"] or match["bold"] or match["italic"]
        if title:
            title = " ".join(words_of(title)).rstrip(".")
            if match["level"] == "subsection":
                numbers["subsection"] = numbers.get("subsection", 0) + 1
                title = f"A.{numbers['subsection']}"
            section = title if match["level"] in ("section", "subsection") else section
            stack = [title if title == section else f"{section}, {title}"]
        elif match["counter"]:
            numbers[match["counter"].title()] = int(match["value"])
        elif match["edge"] == "begin":
            kind = FLOATS.get(match["name"], match["name"].title())
            if kind == "Proof":
                part = f"{statement}, proof"
            elif kind == "Abstract":
                part = kind
            else:
                numbers[kind] = numbers.get(kind, 0) + 1
                part = f"{kind} {numbers[kind]}"
                statement = part if match["name"] in PLAIN else statement
            stack.append(part)
        else:
            ended = stack.pop()
            if match["name"] not in FLOATS:
                _add(found, ended, BREAK)
                _add(found, stack[-1], BREAK)
    _add(found, stack[-1], tex[at:])
    return found


def _add(found: dict[str, str], part: str, text: str) -> None:
    """Add text to a part; footnotes become a part of their own."""
    for note in re.findall(r"\\footnote" + GROUP, text):
        found[f"{part}, footnotes"] = found.get(f"{part}, footnotes", "") + note + BREAK
    found[part] = found.get(part, "") + re.sub(r"\\footnote" + GROUP, "", text)


def without_formulas(tex: str) -> str:
    """Replace each formula by one word, and the paper's macros by what they stand for."""
    for macro, text in MACROS.items():
        tex = re.sub(rf"\\{macro}(?![A-Za-z])(?:\{{\}})?", text.replace("\\", r"\\"), tex)
    tex = DISPLAY.sub(lambda match: _display(match[2]), tex)

    def inline(match: re.Match[str]) -> str:
        formula = match[1] or match[2]
        joined = re.sub(r"\s+", "", re.sub(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])", r"\1{}", formula))
        word = "[formula]" if match[1] else f"${joined.translate(HIDE)}$"
        return word + (BREAK if _ends(formula) else "")

    return INLINE.sub(inline, tex)


def _display(formula: str) -> str:
    first, *others = re.split(r"\\intertext" + GROUP, formula)
    text = " [formula] " + (BREAK if _ends(first) else "")
    for between, after in zip(others[::2], others[1::2], strict=True):
        text += BREAK + without_formulas(between) + " [formula] " + (BREAK if _ends(after) else "")
    return text


def _ends(formula: str) -> bool:
    """Return whether a formula ends with a full stop."""
    bare = re.sub(r"\\(?:label|end)\{[^}]*\}|\\nonumber|\\[;,\\]|\s", "", formula)
    return bare.endswith(".")


def split(part: str, source: str) -> list[tuple[str, ...]]:
    """Split the text of a part into sentences."""
    kind = part.partition(" ")[0]
    captions = "".join(text + BREAK for text in re.findall(r"\\caption" + GROUP, source))
    body = re.sub(r"\\caption" + GROUP, "", source)
    if kind == "Figure":
        body = ""
    elif kind == "Table":
        body = re.search(r"\\begin\{tabular\}" + GROUP + r"(.*)\\end\{tabular\}", body, re.S)[2]  # type: ignore[index]
        body = re.sub(r"\\(top|mid|bottom)rule", " ", body.replace("&", " "))
        body = body.replace(r"\\", BREAK)
        return [*_running(captions), *filter(None, (words_of(row) for row in body.split(BREAK)))]
    elif kind == "Algorithm":
        pieces = re.split(rf"\\({'|'.join(sorted(LINES, reverse=True))})(?![A-Za-z])", body)
        lines, number = [], 0
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
            number += name != "Statex"
            lines.append(f"{'' if name == 'Statex' else f'{number}:'} {LINES[name]} {text}")
        return [*_running(captions), *map(words_of, lines)]
    return _running(captions + body)


def _running(text: str) -> list[tuple[str, ...]]:
    text = re.sub(r"\\item\b(?:\[[^]]*\])?|(?<![:\s])\s*\n\s*\n", lambda _: BREAK, text)
    found: list[tuple[str, ...]] = []
    for piece in text.split(BREAK.strip()):
        current: list[str] = []
        for word in words_of(piece):
            current.append(word)
            bare = word.rstrip(")\"'”’")
            if re.search(r"[.?!]$", bare) and not _goes_on(current):
                found.append(tuple(current))
                current = []
        if current:
            found.append(tuple(current))
    return [words for words in found if any(re.search(r"\w", word) for word in words)]


def _goes_on(words: list[str]) -> bool:
    """Return whether the full stop that ends these words belongs to an abbreviation or a number."""
    *before, last = words
    if last.lstrip("(").rpartition("---")[2] in ABBREVIATIONS:
        return True
    numbered = re.compile(r"(?:^|[,;])(?:[ivx]+|\d+)\)\.$")
    opened = "".join(word for word in before if not numbered.search(word))
    return bool(numbered.search(last)) and opened.count("(") <= opened.count(")")


def beginnings(found: list[tuple[str, tuple[str, ...]]]) -> list[tuple[str, str]]:
    """Return for each sentence its part and the fewest first words that tell it from the others.

    Raises
    ------
    ValueError
        If a sentence is the beginning of another one of its part.
    """
    of_part: dict[str, list[tuple[str, ...]]] = {}
    for part, words in found:
        of_part.setdefault(part, []).append(words)
    result = []
    for part, words in found:
        for count in range(1, len(words) + 1):
            if sum(other[:count] == words[:count] for other in of_part[part]) == 1:
                result.append((part, " ".join(words[:count])))
                break
        else:
            raise ValueError(f"{part}: two sentences begin with {' '.join(words)!r}")
    return result


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text without LaTeX commands."""
    text = re.sub(r"~?\(\\citeyear" + GROUP + r"\)", " ", text)
    text = re.sub(r"\\cite(?:author)?(?:\[[^]]*\])?" + GROUP, r" [\1] ", text)
    text = re.sub(r"\\(?:eq)?ref" + GROUP, " [number] ", text)
    text = re.sub(
        r"\\(?:label|vspace|hspace|begin|end|resizebox|renewcommand|bibliographystyle|bibliography)"
        rf"\s*(?:\{{\\\w+\}})?(?:\[[^]]*\])?{GROUP}(?:\{{!\}}|\[\d\])?",
        " ",
        text,
    )
    text = re.sub(r"\\newcommand\S*|\\[A-Za-z]+(?![A-Za-z{])", " ", text)
    while (bare := re.sub(r"\\[A-Za-z]+" + GROUP, r"\1", text)) != text:
        text = bare
    text = re.sub(r"[{}~]|\\(?=\W)", " ", text).translate(SHOW)
    return tuple(re.sub(r" ([,.;:)'])", r"\1", re.sub(r"\s+", " ", text)).split())
