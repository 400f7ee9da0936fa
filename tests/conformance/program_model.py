"""Algorithm 1 on heaps: proofs/program/Program.v in Python, written by translate.py. Do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from functools import partial

from model import *

# ---- PriorityQueue.v

# ---- Program.v

def infinity(with_infinity0):
    return with_infinity0

def equal(less, a, b):
    _1 = Datatypes_negb(less(a, b))
    if _1:
        return Datatypes_negb(less(b, a))
    else:
        return False

def min(less, a, b):
    _1 = less(b, a)
    if _1:
        return b
    else:
        return a

def before(less, x, y):
    _1 = equal(less, x[4], y[4])
    if _1:
        return PeanoNat_Nat_ltb(x[1], y[1])
    else:
        return less(x[4], y[4])

def root(top, cfg):
    return (0, 0, List_repeat(0, cfg[1]), 0, infinity(top), 0,)

def children(top, cfg, parent):
    h = parent[0]
    c = parent[2]
    j = PeanoNat_Nat_modulo(h, cfg[1])
    big_K = BinInt_Z_of_nat(K(cfg[0]))
    at_j = BinInt_Z_mul(big_K, List_nth(j, c, 0))
    _1 = PeanoNat_Nat_eqb(j, 0)
    if _1:
        scaled = BinInt_Z_mul(BinInt_Z_mul(parent[3], big_K), big_K)
    else:
        scaled = parent[3]
    others = BinInt_Z_sub(scaled, BinInt_Z_mul(at_j, at_j))
    def _5(digit):
        numerator = BinInt_Z_sub(BinInt_Z_add(at_j, BinInt_Z_of_nat(digit)), BinInt_Z_of_nat(cfg[0]))
        center = PeanoNat_Nat_eqb(digit, cfg[0])
        if center:
            _6 = parent[4]
        else:
            _6 = infinity(top)
        if center:
            _7 = parent[5]
        else:
            _7 = 0
        return ((h + 1), Nat_add(Nat_mul(K(cfg[0]), parent[1]), digit), Datatypes_app(List_firstn(j, c), (numerator, List_skipn((j + 1), c))), BinInt_Z_add(others, BinInt_Z_mul(numerator, numerator)), _6, _7,)
    return List_map(_5, List_seq(0, K(cfg[0])))

def may_be_evaluated(cfg, x):
    _1 = PeanoNat_Nat_eqb(x[5], 0)
    if _1:
        return True
    else:
        n = BinInt_Z_of_nat(x[5])
        m = BinInt_Z_of_nat(rounds(cfg[1], x[0]))
        return BinInt_Z_leb(BinInt_Z_mul(BinInt_Z_mul(BinInt_Z_mul(n, n), BinInt_Z_pow(BinInt_Z_of_nat(K(cfg[0])), BinInt_Z_mul((2 * 1), m))), cfg[5]), BinInt_Z_mul(cfg[4], x[3]))

def path_of(cfg, h, i):
    if h == 0:
        return ()
    else:
        h_prime = h - 1
        return (PeanoNat_Nat_modulo(i, K(cfg[0])), path_of(cfg, h_prime, PeanoNat_Nat_div(i, K(cfg[0]))))

def name(cfg, x):
    return path_of(cfg, x[0], x[1])

def requests(cfg, e):
    return List_map((lambda x: (x, (x[5] + 1),)), List_filter(partial(may_be_evaluated, cfg), Datatypes_snd(e)))

def reply(oracle, cfg, r):
    return oracle(birth(cfg[0], name(cfg, Datatypes_fst(r))), Datatypes_snd(r))

def recorded(less, x, value):
    return (x[0], x[1], x[2], x[3], min(less, x[4], value), (x[5] + 1),)

def take_values(less, cfg, xs, values):
    if not xs:
        return ((), values,)
    else:
        x = xs[0]
        rest = xs[1]
        _1 = may_be_evaluated(cfg, x)
        if _1:
            if not values:
                return (xs, (),)
            else:
                value = values[0]
                values_prime = values[1]
                _2 = take_values(less, cfg, rest, values_prime)
                rest_prime = _2[0]
                left_over = _2[1]
                return ((recorded(less, x, value), rest_prime), left_over,)
        else:
            _3 = take_values(less, cfg, rest, values)
            rest_prime = _3[0]
            left_over = _3[1]
            return ((x, rest_prime), left_over,)

def record(less, cfg, es, values):
    if not es:
        return ()
    else:
        e = es[0]
        rest = es[1]
        leaf = e[0]
        xs = e[1]
        _1 = take_values(less, cfg, xs, values)
        xs_prime = _1[0]
        left_over = _1[1]
        return ((leaf, xs_prime,), record(less, cfg, rest, left_over))

def depth_of(unused_0, unused_1, tr):
    return Nat_pred(Datatypes_length(tr[0]))

def push_into(less, q, r, x, hs):
    if not hs:
        push = q[1]
        _1 = push(x, q[0])
        return ((r, _1,), ())
    else:
        p = hs[0]
        rest = hs[1]
        r_prime = p[0]
        q0 = p[1]
        _2 = BinInt_Z_eqb(r, r_prime)
        if _2:
            push = q[1]
            _3 = push(x, q0)
            return ((r_prime, _3,), rest)
        else:
            _4 = BinInt_Z_ltb(r_prime, r)
            if _4:
                push = q[1]
                _5 = push(x, q[0])
                return ((r, _5,), hs)
            else:
                return ((r_prime, q0,), push_into(less, q, r, x, rest))

def pop_from(less, q, r, hs):
    if not hs:
        return ()
    else:
        p = hs[0]
        rest = hs[1]
        r_prime = p[0]
        q0 = p[1]
        _1 = BinInt_Z_eqb(r, r_prime)
        if _1:
            first = q[2]
            pop = q[3]
            _3 = pop(q0)
            _2 = first(_3)
            if _2 is not None:
                pop = q[3]
                _4 = pop(q0)
                return ((r_prime, _4,), rest)
            else:
                return rest
        else:
            return ((r_prime, q0,), pop_from(less, q, r, rest))

def empty_level(top, unused_1, unused_2):
    return ((), None, (infinity(top),),)

def add_to_level(less, q, x, lv):
    _2 = lv[2]
    if _2 is not None:
        f = _2[0]
        _1 = (min(less, f, x[4]),)
    else:
        _1 = None
    return (push_into(less, q, x[3], x, lv[0]), None, _1,)

def heap_of(less, q, r, hs):
    if not hs:
        return q[0]
    else:
        p = hs[0]
        rest = hs[1]
        r_prime = p[0]
        q0 = p[1]
        _1 = BinInt_Z_eqb(r, r_prime)
        if _1:
            return q0
        else:
            return heap_of(less, q, r, rest)

def first_f_star(top, unused_1, q, q0):
    first = q[2]
    _1 = first(q0)
    if _1 is not None:
        x = _1[0]
        return x[4]
    else:
        return infinity(top)

def remove_least(top, less, q, r, lv):
    _2 = lv[2]
    if _2 is not None:
        f = _2[0]
        _3 = equal(less, first_f_star(top, less, q, heap_of(less, q, r, lv[0])), f)
        if _3:
            _1 = None
        else:
            _1 = (f,)
    else:
        _1 = None
    return (pop_from(less, q, r, lv[0]), None, _1,)

def least_of(top, less, firsts):
    return List_fold_left(partial(min, less), firsts, infinity(top))

def least_f_star(top, less, q, lv):
    _1 = lv[2]
    if _1 is not None:
        f = _1[0]
        return (f, lv,)
    else:
        f = least_of(top, less, List_map(partial(first_f_star, top, less, q), List_map(Datatypes_snd, lv[0])))
        return (f, (lv[0], lv[1], (f,),),)

def classes_of(unused_0, unused_1, lv):
    _1 = lv[1]
    if _1 is not None:
        qs = _1[0]
        return (qs, lv,)
    else:
        qs = List_map(Datatypes_snd, lv[0])
        return (qs, (lv[0], (qs,), lv[2],),)

def set_level(top, less, q, h, lv, ls):
    if h == 0:
        if not ls:
            return (lv, ())
        else:
            rest = ls[1]
            return (lv, rest)
    else:
        h_prime = h - 1
        if not ls:
            return (empty_level(top, less, q), set_level(top, less, q, h_prime, lv, ()))
        else:
            other = ls[0]
            rest = ls[1]
            return (other, set_level(top, less, q, h_prime, lv, rest))

def level_at(top, less, q, h, tr):
    return List_nth(h, tr[0], empty_level(top, less, q))

def add(top, less, q, tr, x):
    return (set_level(top, less, q, x[0], add_to_level(less, q, x, level_at(top, less, q, x[0], tr)), tr[0]), (tr[1] + 1), (tr[2] + 1), tr[3],)

def replace(top, less, q, tr, e):
    leaf = Datatypes_fst(e)
    return List_fold_left(partial(add, top, less, q), Datatypes_snd(e), (set_level(top, less, q, leaf[0], remove_least(top, less, q, leaf[3], level_at(top, less, q, leaf[0], tr)), tr[0]), Nat_pred(tr[1]), tr[2], (tr[3] + 1),))

def with_level(top, less, q, h, lv, tr):
    return (set_level(top, less, q, h, lv, tr[0]), tr[1], tr[2], tr[3],)

def norm_classes(top, less, q, h, bound, tr):
    lv = level_at(top, less, q, h, tr)
    if bound is not None:
        b = bound[0]
        _1 = least_f_star(top, less, q, lv)
        f = _1[0]
        lv1 = _1[1]
        _2 = less(f, b)
        if _2:
            _3 = classes_of(less, q, lv1)
            qs = _3[0]
            lv_prime = _3[1]
            return (qs, with_level(top, less, q, h, lv_prime, tr),)
        else:
            return ((), with_level(top, less, q, h, lv1, tr),)
    else:
        _4 = classes_of(less, q, lv)
        qs = _4[0]
        lv_prime = _4[1]
        return (qs, with_level(top, less, q, h, lv_prime, tr),)

def choose(top, less, cfg, q, qs, nu, room):
    if not qs:
        return (((), (),), nu,)
    else:
        q0 = qs[0]
        rest = qs[1]
        first = q[2]
        _1 = first(q0)
        if _1 is not None:
            leaf = _1[0]
            if nu is not None:
                w = nu[0]
                _2 = less(leaf[4], w)
            else:
                _2 = True
            if _2:
                e = (leaf, children(top, cfg, leaf),)
                wanted = requests(cfg, e)
                _3 = PeanoNat_Nat_leb(room, Datatypes_length(wanted))
                if _3:
                    return (((e, ()), wanted,), (leaf[4],),)
                else:
                    _4 = choose(top, less, cfg, q, rest, (leaf[4],), Nat_sub(room, Datatypes_length(wanted)))
                    p = _4[0]
                    nu_prime = _4[1]
                    es = p[0]
                    more = p[1]
                    return (((e, es), Datatypes_app(wanted, more),), nu_prime,)
            else:
                return choose(top, less, cfg, q, rest, nu, room)
        else:
            return choose(top, less, cfg, q, rest, nu, room)

def happened(cfg, es, values, log):
    if not es:
        return log
    else:
        e = es[0]
        rest = es[1]
        evaluated = List_map((lambda rv: ('Evaluate', name(cfg, Datatypes_fst(Datatypes_fst(rv))), Datatypes_snd(Datatypes_fst(rv)), Datatypes_snd(rv),)), List_combine(requests(cfg, e), values))
        return happened(cfg, rest, List_skipn(Datatypes_length(requests(cfg, e)), values), Datatypes_app(List_rev(evaluated), (('Expand', name(cfg, Datatypes_fst(e)), Datatypes_fst(e)[4],), log)))

def visit_depth(top, less, oracle, cfg, q, l, s):
    _1 = norm_classes(top, less, q, l, s[1], s[0])
    qs = _1[0]
    tr = _1[1]
    _2 = choose(top, less, cfg, q, qs, s[1], s[3])
    p = _2[0]
    nu_prime = _2[1]
    es = p[0]
    wanted = p[1]
    cut = PeanoNat_Nat_ltb(s[3], Datatypes_length(wanted))
    asked = List_firstn(s[3], wanted)
    values = List_map(partial(reply, oracle, cfg), asked)
    if cut:
        _3 = Nat_sub(Datatypes_length(es), (0 + 1))
    else:
        _3 = Datatypes_length(es)
    whole = List_firstn(_3, record(less, cfg, es, values))
    if not asked:
        some = False
    else:
        some = True
    if some:
        _4 = List_fold_left(partial(replace, top, less, q), whole, tr)
    else:
        _4 = tr
    if some:
        _5 = True
    else:
        _5 = s[6]
    return (_4, nu_prime, List_fold_left((lambda a, value: smaller(less, value, a)), values, s[2]), Nat_sub(s[3], Datatypes_length(asked)), (s[4] + 1), s[5], _5, happened(cfg, es, values, (('Visit', l,), s[7])),)

def visit_depths(top, less, oracle, cfg, q, n, l, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        s_prime = visit_depth(top, less, oracle, cfg, q, l, s)
        _1 = PeanoNat_Nat_eqb(s_prime[3], 0)
        if _1:
            return s_prime
        else:
            return visit_depths(top, less, oracle, cfg, q, n_prime, (l + 1), s_prime)

def one_sweep(top, less, oracle, cfg, q, s):
    last = PeanoNat_Nat_min(depth_of(less, q, s[0]), cfg[2])
    return visit_depths(top, less, oracle, cfg, q, (last + 1), 0, (s[0], None, s[2], s[3], s[4], (s[5] + 1), False, (('Sweep', last,), s[7]),))

def sweep_while(top, less, oracle, cfg, q, n, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        _2 = PeanoNat_Nat_ltb(0, s[3])
        if _2:
            _1 = s[6]
        else:
            _1 = False
        if _1:
            return sweep_while(top, less, oracle, cfg, q, n_prime, one_sweep(top, less, oracle, cfg, q, s))
        else:
            return s

def begin(top, less, oracle, cfg, q):
    value = reply(oracle, cfg, (root(top, cfg), (0 + 1),))
    return (add(top, less, q, ((), 0, 0, 0,), recorded(less, root(top, cfg), value)), None, value, Nat_sub(cfg[3], (0 + 1)), (0 + 1), 0, True, (('Evaluate', (), (0 + 1), value,), ()),)

def run(top, less, oracle, cfg, q):
    return sweep_while(top, less, oracle, cfg, q, cfg[3], begin(top, less, oracle, cfg, q))
