import math, numpy as np
class Alloc:
    """A local search is exhausted when it has not improved in `patience` evaluations. Half of the
    evaluations go to the best one that is not exhausted; half to the youngest, for `divmax` each."""
    P=20
    def __init__(s,LS,o,f,rows,d,B,rng):
        s.LS,s.o,s.f,s.rows,s.d,s.B,s.rng=LS,o,f,rows,d,B,rng
        s.all=[]; s.tried=set(); s.used=[0,0]; s.best=math.inf; s.begun=0
        s.pat=o.get("patience",20*d); s.divmax=o.get("divmax",15*d)
    def begin(s,q,X,f0):
        x,v=(np.zeros(s.rows),f0) if q==0 else X[q]
        s.tried.add(q); s.begun+=1
        if len(s.all)>s.P: s.all.remove(max(reversed(s.all),key=lambda l:l.value))
        l=s.LS(v,s.d,s.rng,s.o); l.x=x.copy(); l.A=s.B(max(q,1)); l.n=0; s.all.append(l); return l
    def pick(s,X,f0):
        live=[l for l in s.all if l.since<s.pat]
        best=min(live,key=lambda l:l.value) if live else None
        s.i=0 if best is not None and s.used[0]<=s.used[1]*s.o.get("share",1.) else 1
        if s.i==0:
            q=min(X,key=lambda q:(X[q][1],q))
            return best if X[q][1]>=min(l.value for l in s.all) else s.begin(q,X,f0)
        y=s.all[-1] if s.all else None
        if y is None or y.since>=s.pat or y.n>=s.divmax and (y is not best or not s.o.get("keep",0)):
            c={0:f0,**{q:X[q][1] for q in X}}
            if s.tried>=set(c): s.tried.clear()
            return s.begin(min((q for q in c if q not in s.tried),key=lambda q:(c[q],q)),X,f0)
        return y
    def step(s,X,f0,left):
        l=s.pick(X,f0); x=np.clip(l.x+l.ask()[:left]@l.A.T,-1,1)
        v=np.atleast_1d(s.f(np.ascontiguousarray(x.T)))
        m=l.tell(v); l.x=np.clip(l.x+l.A@m,-1,1); l.n+=len(v); s.used[s.i]+=len(v)
        s.best=min(s.best,v.min()); return len(v)
