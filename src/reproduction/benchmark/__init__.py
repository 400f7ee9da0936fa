"""The benchmark, `python -m reproduction compare`: all methods on the same problems.

`reproduction.methods` lists the methods.

``plan``, ``runs``
    The list of the runs; one run, a pure function of its task.
``results``, ``overhead``, ``campaign``
    The files of results, and the functions that write them.
``ranking``, ``report``, ``pages``, ``figure``
    Statistical tests, tables and figure, made from these files.
``race``
    The same methods on functions of one's own, `python -m reproduction race`.
"""
