//! The functions of `<math.h>`, in one table.
//!
//! An entry is a name and what computes it; the front end, the machine and the disassembler know
//! nothing else of a function. Everything is computed in binary64 by `libm`, in Rust and without
//! the platform's library, so that every build gives the same bits. The functions for `float` round
//! that once, and so are nearly always the `float` next to the true value.
//!
//! A GPU computes them otherwise, and differs in the last bits: by one or two units in the last
//! place for most, by more for the quick ones (`__expf`, `__sinf`), which here are as good as the
//! slow ones. A result that went through one needs a tolerance when it is compared with a GPU's.

use libm::{exp, expm1, fabs, floor, fmod, sqrt};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Index into the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Math(u8);

/// How many operands a function takes, and what it does.
#[derive(Clone, Copy)]
enum Eval {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

use Eval::{One, Two};

/// Sorted by name.
const TABLE: [(&str, Eval); 48] = [
    ("__frexp_exponent", One(|x| f64::from(libm::frexp(x).1))),
    ("__frexp_fraction", One(|x| libm::frexp(x).0)),
    // The second operand is a whole number.
    ("__ldexp", Two(|x, n| libm::ldexp(x, n as i32))),
    ("acos", One(libm::acos)),
    ("acosh", One(libm::acosh)),
    ("asin", One(libm::asin)),
    ("asinh", One(libm::asinh)),
    ("atan", One(libm::atan)),
    ("atan2", Two(libm::atan2)),
    ("atanh", One(libm::atanh)),
    ("cbrt", One(libm::cbrt)),
    ("copysign", Two(libm::copysign)),
    ("cos", One(libm::cos)),
    ("cosh", One(libm::cosh)),
    ("cospi", One(|x| sinpi(0.5 - fmod(fabs(x), 2.0)))),
    ("erf", One(libm::erf)),
    ("erfc", One(libm::erfc)),
    ("erfcx", One(erfcx)),
    ("exp", One(libm::exp)),
    ("exp10", One(libm::exp10)),
    ("exp2", One(libm::exp2)),
    ("expm1", One(libm::expm1)),
    ("fdim", Two(libm::fdim)),
    ("hypot", Two(libm::hypot)),
    ("j0", One(libm::j0)),
    ("j1", One(libm::j1)),
    ("lgamma", One(libm::lgamma)),
    ("log", One(libm::log)),
    ("log10", One(libm::log10)),
    ("log1p", One(libm::log1p)),
    ("log2", One(libm::log2)),
    ("logb", One(logb)),
    ("normcdf", One(|x| 0.5 * libm::erfc(-x * FRAC_1_SQRT_2))),
    ("pow", Two(libm::pow)),
    ("rcbrt", One(|x| 1.0 / libm::cbrt(x))),
    ("remainder", Two(libm::remainder)),
    ("rhypot", Two(|x, y| 1.0 / libm::hypot(x, y))),
    ("round", One(libm::round)),
    ("rsqrt", One(|x| 1.0 / sqrt(x))),
    ("sin", One(libm::sin)),
    ("sinh", One(libm::sinh)),
    ("sinpi", One(sinpi)),
    ("tan", One(libm::tan)),
    ("tanh", One(tanh)),
    ("tanpi", One(|x| sinpi(x) / sinpi(0.5 - fmod(fabs(x), 2.0)))),
    ("tgamma", One(libm::tgamma)),
    ("y0", One(libm::y0)),
    ("y1", One(libm::y1)),
];

impl Math {
    /// The function of that name, as `double` has it.
    pub fn named(name: &str) -> Option<Math> {
        TABLE.binary_search_by_key(&name, |entry| entry.0).ok().map(|i| Math(i as u8))
    }

    /// Every name, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|entry| entry.0)
    }

    fn entry(self) -> (&'static str, Eval) {
        TABLE[usize::from(self.0) % TABLE.len()]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Operands that it reads: one or two.
    pub fn arity(self) -> usize {
        match self.entry().1 {
            One(_) => 1,
            Two(_) => 2,
        }
    }

    /// Its value; a function of one operand does not look at the second.
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self.entry().1 {
            One(f) => f(x),
            Two(f) => f(x, y),
        }
    }
}

/// sin(pi * x), exact where x is a multiple of a half.
fn sinpi(x: f64) -> f64 {
    let whole = fmod(x, 2.0);
    let (sign, r) = if whole < 0.0 { (-1.0, -whole) } else { (1.0, whole) };
    // To the first quarter: sin(pi * (1 - r)) = sin(pi * r), sin(pi * (r - 1)) = -sin(pi * r).
    let (sign, r) = if r >= 1.0 { (-sign, r - 1.0) } else { (sign, r) };
    let r = if r > 0.5 { 1.0 - r } else { r };
    let value = if r > 0.25 { libm::cos(PI * (0.5 - r)) } else { libm::sin(PI * r) };
    sign * value
}

/// exp(x * x) * erfc(x), by its continued fraction where the factors leave the range.
fn erfcx(x: f64) -> f64 {
    if x < 10.0 {
        return exp(x * x) * libm::erfc(x);
    }
    let fraction = (1..=40).rev().fold(0.0, |rest, k| f64::from(k) / 2.0 / (x + rest));
    1.0 / (sqrt(PI) * (x + fraction))
}

/// Through `expm1`, which keeps the digits near zero.
fn tanh(x: f64) -> f64 {
    if fabs(x) > 20.0 {
        return libm::copysign(1.0, x);
    }
    let e = expm1(2.0 * x);
    if x == 0.0 { x } else { e / (e + 2.0) }
}

/// The exponent of x as a number.
fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        floor(f64::from(libm::ilogb(x)))
    } else {
        x * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, x: f64, y: f64) -> f64 {
        Math::named(name).unwrap().value(x, y)
    }

    #[test]
    fn the_table_is_sorted_and_finds_every_name() {
        assert!(TABLE.is_sorted_by_key(|entry| entry.0));
        for name in Math::names() {
            assert_eq!(Math::named(name).unwrap().name(), name);
        }
        assert_eq!(Math::named("sine"), None);
    }

    #[test]
    fn known_values() {
        let near = |name: &str, x: f64, y: f64, wanted: f64| {
            let got = of(name, x, y);
            assert!(
                (got - wanted).abs() <= 4e-16 * wanted.abs().max(1e-300),
                "{name}({x}, {y}) = {got}, not {wanted}"
            );
        };
        near("exp", 1.0, 0.0, std::f64::consts::E);
        near("log2", 8.0, 0.0, 3.0);
        near("pow", 2.0, 0.5, std::f64::consts::SQRT_2);
        near("rsqrt", 4.0, 0.0, 0.5);
        near("cospi", 1.0 / 3.0, 0.0, 0.5);
        near("erf", 0.5, 0.0, 0.520_499_877_813_046_5);
        near("normcdf", 0.0, 0.0, 0.5);
        near("tgamma", 5.0, 0.0, 24.0);
        near("hypot", 3.0, 4.0, 5.0);
        near("atan2", 1.0, 1.0, PI / 4.0);
        near("erfcx", 1.0, 0.0, 0.427_583_576_155_807);
        near("erfcx", 10.0, 0.0, 0.056_140_992_743_822_59);
    }

    #[test]
    fn edges_are_exact() {
        assert_eq!(of("sinpi", 1.0, 0.0), 0.0);
        assert_eq!(of("cospi", 0.5, 0.0), 0.0);
        assert_eq!(of("cospi", 1.0, 0.0), -1.0);
        assert_eq!(of("cospi", -3.0, 0.0), -1.0);
        assert_eq!(of("sinpi", -1.5, 0.0), 1.0);
        assert_eq!(of("round", -2.5, 0.0), -3.0);
        assert_eq!(of("remainder", 5.0, 3.0), -1.0);
        assert_eq!(of("logb", 0.1, 0.0), -4.0);
        assert!(of("tanh", -0.0, 0.0).is_sign_negative());
        assert_eq!(of("tanh", 1000.0, 0.0), 1.0);
    }
}
