"""Programs that are to tell the interpreter of proofs/text from CPython.

Each is the body of a function f of two integers a and b, or a text with such a function. It stands
after the prelude of `test_python_text.py`.
"""

AGREE = {
    "insort of integers": """
l = [3]
insort(l, 1)
return l
""",
    "insort into an unsorted list": """
l = [5, 1, 3]
insort(l, 2)
return l
""",
    "insort of objects": """
@dataclass(slots=True)
class Ord:
    n: int
    tag: int = 0

    def __lt__(self, other: "Ord") -> bool:
        return self.n < other.n

def f(a, b):
    l = [Ord(1), Ord(3)]
    insort(l, Ord(2))
    return l[1].n, l[2].n
""",
    "sorted keys": """
d = {}
d[1] = 4
d[3] = 5
return sorted(d, reverse=True)[0]
""",
    "min of floats": "return min(math.inf, math.inf)",
    "the least of a list": """
return min([b, a, 3], default=9), min([], default=9), min((7,), default=None)
""",
    "the least of a list of floats": """
return min([math.inf, math.inf], default=0), min([], default=math.inf)
""",
    "an item of a list": """
l = [1, 2, 3]
m = l
l[0] = 7
l[-1] = l[0] + 1
return l, m
""",
    "an item changes in a loop": """
l = [1, 2, 3]
n = 0
for q in l:
    l[2] = 8
    n = n * 10 + q
return n
""",
    "empty slice": "return [1, 2, 3][2:1]",
    "negative slice": "return [1, 2, 3][-5:], [1, 2, 3][:-5], (1, 2, 3)[-1:]",
    "delete slice negative": """
l = [1, 2, 3]
del l[-2:]
return l
""",
    "delete slice beyond": """
l = [1, 2, 3]
del l[7:]
return l
""",
    "iadd alias": """
l = [1]
m = l
l += (2,)
return m
""",
    "iadd self": """
l = [1, 2]
l += l
return l
""",
    "iadd attribute alias": """
l = [1]
b = Box(1, parts=l)
b.parts += [2]
return l
""",
    "iadd tuple": """
t = (1,)
u = t
t += (2,)
return u, t
""",
    "for replaces": """
l = [1, 2, 3]
n = 0
for q in l:
    n = n * 10 + q
    if q == 1:
        del l[0]
        l.append(9)
return n
""",
    "comprehension sees changes": """
l = [1, 2]
b = Box(0, parts=l)
return [b.grow(q) for q in l[:]]
""",
    "scope of comprehension": """
q = 7
r = [q for q in [1, 2]]
return q, r
""",
    "order of arguments": """
b = Box(0)
return helper(b.grow(1), y=b.grow(1)), b.n
""",
    "order of tuple": """
b = Box(0)
return b.grow(1), b.grow(2), b.n
""",
    "swap": """
x, y = a, b
x, y = y, x
return x, y
""",
    "target order": """
l = {}
i = 0
i, l[i] = 1, 5
return l
""",
    "mod of negatives": "return -7 % 3, 7 % -3, -7 // 2, divmod(-7, 3), divmod(7, -3)",
    "pow": "return 0 ** 0, (-2) ** 3, -2 ** 2",
    "big": """
x = 7 ** 200
return x % (10 ** 9), x // 7 ** 199
""",
    "or value": """
l = []
return l or 3
""",
    "and value": """
l = [1]
return l and 3
""",
    "not list": "return not [], not [0]",
    "star in call": """
t = (3, 4)
return helper(*t)
""",
    "star twice": """
t = (1, 2)
return (*t, 3, *t), [*t, *[4]]
""",
    "insort of an equal one": """
@dataclass(slots=True)
class Ord:
    n: int
    tag: int = 0

    def __lt__(self, other: "Ord") -> bool:
        return self.n < other.n

def f(a, b):
    l = [Ord(1, 1), Ord(1, 2)]
    insort(l, Ord(1, 3))
    return [q.tag for q in l]
""",
    "named tuple unpack": """
p = Pair(1, 2)
x, y = p
return (*p, x, y), p[0], len(p)
""",
    "named tuple in for": """
n = 0
for x in Pair(3, 4):
    n += x
return n
""",
    "for variable after": """
for i in range(3):
    n = i
return i, n
""",
    "local shadows function": """
len = 3
return len
""",
    "del, then setdefault": """
d = {}
d[1] = 2
del d[1]
return d.setdefault(1, 7), d
""",
    "order of a dictionary": """
d = {}
d[2] = 1
d[1] = 2
d[2] = 3
return d
""",
    "order of a dictionary after del": """
d = {}
d[2] = 1
d[1] = 2
del d[2]
d[2] = 3
return d
""",
    "return in loop": """
for i in range(5):
    for j in range(5):
        if i * j > 3:
            return i, j
return 0
""",
    "break inner": """
n = 0
for i in range(3):
    for j in range(3):
        if j > i:
            break
        n += 1
return n
""",
    "attribute of call": "return Box(3).n",
    "inf compare": """
b = Box(1)
return b.worst != math.inf, b.worst <= math.inf, b.worst > math.inf
""",
    "tuple times": "return (1,) * -2, (1, 2) * 2",
    "tuple of list is copy": """
l = [1]
t = tuple(l)
l.append(2)
return t
""",
    "slice copy": """
l = [1]
m = l[:]
m.append(2)
return l
""",
    "aug sub alias": """
b = Box(5)
c = b
c.n -= 2
return b.n
""",
    "a kept number": """
from functools import lru_cache

@lru_cache(maxsize=8)
def square(n: int) -> int:
    return n * n

def f(a, b):
    return square(a), square(a)
""",
    "zip of copies": """
l = [1, 2]
n = 0
for p, q in zip(l[:], (3, 4), strict=True):
    l.append(q)
    n += p * q
return n, l
""",
}

STOPS = {
    "insort of tuples": """
l = [(3, 1)]
insort(l, (1, 2))
return l
""",
    "insort of objects without an order": """
class Counter:
    def __init__(self) -> None:
        self.n = 0

    def step(self) -> int:
        self.n += 1
        return self.n

def f(a, b):
    l = [Counter()]
    insort(l, Counter())
    return len(l)
""",
    "a range twice": """
z = range(2)
p = [q for q in z]
r = [q for q in z]
return p, r
""",
    "zip twice": """
l = [1, 2]
z = zip(l, l, strict=True)
p = [q for q, w in z]
r = [q for q, w in z]
return p, r
""",
    "genexpr twice": """
l = [1, 2]
z = (q for q in l)
p = [q for q in z]
r = [q for q in z]
return p, r
""",
    "genexpr partly": """
l = [1, 2, 3]
z = (q for q in l)
for q in z:
    break
r = [q for q in z]
return r
""",
    "length of a range": "return len(range(2))",
    "item of range sum": "return range(3) + (4,)",
    "index of zip": "return zip([1], [2], strict=True)[0]",
    "slice of range": "return range(5)[1:3] + (7,)",
    "genexpr returned": "return len((q for q in [1, 2]))",
    "slots attribute": """
b = Box(3)
b.other = 3
return b.other
""",
    "__slots__ attribute": """
class Level:
    __slots__ = ("one",)

    def __init__(self) -> None:
        self.one = 1

def f(a, b):
    b = Level()
    b.two = 3
    return b.two
""",
    "frozen": """
@dataclass(slots=True, frozen=True)
class Fixed:
    n: int

def f(a, b):
    b = Fixed(3)
    b.n = 4
    return b.n
""",
    "post_init": """
@dataclass(slots=True)
class Post:
    n: int

    def __post_init__(self) -> None:
        self.n += 100

def f(a, b):
    b = Post(3)
    return b.n
""",
    "setattr": """
@dataclass(slots=True)
class Watch:
    n: int

    def __setattr__(self, name: str, value: int) -> None:
        return None

def f(a, b):
    b = Watch(3)
    b.n = 4
    return 7
""",
    "kw_only": """
@dataclass(kw_only=True)
class Keys:
    n: int

def f(a, b):
    b = Keys(3)
    return b.n
""",
    "unknown name is None": "return nowhere is None",
    "module constant is None": """
LIMIT = None

def f(a, b):
    return LIMIT is None
""",
    "unbound name returned ok": """
x = nowhere
return 3
""",
    "generator called": """
def gen(n):
    if n > 1000:
        yield n
    return 3

def f(a, b):
    x = gen(1)
    return x
""",
    "generator is None": """
def gen(n):
    if n > 1000:
        yield n
    return 3

def f(a, b):
    return gen(1) is None
""",
    "shared default": """
def shared(x: int, seen: list = []) -> list:
    seen.append(x)
    return seen

def f(a, b):
    x = shared(1)
    y = shared(2)
    return y
""",
    "method shadowed": """
class Counter:
    def __init__(self) -> None:
        self.n = 0

    def step(self) -> int:
        self.n += 1
        return self.n

def f(a, b):
    c = Counter()
    c.step = 3
    return c.step()
""",
    "division overflow": """
x = (10 ** 400) / 1
return 3
""",
    "bool arithmetic": "return True + 1",
    "bool index": "return [4, 5][True]",
    "compare None": "return math.inf == None",
    "an item beyond the list": """
l = [1, 2, 3]
l[3] = 4
return l
""",
    "an item of a tuple": """
t = (1, 2)
t[0] = 4
return t
""",
    "an item changes while it is zipped": """
l = [1, 2, 3]
n = 0
for q, r in zip(l, (4, 5, 6), strict=True):
    l[2] = 8
    n = n * 10 + q
return n
""",
    "the least of an iterator": "return min(range(3), default=0)",
    "the least of objects": "return min([Box(1), Box(0)], default=None).n",
    "min of a list": "return min([3, 1])",
    "for shrinks": """
l = [1, 2, 3]
n = 0
for q in l:
    n += q
    del l[-1]
return n
""",
    "for grows, break": """
l = [1]
for q in l:
    l.append(q + 1)
    if q > 4:
        break
return l
""",
    "comprehension grows own list": """
l = [1, 2]
b = Box(0, parts=l)
r = [b.grow(q) for q in l if len(l) < 3]
return r
""",
    "chained": "return 1 < 2 < 3",
    "zip unequal": "return [p for p, q in zip([1], [2, 3], strict=True)]",
    "named tuple add": "return Pair(1, 2) + (3,)",
    "for zero turns": """
for i in range(0):
    n = i
return i
""",
    "while false": """
while a != a:
    n = 3
return n
""",
    "function value": """
f = helper
return f(2)
""",
    "function is None": "return helper is None",
    "a module names a function of Python anew": """
min = max

def f(a, b):
    return min(a, b)
""",
    "a kept list": """
from functools import lru_cache

@lru_cache(maxsize=8)
def fresh(n: int) -> list[int]:
    return [n]

def f(a, b):
    l = fresh(a)
    l.append(b)
    return fresh(a)
""",
    "a kept truth value": """
from functools import lru_cache

@lru_cache(maxsize=8)
def same(n: int) -> tuple[int, ...]:
    return (n,)

def f(a, b):
    t = same(1)
    return same(True)
""",
    "an attribute of the class": """
from typing import ClassVar

@dataclass(slots=True)
class Shares:
    n: int
    m: ClassVar[int] = 0

def f(a, b):
    x = Shares(a)
    return x.m
""",
    "a method without self": """
class Static:
    def __init__(self) -> None:
        self.n = 3

    @staticmethod
    def of(x: int) -> int:
        return x

def f(a, b):
    return Static().of(4)
""",
    "a property": """
class Known:
    def __init__(self) -> None:
        self.n = 3

    @property
    def half(self) -> int:
        return self.n // 2

def f(a, b):
    return Known().half
""",
    "a named tuple with its own iterator": """
class Own(NamedTuple):
    n: int
    m: int

    def __iter__(self):
        return iter((7, 8))

def f(a, b):
    x, y = Own(1, 2)
    return x, y
""",
    "an order by fields": """
@dataclass(order=True)
class Sorted:
    n: int

def f(a, b):
    l = [Sorted(2)]
    insort(l, Sorted(1))
    return l[0].n
""",
    "a definition replaced": """
def g(x: int) -> int:
    return 1

def g(x: int) -> int:
    return 2

def f(a, b):
    return g(3)
""",
    "a method replaced": """
class Twice:
    def __init__(self) -> None:
        self.n = 3

    def m(self) -> int:
        return 1

    def m(self) -> int:
        return 2

def f(a, b):
    return Twice().m()
""",
    "a base class": """
class Base(Box):
    pass_: int = 0

def f(a, b):
    return Base(3).n
""",
    "an attribute that is a private name": """
class Hidden:
    def __init__(self) -> None:
        self.__n = 3

def f(a, b):
    return Hidden().__n
""",
    "an object that is returned by __init__": """
class Odd:
    def __init__(self) -> None:
        self.n = 3
        return self.n

def f(a, b):
    return Odd().n
""",
    "zip of a list that grows": """
l = [1]
n = 0
for p, q in zip(l, (1, 2, 3), strict=True):
    l.append(p)
    n += q
    if n > 2:
        break
return n
""",
    "zip of a list that shrinks in a comprehension": """
def shorten(l: list[int]) -> int:
    del l[-1]
    return 1

def f(a, b):
    l = [1, 2]
    return [shorten(l) for p, q in zip(l, (1, 2), strict=True)]
""",
    "a global read by its module alone": """
LIMIT = 3

def f(a, b):
    return LIMIT
""",
}
