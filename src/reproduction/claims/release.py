"""The release: a commit at which every claim had its verdict.

In a fresh clone no test was run and no proof was built. ``python -m reproduction claims --release``
stores in ``docs/claims_read.toml`` the commit, and the hash of the sources, of a checkout in which
no claim is open, unchecked or failing. A claim whose text has not changed since
then has, in a clone without evidence of its own, the verdict that it had there: that of its entry
(`registry.Claim.rule`). It is marked with the commit, and as stale if the sources have changed.
``claims --check`` ignores the release.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reproduction.claims import review
from reproduction.claims.evidence import code_of
from reproduction.claims.verdict import BAD, ClaimVerdict, rows


class ReleaseError(ValueError):
    """The present commit must not be called a release."""


def shown(root: Path) -> list[ClaimVerdict]:
    """Return every claim with its verdict, if it is unchecked with that of the release."""
    then = review.read(root)
    commit, released = then.release
    stale, now = released != code_of(root).sources, review.Present(root, None)
    same = {
        id for id, line in then.claims.items()
        if commit and not line.new and now.of(id).text == line.text
    }  # fmt: skip
    return [
        replace(
            row, verdict=row.claim.rule, commits=(commit,), release=commit, stale=stale,
            waits_for=(),
        )
        if row.verdict == "unchecked" and row.claim.id in same
        else row
        for row in rows(root)
    ]  # fmt: skip


def write(root: Path, table: Sequence[ClaimVerdict]) -> str:
    """Store the present commit as that of the release, and return it.

    Parameters
    ----------
    table
        Every claim with its verdict.

    Raises
    ------
    ReleaseError
        If the code differs from its commit, or if a claim is failing, open or unchecked.
    """
    code = code_of(root)
    if code.commit.endswith("+"):
        raise ReleaseError(f"the code differs from commit {code.commit[:-1]}: commit it first")
    if bad := [row.claim.id for row in table if row.verdict in BAD]:
        raise ReleaseError(f"these claims are failing, open or unchecked: {', '.join(bad)}")
    then = review.read(root)
    claims = {id: line._replace(new=False) for id, line in then.claims.items()}
    review.write(root, replace(then, claims=claims, release=(code.commit, code.sources)))
    return code.commit
