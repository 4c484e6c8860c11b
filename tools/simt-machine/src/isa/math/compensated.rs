//! Functions that need more than 53 bits on their way: a number is carried as the sum of two.
//!
//! A product's second half comes from a fused multiply-add, a sum's from the differences that
//! rounding leaves (Knuth), so both halves together are exact or nearly so.

use libm::{exp2, expm1, fabs, ldexp, rint, sqrt};

/// `a * b` and what its rounding dropped.
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// `a + b` and what its rounding dropped.
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// A number of some 106 bits.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub(super) f64, pub(super) f64);

impl Pair {
    pub(super) fn times(self, by: Pair) -> Pair {
        let (p, e) = product(self.0, by.0);
        let (hi, lo) = sum(p, e + (self.0 * by.1 + self.1 * by.0));
        Pair(hi, lo)
    }

    /// By a number that has no second half.
    pub(super) fn over(self, by: f64) -> Pair {
        let q = self.0 / by;
        let rest = q.mul_add(-by, self.0) + self.1;
        let (hi, lo) = sum(q, rest / by);
        Pair(hi, lo)
    }

    pub(super) fn plus(self, more: f64) -> Pair {
        let (s, e) = sum(self.0, more);
        let (hi, lo) = sum(s, e + self.1);
        Pair(hi, lo)
    }
}

/// Ten to a power, through two to a power whose exponent has a second half.
pub(super) fn exp10(x: f64) -> f64 {
    const LOG2_10: Pair = Pair(std::f64::consts::LOG2_10, 1.661_617_516_973_592e-16);
    if x.is_nan() || fabs(x) > 400.0 {
        return if x < 0.0 { 0.0 } else { x * f64::INFINITY };
    }
    let (hi, e) = product(x, LOG2_10.0);
    let whole = rint(hi);
    let low = x.mul_add(LOG2_10.1, e);
    let value = exp2(hi - whole);
    ldexp((value * low).mul_add(std::f64::consts::LN_2, value), whole as i32)
}

/// Through `expm1`, whose error the quotient does not enlarge.
pub(super) fn tanh(x: f64) -> f64 {
    let a = fabs(x);
    let value = if a < 1e-8 {
        a
    } else if a > 20.0 {
        1.0
    } else {
        let e = expm1(2.0 * a);
        let (below, low) = sum(e, 2.0);
        if a > 0.5 {
            1.0 - 2.0 / below
        } else {
            let q = e / below;
            q + (q.mul_add(-below, e) - q * low) / below
        }
    };
    libm::copysign(if x.is_nan() { x } else { value }, x)
}

/// The length of a vector, as two halves and a power of two; of something infinite or of nothing,
/// itself.
fn measured(v: &[f64]) -> Result<(f64, f64, i32), f64> {
    let most = v.iter().fold(0.0, |m: f64, x| m.max(fabs(*x)));
    if v.iter().any(|x| x.is_infinite()) {
        return Err(f64::INFINITY);
    }
    if v.iter().any(|x| x.is_nan()) {
        return Err(f64::NAN);
    }
    if most == 0.0 {
        return Err(0.0);
    }
    let scale = libm::ilogb(most);
    let mut total = Pair(0.0, 0.0);
    for x in v {
        let x = ldexp(*x, -scale);
        let (p, e) = product(x, x);
        let (s, rest) = sum(total.0, p);
        total = Pair(s, total.1 + rest + e);
    }
    let root = sqrt(total.0);
    let low = ((-root).mul_add(root, total.0) + total.1) / (2.0 * root);
    Ok((root, low, scale))
}

/// The length of a vector.
pub(super) fn length(v: &[f64]) -> f64 {
    match measured(v) {
        Ok((root, low, scale)) => ldexp(root + low, scale),
        Err(value) => value,
    }
}

/// One over it.
pub(super) fn inverse_length(v: &[f64]) -> f64 {
    match measured(v) {
        Ok((root, low, scale)) => {
            let q = 1.0 / root;
            let rest = (-q).mul_add(root, 1.0) - q * low;
            ldexp(q.mul_add(rest, q), -scale)
        }
        Err(value) => 1.0 / value,
    }
}
