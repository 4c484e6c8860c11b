//! Double-double arithmetic: a number of some 106 bits is the unevaluated sum of two doubles.
//!
//! The low half of a product comes from a fused multiply-add (TwoProduct), that of a sum from the
//! differences that rounding leaves (Knuth's TwoSum). Functions are here whose intermediate results
//! need more than 53 bits.

use libm::{exp2, expm1, fabs, ldexp, rint, sqrt};

/// `a * b` and its rounding error.
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// `a + b` and its rounding error.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// The unevaluated sum of two doubles, the larger first.
#[derive(Clone, Copy)]
pub(super) struct DoubleDouble(pub(super) f64, pub(super) f64);

impl DoubleDouble {
    pub(super) fn times(self, by: DoubleDouble) -> DoubleDouble {
        let (p, e) = two_product(self.0, by.0);
        let (hi, lo) = two_sum(p, e + (self.0 * by.1 + self.1 * by.0));
        DoubleDouble(hi, lo)
    }

    /// Divided by a double.
    pub(super) fn over(self, by: f64) -> DoubleDouble {
        let q = self.0 / by;
        let rest = q.mul_add(-by, self.0) + self.1;
        let (hi, lo) = two_sum(q, rest / by);
        DoubleDouble(hi, lo)
    }

    pub(super) fn plus(self, more: f64) -> DoubleDouble {
        let (s, e) = two_sum(self.0, more);
        let (hi, lo) = two_sum(s, e + self.1);
        DoubleDouble(hi, lo)
    }
}

/// 10 to the power `x`, as 2 to a power whose exponent is a double-double.
pub(super) fn exp10(x: f64) -> f64 {
    const LOG2_10: DoubleDouble =
        DoubleDouble(std::f64::consts::LOG2_10, 1.661_617_516_973_592e-16);
    if x.is_nan() || fabs(x) > 400.0 {
        return if x < 0.0 { 0.0 } else { x * f64::INFINITY };
    }
    let (hi, e) = two_product(x, LOG2_10.0);
    let whole = rint(hi);
    let low = x.mul_add(LOG2_10.1, e);
    let value = exp2(hi - whole);
    ldexp((value * low).mul_add(std::f64::consts::LN_2, value), whole as i32)
}

/// By way of `expm1`: the quotient does not amplify its error.
pub(super) fn tanh(x: f64) -> f64 {
    let a = fabs(x);
    let value = if a < 1e-8 {
        a
    } else if a > 20.0 {
        1.0
    } else {
        let e = expm1(2.0 * a);
        let (divisor, low) = two_sum(e, 2.0);
        if a > 0.5 {
            1.0 - 2.0 / divisor
        } else {
            let q = e / divisor;
            q + (q.mul_add(-divisor, e) - q * low) / divisor
        }
    };
    libm::copysign(if x.is_nan() { x } else { value }, x)
}

/// The Euclidean norm of a vector: high half, low half and a power of two that scales both. `Err`: it
/// is 0, infinite or NaN.
fn norm(v: &[f64]) -> Result<(f64, f64, i32), f64> {
    let largest = v.iter().fold(0.0, |m: f64, x| m.max(fabs(*x)));
    if v.iter().any(|x| x.is_infinite()) {
        return Err(f64::INFINITY);
    }
    if v.iter().any(|x| x.is_nan()) {
        return Err(f64::NAN);
    }
    if largest == 0.0 {
        return Err(0.0);
    }
    let scale = libm::ilogb(largest);
    let mut total = DoubleDouble(0.0, 0.0);
    for x in v {
        let x = ldexp(*x, -scale);
        let (p, e) = two_product(x, x);
        let (s, rest) = two_sum(total.0, p);
        total = DoubleDouble(s, total.1 + rest + e);
    }
    let root = sqrt(total.0);
    let low = ((-root).mul_add(root, total.0) + total.1) / (2.0 * root);
    Ok((root, low, scale))
}

/// The Euclidean norm of a vector.
pub(super) fn length(v: &[f64]) -> f64 {
    match norm(v) {
        Ok((root, low, scale)) => ldexp(root + low, scale),
        Err(value) => value,
    }
}

/// Its reciprocal.
pub(super) fn inverse_length(v: &[f64]) -> f64 {
    match norm(v) {
        Ok((root, low, scale)) => {
            let q = 1.0 / root;
            let rest = (-q).mul_add(root, 1.0) - q * low;
            ldexp(q.mul_add(rest, q), -scale)
        }
        Err(value) => 1.0 / value,
    }
}
