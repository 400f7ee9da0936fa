from embedded_hunter.forest.evolution import LocalSearch
from alloc2 import Alloc
class L(LocalSearch):
    def __init__(s,v,d,rng,o): super().__init__(v,d,rng)
def make(a):
    o={}
    for kv in a:
        if kv: k,v=kv.split("="); o[k]=float(v) if "." in v or "e" in v else int(v)
    return lambda *args: Alloc(L,o,*args)
