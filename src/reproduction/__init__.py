"""The part that only a checkout has: the paper's experiments, a benchmark, studies, and the claims.

``python -m reproduction --help`` lists the commands. `methods` is the registry of what is run.
"""
