//! Discrete Fourier transforms of one to three dimensions, computed in doubles.

use super::Arguments;
use crate::interpreter::Interpreter;
use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};

/// The number of the argument that says what to do.
const SHAPE: usize = 2;

/// The largest prime factor that is summed up plainly.
const PLAIN: usize = 31;

/// A complex number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Complex(f64, f64);

impl Complex {
    /// `turns` times around the unit circle.
    fn on_circle(turns: f64) -> Complex {
        // Quarters of a turn are exact.
        let quarters = (4.0 * turns).round();
        let rest = TAU * (turns - quarters / 4.0);
        let (cos, sin) = (libm::cos(rest), libm::sin(rest));
        match (quarters as i64).rem_euclid(4) {
            0 => Complex(cos, sin),
            1 => Complex(-sin, cos),
            2 => Complex(-cos, -sin),
            _ => Complex(sin, -cos),
        }
    }

    fn conjugate(self) -> Complex {
        Complex(self.0, -self.1)
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}

/// Transforms of one length.
struct Transform {
    /// The powers of the root of unity.
    roots: Vec<Complex>,
    /// For a length with a large prime factor: the transform of a power of two by which it is done, and
    /// that of the chirp.
    chirp: Option<(Box<Transform>, Vec<Complex>)>,
}

impl Transform {
    /// With `sign` in the exponent.
    fn new(n: usize, sign: f64) -> Transform {
        let roots = (0..n).map(|k| Complex::on_circle(sign * k as f64 / n as f64)).collect();
        let mut rest = n;
        for factor in 2..=PLAIN {
            while rest.is_multiple_of(factor) && rest > 0 {
                rest /= factor;
            }
        }
        let chirp = (rest > 1).then(|| {
            let long = (2 * n - 1).next_power_of_two();
            let transform = Transform::new(long, -1.0);
            let mut chirp = vec![Complex::default(); long];
            for k in 0..n {
                let value = bend(k, n, sign).conjugate();
                chirp[k] = value;
                chirp[(long - k) % long] = value;
            }
            let chirp = transform.plain(&chirp);
            (Box::new(transform), chirp)
        });
        Transform { roots, chirp }
    }

    /// The transform of a vector.
    fn of(&self, x: &[Complex], sign: f64) -> Vec<Complex> {
        let Some((long, chirp)) = &self.chirp else { return self.plain(x) };
        let n = x.len();
        let mut bent = vec![Complex::default(); long.roots.len()];
        for (k, (to, x)) in bent.iter_mut().zip(x).enumerate() {
            *to = *x * bend(k, n, sign);
        }
        // The inverse is the transform of the conjugates.
        let product = long.plain(&bent).into_iter().zip(chirp).map(|(a, b)| (a * *b).conjugate());
        let back = long.plain(&product.collect::<Vec<_>>());
        let scale = Complex(1.0 / back.len() as f64, 0.0);
        let result = back.into_iter().take(n).enumerate();
        result.map(|(k, value)| value.conjugate() * scale * bend(k, n, sign)).collect()
    }

    /// By the prime factors of the length.
    fn plain(&self, x: &[Complex]) -> Vec<Complex> {
        let mut out = vec![Complex::default(); x.len()];
        self.part(x, 1, &mut out);
        out
    }

    /// The transform of every `step`th element.
    fn part(&self, x: &[Complex], step: usize, out: &mut [Complex]) {
        let n = out.len();
        if n <= 1 {
            out.copy_from_slice(&x[..n]);
            return;
        }
        let factor = (2..=PLAIN).find(|factor| n.is_multiple_of(*factor)).unwrap_or(n);
        let m = n / factor;
        for (r, out) in out.chunks_mut(m).enumerate() {
            self.part(&x[r * step..], step * factor, out);
        }
        let mut terms = [Complex::default(); PLAIN];
        for k in 0..m {
            for (r, term) in terms[..factor].iter_mut().enumerate() {
                *term = out[r * m + k] * self.roots[r * k * step];
            }
            if factor == 2 {
                (out[k], out[m + k]) = (terms[0] + terms[1], terms[0] - terms[1]);
                continue;
            }
            for q in 0..factor {
                let mut sum = terms[0];
                for (r, term) in terms[..factor].iter().enumerate().skip(1) {
                    sum = sum + *term * self.roots[r * q % factor * m * step];
                }
                out[q * m + k] = sum;
            }
        }
    }
}

/// Element k of the chirp: the root of unity to the power of k squared over two.
fn bend(k: usize, n: usize, sign: f64) -> Complex {
    let square = (k as u128 * k as u128 % (2 * n as u128)) as f64;
    Complex::on_circle(sign * square / (2 * n) as f64)
}

/// Transforms along each of three dimensions, the last of which is the fastest.
fn transform(data: &mut [Complex], sizes: [usize; 3], sign: f64) {
    let [x, y, z] = sizes;
    for (size, step) in [(z, 1), (y, z), (x, y * z)] {
        if size == 1 {
            continue;
        }
        let along = Transform::new(size, sign);
        for first in (0..data.len()).filter(|at| at / step % size == 0) {
            let line: Vec<Complex> = (0..size).map(|i| data[first + i * step]).collect();
            for (i, value) in along.of(&line, sign).into_iter().enumerate() {
                data[first + i * step] = value;
            }
        }
    }
}

/// One side of a transform in memory.
#[derive(Debug, Clone, Copy)]
struct Side {
    at: u64,
    /// Elements along each dimension, and in memory.
    sizes: [usize; 3],
    embedded: [usize; 3],
    stride: i64,
    distance: i64,
    is_complex: bool,
    is_double: bool,
}

impl Side {
    fn bytes(self) -> usize {
        (if self.is_double { 8 } else { 4 }) << usize::from(self.is_complex)
    }

    fn address(self, batch: usize, [x, y, z]: [usize; 3]) -> u64 {
        let [_, rows, columns] = self.embedded;
        let element = ((x * rows + y) * columns + z) as i64;
        let all = element
            .wrapping_mul(self.stride)
            .wrapping_add(self.distance.wrapping_mul(batch as i64));
        self.at.wrapping_add(all.wrapping_mul(self.bytes() as i64) as u64)
    }
}

/// What a transform writes: addresses and bytes.
pub(super) type Results = Vec<(u64, Vec<u8>)>;

fn points([x, y, z]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..x).flat_map(move |i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
}

impl Interpreter<'_> {
    /// Before the kernel runs, which overwrites what it transforms in place: what it will write. Nothing
    /// if memory is not there, which the kernel reports.
    pub(super) fn transformed(&self, args: &Arguments<'_>) -> Option<Results> {
        let [batches, sign, kind] = [64, 68, 72].map(|offset| args.size(SHAPE, offset));
        let sign = if sign as i32 > 0 { 1.0 } else { -1.0 };
        let (real_in, real_out, is_double) = (kind & 1 != 0, kind & 2 != 0, kind & 4 != 0);
        let sizes = |first: usize| [0, 4, 8].map(|at| args.size(SHAPE, first + at));
        let full = sizes(0);
        let half = [full[0], full[1], full[2] / 2 + 1];
        let side = |argument, real: bool, embedded, layout| Side {
            at: args.pointer(argument),
            sizes: if real || !(real_in || real_out) { full } else { half },
            embedded,
            stride: args.long(SHAPE, layout),
            distance: args.long(SHAPE, layout + 8),
            is_complex: !real,
            is_double,
        };
        let from = side(0, real_in, sizes(80), 32);
        let to = side(1, real_out, sizes(92), 48);
        // Before room is made for it: whether it is there.
        self.device_bytes(from.address(0, from.sizes.map(|size| size.saturating_sub(1))), 1)?;
        let mut results = Vec::new();
        for batch in 0..batches {
            let mut data = vec![Complex::default(); full.iter().product()];
            let [_, rows, columns] = full;
            let place = |[x, y, z]: [usize; 3]| (x * rows + y) * columns + z;
            for point in points(from.sizes) {
                data[place(point)] = self.complex_at(from, batch, point)?;
            }
            if real_out {
                for [x, y, z] in points(full).filter(|[.., z]| *z >= half[2]) {
                    let other = [(full[0] - x) % full[0], (rows - y) % rows, columns - z];
                    data[place([x, y, z])] = data[place(other)].conjugate();
                }
            }
            transform(&mut data, full, sign);
            for point in points(to.sizes) {
                let Complex(re, im) = data[place(point)];
                let mut bytes = Vec::new();
                for part in [re, im].into_iter().take(1 + usize::from(to.is_complex)) {
                    match is_double {
                        true => bytes.extend(part.to_le_bytes()),
                        false => bytes.extend((part as f32).to_le_bytes()),
                    }
                }
                let at = to.address(batch, point);
                // An element right behind the last one extends its run of bytes.
                match results.last_mut() {
                    Some((first, all)) if *first + Vec::len(all) as u64 == at => all.extend(bytes),
                    _ => results.push((at, bytes)),
                }
            }
        }
        Some(results)
    }

    fn complex_at(&self, from: Side, batch: usize, point: [usize; 3]) -> Option<Complex> {
        let bytes = self.device_bytes(from.address(batch, point), from.bytes() as u64)?;
        let part = |number: usize| match from.is_double {
            true => {
                f64::from_le_bytes(bytes[8 * number..].first_chunk().copied().unwrap_or_default())
            }
            false => {
                let part = bytes[4 * number..].first_chunk().copied().unwrap_or_default();
                f32::from_le_bytes(part).into()
            }
        };
        Some(Complex(part(0), if from.is_complex { part(1) } else { 0.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Complex, transform};
    use std::f64::consts::TAU;

    #[test]
    fn every_length_agrees_with_the_sum() {
        for n in [1, 2, 3, 4, 5, 8, 12, 30, 31, 37, 74, 97, 128, 210, 961, 1024] {
            let x: Vec<Complex> = (0..n)
                .map(|k| Complex((k * 7 % 11) as f64 - 5.0, (k * 5 % 13) as f64 - 6.0))
                .collect();
            for sign in [-1.0, 1.0] {
                let mut data = x.clone();
                transform(&mut data, [1, 1, n], sign);
                for (q, value) in data.into_iter().enumerate().step_by(n / 16 + 1) {
                    let turn = |k: usize| sign * TAU * (k * q % n) as f64 / n as f64;
                    let term = |(k, x): (usize, &Complex)| {
                        *x * Complex(libm::cos(turn(k)), libm::sin(turn(k)))
                    };
                    let sum = x.iter().enumerate().map(term).fold(Complex::default(), |a, b| a + b);
                    let Complex(re, im) = value - sum;
                    assert!(
                        re.abs() + im.abs() < 1e-9 * n as f64,
                        "{n}, {q}: {value:?} is not {sum:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn dimensions_follow_one_another() {
        let mut data = vec![Complex::default(); 24];
        data[7] = Complex(1.0, 0.0); // at [0, 1, 3] of [2, 3, 4]
        transform(&mut data, [2, 3, 4], -1.0);
        for (at, value) in data.into_iter().enumerate() {
            let (y, z) = (at / 4 % 3, at % 4);
            let turns = -TAU * (y as f64 / 3.0 + 3.0 * z as f64 / 4.0);
            let Complex(re, im) = value - Complex(libm::cos(turns), libm::sin(turns));
            assert!(re.abs() + im.abs() < 1e-12, "{at}");
        }
    }
}
