"""Matrices of standard normal numbers: drawn from a key, kept, and multiplied exactly.

All normal numbers are rounded to multiples of 2^-18: each moves by at most 2^-19, and its
distribution function by less than 8 10^-7. A matrix A is sigma Z with such numbers in Z, and
`product` computes Z (sigma y). All products and sums that a BLAS makes are then exact: their bits
are the same on all processors (claim ``exact-products``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Key = list[int]
"""The key of all random numbers of a run: 256 bits, as eight integers below 2^32."""
Seed: TypeAlias = (
    int | np.integer[Any] | Sequence[int] | np.random.SeedSequence | np.random.BitGenerator
    | np.random.Generator | None
)  # fmt: skip
"""The arguments of `generator`: those of `numpy.random.default_rng`."""
Numbers = TypeVar("Numbers", float, Floats)

MEMORY = 512 * 2**20
"""Bytes for the matrices that `Matrices` keeps. What does not fit is drawn again."""
BLOCK = 10_000
"""Rows of a matrix that are multiplied at a time: their products fit into a cache."""
FRACTION, WHOLE = 18, 4
"""Entries of Z are multiples of 2^-FRACTION and at most 2^WHOLE. (NumPy's are below 12.3.)"""
SMALL = 2**18
"""Multiplications that OpenBLAS makes in one thread. Its threads wait for one another, busily."""
LARGEST = 900
"""Vectors beyond 2^LARGEST are shortened to it, and multiples of 2^-LARGEST are the finest first
parts, in `product`. So nothing overflows, and nothing is less than the least binary64 number."""


class Family(Protocol):
    """A family of matrices Z_p, p >= 1, as what they do to vectors.

    It is made of the key of a run, the number of rows and the bytes for what it keeps. `Matrices`
    is one; sparse signs or a count sketch would be others.
    """

    def product(self, p: int, ways: Floats) -> Floats:
        """Return Z_p w for each row w of ways, shapes (S, d) of ways, (S, rows) of the result."""


MakeFamily = Callable[[Key, int, int], Family]


class Matrices:
    """Matrices Z_p, p >= 1, of standard normal numbers, rounded to multiples of 2^-FRACTION.

    Column j of Z_p is drawn from a stream of its own, a function of the key, p and j, when it is
    used for the first time. The drawn columns of the matrices that were used last are kept, as many
    matrices as fit into `memory` bytes. A matrix that does not fit alone is drawn again each time,
    a block of rows at a time. A copy or a pickle has the same matrices and keeps none.

    If there is more than one block, matrices are kept in binary32, which loses nothing: the entries
    are multiples of 2^-18 and have at most 22 bits. Each block is made binary64 when it is needed.
    """

    def __init__(self, key: Key, rows: int, memory: int = MEMORY) -> None:
        self._key, self._rows, self._memory = key, rows, memory
        self._type = np.dtype(np.float64 if rows <= BLOCK else np.float32)
        self._free = memory // (self._type.itemsize * rows)  # columns
        # p: Z_p transposed, shape (d, rows), in the order in which they were used last
        self._kept: dict[int, npt.NDArray[Any]] = {}
        self._drawn: dict[int, int] = {}  # p: how many of its columns are drawn

    def product(self, p: int, ways: Floats) -> Floats:
        """Return Z_p w for each row w of ways, shapes (S, d) of ways, (S, rows) of the result.

        For each p, d must be the same every time.
        """
        used = d = ways.shape[1]
        if self._drawn.get(p) != d:  # only as far as any w is not 0
            used = int(np.flatnonzero(ways.any(axis=0)).max(initial=-1)) + 1
        return product(self._blocks(p, d, used), ways, self._rows)

    def _blocks(self, p: int, d: int, used: int) -> Iterator[Floats]:
        """Yield the first columns of Z_p, transposed: shape (used, BLOCK), then the next rows.

        The next block may take the place of one in memory.
        """
        kept = self._keep(p, d, used)
        streams = [stream(self._key, p, j) for j in range(self._drawn.get(p, 0), used)]
        if kept is not None:
            for rng in streams:
                kept[self._drawn[p]] = normals(rng, np.empty(self._rows))
                self._drawn[p] += 1
                self._free -= 1
        if kept is not None and kept.dtype == np.float64:
            yield kept[:used]  # one block
            return
        place = np.empty((used, min(BLOCK, self._rows)))
        for rows in blocks(self._rows):
            block = place[:, : rows.stop - rows.start]
            if kept is not None:
                block[:] = kept[:used, rows]
            else:
                for rng, column in zip(streams, block, strict=True):
                    normals(rng, column)
            yield block

    def _keep(self, p: int, d: int, used: int) -> npt.NDArray[Any] | None:
        """Return the place of Z_p with room for its first columns; None if these do not fit alone.

        The matrices that were used longest ago make room for them.
        """
        # A count never outlives its matrix, not even if an interrupt comes between two lines.
        drawn, kept = self._drawn.pop(p, 0), self._kept.pop(p, None)
        self._free += drawn
        wanted = max(used, drawn)
        if wanted > self._free + sum(self._drawn.values()):
            return None
        while wanted > self._free:
            oldest = next(iter(self._kept))
            self._free += self._drawn.pop(oldest, 0)
            del self._kept[oldest]
        # Columns that are not drawn yet are not written to: they take no memory.
        self._kept[p] = np.empty((d, self._rows), self._type) if kept is None else kept
        self._drawn[p] = drawn
        self._free -= drawn
        return self._kept[p]

    def __reduce__(self) -> tuple[Any, ...]:
        return Matrices, (self._key, self._rows, self._memory)


def normals(rng: np.random.Generator, z: Floats) -> Floats:
    """Fill z, contiguous, with standard normal numbers, rounded to multiples of 2^-FRACTION.

    NumPy computes those beyond 3.65 standard deviations by log1p of the C library.
    """
    flat = z.reshape(-1)
    for part in blocks(z.size):
        on_grid(rng.standard_normal(out=flat[part]))
    return z


def on_grid(z: Numbers) -> Numbers:
    """Round z, or all entries in place, below 2^WHOLE, to the nearest multiples of 2^-FRACTION.

    What a C library computes has other last bits in another library, or on another processor. A
    change of the last bit of z, ``1 <= |z| < 2``, changes 1 rounded number in 2^34.
    """
    shift = 1.5 * 2.0 ** (52 - FRACTION)  # the sum has no finer bits
    z += shift
    z -= shift
    return z


def blocks(rows: int, size: int = BLOCK) -> list[slice]:
    """Return the slices that divide this number of rows into blocks of at most `size`."""
    return [slice(first, min(first + size, rows)) for first in range(0, rows, size)]


def product(Z: Iterable[Floats], ways: Floats, rows: int) -> Floats:
    """Return Z w for each row w of ways: the same bits from every BLAS (claim ``exact-products``).

    Z comes transposed, from `on_grid`, one block of rows after another: shape (d, BLOCK), the last
    one (d, rest); its last columns may be missing if all w are 0 there. `ways` has the shape (S,
    d), d <= 2^30, and is finite; the result has the shape (S, rows).

    Each w is split into parts of b bits: the first one is w to the nearest multiple of 2^(e - b),
    where 2^e is above its greatest entry, the second one is what remains, to the nearest multiple
    of 2^(e - 2b), and so on. As FRACTION + WHOLE + b + log2(d) <= 53, every product with a part and
    every partial sum is a binary64 number: nothing is rounded, whatever the order, with or without
    fused additions. The products with the parts are then added, that with the last part first.
    There are as many parts as 52 bits need: two for d <= 32, three for d <= 8192. They add up to w
    to within 2^-52 times its greatest entry, or 2^-950. If that entry is above 2^LARGEST, w is
    shortened: the point is beyond the cube all the same.
    """
    S, d = ways.shape
    bits = 53 - FRACTION - WHOLE - (d - 1).bit_length()
    _, exponent = np.frexp(np.abs(ways).max(axis=1, keepdims=True))
    exponent = np.maximum(exponent, -LARGEST)
    rest = np.ldexp(ways, -exponent)  # at most 1
    parts: list[Floats] = []
    for k in range(1, 1 + -(-52 // bits)):
        part = np.rint(rest * 2.0 ** (k * bits)) * 2.0 ** (-k * bits)
        rest = rest - part
        parts.insert(0, np.ldexp(part, np.minimum(exponent, LARGEST)))
    stacked = np.concatenate(parts)  # the last part first; shape (parts S, d)
    x = np.empty((S, rows))
    for block, of_rows in zip(Z, blocks(rows), strict=True):
        factors = stacked[:, : len(block)]
        products = np.empty((len(stacked), block.shape[1]))
        for some in blocks(block.shape[1], max(1, SMALL // max(1, factors.size))):
            np.matmul(factors, block[:, some], out=products[:, some])
        # A zero of a BLAS may be -0.0.
        products.reshape(len(parts), S, -1).sum(axis=0, initial=0.0, out=x[:, of_rows])
    return x


def raise_trim_threshold() -> None:
    """Let the process keep up to 48 MiB of freed memory, if it uses the GNU C library.

    The library returns freed memory to the system above a threshold of twice the greatest block
    freed so far. Without this call, the arrays of each visit need new pages: a run of ``indexed``
    with n = 50,000, d = 10 and v = 3,000 took 1.4 times the processor time. Freeing an untouched
    block of 24 MiB raises the threshold; the block needs no memory of its own.
    """
    np.empty(24 * 2**20, np.uint8)


def generator(rng: object) -> np.random.Generator:
    """Return the generator that `rng` names, as `numpy.random.default_rng` does.

    TypeError or ValueError for a bool, a negative number, or anything that it does not take.
    """
    wrong = (
        "rng must be None, an integer >= 0, or another seed or generator that "
        f"numpy.random.default_rng takes, got {rng!r:.80}"
    )
    if isinstance(rng, bool | np.bool_):
        raise TypeError(wrong)
    try:
        return np.random.default_rng(rng)  # type: ignore[arg-type]
    except ValueError:
        raise ValueError(wrong) from None
    except TypeError:
        raise TypeError(wrong) from None


def seed_behind(rng: np.random.Generator) -> int | None:
    """Return the integer from which `generator` makes this generator anew; None if there is none.

    There is none if the generator has been used, has another bit generator than NumPy's default, or
    was made from anything but an integer or None.
    """
    seed = getattr(rng.bit_generator.seed_seq, "entropy", None)
    if not isinstance(seed, int | np.integer):
        return None
    anew = np.random.default_rng(int(seed))  # the state includes the name of the bit generator
    same = repr(anew.bit_generator.state) == repr(rng.bit_generator.state)
    return int(seed) if same else None


def is_key(key: object) -> TypeGuard[Key]:
    """Tell whether this is a `Key`."""
    words = key if isinstance(key, list) else []
    return len(words) == 8 and all(type(word) is int and 0 <= word < 2**32 for word in words)


def key_from(rng: np.random.Generator | Key) -> Key:
    """Draw the key of a run's streams from a generator; a key is returned as it is."""
    if isinstance(rng, list):
        return rng
    key: Key = rng.integers(2**32, size=8, dtype=np.uint32).tolist()
    return key


def stream(key: Key, *name: int) -> np.random.Generator:
    """Return the stream of this key and name, by SFC64, the fastest generator of NumPy."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key, spawn_key=name)))
