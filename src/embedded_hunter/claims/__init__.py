"""The claims of the paper, and what became of each: verdicts computed from evidence, never typed.

To be read in this order:

- ``registry``: the claims of ``docs/claims.toml``, and what makes a registry wrong;
- ``sources``: where the project's files name a claim (markers, docstrings, Rocq comments);
- ``evidence``: what test runs and proof builds leave in ``.evidence/``, and for which code;
- ``verdict``: the rules from evidence to verdict;
- ``shipped``: the evidence of the release, for a clone that has none of its own;
- ``collector``: the pytest plugin that records tests.

All of it works on a checkout: the installed package has neither tests nor proofs.
"""
