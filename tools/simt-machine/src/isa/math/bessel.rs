//! The Bessel functions of the first and second kind.
//!
//! Away from their zeros `libm` computes them. Near a zero `libm` has a small absolute error but a
//! large relative one, and CUDA bounds the error in units in the last place for |x| < 8. There the
//! function is computed by its Taylor series around the zero, which is stored as a double-double. The
//! coefficients follow from the first one by Bessel's differential equation.

use libm::fabs;

/// A zero as a double-double, and the slope of the function there.
struct Zero(f64, f64, f64);

const J0: [Zero; 2] = [
    Zero(2.404825557695773, -1.176691651530894e-16, -0.5191474972894667),
    Zero(5.520078110286311, 8.088597146146722e-17, 0.34026480655836816),
];
const J1: [Zero; 2] = [
    Zero(3.8317059702075125, -1.5269184090088067e-16, -0.402759395702553),
    Zero(7.015586669815619, -9.414165653410389e-17, 0.30011575252613254),
];
const Y0: [Zero; 3] = [
    Zero(0.8935769662791675, 2.6596231539720385e-17, 0.8794208024971948),
    Zero(3.957678419314858, -1.0764340697562706e-16, -0.40254267177502423),
    Zero(7.086051060301773, -8.835285723085408e-17, 0.3000976149104752),
];
const Y1: [Zero; 2] = [
    Zero(2.197141326031017, -4.8259835876454966e-17, 0.5207864124022675),
    Zero(5.429681040794135, 4.162514026670377e-16, -0.3403180455234406),
];

/// The distance from a zero up to which its series is used.
const NEAR: f64 = 0.25;

/// The value of the Taylor series, if a zero is near.
fn taylor(zeros: &[Zero], order: f64, x: f64) -> Option<f64> {
    let Zero(z, low, slope) = zeros.iter().find(|zero| fabs(x - zero.0) < NEAR)?;
    let t = (x - z) - low;
    // With f = c[0] + c[1] t + ..., x*x*f'' + x*f' + (x*x - n*n)*f = 0 gives c[m + 2].
    let mut c = [0.0; 32];
    c[1] = *slope;
    for m in 0..30 {
        let at = |k: usize, back: usize| if k < back { 0.0 } else { c[k - back] };
        let k = m as f64;
        let rest = z * (k + 1.0) * (2.0 * k + 1.0) * c[m + 1]
            + (k * k + z * z - order * order) * c[m]
            + 2.0 * z * at(m, 1)
            + at(m, 2);
        c[m + 2] = -rest / (z * z * (k + 1.0) * (k + 2.0));
    }
    Some(c[1..].iter().rev().fold(0.0, |sum, c| sum * t + c) * t)
}

pub(super) fn j0(x: f64) -> f64 {
    taylor(&J0, 0.0, fabs(x)).unwrap_or_else(|| libm::j0(x))
}

pub(super) fn j1(x: f64) -> f64 {
    match taylor(&J1, 1.0, fabs(x)) {
        Some(value) => {
            if x < 0.0 {
                -value
            } else {
                value
            }
        }
        None => libm::j1(x),
    }
}

pub(super) fn y0(x: f64) -> f64 {
    taylor(&Y0, 0.0, x).unwrap_or_else(|| libm::y0(x))
}

pub(super) fn y1(x: f64) -> f64 {
    taylor(&Y1, 1.0, x).unwrap_or_else(|| libm::y1(x))
}

/// The highest order that is computed: the recurrence takes as many steps. Beyond it the result is
/// the limit where that is certain, and otherwise NaN.
const MAX_ORDER: f64 = 65_536.0;

pub(super) fn jn(n: f64, x: f64) -> f64 {
    match n {
        _ if fabs(n) > MAX_ORDER => {
            if fabs(x) < fabs(n) / 2.0 {
                0.0
            } else {
                f64::NAN
            }
        }
        0.0 => j0(x),
        1.0 => j1(x),
        _ => libm::jn(n as i32, x),
    }
}

pub(super) fn yn(n: f64, x: f64) -> f64 {
    match n {
        _ if n < 0.0 || x < 0.0 => f64::NAN,
        _ if n > MAX_ORDER => {
            if x < n / 2.0 {
                f64::NEG_INFINITY
            } else {
                f64::NAN
            }
        }
        0.0 => y0(x),
        1.0 => y1(x),
        _ => libm::yn(n as i32, x),
    }
}
