//! Soft floating point: exact results of operations, rounded once, in integer arithmetic.

/// A binary format: bits of the fraction and of the exponent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) fraction: u32,
    pub(super) exponent: u32,
    /// The canonical NaN.
    pub(super) nan: u64,
}

pub(super) const F16: Format = Format { fraction: 10, exponent: 5, nan: 0x7fff };
pub(super) const BF16: Format = Format { fraction: 7, exponent: 8, nan: 0x7fff };
pub(super) const F32: Format = Format { fraction: 23, exponent: 8, nan: 0x7fff_ffff };
/// Its NaN is that of operations on numbers; the ISA leaves its bits open, and a GPU gives these.
pub(super) const F64: Format = Format { fraction: 52, exponent: 11, nan: 0xfff8_0000_0000_0000 };

/// A rounding mode, by its name in PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Nearest,
    Zero,
    Down,
    Up,
}

pub(super) const MODES: [(&str, Mode); 4] =
    [("rn", Mode::Nearest), ("rz", Mode::Zero), ("rm", Mode::Down), ("rp", Mode::Up)];

/// A number: `sign * mantissa * 2^exponent`, and whether a little more of magnitude follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) negative: bool,
    pub(super) mantissa: u128,
    pub(super) exponent: i32,
    pub(super) sticky: bool,
}

/// A value of a format.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Nan,
    /// Whether it is negative.
    Infinite(bool),
    Finite(Number),
}

impl Format {
    pub(super) fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The encoding of 1.
    pub(super) fn one(self) -> u64 {
        (self.bias() as u64) << self.fraction
    }

    /// The value of an encoding; a subnormal as zero if `flush`.
    pub(super) fn decode(self, bits: u64, flush: bool) -> Value {
        let negative = bits >> (self.bits() - 1) & 1 == 1;
        let fraction = bits & ((1 << self.fraction) - 1);
        let exponent = (bits >> self.fraction & ((1 << self.exponent) - 1)) as i32;
        if exponent == (1 << self.exponent) - 1 {
            return if fraction == 0 { Value::Infinite(negative) } else { Value::Nan };
        }
        let hidden = u64::from(exponent != 0) << self.fraction;
        let mantissa = match flush && exponent == 0 {
            true => 0,
            false => u128::from(fraction | hidden),
        };
        let exponent = exponent.max(1) - self.bias() - self.fraction as i32;
        Value::Finite(Number { negative, mantissa, exponent, sticky: false })
    }

    /// The encoding of a number, rounded once; a subnormal result as zero if `flush`.
    pub(super) fn encode(self, x: Number, mode: Mode, flush: bool) -> u64 {
        let sign = u64::from(x.negative) << (self.bits() - 1);
        if x.mantissa == 0 && !x.sticky {
            return sign;
        }
        let least = 1 - self.bias() - self.fraction as i32;
        let width = 128 - x.mantissa.leading_zeros() as i32;
        // The exponent of the last bit that is kept.
        let unit = (x.exponent + width - 1 - self.fraction as i32).max(least);
        let shift = unit - x.exponent;
        let (kept, rest_is, half_is) = if shift <= 0 {
            (x.mantissa << -shift, x.sticky, std::cmp::Ordering::Less)
        } else if shift > 127 {
            (0, true, std::cmp::Ordering::Less)
        } else {
            let rest = x.mantissa & ((1 << shift) - 1);
            let half = 1u128 << (shift - 1);
            let against = match rest.cmp(&half) {
                std::cmp::Ordering::Equal if x.sticky => std::cmp::Ordering::Greater,
                other => other,
            };
            (x.mantissa >> shift, rest != 0 || x.sticky, against)
        };
        let up = match mode {
            Mode::Nearest => {
                half_is == std::cmp::Ordering::Greater
                    || half_is == std::cmp::Ordering::Equal && kept & 1 == 1
            }
            Mode::Zero => false,
            Mode::Down => x.negative && rest_is,
            Mode::Up => !x.negative && rest_is,
        };
        let kept = kept as u64 + u64::from(up);
        // A carry of the fraction goes into the exponent by itself.
        let exponent = (unit - least) as u64;
        let magnitude = (exponent << self.fraction) + kept;
        if magnitude >= self.infinity() {
            let to_infinity = match mode {
                Mode::Nearest => true,
                Mode::Zero => false,
                Mode::Down => x.negative,
                Mode::Up => !x.negative,
            };
            return sign | (self.infinity() - u64::from(!to_infinity));
        }
        if flush && magnitude < 1 << self.fraction { sign } else { sign | magnitude }
    }
}

impl Number {
    fn new(negative: bool, mantissa: u128, exponent: i32) -> Number {
        Number { negative, mantissa, exponent, sticky: false }
    }

    pub(super) fn integer(x: i128) -> Number {
        Number::new(x < 0, x.unsigned_abs(), 0)
    }
}

/// The exact sum; where the exponents lie far apart, the smaller is sticky.
fn sum(a: Number, b: Number, mode: Mode) -> Number {
    if a.mantissa == 0 && b.mantissa == 0 {
        let negative = match a.negative == b.negative {
            true => a.negative,
            false => mode == Mode::Down,
        };
        return Number::new(negative, 0, 0);
    }
    if b.mantissa == 0 {
        return a;
    }
    if a.mantissa == 0 {
        return b;
    }
    let (mut high, mut low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let room = high.mantissa.leading_zeros() as i32 - 2;
    let up = (high.exponent - low.exponent).min(room);
    high.mantissa <<= up;
    high.exponent -= up;
    let down = high.exponent - low.exponent;
    // Guard bits remain below the last bit of the larger one.
    let lost = down > 0 && (down > 127 || low.mantissa & ((1 << down.min(127)) - 1) != 0);
    low.mantissa = if down > 127 { 0 } else { low.mantissa >> down };
    let (x, y) = (high.mantissa as i128, low.mantissa as i128);
    let x = if high.negative { -x } else { x };
    let y = if low.negative { -y } else { y };
    let mut total = x + y;
    // What was shifted out makes the magnitude a little larger, or a little smaller.
    if lost && low.negative != (total < 0) && total != 0 {
        total -= total.signum();
    }
    let negative = if total == 0 { mode == Mode::Down } else { total < 0 };
    Number { negative, mantissa: total.unsigned_abs(), exponent: high.exponent, sticky: lost }
}

/// `a * b + c`; with `None` for `c` the product alone.
pub(super) fn fused(a: Value, b: Value, c: Option<Value>, mode: Mode) -> Value {
    let product = match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
        (Value::Infinite(s), Value::Finite(x)) | (Value::Finite(x), Value::Infinite(s)) => {
            if x.mantissa == 0 { Value::Nan } else { Value::Infinite(s != x.negative) }
        }
        (Value::Infinite(s), Value::Infinite(t)) => Value::Infinite(s != t),
        (Value::Finite(x), Value::Finite(y)) => Value::Finite(Number::new(
            x.negative != y.negative,
            x.mantissa * y.mantissa,
            x.exponent + y.exponent,
        )),
    };
    match (product, c) {
        (product, None) => product,
        (Value::Nan, _) | (_, Some(Value::Nan)) => Value::Nan,
        (Value::Infinite(s), Some(Value::Infinite(t))) if s != t => Value::Nan,
        (Value::Infinite(s), _) | (_, Some(Value::Infinite(s))) => Value::Infinite(s),
        (Value::Finite(x), Some(Value::Finite(y))) => Value::Finite(sum(x, y, mode)),
    }
}

pub(super) fn add(a: Value, b: Value, mode: Mode) -> Value {
    let one = Value::Finite(Number::new(false, 1, 0));
    fused(a, one, Some(b), mode)
}

pub(super) fn quotient(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Infinite(_), Value::Infinite(_)) => Value::Nan,
        (Value::Infinite(s), Value::Finite(y)) => Value::Infinite(s != y.negative),
        (Value::Finite(x), Value::Infinite(s)) => Value::Finite(Number::new(x.negative != s, 0, 0)),
        (Value::Finite(x), Value::Finite(y)) => {
            let negative = x.negative != y.negative;
            match (x.mantissa, y.mantissa) {
                (0, 0) => Value::Nan,
                (_, 0) => Value::Infinite(negative),
                (0, _) => Value::Finite(Number::new(negative, 0, 0)),
                (n, d) => {
                    let up = n.leading_zeros() as i32;
                    let n = n << up;
                    let exponent = x.exponent - up - y.exponent;
                    let mut made = Number::new(negative, n / d, exponent);
                    made.sticky = !n.is_multiple_of(d);
                    Value::Finite(made)
                }
            }
        }
    }
}

pub(super) fn square_root(a: Value) -> Value {
    match a {
        Value::Finite(x) if x.mantissa == 0 => a,
        Value::Nan | Value::Infinite(true) => Value::Nan,
        Value::Infinite(false) => a,
        Value::Finite(x) if x.negative => Value::Nan,
        Value::Finite(x) => {
            let mut up = x.mantissa.leading_zeros() as i32 - 1;
            up -= (x.exponent - up) & 1;
            let n = x.mantissa << up;
            let root = n.isqrt();
            let mut made = Number::new(false, root, (x.exponent - up) / 2);
            made.sticky = root * root != n;
            Value::Finite(made)
        }
    }
}

/// The encoding of a value.
pub(super) fn encode(value: Value, format: Format, mode: Mode, flush: bool) -> u64 {
    match value {
        Value::Nan => format.nan,
        Value::Infinite(negative) => u64::from(negative) << (format.bits() - 1) | format.infinity(),
        Value::Finite(x) => format.encode(x, mode, flush),
    }
}

/// The NaN of an operation: the canonical one, but in binary64 that of the last operand that is one,
/// made quiet, as a GPU gives it.
pub(super) fn nan_of(format: Format, operands: &[u64]) -> u64 {
    let is_nan = |x: &&u64| matches!(format.decode(**x, false), Value::Nan);
    match operands.iter().rev().find(is_nan) {
        Some(x) if format == F64 => x | 1 << 51,
        _ => format.nan,
    }
}

/// A NaN in another format. From and to binary64 it keeps its sign and the upper bits of its fraction,
/// and is made quiet; bfloat16 gets zeros behind it in binary32; other NaNs become the canonical one.
pub(super) fn converted_nan(x: u64, from: Format, to: Format) -> u64 {
    if (from, to) == (BF16, F32) {
        return x << 16;
    }
    if from != F64 && to != F64 {
        return to.nan;
    }
    let fraction = x & ((1 << from.fraction) - 1);
    let fraction = match to.fraction.checked_sub(from.fraction) {
        Some(longer) => fraction << longer,
        None => fraction >> (from.fraction - to.fraction),
    };
    let sign = x >> (from.bits() - 1) << (to.bits() - 1);
    sign | to.infinity() | fraction | 1 << (to.fraction - 1)
}

/// Clamped to [0, 1]; a NaN is 0.
pub(super) fn saturate(bits: u64, format: Format) -> u64 {
    let one = format.one();
    match format.decode(bits, false) {
        Value::Nan => 0,
        _ if bits >> (format.bits() - 1) == 1 => 0,
        _ => bits.min(one),
    }
}

/// The integer nearest in a direction, clamped to a type; `None` for a NaN.
pub(super) fn to_integer(value: Value, mode: Mode, bits: u32, signed: bool) -> Option<i128> {
    let (low, high) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let x = match value {
        Value::Nan => return None,
        Value::Infinite(negative) => return Some(if negative { low } else { high }),
        Value::Finite(x) => x,
    };
    let magnitude = if x.mantissa == 0 {
        0
    } else if x.exponent > 70 {
        i128::MAX
    } else if x.exponent >= 0 {
        (x.mantissa << x.exponent.min(70)) as i128
    } else {
        let down = -x.exponent;
        let (whole, rest) = match down {
            ..=127 => (x.mantissa >> down, x.mantissa & ((1 << down) - 1)),
            _ => (0, x.mantissa),
        };
        let half = if down > 127 { u128::MAX } else { 1 << (down - 1) };
        let up = match mode {
            Mode::Nearest => rest > half || rest == half && whole & 1 == 1,
            Mode::Zero => false,
            Mode::Down => x.negative && rest != 0,
            Mode::Up => !x.negative && rest != 0,
        };
        whole as i128 + i128::from(up)
    };
    let signed_value = if x.negative { magnitude.wrapping_neg() } else { magnitude };
    Some(signed_value.clamp(low, high))
}
