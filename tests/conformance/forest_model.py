"""The forest policy: proofs/forest/Forest.v in Python, written by translate.py. Do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from functools import partial

from model import *

# ---- Forest.v

def tree_of(p):
    return List_last(p, 0)

def inner():
    return List_removelast

def new_leaf(cfg, p, value):
    dimension_of = cfg[1]
    _1 = dimension_of(tree_of(p))
    return (Datatypes_length(inner()(p)), p, Nrm(cfg[0][0], _1, inner()(p)), value, (0 + 1),)

def exhausted(cfg, s):
    return PeanoNat_Nat_leb(cfg[0][3], s[3])

def sample(trees, oracle, later, p, s):
    _1 = PeanoNat_Nat_ltb(tree_of(p), trees)
    if _1:
        return oracle(tree_of(p), inner()(p))
    else:
        return later(s, p)

def evaluate(less, trees, oracle, later, p, s):
    value = sample(trees, oracle, later, p, s)
    return (value, (s[0], s[1], smaller(less, value, s[2]), (s[3] + 1), s[4], s[5], s[6], (('Evaluate', p, (tree_of(p) + 1), value,), s[7]),),)

def make_children(less, cfg, trees, oracle, later, digits, x, s):
    if not digits:
        return (((),), s,)
    else:
        c = digits[0]
        rest = digits[1]
        p = (c, x[1])
        _1 = PeanoNat_Nat_eqb(c, cfg[0][0])
        if _1:
            _2 = make_children(less, cfg, trees, oracle, later, rest, x, s)
            o = _2[0]
            s_prime = _2[1]
            if o is not None:
                children = o[0]
                return (((new_leaf(cfg, p, x[3]), children),), s_prime,)
            else:
                return (None, s_prime,)
        else:
            _3 = exhausted(cfg, s)
            if _3:
                return (None, s,)
            else:
                _4 = evaluate(less, trees, oracle, later, p, s)
                value = _4[0]
                s1 = _4[1]
                _5 = make_children(less, cfg, trees, oracle, later, rest, x, s1)
                o = _5[0]
                s_prime = _5[1]
                if o is not None:
                    children = o[0]
                    return (((new_leaf(cfg, p, value), children),), s_prime,)
                else:
                    return (None, s_prime,)

def nu_min(u, nus):
    if not nus:
        return None
    else:
        p = nus[0]
        rest = nus[1]
        u_prime = p[0]
        w = p[1]
        _1 = PeanoNat_Nat_eqb(u, u_prime)
        if _1:
            return (w,)
        else:
            return nu_min(u, rest)

def expand(less, cfg, trees, oracle, later, queue, x, s):
    s1 = (s[0], ((queue(x), x[3],), s[1]), s[2], s[3], s[4], s[5], s[6], (('Expand', x[1], x[3],), s[7]),)
    _1 = make_children(less, cfg, trees, oracle, later, List_seq(0, K(cfg[0][0])), x, s1)
    o = _1[0]
    s2 = _1[1]
    if o is not None:
        children = o[0]
        return (replace_leaf(x[1], children, s2[0]), s2[1], s2[2], s2[3], s2[4], s2[5], s2[6], s2[7],)
    else:
        return s2

def visit_class(less, cfg, trees, oracle, later, queue, u, members, s):
    if not members:
        return s
    else:
        x = members[0]
        rest = members[1]
        a = argmin(less, x, rest)
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            _2 = below(less, a[3], nu_min(u, s[1]))
            if _2:
                return expand(less, cfg, trees, oracle, later, queue, a, s)
            else:
                return s

def key(queue, rank, x):
    return (queue(x), rank(x),)

def same_key(a, b):
    _1 = PeanoNat_Nat_eqb(Datatypes_fst(a), Datatypes_fst(b))
    if _1:
        return BinInt_Z_eqb(Datatypes_snd(a), Datatypes_snd(b))
    else:
        return False

def earlier(a, b):
    _1 = PeanoNat_Nat_ltb(Datatypes_fst(a), Datatypes_fst(b))
    if _1:
        return True
    else:
        _2 = PeanoNat_Nat_eqb(Datatypes_fst(a), Datatypes_fst(b))
        if _2:
            return BinInt_Z_ltb(Datatypes_snd(b), Datatypes_snd(a))
        else:
            return False

def add_to_classes(queue, rank, x, classes0):
    if not classes0:
        return ((key(queue, rank, x), (x, ()),), ())
    else:
        p = classes0[0]
        rest = classes0[1]
        r = p[0]
        members = p[1]
        _1 = same_key(key(queue, rank, x), r)
        if _1:
            return ((r, (x, members),), rest)
        else:
            _2 = earlier(key(queue, rank, x), r)
            if _2:
                return ((key(queue, rank, x), (x, ()),), classes0)
            else:
                return ((r, members,), add_to_classes(queue, rank, x, rest))

def classes(queue, rank, l, xs):
    if not xs:
        return ()
    else:
        x = xs[0]
        rest = xs[1]
        _1 = PeanoNat_Nat_eqb(x[0], l)
        if _1:
            return add_to_classes(queue, rank, x, classes(queue, rank, l, rest))
        else:
            return classes(queue, rank, l, rest)

def visit_classes(less, cfg, trees, oracle, later, queue, frozen, s):
    if not frozen:
        return s
    else:
        p = frozen[0]
        rest = frozen[1]
        r = p[0]
        members = p[1]
        return visit_classes(less, cfg, trees, oracle, later, queue, rest, visit_class(less, cfg, trees, oracle, later, queue, Datatypes_fst(r), members, s))

def begin_visit(l, s):
    return (s[0], s[1], s[2], s[3], (s[4] + 1), s[5], s[6], (('Visit', l,), s[7]),)

def visit(less, cfg, trees, oracle, later, queue, rank, l, s):
    return visit_classes(less, cfg, trees, oracle, later, queue, classes(queue, rank, l, s[0]), begin_visit(l, s))

def visits(less, cfg, trees, oracle, later, queue, rank, n, l, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            return visits(less, cfg, trees, oracle, later, queue, rank, n_prime, (l + 1), visit(less, cfg, trees, oracle, later, queue, rank, l, s))

def limit(cfg, s):
    return PeanoNat_Nat_min(deepest(s[0]), cfg[0][2])

def begin_sweep(cfg, s):
    return (s[0], (), s[2], s[3], s[4], (s[5] + 1), s[6], (('Sweep', limit(cfg, s),), s[7]),)

def sweep(less, cfg, trees, oracle, later, queue, rank, s):
    return visits(less, cfg, trees, oracle, later, queue, rank, (limit(cfg, s) + 1), 0, begin_sweep(cfg, s))

def plant(cfg, value, s):
    return (Datatypes_app(s[0], (new_leaf(cfg, (s[6], ()), value), ())), s[1], s[2], s[3], s[4], s[5], (s[6] + 1), s[7],)

def pass_over(s):
    return (s[0], s[1], s[2], s[3], s[4], s[5], (s[6] + 1), s[7],)

def enter_one(less, cfg, trees, oracle, later, a, s):
    if a[0] == 'Known':
        value = a[1]
        return plant(cfg, value, s)
    elif a[0] == 'Evaluated':
        _1 = evaluate(less, trees, oracle, later, (s[6], ()), s)
        value = _1[0]
        s1 = _1[1]
        return plant(cfg, value, s1)
    else:
        _2 = evaluate(less, trees, oracle, later, (s[6], ()), s)
        s1 = _2[1]
        return pass_over(s1)

def enter(less, cfg, trees, oracle, later, news, s):
    if not news:
        return s
    else:
        a = news[0]
        rest = news[1]
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            return enter(less, cfg, trees, oracle, later, rest, enter_one(less, cfg, trees, oracle, later, a, s))

def round(less, cfg, trees, oracle, later, arrivals, queue, rank, s):
    s1 = enter(less, cfg, trees, oracle, later, arrivals(s), s)
    _1 = exhausted(cfg, s1)
    if _1:
        return s1
    else:
        return sweep(less, cfg, trees, oracle, later, queue, rank, s1)

def run_for(less, cfg, trees, oracle, later, arrivals, queue, rank, n, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            s_prime = round(less, cfg, trees, oracle, later, arrivals, queue, rank, s)
            _2 = s_prime[1]
            if not _2:
                return s_prime
            else:
                return run_for(less, cfg, trees, oracle, later, arrivals, queue, rank, n_prime, s_prime)

def start(cfg, trees, oracle):
    value = oracle(0, ())
    return (List_map((lambda t: new_leaf(cfg, (t, ()), value)), List_seq(0, trees)), (), value, (0 + 1), 0, 0, trees, (('Evaluate', (0, ()), (0 + 1), value,), ()),)

def hunt(less, cfg, trees, oracle, later, arrivals, queue, rank):
    return run_for(less, cfg, trees, oracle, later, arrivals, queue, rank, cfg[0][3], start(cfg, trees, oracle))

def separate_origin(trees, x):
    _1 = PeanoNat_Nat_leb(trees, tree_of(x[1]))
    if _1:
        return ((0 + 1) + 1)
    else:
        _2 = BinInt_Z_eqb(x[2], 0)
        if _2:
            return (0 + 1)
        else:
            return 0

def one_class(unused_0):
    return 0

def one_queue(trees, x):
    _1 = PeanoNat_Nat_leb(trees, tree_of(x[1]))
    if _1:
        return (0 + 1)
    else:
        return 0

def norm_class(x):
    return x[2]

def nothing(unused_0):
    return ()
