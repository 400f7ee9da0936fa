"""Claims and their verdicts. Verdicts are computed from evidence; nobody types them.

Read the modules in this order:

- ``registry``: reads and checks the claims of ``docs/claims.toml``;
- ``references``: finds the theorems, with the ids that they carry, and the test functions;
- ``evidence``: reads what a test run and a proof build have left in ``.evidence/``;
- ``verdict``: the rules that turn evidence into verdicts;
- ``report``: the pytest plugin that reports on the tests.

All modules work on a checkout, because the installed package has neither tests nor proofs.
"""
