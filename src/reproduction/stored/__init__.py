"""The stored results: what they consist of, how each was made, and how it is made again.

`catalogue` lists the parts of the results, with the function that makes a run of each. `headers`
says how each part was made, and `making` makes a result. The tests make randomly drawn runs again.
"""
