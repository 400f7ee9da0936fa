"""The forest policy: proofs/Forest.v in Python, written by translate.py. Do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from functools import partial

# ---- Datatypes.v

def Datatypes_fst(p):
    return p[0]

def Datatypes_snd(p):
    return p[1]

def Datatypes_length(l):
    if not l:
        return 0
    else:
        l_prime = l[1]
        return (Datatypes_length(l_prime) + 1)

def Datatypes_app(l, m):
    if not l:
        return m
    else:
        a = l[0]
        l1 = l[1]
        return (a, Datatypes_app(l1, m))

def Datatypes_CompOpp(r):
    if r[0] == 'Eq':
        return ('Eq',)
    elif r[0] == 'Lt':
        return ('Gt',)
    else:
        return ('Lt',)

# ---- Nat.v

def Nat_add(n, m):
    if n == 0:
        return m
    else:
        p = n - 1
        return (Nat_add(p, m) + 1)

def Nat_mul(n, m):
    if n == 0:
        return 0
    else:
        p = n - 1
        return Nat_add(m, Nat_mul(p, m))

def Nat_sub(n, m):
    if n == 0:
        return n
    else:
        k = n - 1
        if m == 0:
            return n
        else:
            l = m - 1
            return Nat_sub(k, l)

# ---- PeanoNat.v

def PeanoNat_Nat_sub(n, m):
    if n == 0:
        return n
    else:
        k = n - 1
        if m == 0:
            return n
        else:
            l = m - 1
            return PeanoNat_Nat_sub(k, l)

def PeanoNat_Nat_eqb(n, m):
    if n == 0:
        if m == 0:
            return True
        else:
            return False
    else:
        n_prime = n - 1
        if m == 0:
            return False
        else:
            m_prime = m - 1
            return PeanoNat_Nat_eqb(n_prime, m_prime)

def PeanoNat_Nat_leb(n, m):
    if n == 0:
        return True
    else:
        n_prime = n - 1
        if m == 0:
            return False
        else:
            m_prime = m - 1
            return PeanoNat_Nat_leb(n_prime, m_prime)

def PeanoNat_Nat_ltb(n, m):
    return PeanoNat_Nat_leb((n + 1), m)

def PeanoNat_Nat_max(n, m):
    if n == 0:
        return m
    else:
        n_prime = n - 1
        if m == 0:
            return n
        else:
            m_prime = m - 1
            return (PeanoNat_Nat_max(n_prime, m_prime) + 1)

def PeanoNat_Nat_min(n, m):
    if n == 0:
        return 0
    else:
        n_prime = n - 1
        if m == 0:
            return 0
        else:
            m_prime = m - 1
            return (PeanoNat_Nat_min(n_prime, m_prime) + 1)

def PeanoNat_Nat_divmod(x, y, q, u):
    if x == 0:
        return (q, u,)
    else:
        x_prime = x - 1
        if u == 0:
            return PeanoNat_Nat_divmod(x_prime, y, (q + 1), y)
        else:
            u_prime = u - 1
            return PeanoNat_Nat_divmod(x_prime, y, q, u_prime)

def PeanoNat_Nat_div(x, y):
    if y == 0:
        return y
    else:
        y_prime = y - 1
        return Datatypes_fst(PeanoNat_Nat_divmod(x, y_prime, 0, y_prime))

def PeanoNat_Nat_modulo(x, y):
    if y == 0:
        return x
    else:
        y_prime = y - 1
        return PeanoNat_Nat_sub(y_prime, Datatypes_snd(PeanoNat_Nat_divmod(x, y_prime, 0, y_prime)))

# ---- BinNums.v

# ---- BinPos.v

def BinPos_Pos_succ(x):
    if x % 2 == 1 and x != 1:
        p = x // 2
        return (2 * BinPos_Pos_succ(p))
    elif x % 2 == 0:
        p = x // 2
        return (2 * p + 1)
    else:
        return (2 * 1)

def BinPos_Pos_add(x, y):
    if x % 2 == 1 and x != 1:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_add_carry(p, q))
        elif y % 2 == 0:
            q = y // 2
            return (2 * BinPos_Pos_add(p, q) + 1)
        else:
            return (2 * BinPos_Pos_succ(p))
    elif x % 2 == 0:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_add(p, q) + 1)
        elif y % 2 == 0:
            q = y // 2
            return (2 * BinPos_Pos_add(p, q))
        else:
            return (2 * p + 1)
    else:
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_succ(q))
        elif y % 2 == 0:
            q = y // 2
            return (2 * q + 1)
        else:
            return (2 * 1)

def BinPos_Pos_add_carry(x, y):
    if x % 2 == 1 and x != 1:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_add_carry(p, q) + 1)
        elif y % 2 == 0:
            q = y // 2
            return (2 * BinPos_Pos_add_carry(p, q))
        else:
            return (2 * BinPos_Pos_succ(p) + 1)
    elif x % 2 == 0:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_add_carry(p, q))
        elif y % 2 == 0:
            q = y // 2
            return (2 * BinPos_Pos_add(p, q) + 1)
        else:
            return (2 * BinPos_Pos_succ(p))
    else:
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (2 * BinPos_Pos_succ(q) + 1)
        elif y % 2 == 0:
            q = y // 2
            return (2 * BinPos_Pos_succ(q))
        else:
            return (2 * 1 + 1)

def BinPos_Pos_pred_double(x):
    if x % 2 == 1 and x != 1:
        p = x // 2
        return (2 * (2 * p) + 1)
    elif x % 2 == 0:
        p = x // 2
        return (2 * BinPos_Pos_pred_double(p) + 1)
    else:
        return 1

def BinPos_Pos_mul(x, y):
    if x % 2 == 1 and x != 1:
        p = x // 2
        return BinPos_Pos_add(y, (2 * BinPos_Pos_mul(p, y)))
    elif x % 2 == 0:
        p = x // 2
        return (2 * BinPos_Pos_mul(p, y))
    else:
        return y

def BinPos_Pos_iter(f, x, n):
    if n % 2 == 1 and n != 1:
        n_prime = n // 2
        return f(BinPos_Pos_iter(f, BinPos_Pos_iter(f, x, n_prime), n_prime))
    elif n % 2 == 0:
        n_prime = n // 2
        return BinPos_Pos_iter(f, BinPos_Pos_iter(f, x, n_prime), n_prime)
    else:
        return f(x)

def BinPos_Pos_compare_cont(r, x, y):
    if x % 2 == 1 and x != 1:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return BinPos_Pos_compare_cont(r, p, q)
        elif y % 2 == 0:
            q = y // 2
            return BinPos_Pos_compare_cont(('Gt',), p, q)
        else:
            return ('Gt',)
    elif x % 2 == 0:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return BinPos_Pos_compare_cont(('Lt',), p, q)
        elif y % 2 == 0:
            q = y // 2
            return BinPos_Pos_compare_cont(r, p, q)
        else:
            return ('Gt',)
    else:
        if y == 1:
            return r
        else:
            return ('Lt',)

def BinPos_Pos_compare():
    return partial(BinPos_Pos_compare_cont, ('Eq',))

def BinPos_Pos_eqb(p, q):
    if p % 2 == 1 and p != 1:
        p0 = p // 2
        if q % 2 == 1 and q != 1:
            q0 = q // 2
            return BinPos_Pos_eqb(p0, q0)
        else:
            return False
    elif p % 2 == 0:
        p0 = p // 2
        if q % 2 == 0:
            q0 = q // 2
            return BinPos_Pos_eqb(p0, q0)
        else:
            return False
    else:
        if q == 1:
            return True
        else:
            return False

def BinPos_Pos_of_succ_nat(n):
    if n == 0:
        return 1
    else:
        x = n - 1
        return BinPos_Pos_succ(BinPos_Pos_of_succ_nat(x))

# ---- BinInt.v

def BinInt_Z_double(x):
    if x == 0:
        return 0
    elif x > 0:
        p = x
        return (2 * p)
    else:
        p = -x
        return (-(2 * p))

def BinInt_Z_succ_double(x):
    if x == 0:
        return 1
    elif x > 0:
        p = x
        return (2 * p + 1)
    else:
        p = -x
        return (-BinPos_Pos_pred_double(p))

def BinInt_Z_pred_double(x):
    if x == 0:
        return (-1)
    elif x > 0:
        p = x
        return BinPos_Pos_pred_double(p)
    else:
        p = -x
        return (-(2 * p + 1))

def BinInt_Z_pos_sub(x, y):
    if x % 2 == 1 and x != 1:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return BinInt_Z_double(BinInt_Z_pos_sub(p, q))
        elif y % 2 == 0:
            q = y // 2
            return BinInt_Z_succ_double(BinInt_Z_pos_sub(p, q))
        else:
            return (2 * p)
    elif x % 2 == 0:
        p = x // 2
        if y % 2 == 1 and y != 1:
            q = y // 2
            return BinInt_Z_pred_double(BinInt_Z_pos_sub(p, q))
        elif y % 2 == 0:
            q = y // 2
            return BinInt_Z_double(BinInt_Z_pos_sub(p, q))
        else:
            return BinPos_Pos_pred_double(p)
    else:
        if y % 2 == 1 and y != 1:
            q = y // 2
            return (-(2 * q))
        elif y % 2 == 0:
            q = y // 2
            return (-BinPos_Pos_pred_double(q))
        else:
            return 0

def BinInt_Z_add(x, y):
    if x == 0:
        return y
    elif x > 0:
        x_prime = x
        if y == 0:
            return x
        elif y > 0:
            y_prime = y
            return BinPos_Pos_add(x_prime, y_prime)
        else:
            y_prime = -y
            return BinInt_Z_pos_sub(x_prime, y_prime)
    else:
        x_prime = -x
        if y == 0:
            return x
        elif y > 0:
            y_prime = y
            return BinInt_Z_pos_sub(y_prime, x_prime)
        else:
            y_prime = -y
            return (-BinPos_Pos_add(x_prime, y_prime))

def BinInt_Z_opp(x):
    if x == 0:
        return 0
    elif x > 0:
        x0 = x
        return (-x0)
    else:
        x0 = -x
        return x0

def BinInt_Z_sub(m, n):
    return BinInt_Z_add(m, BinInt_Z_opp(n))

def BinInt_Z_mul(x, y):
    if x == 0:
        return 0
    elif x > 0:
        x_prime = x
        if y == 0:
            return 0
        elif y > 0:
            y_prime = y
            return BinPos_Pos_mul(x_prime, y_prime)
        else:
            y_prime = -y
            return (-BinPos_Pos_mul(x_prime, y_prime))
    else:
        x_prime = -x
        if y == 0:
            return 0
        elif y > 0:
            y_prime = y
            return (-BinPos_Pos_mul(x_prime, y_prime))
        else:
            y_prime = -y
            return BinPos_Pos_mul(x_prime, y_prime)

def BinInt_Z_pow_pos(z):
    return partial(BinPos_Pos_iter, partial(BinInt_Z_mul, z), 1)

def BinInt_Z_pow(x, y):
    if y == 0:
        return 1
    elif y > 0:
        p = y
        return BinInt_Z_pow_pos(x)(p)
    else:
        return 0

def BinInt_Z_compare(x, y):
    if x == 0:
        if y == 0:
            return ('Eq',)
        elif y > 0:
            return ('Lt',)
        else:
            return ('Gt',)
    elif x > 0:
        x_prime = x
        if y > 0:
            y_prime = y
            return BinPos_Pos_compare()(x_prime, y_prime)
        else:
            return ('Gt',)
    else:
        x_prime = -x
        if y < 0:
            y_prime = -y
            return Datatypes_CompOpp(BinPos_Pos_compare()(x_prime, y_prime))
        else:
            return ('Lt',)

def BinInt_Z_ltb(x, y):
    _1 = BinInt_Z_compare(x, y)
    if _1[0] == 'Lt':
        return True
    else:
        return False

def BinInt_Z_eqb(x, y):
    if x == 0:
        if y == 0:
            return True
        else:
            return False
    elif x > 0:
        p = x
        if y > 0:
            q = y
            return BinPos_Pos_eqb(p, q)
        else:
            return False
    else:
        p = -x
        if y < 0:
            q = -y
            return BinPos_Pos_eqb(p, q)
        else:
            return False

def BinInt_Z_of_nat(n):
    if n == 0:
        return 0
    else:
        n0 = n - 1
        return BinPos_Pos_of_succ_nat(n0)

# ---- List.v

def List_last(l, d):
    if not l:
        return d
    else:
        a = l[0]
        l0 = l[1]
        if not l0:
            return a
        else:
            return List_last(l0, d)

def List_removelast(l):
    if not l:
        return ()
    else:
        a = l[0]
        l0 = l[1]
        if not l0:
            return ()
        else:
            return (a, List_removelast(l0))

def List_map(f, l):
    if not l:
        return ()
    else:
        a = l[0]
        t = l[1]
        return (f(a), List_map(f, t))

def List_seq(start, len):
    if len == 0:
        return ()
    else:
        len0 = len - 1
        return (start, List_seq((start + 1), len0))

def List_repeat(x, n):
    if n == 0:
        return ()
    else:
        k = n - 1
        return (x, List_repeat(x, k))

# ---- Lattice.v

def K(k):
    return Nat_add(Nat_mul(((0 + 1) + 1), k), (0 + 1))

def index(k, p):
    if not p:
        return 0
    else:
        c = p[0]
        parent = p[1]
        return Nat_add(Nat_mul(K(k), index(k, parent)), c)

def splits(d, h, j):
    _2 = PeanoNat_Nat_ltb(j, PeanoNat_Nat_modulo(h, d))
    if _2:
        _1 = (0 + 1)
    else:
        _1 = 0
    return Nat_add(PeanoNat_Nat_div(h, d), _1)

def rounds(d, h):
    return PeanoNat_Nat_div(Nat_sub(Nat_add(h, d), (0 + 1)), d)

def split_coordinate(k, j, c, ys):
    if not ys:
        return ()
    else:
        y = ys[0]
        rest = ys[1]
        if j == 0:
            return (BinInt_Z_sub(BinInt_Z_add(BinInt_Z_mul(BinInt_Z_of_nat(K(k)), y), BinInt_Z_of_nat(c)), BinInt_Z_of_nat(k)), rest)
        else:
            j_prime = j - 1
            return (y, split_coordinate(k, j_prime, c, rest))

def numerators(k, d, p):
    if not p:
        return List_repeat(0, d)
    else:
        c = p[0]
        parent = p[1]
        return split_coordinate(k, PeanoNat_Nat_modulo(Datatypes_length(parent), d), c, numerators(k, d, parent))

def sum_of_squares(k, d, h, m, j, ys):
    if not ys:
        return 0
    else:
        y = ys[0]
        rest = ys[1]
        scaled = BinInt_Z_mul(y, BinInt_Z_pow(BinInt_Z_of_nat(K(k)), BinInt_Z_of_nat(Nat_sub(m, splits(d, h, j)))))
        return BinInt_Z_add(BinInt_Z_mul(scaled, scaled), sum_of_squares(k, d, h, m, (j + 1), rest))

def Nrm(k, d, p):
    h = Datatypes_length(p)
    return sum_of_squares(k, d, h, rounds(d, h), 0, numerators(k, d, p))

# ---- Model.v

def smaller(less, new, old):
    _1 = less(new, old)
    if _1:
        return new
    else:
        return old

def deepest(xs):
    if not xs:
        return 0
    else:
        x = xs[0]
        rest = xs[1]
        return PeanoNat_Nat_max(x[0], deepest(rest))

def same_path(p, q):
    if not p:
        if not q:
            return True
        else:
            return False
    else:
        a = p[0]
        p_prime = p[1]
        if not q:
            return False
        else:
            b = q[0]
            q_prime = q[1]
            _1 = PeanoNat_Nat_eqb(a, b)
            if _1:
                return same_path(p_prime, q_prime)
            else:
                return False

def replace_leaf(p, children, xs):
    if not xs:
        return ()
    else:
        x = xs[0]
        rest = xs[1]
        _1 = same_path(x[1], p)
        if _1:
            return Datatypes_app(children, rest)
        else:
            return (x, replace_leaf(p, children, rest))

def argmin(less, x, rest):
    if not rest:
        return x
    else:
        y = rest[0]
        rest_prime = rest[1]
        _2 = less(y[3], x[3])
        if _2:
            _1 = y
        else:
            _1 = x
        return argmin(less, _1, rest_prime)

def below(less, f, nu):
    if nu is not None:
        w = nu[0]
        return less(f, w)
    else:
        return True

# ---- Forest.v

def tree_of(p):
    return List_last(p, 0)

def inner():
    return List_removelast

def new_leaf(cfg, p, value):
    return (Datatypes_length(inner()(p)), p, Nrm(cfg[0], cfg[1], inner()(p)), value, (0 + 1),)

def exhausted(cfg, s):
    return PeanoNat_Nat_leb(cfg[3], s[3])

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
        _1 = PeanoNat_Nat_eqb(c, cfg[0])
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
    _1 = make_children(less, cfg, trees, oracle, later, List_seq(0, K(cfg[0])), x, s1)
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
    return PeanoNat_Nat_min(deepest(s[0]), cfg[2])

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
    return run_for(less, cfg, trees, oracle, later, arrivals, queue, rank, cfg[3], start(cfg, trees, oracle))

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

def one_class(_):
    return 0

def one_queue(trees, x):
    _1 = PeanoNat_Nat_leb(trees, tree_of(x[1]))
    if _1:
        return (0 + 1)
    else:
        return 0

def norm_class(x):
    return x[2]

def nothing(_):
    return ()
