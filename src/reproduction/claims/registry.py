"""The registry of claims, ``docs/claims.toml``: claims of the paper and our own, each once.

An entry states the claim and the evidence that it requires. It never states the verdict. Formulas
in its texts are LaTeX between dollar signs; line breaks count as spaces.

- If an entry has neither `proof` nor `counterexample`, the evidence is the tests that carry its id.
- `proof` names the Rocq theorems that together state the claim, or its correction if the printed
  form is false.
- `counterexample` names tests or Rocq theorems that refute the printed form.
- `correction` states what holds instead of the printed form.
- `grade` says how far the printed form is from what holds, one of `GRADES`; `reason` says why. Only
  a claim with a counterexample has them.
- `same_as` names the claim whose defect this one repeats, so that defects are counted once.
- `undecided` says why no experiment here decides a claim; it then has no other evidence than tests.
- `depends` names the claims that this claim depends on.
"""

import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from graphlib import CycleError, TopologicalSorter
from operator import attrgetter
from pathlib import Path
from typing import Any, get_args, get_type_hints

from reproduction.claims.evidence import REGISTRY

PATH = REGISTRY
ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
KINDS = {
    "definition": "a definition or notation: neither true nor false",
    "algorithm": "a line or parameter of Algorithm 1: an instruction",
    "assumption": "a hypothesis of the theory",
    "theorem": "a numbered statement",
    "sentence": "a sentence of the text",
    "supplement": "a section of the supplement",
    "empirical": "a statement about experiments: Table 1, Figure 1, Results & Discussion",
    "ours": "a statement of this project",
}
GRADES = {
    "slip": "a slip of the pen or of wording; the paper itself shows what is meant",
    "missing hypothesis": "it holds under a hypothesis that is missing, or stated too weakly",
    "constant": "it holds with another constant or count",
    "substance": "it does not hold; something else does",
    "empirical": "about experiments, and judged by runs of the algorithm that the text describes",
}
"""How far the printed form of a claim is from what holds."""
MODELLED = (
    "embedded_hunter.hunter", "embedded_hunter.node", "embedded_hunter.tree",
    "embedded_hunter.forest.search",
)  # fmt: skip
"""The modules of which there is a Rocq model that tests compare with them, event by event."""
DIFFERENTIAL = "tests/differential/"
"""The folder of the tests that compare the program with the model."""
INSTRUCTIONS = ("definition", "algorithm")


class RegistryError(ValueError):
    """The registry is not well-formed. The message names the claim."""


@dataclass(frozen=True)
class Claim:
    """A claim; see the module's docstring."""

    id: str
    place: str
    """The number in the paper, or the place in the paper or the project."""
    kind: str
    statement: str
    """The claim in our words; as printed if the printed form is false."""
    python: tuple[str, ...] = ()
    """Python objects that implement it, as ``module:object``."""
    proof: tuple[str, ...] = ()
    """Rocq theorems, as ``File.theorem``."""
    counterexample: tuple[str, ...] = ()
    """Tests, as ``file::function``, or Rocq theorems, as ``File.theorem``."""
    correction: str = ""
    depends: tuple[str, ...] = ()
    """Ids of the claims whose notions or truth it uses. There are no circles."""
    grade: str = ""
    """One of `GRADES`, if there is a counterexample to the printed form; otherwise empty."""
    reason: str = ""
    """Why it has this grade."""
    same_as: str = ""
    """Id of the claim whose defect it repeats."""
    undecided: str = ""
    """Why no experiment here decides it."""

    @property
    def rule(self) -> str:
        """The verdict of the claim if its evidence is complete (see `verdict`)."""
        if self.counterexample:
            if not self.correction:
                return "refuted"
            return "corrected" if self.proof else "corrected (tested)"
        if self.proof:
            return "proved"
        if self.undecided:
            return "not decided"
        return "implemented" if self.kind in INSTRUCTIONS else "tested"

    @property
    def modelled(self) -> bool:
        """Whether a Python object of the claim belongs to `MODELLED`."""
        return any(name.partition(":")[0] in MODELLED for name in self.python)

    @property
    def theorems(self) -> tuple[str, ...]:
        """The Rocq theorems that the claim cites."""
        return (*self.proof, *self.refuting_theorems)

    @property
    def refuting_tests(self) -> tuple[str, ...]:
        """The counterexamples that are tests."""
        return tuple(name for name in self.counterexample if "::" in name)

    @property
    def refuting_theorems(self) -> tuple[str, ...]:
        """The counterexamples that are Rocq theorems."""
        return tuple(name for name in self.counterexample if "::" not in name)


def load(root: Path) -> dict[str, Claim]:
    """Read the registry of a checkout.

    Raises
    ------
    RegistryError
        If a key is unknown or missing, a type is wrong, a kind is unknown, an id is not allowed or
        repeated, or if a claim depends on an unknown claim or on itself.
    """
    return parse((root / PATH).read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, Claim]:
    """Read a registry; see `load`."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RegistryError(f"{PATH} is not TOML: {error}") from None
    if foreign := set(document) - {"claim"}:
        raise RegistryError(f"unknown tables: {', '.join(sorted(foreign))}")
    claims = [_claim(table) for table in document.get("claim", [])]
    repeated = [id for id, times in Counter(claim.id for claim in claims).items() if times > 1]
    if repeated:
        raise RegistryError(f"each id must occur once, these occur twice: {', '.join(repeated)}")
    registry = {claim.id: claim for claim in claims}
    _check_dependencies(registry)
    for claim in claims:
        if claim.same_as:
            first = registry.get(claim.same_as)
            if not claim.grade or first is None or not first.grade or first.same_as:
                raise RegistryError(
                    f"claim {claim.id}: same_as requires a grade here, and there a claim with a "
                    f"grade and without same_as, got {claim.same_as}"
                )
    return registry


def defects(claims: Iterable[Claim]) -> int:
    """Return the number of distinct defects of the claims: a repeated one counts once."""
    return len({claim.same_as or claim.id for claim in claims if claim.grade})


def _check_dependencies(claims: Mapping[str, Claim]) -> None:
    """Raise RegistryError if a claim depends on an unknown claim, or on itself in any way."""
    for claim in claims.values():
        if unknown := [id for id in claim.depends if id not in claims]:
            raise RegistryError(f"claim {claim.id}: depends on unknown {', '.join(unknown)}")
    try:
        list(TopologicalSorter({id: claim.depends for id, claim in claims.items()}).static_order())
    except CycleError as error:
        raise RegistryError(
            f"claims that depend on each other: {', '.join(error.args[1])}"
        ) from None


def _claim(table: Mapping[str, Any]) -> Claim:
    name = f"claim {table.get('id', '(without id)')}"
    hints = get_type_hints(Claim)
    if foreign := set(table) - set(hints):
        raise RegistryError(
            f"{name}: unknown keys {', '.join(sorted(foreign))} (verdicts are computed, not typed)"
        )
    required = {field.name for field in fields(Claim)[:4]}
    if missing := required - set(table):
        raise RegistryError(f"{name}: missing {', '.join(sorted(missing))}")
    values: dict[str, Any] = {}
    for key, value in table.items():
        many = get_args(hints[key]) != ()
        texts = value if many else [value]
        if not isinstance(texts, list) or not all(isinstance(t, str) and t.strip() for t in texts):
            allowed = "a list of non-empty strings" if many else "a non-empty string"
            raise RegistryError(f"{name}: {key} must be {allowed}, got {value!r:.100}")
        values[key] = tuple(texts) if many else " ".join(value.split())
    claim = Claim(**values)
    if not ID.fullmatch(claim.id):
        raise RegistryError(f"{name}: an id must consist of lower-case words joined by hyphens")
    if claim.kind not in KINDS:
        raise RegistryError(f"{name}: kind must be one of {', '.join(KINDS)}, got {claim.kind}")
    if claim.correction and not claim.counterexample:
        raise RegistryError(f"{name}: a correction requires a counterexample to the printed form")
    if claim.grade and claim.grade not in GRADES:
        raise RegistryError(f"{name}: grade must be one of {', '.join(GRADES)}, got {claim.grade}")
    if bool(claim.grade) != bool(claim.reason):
        raise RegistryError(f"{name}: a grade requires a reason, and a reason a grade")
    if claim.grade and not claim.counterexample:
        raise RegistryError(f"{name}: a grade requires a counterexample to the printed form")
    if claim.undecided and (claim.proof or claim.counterexample):
        raise RegistryError(f"{name}: undecided with a proof or a counterexample")
    if both := set(claim.proof) & set(claim.counterexample):
        raise RegistryError(f"{name}: both proof and counterexample: {', '.join(sorted(both))}")
    return claim


def resolve(name: str) -> Any:
    """Return the Python object that ``module:object`` names.

    Raises
    ------
    ImportError, AttributeError
        If there is none.
    """
    module, _, path = name.partition(":")
    return attrgetter(path)(importlib.import_module(module))
