//! The functions of `<math.h>`, in one table.
//!
//! An entry is a name and what computes it; the front end, the machine and the disassembler know
//! nothing else about a function. Everything is computed in binary64, by `libm` or by the modules
//! below, in Rust and without the platform's library, so that every build gives the same bits. The
//! functions for `float` round the result once, and so are nearly always correctly rounded.
//!
//! A GPU computes them differently: most differ by one or two units in the last place (ulp), the
//! fast intrinsics (`__expf`, `__sinf`) by more; here those are as accurate as the others. A result
//! that depends on such a function needs a tolerance when it is compared with a GPU's. Each keeps
//! the error bound of CUDA's programming guide: `tests/accuracy.rs` measures it, and where `libm`
//! alone exceeds the bound, a module here replaces it.

mod bessel;
mod directed_rounding;
mod double_double;
mod special;
mod upper_word;

use super::Ty;
use directed_rounding::Rounding::{Down, Up, Zero};
use libm::{fabs, floor, fmod, sqrt};
use std::f64::consts::PI;

/// A function: an index into the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Math(u8);

/// How many operands a function takes, and what computes it.
#[derive(Clone, Copy)]
enum Eval {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    Four(fn(f64, f64, f64, f64) -> f64),
    /// These round to the result's type themselves: to `float` if the flag is set.
    OneIn(fn(bool, f64) -> f64),
    TwoIn(fn(bool, f64, f64) -> f64),
    ThreeIn(fn(bool, f64, f64, f64) -> f64),
}

use Eval::{Four, One, OneIn, Three, ThreeIn, Two, TwoIn};

/// Sorted by name. Names that begin with two underscores are not CUDA's functions: the built-in
/// headers implement CUDA's with them.
const TABLE: [(&str, Eval); 88] = [
    ("__add_rd", TwoIn(|s, x, y| directed_rounding::add(Down, s, x, y))),
    ("__add_ru", TwoIn(|s, x, y| directed_rounding::add(Up, s, x, y))),
    ("__add_rz", TwoIn(|s, x, y| directed_rounding::add(Zero, s, x, y))),
    ("__bfloat_rd", One(|x| directed_rounding::half(Down, Ty::Bf16, x))),
    ("__bfloat_ru", One(|x| directed_rounding::half(Up, Ty::Bf16, x))),
    ("__bfloat_rz", One(|x| directed_rounding::half(Zero, Ty::Bf16, x))),
    ("__div_rd", TwoIn(|s, x, y| directed_rounding::div(Down, s, x, y))),
    ("__div_ru", TwoIn(|s, x, y| directed_rounding::div(Up, s, x, y))),
    ("__div_rz", TwoIn(|s, x, y| directed_rounding::div(Zero, s, x, y))),
    ("__float_rd", One(|x| directed_rounding::single(Down, x))),
    ("__float_ru", One(|x| directed_rounding::single(Up, x))),
    ("__float_rz", One(|x| directed_rounding::single(Zero, x))),
    ("__frexp_exponent", One(|x| f64::from(libm::frexp(x).1))),
    ("__frexp_fraction", One(|x| libm::frexp(x).0)),
    ("__fused_rd", ThreeIn(|s, x, y, z| directed_rounding::fma(Down, s, x, y, z))),
    ("__fused_ru", ThreeIn(|s, x, y, z| directed_rounding::fma(Up, s, x, y, z))),
    ("__fused_rz", ThreeIn(|s, x, y, z| directed_rounding::fma(Zero, s, x, y, z))),
    ("__half_rd", One(|x| directed_rounding::half(Down, Ty::F16, x))),
    ("__half_ru", One(|x| directed_rounding::half(Up, Ty::F16, x))),
    ("__half_rz", One(|x| directed_rounding::half(Zero, Ty::F16, x))),
    // The first operand of `__jn` and `__yn`, and the second of `__ldexp`, is an integer.
    ("__jn", Two(bessel::jn)),
    ("__ldexp", Two(|x, n| libm::ldexp(x, n as i32))),
    ("__mul_rd", TwoIn(|s, x, y| directed_rounding::mul(Down, s, x, y))),
    ("__mul_ru", TwoIn(|s, x, y| directed_rounding::mul(Up, s, x, y))),
    ("__mul_rz", TwoIn(|s, x, y| directed_rounding::mul(Zero, s, x, y))),
    ("__quotient_bits", Two(|x, y| f64::from(libm::remquo(x, y).1))),
    ("__rcp_upper", One(upper_word::reciprocal)),
    ("__rsqrt_upper", One(upper_word::inverse_root)),
    ("__sqrt_rd", OneIn(|s, x| directed_rounding::sqrt(Down, s, x))),
    ("__sqrt_ru", OneIn(|s, x| directed_rounding::sqrt(Up, s, x))),
    ("__sqrt_rz", OneIn(|s, x| directed_rounding::sqrt(Zero, s, x))),
    ("__sub_rd", TwoIn(|s, x, y| directed_rounding::add(Down, s, x, -y))),
    ("__sub_ru", TwoIn(|s, x, y| directed_rounding::add(Up, s, x, -y))),
    ("__sub_rz", TwoIn(|s, x, y| directed_rounding::add(Zero, s, x, -y))),
    ("__yn", Two(bessel::yn)),
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
    ("cyl_bessel_i0", One(|x| special::bessel_i(0, x))),
    ("cyl_bessel_i1", One(|x| special::bessel_i(1, x))),
    ("erf", One(libm::erf)),
    ("erfc", One(libm::erfc)),
    ("erfcinv", One(special::erfcinv)),
    ("erfcx", One(special::erfcx)),
    ("erfinv", One(special::erfinv)),
    ("exp", One(libm::exp)),
    ("exp10", One(double_double::exp10)),
    ("exp2", One(libm::exp2)),
    ("expm1", One(libm::expm1)),
    ("fdim", Two(libm::fdim)),
    ("hypot", Two(libm::hypot)),
    ("j0", One(bessel::j0)),
    ("j1", One(bessel::j1)),
    ("lgamma", One(libm::lgamma)),
    ("log", One(libm::log)),
    ("log10", One(libm::log10)),
    ("log1p", One(libm::log1p)),
    ("log2", One(libm::log2)),
    ("logb", One(logb)),
    ("norm3d", Three(|x, y, z| double_double::length(&[x, y, z]))),
    ("norm4d", Four(|x, y, z, w| double_double::length(&[x, y, z, w]))),
    ("normcdf", One(special::normcdf)),
    ("normcdfinv", One(special::normcdfinv)),
    ("pow", Two(libm::pow)),
    ("rcbrt", One(|x| 1.0 / libm::cbrt(x))),
    ("remainder", Two(libm::remainder)),
    ("rhypot", Two(|x, y| double_double::inverse_length(&[x, y]))),
    ("rnorm3d", Three(|x, y, z| double_double::inverse_length(&[x, y, z]))),
    ("rnorm4d", Four(|x, y, z, w| double_double::inverse_length(&[x, y, z, w]))),
    ("round", One(libm::round)),
    ("rsqrt", One(|x| 1.0 / sqrt(x))),
    ("sin", One(libm::sin)),
    ("sinh", One(libm::sinh)),
    ("sinpi", One(sinpi)),
    ("tan", One(libm::tan)),
    ("tanh", One(double_double::tanh)),
    ("tgamma", One(libm::tgamma)),
    ("y0", One(bessel::y0)),
    ("y1", One(bessel::y1)),
];

impl Math {
    /// The function of that name, which is the one for `double`.
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

    /// Operands that it reads: one to four.
    pub fn arity(self) -> usize {
        match self.entry().1 {
            One(_) | OneIn(_) => 1,
            Two(_) | TwoIn(_) => 2,
            Three(_) | ThreeIn(_) => 3,
            Four(_) => 4,
        }
    }

    /// The operands whose NaN a result in binary64 keeps: the last of these that is one.
    pub(crate) fn nan_order(self) -> [Option<usize>; 4] {
        let name = self.name();
        if name.starts_with("__div_") {
            return [Some(1), Some(0), None, None];
        }
        if name.starts_with("__fused_") {
            return [Some(0), Some(2), Some(1), None];
        }
        std::array::from_fn(|at| (at < self.arity()).then_some(at))
    }

    /// Its value; operands that it does not take are ignored. `single`: the operands are floats, and
    /// the result will be rounded to one.
    pub fn value(self, single: bool, [x, y, z, w]: [f64; 4]) -> f64 {
        match self.entry().1 {
            One(f) => f(x),
            Two(f) => f(x, y),
            Three(f) => f(x, y, z),
            Four(f) => f(x, y, z, w),
            OneIn(f) => f(single, x),
            TwoIn(f) => f(single, x, y),
            ThreeIn(f) => f(single, x, y, z),
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
        Math::named(name).unwrap().value(false, [x, y, 0.0, 0.0])
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
