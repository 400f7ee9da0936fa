"""Programs that are to tell the interpreter of proofs/text from CPython.

Each is the body of a function f of two integers a and b, after definitions that it needs, or a text
with such a function. It stands after the prelude of `test_python_text.py`.
"""

AGREE = {
    "insort puts a number or an object behind its equals": """
l, m, boxes = [3], [5, 1, 3], [Box(1), Box(3, parts=[1])]
insort(l, 1)
insort(m, 2)
insort(boxes, Box(3, parts=[2]))
insort(boxes, Box(2))
return l, m, boxes
""",
    "the least of numbers": """
least = min([b, a, 3], default=9), min([], default=9), min((7,), default=None)
great = min([math.inf, math.inf], default=0), min([], default=math.inf)
return least, great, min(math.inf, math.inf)
""",
    "a list has two names and copies": """
l = [1, 2, 3]
m, copy, t = l, l[:], tuple(l)
l[0] = 7
l[-1] = l[0] + 1
copy.append(2)
return l, m, copy, t
""",
    "slices": "return [1, 2, 3][2:1], [1, 2, 3][-5:], [1, 2, 3][:-5], (1, 2, 3)[-1:]",
    "slices are deleted": """
l, m = [1, 2, 3], [1, 2, 3]
del l[-2:]
del m[7:]
return l, m
""",
    "+= changes a list and makes a tuple": """
l, t = [1], (1,)
m, u = l, t
l += (2,)
l += l
t += (2,)
b = Box(5, parts=l)
c = b
b.parts += [2]
c.n -= 2
return l, m, b, u, t
""",
    "a loop reads its list as it goes": """
l, n = [1, 2, 3], 0
for q in l:
    n = n * 10 + q
    l[2] = 8
    if q == 1:
        del l[0]
        l.append(9)
return n
""",
    "a loop reads a copy": """
l, n = [1, 2], 0
b = Box(0, parts=l)
grown = [b.grow(q) for q in l[:]]
for p, q in zip(l[:], (3, 4, 5, 6), strict=True):
    l.append(q)
    n += p * q
return grown, l, n
""",
    "variables of loops and comprehensions, and one with a name of Python": """
q = 7
r = [q for q in [1, 2]]
for i in range(3):
    n = i
len = 3
return q, r, i, n, len
""",
    "parts of an expression and targets are taken from left to right": """
b, d, i = Box(0), {}, 0
i, d[i] = 1, 5
x, y = a, b
x, y = y, x
return helper(b.grow(1), y=b.grow(1)), b.n, (b.grow(1), b.grow(2), b.n), d, x, y
""",
    "integers": """
x = 7 ** 200
signs = -7 % 3, 7 % -3, -7 // 2, divmod(-7, 3), divmod(7, -3)
return signs, 0 ** 0, (-2) ** 3, -2 ** 2, x % (10 ** 9), x // 7 ** 199
""",
    "infinity": """
b = Box(1)
return b.worst != math.inf, b.worst <= math.inf, b.worst > math.inf, Box(3).worst
""",
    "truth of lists": """
l, m = [], [1]
return l or 3, l and 3, m or 3, m and 3, not [], not [0]
""",
    "stars and multiples": """
t = (3, 4)
return helper(*t), (*t, 3, *t), [*t, *[4]], (1,) * -2, t * 2
""",
    "a named tuple": """
p, n = Pair(1, 2), 0
x, y = p
for z in p:
    n += z
return (*p, x, y), p[0], len(p), n
""",
    "the order of a dictionary": """
d, e = {}, {}
d[2] = 1
d[1] = 2
d[2] = 3
e[2] = 1
e[1] = 2
del e[2]
x, y = e.setdefault(2, 7), e.setdefault(1, 8)
return d, e, x, y, sorted(d, reverse=True)[0]
""",
    "break leaves one loop and return leaves all": """
n = 0
for i in range(3):
    for j in range(3):
        if j > i:
            break
        n += 1
for i in range(5):
    for j in range(5):
        if i * j > 3:
            return i, j, n
return 0
""",
    "a result that is kept": "return powers(3, a), powers(3, a), powers(3, k=b)",
}

ITERATORS = ("range(2)", "zip(l, l, strict=True)", "(q for q in l)")
ELSEWHERE = {
    "has a name and is read twice": "z = {}\np = [q for q in z]\nreturn p, [q for q in z]",
    "has a name and is read in part": "z = {}\nfor q in z:\n    break\nreturn [q for q in z]",
    "has a length": "return len({})",
    "has items": "return {}[0]",
    "has slices": "return {}[1:3]",
    "is added to a tuple": "return {} + (4,)",
    "has a least element": "return min({}, default=0)",
}
"""What is done with an iterator, other than to read it at once from beginning to end."""

STOPS = {
    f"{iterator} {words}": "l = [1, 2]\n" + use.format(iterator)
    for iterator in ITERATORS
    for words, use in ELSEWHERE.items()
} | {
    "lists of different length are zipped": "return [p for p, q in zip([1], [2, 3], strict=True)]",
    "an item changes while it is zipped": """
l, n = [1, 2, 3], 0
for q, r in zip(l, (4, 5, 6), strict=True):
    l[2] = 8
    n = n * 10 + q
return n
""",
    "a list grows while it is zipped": """
l, n = [1], 0
for p, q in zip(l, (1, 2, 3), strict=True):
    l.append(p)
    n += q
    if n > 2:
        break
return n
""",
    "a list shrinks while it is zipped in a comprehension": """
def shorten(l: list[int]) -> int:
    del l[-1]
    return 1

l = [1, 2]
return [shorten(l) for p, q in zip(l, (1, 2), strict=True)]
""",
    "a list shrinks in a loop over it": """
l, n = [1, 2, 3], 0
for q in l:
    n += q
    del l[-1]
return n
""",
    "a list grows in a loop over it that is left": """
l = [1]
for q in l:
    l.append(q + 1)
    if q > 4:
        break
return l
""",
    "a list grows in a comprehension over it": """
l = [1, 2]
b = Box(0, parts=l)
return [b.grow(q) for q in l if len(l) < 3]
""",
    "insort of tuples": """
l = [(3, 1)]
insort(l, (1, 2))
return l
""",
    "insort of objects without an order": """
l = [Bag()]
insort(l, Bag())
return len(l)
""",
    "insort of objects in the order of their fields": """
@dataclass(order=True)
class Sorted:
    n: int

l = [Sorted(2)]
insort(l, Sorted(1))
return l[0].n
""",
    "the least of objects": "return min([Box(1), Box(0)], default=None).n",
    "the least of a list without a default": "return min([3, 1])",
    "a sum with a truth value": "return True + 1",
    "an item at a truth value": "return [4, 5][True]",
    "a comparison of floats with None": "return math.inf == None",
    "two comparisons": "return 1 < 2 < 3",
    "a quotient that is too great": "x = (10 ** 400) / 1\nreturn 3",
    "an item beyond the list": "l = [1, 2, 3]\nl[3] = 4\nreturn l",
    "an item of a tuple changes": "t = (1, 2)\nt[0] = 4\nreturn t",
    "the sum of a named tuple and a tuple": "return Pair(1, 2) + (3,)",
    "the variable of a loop without turns": "for i in range(0):\n    n = i\nreturn i",
    "a variable of a loop that is not entered": "while a != a:\n    n = 3\nreturn n",
    "a name without a meaning": "x = nowhere\nreturn 3",
    "a function is a value": "return helper is None",
    "a function has another name": "f = helper\nreturn f(2)",
    "a function changes its default value": """
def shared(x: int, seen: list = []) -> list:
    seen.append(x)
    return seen

x = shared(1)
return shared(2)
""",
    "a generator is called": """
def gen(n):
    if n > 1000:
        yield n
    return 3

return gen(1) is None
""",
    "a result that is kept is changed": """
@lru_cache(maxsize=8)
def fresh(n: int) -> list[int]:
    return [n]

l = fresh(a)
l.append(b)
return fresh(a)
""",
    "a result is kept for a truth value": """
@lru_cache(maxsize=8)
def same(n: int) -> tuple[int, ...]:
    return (n,)

t = same(1)
return same(True)
""",
    "a module has a variable": """
LIMIT = None

def f(a, b):
    return LIMIT is None
""",
    "a module names a function of Python anew": """
min = max

def f(a, b):
    return min(a, b)
""",
    "a function is defined twice": """
def g(x: int) -> int:
    return 1

def g(x: int) -> int:
    return 2

return g(3)
""",
    "a method is defined twice": """
class Twice:
    def __init__(self) -> None:
        self.n = 3

    def m(self) -> int:
        return 1

    def m(self) -> int:
        return 2

return Twice().m()
""",
    "an attribute hides a method": "bag = Bag()\nbag.firsts = 3\nreturn bag.firsts()",
    "an attribute without a slot of a dataclass": "b = Box(3)\nb.other = 3\nreturn b.other",
    "an attribute without a slot": """
class Level:
    __slots__ = ("one",)

    def __init__(self) -> None:
        self.one = 1
        self.two = 3

return Level().two
""",
    "an attribute of the class": """
from typing import ClassVar

@dataclass(slots=True)
class Shares:
    n: int
    m: ClassVar[int] = 0

return Shares(a).m
""",
    "an attribute with a private name": """
class Hidden:
    def __init__(self) -> None:
        self.__n = 3

return Hidden().__n
""",
    "a frozen object": """
@dataclass(slots=True, frozen=True)
class Fixed:
    n: int

b = Fixed(3)
b.n = 4
return b.n
""",
    "__post_init__": """
@dataclass(slots=True)
class Post:
    n: int

    def __post_init__(self) -> None:
        self.n += 100

return Post(3).n
""",
    "__iter__ of a named tuple": """
class Own(NamedTuple):
    n: int
    m: int

    def __iter__(self):
        return iter((7, 8))

x, y = Own(1, 2)
return x, y
""",
    "__init__ returns an object": """
class Odd:
    def __init__(self) -> None:
        self.n = 3
        return self.n

return Odd().n
""",
    "a base class": """
class Base(Box):
    pass_: int = 0

return Base(3).n
""",
    "a method without self": """
class Static:
    def __init__(self) -> None:
        self.n = 3

    @staticmethod
    def of(x: int) -> int:
        return x

return Static().of(4)
""",
}
