"""Claims and their verdicts. Verdicts are computed from evidence; nobody types them.

Read the modules in this order:

- ``registry``: reads and checks the claims of ``docs/claims.toml``;
- ``references``: finds the theorems, with the ids that they carry, and the test functions;
- ``evidence``: reads and writes the results of test runs and proof builds in ``.evidence/``;
- ``texts``: what a person reads of a claim: its text, the files of its tests, the checks;
- ``review``: stores what was read of each claim, and notices changes;
- ``verdict``: the rules that turn evidence into verdicts;
- ``release``: the verdicts of the release, for a clone without evidence of its own;
- ``collector``: the pytest plugin that records the tests.

All modules work on a checkout, because the installed package has neither tests nor proofs.
"""
