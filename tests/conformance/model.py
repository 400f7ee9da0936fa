"""Algorithm 1: proofs/model/Model.v in Python, written by translate.py. Do not edit."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa

from functools import partial

# ---- Datatypes.v

def Datatypes_negb(b):
    if b:
        return False
    else:
        return True

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

def Nat_pred(n):
    if n == 0:
        return n
    else:
        u = n - 1
        return u

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

def BinInt_Z_leb(x, y):
    _1 = BinInt_Z_compare(x, y)
    if _1[0] == 'Gt':
        return False
    else:
        return True

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

def List_nth(n, l, default):
    if n == 0:
        if not l:
            return default
        else:
            x = l[0]
            return x
    else:
        m = n - 1
        if not l:
            return default
        else:
            t = l[1]
            return List_nth(m, t, default)

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

def List_rev(l):
    if not l:
        return ()
    else:
        x = l[0]
        l_prime = l[1]
        return Datatypes_app(List_rev(l_prime), (x, ()))

def List_map(f, l):
    if not l:
        return ()
    else:
        a = l[0]
        t = l[1]
        return (f(a), List_map(f, t))

def List_fold_left(f, l, a0):
    if not l:
        return a0
    else:
        b = l[0]
        t = l[1]
        return List_fold_left(f, t, f(a0, b))

def List_filter(f, l):
    if not l:
        return ()
    else:
        x = l[0]
        l0 = l[1]
        _1 = f(x)
        if _1:
            return (x, List_filter(f, l0))
        else:
            return List_filter(f, l0)

def List_combine(l, l_prime):
    if not l:
        return ()
    else:
        x = l[0]
        tl = l[1]
        if not l_prime:
            return ()
        else:
            y = l_prime[0]
            tl_prime = l_prime[1]
            return ((x, y,), List_combine(tl, tl_prime))

def List_firstn(n, l):
    if n == 0:
        return ()
    else:
        n0 = n - 1
        if not l:
            return ()
        else:
            a = l[0]
            l0 = l[1]
            return (a, List_firstn(n0, l0))

def List_skipn(n, l):
    if n == 0:
        return l
    else:
        n0 = n - 1
        if not l:
            return ()
        else:
            l0 = l[1]
            return List_skipn(n0, l0)

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

def birth(k, p):
    if not p:
        return ()
    else:
        c = p[0]
        parent = p[1]
        _1 = PeanoNat_Nat_eqb(c, k)
        if _1:
            return birth(k, parent)
        else:
            return p

# ---- Model.v

def new_leaf(cfg, p, value, evaluations):
    return (Datatypes_length(p), p, Nrm(cfg[0], cfg[1], p), value, evaluations,)

def exhausted(cfg, s):
    return PeanoNat_Nat_leb(cfg[3], s[3])

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

def evaluate(less, oracle, cfg, p, n, s):
    value = oracle(birth(cfg[0], p), n)
    return (value, (s[0], s[1], smaller(less, value, s[2]), (s[3] + 1), s[4], s[5], (('Evaluate', p, n, value,), s[6]),),)

def within_cap(cfg, x):
    n = BinInt_Z_of_nat(x[4])
    m = BinInt_Z_of_nat(rounds(cfg[1], x[0]))
    return BinInt_Z_leb(BinInt_Z_mul(BinInt_Z_mul(BinInt_Z_mul(n, n), BinInt_Z_pow(BinInt_Z_of_nat(K(cfg[0])), BinInt_Z_mul((2 * 1), m))), cfg[5]), BinInt_Z_mul(cfg[4], x[2]))

def make_children(less, oracle, cfg, digits, x, s):
    if not digits:
        return (((),), s,)
    else:
        c = digits[0]
        rest = digits[1]
        p = (c, x[1])
        _2 = PeanoNat_Nat_eqb(c, cfg[0])
        if _2:
            _1 = Datatypes_negb(within_cap(cfg, x))
        else:
            _1 = False
        if _1:
            _3 = make_children(less, oracle, cfg, rest, x, s)
            o = _3[0]
            s_prime = _3[1]
            if o is not None:
                children = o[0]
                return (((new_leaf(cfg, p, x[3], x[4]), children),), s_prime,)
            else:
                return (None, s_prime,)
        else:
            _4 = exhausted(cfg, s)
            if _4:
                return (None, s,)
            else:
                _5 = PeanoNat_Nat_eqb(c, cfg[0])
                if _5:
                    n = (x[4] + 1)
                else:
                    n = (0 + 1)
                _6 = evaluate(less, oracle, cfg, p, n, s)
                value = _6[0]
                s1 = _6[1]
                _7 = PeanoNat_Nat_eqb(c, cfg[0])
                if _7:
                    f = smaller(less, value, x[3])
                else:
                    f = value
                _8 = make_children(less, oracle, cfg, rest, x, s1)
                o = _8[0]
                s_prime = _8[1]
                if o is not None:
                    children = o[0]
                    return (((new_leaf(cfg, p, f, n), children),), s_prime,)
                else:
                    return (None, s_prime,)

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

def expand(less, oracle, cfg, x, s):
    s1 = (s[0], (x[3],), s[2], s[3], s[4], s[5], (('Expand', x[1], x[3],), s[6]),)
    _1 = make_children(less, oracle, cfg, List_seq(0, K(cfg[0])), x, s1)
    o = _1[0]
    s2 = _1[1]
    if o is not None:
        children = o[0]
        return (replace_leaf(x[1], children, s2[0]), s2[1], s2[2], s2[3], s2[4], s2[5], s2[6],)
    else:
        return s2

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

def visit_class(less, oracle, cfg, members, s):
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
            _2 = below(less, a[3], s[1])
            if _2:
                return expand(less, oracle, cfg, a, s)
            else:
                return s

def add_to_classes(x, classes0):
    if not classes0:
        return ((x[2], (x, ()),), ())
    else:
        p = classes0[0]
        rest = classes0[1]
        r = p[0]
        members = p[1]
        _1 = BinInt_Z_eqb(x[2], r)
        if _1:
            return ((r, (x, members),), rest)
        else:
            _2 = BinInt_Z_ltb(r, x[2])
            if _2:
                return ((x[2], (x, ()),), classes0)
            else:
                return ((r, members,), add_to_classes(x, rest))

def classes(l, xs):
    if not xs:
        return ()
    else:
        x = xs[0]
        rest = xs[1]
        _1 = PeanoNat_Nat_eqb(x[0], l)
        if _1:
            return add_to_classes(x, classes(l, rest))
        else:
            return classes(l, rest)

def visit_classes(less, oracle, cfg, frozen, s):
    if not frozen:
        return s
    else:
        p = frozen[0]
        rest = frozen[1]
        members = p[1]
        return visit_classes(less, oracle, cfg, rest, visit_class(less, oracle, cfg, members, s))

def begin_visit(l, s):
    return (s[0], s[1], s[2], s[3], (s[4] + 1), s[5], (('Visit', l,), s[6]),)

def visit(less, oracle, cfg, l, s):
    return visit_classes(less, oracle, cfg, classes(l, s[0]), begin_visit(l, s))

def visits(less, oracle, cfg, n, l, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            return visits(less, oracle, cfg, n_prime, (l + 1), visit(less, oracle, cfg, l, s))

def limit(cfg, s):
    return PeanoNat_Nat_min(deepest(s[0]), cfg[2])

def begin_sweep(cfg, s):
    return (s[0], None, s[2], s[3], s[4], (s[5] + 1), (('Sweep', limit(cfg, s),), s[6]),)

def sweep(less, oracle, cfg, s):
    return visits(less, oracle, cfg, (limit(cfg, s) + 1), 0, begin_sweep(cfg, s))

def run_for(less, oracle, cfg, n, s):
    if n == 0:
        return s
    else:
        n_prime = n - 1
        _1 = exhausted(cfg, s)
        if _1:
            return s
        else:
            s_prime = sweep(less, oracle, cfg, s)
            _2 = s_prime[1]
            if _2 is not None:
                return run_for(less, oracle, cfg, n_prime, s_prime)
            else:
                return s_prime

def start(oracle, cfg):
    value = oracle((), (0 + 1))
    return ((new_leaf(cfg, (), value, (0 + 1)), ()), None, value, (0 + 1), 0, 0, (('Evaluate', (), (0 + 1), value,), ()),)

def hunt(less, oracle, cfg):
    return run_for(less, oracle, cfg, cfg[3], start(oracle, cfg))
