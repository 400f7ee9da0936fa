"""The benchmark: all methods on the same problems.

``plan``
    The list of the runs; one run, a pure function of its names.
``race``
    The same methods on functions of one's own, `python -m reproduction race`.
``results``, ``report``
    Ranks, tests and tables of both, made from the table of runs.
``pages``
    Tables and numbers of pages.
``setup``, ``figure``
    What a race was, and its picture.
"""
