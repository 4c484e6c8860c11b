//! The error function and its relatives, the normal distribution, and the modified Bessel functions.

use super::double_double::{DoubleDouble, two_product};
use libm::{erf, erfc, exp, fabs, log, log1p, sqrt};
use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// exp(x * x), corrected for the rounding error of the square.
fn exp_square(x: f64) -> f64 {
    let (square, rest) = two_product(x, x);
    let value = exp(square);
    if value.is_finite() { rest.mul_add(value, value) } else { value }
}

/// exp(x * x) * erfc(x): the product, or the continued fraction where a factor overflows or underflows.
pub(super) fn erfcx(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < -30.0 {
        return f64::INFINITY;
    }
    if x < 10.0 {
        return exp_square(x) * erfc(x);
    }
    let fraction = (1..=40).rev().fold(0.0, |rest, k| f64::from(k) / 2.0 / (x + rest));
    1.0 / (sqrt(PI) * (x + fraction))
}

/// Winitzki's approximation of the inverse error function, to three digits. The argument is
/// log(1 - x * x).
fn winitzki(log_of_rest: f64) -> f64 {
    const A: f64 = 0.147;
    let half = 2.0 / (PI * A) + log_of_rest / 2.0;
    sqrt(sqrt(half * half - log_of_rest / A) - half)
}

/// The inverse of `erf`, by Newton's method.
pub(super) fn erfinv(x: f64) -> f64 {
    let a = fabs(x);
    if a > 0.5 {
        return libm::copysign(erfcinv(1.0 - a), x);
    }
    let mut y = if a < 1e-3 { a / FRAC_2_SQRT_PI } else { winitzki(log1p(-a * a)) };
    for _ in 0..4 {
        y -= (erf(y) - a) / FRAC_2_SQRT_PI * exp(y * y);
    }
    libm::copysign(if x.is_nan() { x } else { y }, x)
}

/// The inverse of `erfc`, by Newton's method on log(erfc), which keeps its precision where `erfc`
/// underflows.
pub(super) fn erfcinv(p: f64) -> f64 {
    if !(0.0..=2.0).contains(&p) {
        return f64::NAN;
    }
    if p == 0.0 || p == 2.0 {
        return if p == 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    if p > 0.5 && p < 1.5 {
        return erfinv(1.0 - p);
    }
    if p >= 1.5 {
        return -erfcinv(2.0 - p);
    }
    let wanted = log(p);
    let mut y = winitzki(log(2.0 - p) + wanted);
    for _ in 0..4 {
        let scaled = erfcx(y);
        let (square, rest) = two_product(y, y);
        y += (log(scaled) - square - wanted - rest) * scaled / FRAC_2_SQRT_PI;
    }
    y
}

/// The cumulative distribution function of the standard normal distribution:
/// `erfc(-x / sqrt(2)) / 2`, corrected for the rounding error of the quotient.
pub(super) fn normcdf(x: f64) -> f64 {
    const ROOT: DoubleDouble =
        DoubleDouble(std::f64::consts::FRAC_1_SQRT_2, -4.833_646_656_726_457e-17);
    if x.is_nan() || fabs(x) > 50.0 {
        return if x.is_nan() { x } else { f64::from(x > 0.0) };
    }
    let (hi, e) = two_product(-x, ROOT.0);
    let low = (-x).mul_add(ROOT.1, e);
    let value = erfc(hi);
    let change = if hi > 1.0 { value / erfcx(hi) } else { exp(-hi * hi) };
    0.5 * (low * FRAC_2_SQRT_PI).mul_add(-change, value)
}

/// The inverse of `normcdf`.
pub(super) fn normcdfinv(p: f64) -> f64 {
    const ROOT: DoubleDouble = DoubleDouble(std::f64::consts::SQRT_2, -9.667_293_313_452_913e-17);
    let y = if p > 0.5 { erfcinv(2.0 * (1.0 - p)) } else { -erfcinv(2.0 * p) };
    if y.is_infinite() { y } else { y.mul_add(ROOT.0, y * ROOT.1) }
}

/// I0 or I1: the power series, whose terms are all positive; for large `x` the asymptotic series.
pub(super) fn bessel_i(order: u32, x: f64) -> f64 {
    let a = fabs(x);
    let n = f64::from(order);
    let value = if a < 24.0 {
        let square = two_product(a / 2.0, a / 2.0);
        let square = DoubleDouble(square.0, square.1);
        let start = DoubleDouble(1.0, 0.0);
        let sum = (1..=60)
            .rev()
            .map(f64::from)
            .fold(start, |rest, k| rest.times(square).over(k * (k + n)).plus(1.0));
        if order == 1 { sum.0 * (a / 2.0) } else { sum.0 }
    } else if a > 720.0 {
        a * f64::INFINITY
    } else {
        let terms = (1..=30).map(f64::from);
        let (total, _) = terms.fold((1.0, 1.0), |(total, term): (f64, f64), k| {
            let odd = 2.0 * k - 1.0;
            let next = term * (odd * odd - 4.0 * n * n) / (8.0 * k * a);
            // The asymptotic series is summed up to its smallest term.
            if fabs(next) < fabs(term) { (total + next, next) } else { (total, 0.0) }
        });
        // Near the end in two factors: exp(a) overflows before the product does.
        let quotient = total / sqrt(2.0 * PI * a);
        if a < 709.0 { exp(a) * quotient } else { exp(a / 2.0) * quotient * exp(a / 2.0) }
    };
    if order == 1 { libm::copysign(value, x) } else { value }
}
