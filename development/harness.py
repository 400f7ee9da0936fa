"""Prototype: forest by the package, local search replaceable. usage: harness.py VARIANT runs [funcs...]"""
import sys, time, math, json, os
os.environ["OPENBLAS_NUM_THREADS"]="1"
import numpy as np
sys.path.insert(0,"src")
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.forest.search import _Run, Refinement, ForestVisit
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.problems.functions import Ackley, Ellipsoid, FletcherPowell, Rosenbrock
DE=10
SEED0=int(os.environ.get("SEED0","777"))
# ---- functions of z in R^10 (columns) -------------------------------------------------
def rot(rng): 
    q,r=np.linalg.qr(rng.standard_normal((DE,DE))); return q*np.sign(np.diag(r))
class Fn:
    def __init__(s,f,x): s.f,s.x_star=f,x
    def __call__(s,z): return s.f(z)
def shifted(g, scale, inner=.8):
    def make(rng):
        x=rng.uniform(-inner,inner,DE)
        return Fn(lambda z: g(scale*(z.T-x).T), x)
    return make
def sphere(t): return (t*t).sum(0)
def absum(t): return np.abs(t).sum(0)
def zakharov(t):
    i=np.arange(1,DE+1); s=(0.5*i)@t; return (t*t).sum(0)+s**2+s**4
def levy(t):
    w=1+t/4; 
    return np.sin(np.pi*w[0])**2+((w[:-1]-1)**2*(1+10*np.sin(np.pi*w[:-1]+1)**2)).sum(0)+(w[-1]-1)**2*(1+np.sin(2*np.pi*w[-1])**2)
def griewank(t):
    i=np.sqrt(np.arange(1,DE+1)); return 1+(t*t).sum(0)/4000-np.cos((t.T/i).T).prod(0)
def rastrigin(t): return 10*DE+(t*t-10*np.cos(2*np.pi*t)).sum(0)
def cigar(t): return t[0]**2+1e6*(t[1:]**2).sum(0)
def ridge(t): return t[0]**2+100*np.sqrt((t[1:]**2).sum(0))
def stair(t): return np.floor(np.abs(t)+.5).sum(0)   # cubes of side 1 in u=5x
def elli(t): return (10**(6*np.arange(DE)/(DE-1)))@(t*t)
def power(t): return (np.abs(t).T**(2+4*np.arange(DE)/(DE-1))).T.sum(0)
def cone(t): return np.sqrt((t*t).sum(0))
F={
 "ellipsoid":lambda r:Ellipsoid(DE),"rosenbrock":lambda r:Rosenbrock(DE),"ackley":lambda r:Ackley(DE),
 "fletcher":lambda r:FletcherPowell.random(DE,r),
 "sphere":shifted(sphere,5),"abs":shifted(absum,5),"zakharov":shifted(zakharov,5),"levy":shifted(levy,10),
 "griewank":shifted(griewank,600*.1),"rastrigin":shifted(rastrigin,5.12),"cigar":shifted(cigar,5),"ridge":shifted(ridge,5),
 "stair":shifted(stair,5),"elli6":shifted(elli,5),"power":shifted(power,5),"cone":shifted(cone,5)}
NR=1000
def instance(name, run, rotated):
    rng=np.random.default_rng([SEED0,sorted(F).index(name),run])
    fn=F[name](rng)
    if not rotated: return fn, DE, fn
    q,_=np.linalg.qr(rng.standard_normal((NR,DE)))
    return (lambda x: fn(q.T@x)), NR, fn
def run_once(name, run, rotated, alloc, v=10000, d=20, trace=None):
    f,rows,_=instance(name,run,rotated)
    s=ForestSettings(NR if rotated else 10000,d,v)
    rng=np.random.default_rng([SEED0,5,sorted(F).index(name),run])
    trees=[]
    pts=ForestPoints(s,rng,rows,trees)
    r=_Run(s,Refinement(s,trees))
    R=float(s.side)/2
    loc=None if alloc is None else alloc(f,rows,d,lambda p: pts.matrix(p)*R, np.random.default_rng([SEED0,9,run]))
    X={}
    best=[math.inf]
    def drive(gen):
        try:
            vis=next(gen)
            while True:
                if not vis.evaluations: vis=gen.send([]); continue
                x=pts.project(vis.evaluations); val=np.atleast_1d(f(np.ascontiguousarray(x.T))).tolist()
                if vis.local_tree is None:
                    for (n,p),xx,fv in zip(vis.evaluations,x,val):
                        b=X.get(p)
                        if b is None or fv<b[1]: X[p]=(xx.copy(),fv)
                vis=gen.send(val)
        except StopIteration as e: return e.value
    drive(r.begin()); expanded=True
    while r.left>0 and expanded:
        r.sweep+=1
        expanded=drive(r.sweep_of(r.forest))
        while expanded and r.left>0 and r.refinement_is_due:
            if loc is None: drive(r.refine())
            else:
                used=loc.step(X,r.roots[0].f_star,r.left)
                r.left-=used; r.refinement.made+=used
                r.best=min(r.best,loc.best)
    return r.best
def main():
    variant,runs=sys.argv[1],int(sys.argv[2]); names=sys.argv[3:] or ["A","R"]
    if names and names[0] in("A","R") : 
        pass
    todo=[]
    for n in names:
        if n=="A": todo+= [(k,False) for k in F]
        elif n=="R": todo+=[(k,True) for k in F]
        elif n.endswith("/r"): todo.append((n[:-2],True))
        else: todo.append((n,False))
    if variant=="today": alloc=None
    else:
        import importlib; alloc=importlib.import_module(variant.split(":")[0]).make(variant.split(":")[1:] )
    out=open("results.jsonl","a")
    for k,ro in todo:
        t=time.time(); vals=[]
        for i in range(runs):
            vals.append(run_once(k,i,ro,alloc)); out.write(json.dumps([variant,k,ro,i,vals[-1]])+"\n"); out.flush()
        print(f"{variant:14s} {k:10s}{'/r' if ro else '  '} mean {np.mean(vals):9.2e} med {np.median(vals):9.2e} max {max(vals):9.2e}  {(time.time()-t)/runs:5.2f}s",flush=True)
if __name__=="__main__": main()
