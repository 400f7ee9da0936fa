"""The test problems of the experiments; `registry` lists them.

`functions` has the paper's four functions, `bbob` COCO's, and `hidden` puts a function into more
coordinates.
"""
