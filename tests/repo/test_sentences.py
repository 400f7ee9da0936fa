"""Every sentence of the paper: with its claims, or with the reason why it makes none.

The list, docs/paper/sentences.toml, is compared with the source of the paper where that lies beside
the checkout; the other tests need the list alone.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import paper_text
import pytest

from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
PAPER = ROOT.parent / "shared" / "paper" / "embedded-bandits.tex"
LIST: dict[str, Any] = tomllib.loads(
    (ROOT / "docs" / "paper" / "sentences.toml").read_text(encoding="utf-8")
)
SENTENCES = [(part["name"], said) for part in LIST["part"] for said in part["sentences"]]
CLAIMS = registry.load(ROOT)
in_the_paper = pytest.mark.skipif(not PAPER.is_file(), reason="the paper's source is not at hand")


@pytest.fixture(scope="module")
def tex() -> str:
    return PAPER.read_text(encoding="utf-8")


# ---------------------------------------------------------------- the list


def test_each_sentence_makes_claims_that_exist_or_has_one_of_the_reasons() -> None:
    assert len(SENTENCES) > 240
    for part, said in SENTENCES:
        assert set(said) in ({"begins", "claims"}, {"begins", "reason"}), (part, said)
        if "reason" in said:
            assert said["reason"] in LIST["reasons"], (part, said)
        else:
            assert said["claims"], (part, said)
            assert set(said["claims"]) <= set(CLAIMS), (part, said)
            assert len(set(said["claims"])) == len(said["claims"]), (part, said)


def test_every_reason_is_used() -> None:
    assert {said.get("reason") for _, said in SENTENCES} - {None} == set(LIST["reasons"])


def test_every_claim_of_the_paper_is_made_by_a_sentence() -> None:
    made = {id for _, said in SENTENCES for id in said.get("claims", ())}
    of_the_paper = {claim.id for claim in CLAIMS.values() if claim.kind != "ours"}
    assert len(of_the_paper) >= 90
    assert of_the_paper - made == set()


# ---------------------------------------------------------------- against the paper


@in_the_paper
def test_the_list_has_each_sentence_of_the_paper_once_and_no_other(tex: str) -> None:
    printed = paper_text.beginnings(paper_text.sentences(tex))
    assert len(printed) > 240
    assert [(part, said["begins"]) for part, said in SENTENCES] == printed


@in_the_paper
def test_a_sentence_that_is_left_out_or_added_is_noticed(tex: str) -> None:
    printed = paper_text.sentences(tex)
    shorter = tex.replace("Furthermore, numerical experiments were conducted", "Numerical tests")
    assert len(paper_text.sentences(shorter)) == len(printed)
    assert paper_text.beginnings(paper_text.sentences(shorter)) != paper_text.beginnings(printed)
    longer = tex.replace(r"\label{sec:intro}", r"\label{sec:intro} It is so.")
    assert len(paper_text.sentences(longer)) == len(printed) + 1


@in_the_paper
def test_no_word_of_the_paper_is_lost(tex: str) -> None:
    """Words of four letters or more outside formulas, counted without the splitter.

    What the sentences lack are the headings, and the options and names in LaTeX commands.
    """
    main, _, rest = re.sub(r"(?<!\\)%.*", "", tex).partition(r"\end{document}")
    text = main.partition(r"\maketitle")[2].partition(r"\begin{thebibliography}")[0]
    text += rest.partition(r"\maketitle")[2]
    for name in ("equation", "align", "eqnarray"):
        text = re.sub(
            rf"\\begin{{{name}}}.*?\\end{{{name}}}",
            lambda display: " ".join(re.findall(r"\\intertext\{(.*)\}", display[0])),
            text,
            flags=re.DOTALL,
        )
    text = re.sub(r"\$\$?[^$]*\$\$?", " ", text)
    headings = re.findall(
        r"\\(?:sub)?section\{(.*)\}|\\paragraph\{(.*?)\}|\\noindent\\textbf\{(.*?)\}"
        r"|\n\s*\n\s*\\textit\{([^}]*)\}\.",
        text,
    )
    text = re.sub(
        r"\\includegraphics\[[^]]*\]|\\(?:label|begin|end|cite|citeauthor|citeyear|ref|eqref|setcounter|renewcommand"
        r"|bibliographystyle|bibliography|vspace|hspace)(?:\{\\\w+\})?(?:\[[^]]*\])?\{[^}]*\}"
        r"(?:\[[^]]*\])?",
        " ",
        text,
    )
    text = re.sub(r"\\[A-Za-z]+", " ", text)
    expected = Counter(re.findall(r"[A-Za-z]{4,}", text))
    expected -= Counter(re.findall(r"[A-Za-z]{4,}", re.sub(r"\\\w+", " ", str(headings))))
    spoken = " ".join(word for _, words in paper_text.sentences(tex) for word in words)
    found = Counter(re.findall(r"[A-Za-z]{4,}", re.sub(r"\$[^$]*\$|\[[^]]*\]", " ", spoken)))
    lost = expected - found
    assert lost == Counter(), lost


# ---------------------------------------------------------------- the splitter


def split(tex: str) -> list[tuple[str, str]]:
    tex = rf"\begin{{document}}\maketitle {tex} \begin{{thebibliography}}\end{{document}}"
    return [(part, " ".join(words)) for part, words in paper_text.sentences(tex)]


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        ("One is here. Two is there! Three?", ["One is here.", "Two is there!", "Three?"]),
        (r"So, \eg, for $x. y$ (\ie, all). It", ["So, e.g., for $x.y$ (i.e., all).", "It"]),
        (r"A tree. \ie, a graph", ["A tree.", "i.e., a graph"]),
        ("See Eq.~(7) w.r.t. it vs. that.", ["See Eq. (7) w.r.t. it vs. that."]),
        ("Both: i). a; ii). b. So (see 1). End", ["Both: i). a; ii). b.", "So (see 1).", "End"]),
        (r"So $$a = b\;.$$ And $c.$ Then $d$ is.", ["So [formula]", "And $c.$", "Then $d$ is."]),
        (r"We have \begin{align}a\\ \intertext{Thus, as said:} b.\nonumber\end{align} End.",
         ["We have [formula]", "Thus, as said: [formula]", "End."]),
        (r"If \begin{equation}a\;,\label{e.f}\end{equation} where $a$ is. B % no. comment",
         ["If [formula] where $a$ is.", "B"]),
        ("No stop\n\nNew paragraph:\n\ngoes on", ["No stop", "New paragraph: goes on"]),
        (r"\emph{All of it.} By \citeauthor{a}~(\citeyear{a}), \cite{b,c}.~So \ref{d}",
         ["All of it.", "By [a], [b,c].", "So [number]"]),
        (r"\begin{itemize}\item One\item Two\end{itemize}", ["One", "Two"]),
    ],
)  # fmt: skip
def test_where_a_sentence_ends(tex: str, found: list[str]) -> None:
    assert [words for _, words in split(tex)] == found


def test_the_parts_of_a_paper() -> None:
    found = split(
        r"""\begin{abstract}Short.\end{abstract} \section{A} In \begin{figure}\includegraphics{x.}
        \caption{Seen.}\end{figure} it.\footnote{Beside.} \noindent\textbf{Head.} Under.
        \begin{lemma}[Name] Say \begin{equation}x.\end{equation}\end{lemma}
        \begin{proof} As so.\end{proof} Behind. \section{B} \begin{lemma} Again \end{lemma}
        \begin{algorithm}\caption{Alg}\begin{algorithmic}[1]\Statex in\While{$x$}\State y\EndWhile
        \end{algorithmic}\end{algorithm}
        \begin{table}\begin{tabular}{p{1cm}l}\toprule\textbf{a} & b. c\\\midrule d & e\\
        \end{tabular}\caption{T. U}\end{table}"""
    )
    assert sorted(found) == sorted([
        ("Abstract", "Short."), ("A", "In it."), ("Figure 1", "Seen."), ("A, footnotes", "Beside."),
        ("A, Head", "Under."), ("Lemma 1", "Say [formula]"), ("Lemma 1, proof", "As so."),
        ("A, Head", "Behind."), ("Lemma 2", "Again"), ("Algorithm 1", "Alg"),
        ("Algorithm 1", "in"), ("Algorithm 1", "1: while $x$"), ("Algorithm 1", "2: y"),
        ("Algorithm 1", "3: end while"), ("Table 1", "a b. c"), ("Table 1", "d e"),
        ("Table 1", "T."), ("Table 1", "U"),
    ])  # fmt: skip


def test_no_more_words_than_tell_sentences_apart() -> None:
    found = [("A", ("We", "see", "this.")), ("A", ("We", "do.")), ("B", ("We", "do", "not."))]
    assert paper_text.beginnings(found) == [("A", "We see"), ("A", "We do."), ("B", "We")]
    with pytest.raises(ValueError, match=r"A: two sentences begin with 'We do\.'"):
        paper_text.beginnings([*found, ("A", ("We", "do.", "Or", "not."))])
