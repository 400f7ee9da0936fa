"""The benchmark, `embedded-hunter compare`: all methods on the same problems.

``libraries``, ``embeddings``
    Methods that use other libraries, and the linear maps of REMBO and HeSBO. This project's own
    methods are in `experiments.embedded`; `experiments.methods` lists all of them.
``plan``, ``runs``
    The list of the runs; one run, a pure function of its task.
``results``, ``overhead``, ``campaign``
    The files of results, and the functions that write them.
``ranking``, ``report``, ``pages``, ``figure``
    Statistical tests, tables and figure, made from these files.
"""
