"""The test problems of the experiments; `registry` and `real` list them.

`functions` has the paper's four functions, `bbob` COCO's, and `hidden` puts a function into more
coordinates.
"""
