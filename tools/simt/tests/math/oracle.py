"""Points and correctly rounded values of CUDA's mathematics library, for tests/accuracy.rs.

    pip install mpmath
    python3 oracle.py [points a function] > points.txt

A section is a line `= name operands` and then, a line a point, the operands' bits and the
result's in hexadecimal, of binary64, or of binary32 for a name that ends in `f`. The points are
uniform over the exponents at which the function does something, and close to where it is hard:
zeros of the Bessel and gamma functions, multiples of a half pi, the ends of the range.
mpmath is taken because it has every one of these functions, with as many digits as asked for.
"""
import random
import struct
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 320
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 120


class Format:
    def __init__(self, bits, low, high, code, size):
        # Bits of the significand, exponents of the least and the greatest power of two.
        self.bits, self.low, self.high, self.code, self.size = bits, low, high, code, size

    def round(self, v):
        """The nearest number of the format, ties to even, as mpf or an infinity."""
        if v == 0 or mpmath.isinf(v) or mpmath.isnan(v):
            return v
        e = int(mpmath.floor(mpmath.log(abs(v), 2)))
        if abs(v) >= mpf(2) ** (e + 1):
            e += 1
        elif abs(v) < mpf(2) ** e:
            e -= 1
        unit = mpf(2) ** (max(e, self.low + self.bits - 1) - self.bits + 1)
        n = v / unit
        r = mpmath.nint(n) * unit
        return r if abs(r) < mpf(2) ** (self.high + 1) else mpf("inf") * mpmath.sign(v)

    def hex(self, v):
        number = float(v)
        return struct.pack(">" + self.code, number).hex()


DOUBLE = Format(53, -1074, 1023, "d", 16)
SINGLE = Format(24, -149, 127, "f", 8)


class Domain:
    """Where to look: [(sign, least exponent, greatest exponent)], and points around which it is hard."""

    def __init__(self, *spans, near=(), least=None, most=None):
        self.spans, self.near, self.least, self.most = spans, near, least, most

    def points(self, fmt, count, rng):
        out = []
        for i in range(count):
            if self.near and i % 3 == 0:
                c = mpf(rng.choice(self.near))
                step = abs(c) * mpf(2) ** rng.randint(-fmt.bits, -3) * mpf(rng.uniform(-1, 1))
                x = c + step
            else:
                sign, low, high = rng.choice(self.spans)
                low, high = max(low, fmt.low), min(high, fmt.high)
                x = mpf(rng.uniform(1, 2)) * mpf(2) ** rng.randint(low, high)
                if sign == 0:
                    x *= rng.choice([-1, 1])
                else:
                    x *= sign
            x = fmt.round(x)
            if self.least is not None and x < self.least:
                continue
            if self.most is not None and x > self.most:
                continue
            if mpmath.isinf(x):
                continue
            out.append(x)
        return out


def limits(single, double):
    return lambda fmt: single if fmt is SINGLE else double


PI = mp.pi
quarter = [k * PI / 2 for k in (1, 2, 3, 4, 5, 7, 11, 100, 101, 10007, 2**30 + 1)]
# The double and the float closest to a multiple of a half pi.
worst = [mpf(6381956970095103) * mpf(2) ** 797, mpf(16367173) * mpf(2) ** 72]
zeros = lambda f, n: [f(k) for k in range(1, n + 1)]
J0, J1 = zeros(lambda k: mpmath.besseljzero(0, k), 8), zeros(lambda k: mpmath.besseljzero(1, k), 8)
Y0, Y1 = zeros(lambda k: mpmath.besselyzero(0, k), 8), zeros(lambda k: mpmath.besselyzero(1, k), 8)


def erfcx(x):
    return mpmath.exp(x * x) * mpmath.erfc(x)


def erfcinv(x):
    """By Newton's method on the logarithm, which needs no 1 - x."""
    if x == 1:
        return mpf(0)
    if x > mpf("1e-3"):
        return mpmath.erfinv(1 - x)
    y = mpmath.sqrt(-mpmath.log(x * mpmath.sqrt(PI) * mpmath.sqrt(-mpmath.log(x))))
    for _ in range(60):
        f = mpmath.log(mpmath.erfc(y)) - mpmath.log(x)
        slope = -2 / mpmath.sqrt(PI) * mpmath.exp(-y * y) / mpmath.erfc(y)
        step = f / slope
        y -= step
        if abs(step) < abs(y) * mpf(2) ** -250:
            break
    return y


def normcdfinv(p):
    if p > mpf("0.5"):
        return mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)
    return -mpmath.sqrt(2) * erfcinv(2 * p)


def lgamma(x):
    return mpmath.log(abs(mpmath.gamma(x))) if abs(x) < 1e6 else mpmath.loggamma(x).real


def with_prec(bits, f):
    def g(*args):
        with mp.workprec(bits):
            return f(*args)
    return g


both = (0, -60, 9)
wide = (0, -1074, 1023)
ONE = {
    "acos": (mpmath.acos, Domain((0, -60, -1), near=(1, -1, 0.5), least=-1, most=1)),
    "acosh": (mpmath.acosh, Domain((1, 0, 1023), (1, 0, 4), near=(1,), least=1)),
    "asin": (mpmath.asin, Domain((0, -1074, -1), (0, -8, -1), near=(1, -1, 0.5), least=-1, most=1)),
    "asinh": (mpmath.asinh, Domain(wide, (0, -30, 4))),
    "atan": (mpmath.atan, Domain(wide, (0, -30, 30))),
    "atanh": (mpmath.atanh, Domain((0, -1074, -1), (0, -8, -1), near=(1, -1), least=mpf(-1) + mpf(2)**-60, most=1 - mpf(2)**-60)),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), Domain(wide)),
    "cos": (with_prec(1600, mpmath.cos), Domain(wide, (0, -30, 30), (0, -4, 4), near=quarter + worst)),
    "cosh": (mpmath.cosh, Domain((0, -60, 9), near=(710.4, 88.7, 89.4))),
    "cospi": (lambda x: mpmath.cospi(x), Domain((0, -60, 60), (0, -4, 8), near=(0.5, 1.5, 7.5, 0.25))),
    "cyl_bessel_i0": (lambda x: mpmath.besseli(0, x), Domain((0, -60, 9), (0, -2, 6))),
    "cyl_bessel_i1": (lambda x: mpmath.besseli(1, x), Domain((0, -1060, 9), (0, -2, 6))),
    "erf": (mpmath.erf, Domain((0, -1060, 3), (0, -4, 2))),
    "erfc": (mpmath.erfc, Domain((0, -60, 4), (1, -1, 4), near=(26.5, 10, 0.5, 1.25))),
    "erfcinv": (erfcinv, Domain((1, -1074, 0), (1, -8, 0), near=(1,), least=mpf(2)**-1074, most=2 - mpf(2)**-50)),
    "erfcx": (erfcx, Domain((1, -60, 1020), (0, -8, 4), near=(-26.6, -9.3, 10, 0.5, 1.0))),
    "erfinv": (mpmath.erfinv, Domain((0, -1060, -1), (0, -8, -1), near=(1, -1), least=-1 + mpf(2)**-60, most=1 - mpf(2)**-60)),
    "exp": (mpmath.exp, Domain((0, -60, 9), near=(709.78, -745.1, -708.4, 88.72, -87.3, -103.9))),
    "exp10": (lambda x: mpf(10) ** x, Domain((0, -60, 8), near=(308.25, -323.3, -307.6, 38.53, -37.9, -44.8))),
    "exp2": (lambda x: mpf(2) ** x, Domain((0, -60, 10), near=(1023.9, -1074, -1022, 127.9, -126, -149))),
    "expm1": (mpmath.expm1, Domain((0, -1060, 9), (0, -6, 4), near=(709.78, 88.72))),
    "j0": (lambda x: mpmath.besselj(0, x), Domain((0, -40, 2), (0, 3, 20), near=J0)),
    "j1": (lambda x: mpmath.besselj(1, x), Domain((0, -1000, 2), (0, -10, 2), (0, 3, 20), near=J1)),
    "lgamma": (lgamma, Domain((1, -1060, 1000), (0, -20, 6), near=(1, 2, 3))),
    "log": (mpmath.log, Domain((1, -1074, 1023), near=(1,))),
    "log10": (mpmath.log10, Domain((1, -1074, 1023), near=(1,))),
    "log1p": (mpmath.log1p, Domain((1, -1074, 1023), (0, -60, -1), near=(-1, 1), least=-1 + mpf(2)**-53)),
    "log2": (lambda x: mpmath.log(x, 2), Domain((1, -1074, 1023), near=(1,))),
    "normcdf": (mpmath.ncdf, Domain((0, -60, 5), (-1, -4, 5), near=(-37.5, -8, -1, 1))),
    "normcdfinv": (normcdfinv, Domain((1, -1074, -1), (1, -8, -1), near=(0.5, 1), least=mpf(2)**-1074, most=1 - mpf(2)**-54)),
    "rcbrt": (lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)), Domain(wide)),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), Domain((1, -1074, 1023))),
    "sin": (with_prec(1600, mpmath.sin), Domain(wide, (0, -30, 30), (0, -4, 4), near=quarter + worst)),
    "sinh": (mpmath.sinh, Domain((0, -1060, 9), (0, -10, 9), near=(710.4, 88.7, 89.4, 22))),
    "sinpi": (lambda x: mpmath.sinpi(x), Domain((0, -1060, 60), (0, -4, 8), near=(1, 2, 7, 0.25))),
    "sqrt": (mpmath.sqrt, Domain((1, -1074, 1023))),
    "tan": (with_prec(1600, mpmath.tan), Domain(wide, (0, -30, 30), (0, -4, 4), near=quarter + worst)),
    "tanh": (mpmath.tanh, Domain((0, -1060, 5), (0, -8, 4))),
    "tgamma": (mpmath.gamma, Domain((1, -300, 7), (0, -20, 7), near=(171.6, 35.0, 1, 2, -0.5, -20.5, -100.5), most=171.7)),
    "y0": (lambda x: mpmath.bessely(0, x), Domain((1, -1060, 2), (1, -4, 2), (1, 3, 20), near=Y0)),
    "y1": (lambda x: mpmath.bessely(1, x), Domain((1, -1000, 2), (1, -4, 2), (1, 3, 20), near=Y1)),
}
span = Domain(wide, (0, -10, 10))
positive = Domain((1, -1074, 1023), (1, -10, 10), near=(1,))


def length(*v):
    return mpmath.sqrt(sum(x * x for x in v))


def inverse(*v):
    return 1 / length(*v)


def paired(f):
    """Operands of like size, as often as not."""
    return f


TWO = {
    "atan2": (mpmath.atan2, (span, span)),
    "hypot": (length, (span, span)),
    "rhypot": (inverse, (span, span)),
    "pow": (lambda x, y: x**y, (positive, Domain((0, -60, 11), (0, -4, 8)))),
    "norm3d": (length, (span,) * 3),
    "norm4d": (length, (span,) * 4),
    "rnorm3d": (inverse, (span,) * 3),
    "rnorm4d": (inverse, (span,) * 4),
}
ORDERS = (0, 1, 2, 3, 5, 10, 20, 50, 128)
BESSEL = {"jn": mpmath.besselj, "yn": mpmath.bessely}


def section(name, fmt, rows):
    print("=", name, len(rows[0]) - 1)
    for row in rows:
        print(*[fmt.hex(v) for v in row])


def emit(name, f, domains, fmt, count):
    rng = random.Random(name)
    columns = [d.points(fmt, count, rng) for d in domains]
    if len(columns) > 1:
        n = min(map(len, columns))
        columns = [c[:n] for c in columns]
        for i in range(0, n, 2):
            # Like sizes, where the operands matter alike.
            if f in (length, inverse) or f is mpmath.atan2:
                for c in columns[1:]:
                    c[i] = fmt.round(columns[0][i] * mpf(rng.uniform(-4, 4)))
        rng.shuffle(columns[-1]) if f not in (length, inverse, mpmath.atan2) else None
    rows = []
    for xs in zip(*columns):
        if any(mpmath.isinf(x) for x in xs):
            continue
        try:
            value = f(*xs)
        except (ZeroDivisionError, ValueError, OverflowError):
            continue
        if mpmath.isnan(value) or mpmath.im(value) != 0:
            continue
        rows.append((*xs, fmt.round(mpmath.re(value))))
    section(name, fmt, rows)


def bessel(name, f, fmt, count):
    rng = random.Random(name)
    domain = Domain((1, -4, 10), (1, 0, 8))
    rows = []
    for x in domain.points(fmt, count, rng):
        n = rng.choice(ORDERS)
        value = fmt.round(f(n, x))
        rows.append((mpf(n), x, value))
    section(name, fmt, rows)


for fmt, end, count in ((DOUBLE, "", COUNT), (SINGLE, "f", COUNT // 2)):
    for name, (f, domain) in ONE.items():
        emit(name + end, f, (domain,), fmt, count)
    for name, (f, domains) in TWO.items():
        emit(name + end, f, domains, fmt, count)
    for name, f in BESSEL.items():
        bessel(name + end, f, fmt, count)
