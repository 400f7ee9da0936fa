"""Claims and their verdicts. Verdicts are computed from evidence; nobody types them.

Read the modules in this order:

- ``registry``: reads and checks the claims of ``docs/claims.toml``;
- ``references``: finds the theorems, with the ids that they carry, and the test functions;
- ``evidence``: reads and writes the results of test runs and proof builds in ``.evidence/``;
- ``verdict``: the rules that turn evidence into verdicts;
- ``collector``: the pytest plugin that records the tests.

All modules work on a checkout, because the installed package has neither tests nor proofs.
"""
