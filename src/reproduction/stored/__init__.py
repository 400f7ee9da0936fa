"""The stored results: which code determines each, which are stale, how each is made again.

`reached` finds the code that some functions reach. `catalogue` lists the parts of the results, with
the functions that make their runs. `stamps` keeps with which code each part was made, in
``docs/results/made.json``. `confirm` makes randomly drawn runs of a part again.
"""
