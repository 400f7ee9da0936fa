"""The test problems of the experiments; `registry` lists them.

`functions` has the paper's four functions, `hidden` puts a function into more coordinates.
"""
