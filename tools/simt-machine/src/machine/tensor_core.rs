//! Tensor-core arithmetic: products of small matrices, as Hopper's tensor cores compute them.
//!
//! The functions are pure: encodings go in, one element per word, and encodings come out. How
//! elements are spread over registers and shared memory is not their business.
//!
//! Each element of a product of floats is one *fused dot product*. All `k` products and the
//! accumulator are aligned to the largest exponent among them, cut off there, added exactly, and
//! rounded once; the order of the terms does not matter. [`fused_dot`] has the details. The model is
//! that of MMA-Sim (Xie et al., arXiv 2511.10909), who measured it on an H100. Products in binary64
//! are fused multiply-adds in the order of `k`, and sums of integers are exact.
//!
//! What zeros do, and how `mma.sync` multiplies 8-bit floats, was measured here. Every shape and type is
//! compared with an H100, special values among them (`tools/random-kernels`).

mod float_format;
mod fused_dot;
#[cfg(test)]
mod tests;

use crate::isa::{Accumulator, Factor, Ty, half};
use crate::machine::alu::{b32, mul_add64};
use crate::machine::simd::{Task, Wide};
use fused_dot::{Columns, Rounding, Rows};
use std::ops::Range;

/// The product of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// Rows of `a`.
    pub m: usize,
    /// Columns of `b`: a multiple of 8.
    pub n: usize,
    /// Columns of `a`.
    pub k: usize,
    /// The elements of `a`.
    pub a: Factor,
    /// The elements of `b`.
    pub b: Factor,
    /// The elements of the sums.
    pub sum: Accumulator,
    /// Whether it is `wgmma`, whose products of 8-bit floats keep fewer bits.
    pub warp_group: bool,
}

/// A tensor core. It keeps no state between products but its scratch memory.
#[derive(Debug, Default)]
pub struct TensorCore {
    rows: Rows,
    columns: Columns,
    wide: Option<Wide>,
}

impl TensorCore {
    /// For this processor.
    pub fn new() -> TensorCore {
        TensorCore { wide: Wide::detect(), ..TensorCore::default() }
    }

    /// `sums += a b`. `a` has `m` rows of `k` encodings, `b` has `k` rows of `n`, `sums` has `m` rows
    /// of `n`. Not for binary64.
    pub fn multiply(&mut self, product: &Product, a: &[u32], b: &[u32], sums: &mut [u32]) {
        if product.a.is_integer() {
            return integers(product, a, b, sums);
        }
        let eight_bits = matches!(product.a, Factor::E4m3 | Factor::E5m2);
        if eight_bits && !product.warp_group {
            return self.multiply_as_binary16(product, a, b, sums);
        }
        let depth = if eight_bits { product.k } else { product.k.min(16) };
        for from in (0..product.k).step_by(depth) {
            let rounding = Rounding::new(product.sum, eight_bits);
            let TensorCore { rows, columns, wide } = self;
            let along = from..from + depth;
            let task = Dot { product, a, b, along, rows, columns, rounding, sums };
            match wide {
                Some(wide) => wide.run(task),
                None => task.run::<false>(),
            }
        }
    }

    /// Without `wgmma`, Hopper has no products of 8-bit floats. `ptxas` converts the factors to binary16,
    /// which is exact, and multiplies twice: the lower halves of the registers, whose `k` is 0 or 1 modulo
    /// 4, onto zero, and the upper halves onto that. The accumulator is added last, with a rounding of
    /// its own.
    fn multiply_as_binary16(&mut self, product: &Product, a: &[u32], b: &[u32], sums: &mut [u32]) {
        let &Product { n, k, .. } = product;
        let converted = |format, bits: u32| -> u32 {
            half::encode(Ty::F16, float_format::value(format, bits)).into()
        };
        let halves = Product { a: Factor::F16, b: Factor::F16, k: k / 2, ..*product };
        let mut made = vec![0; sums.len()];
        for upper in [false, true] {
            let taken = |l: usize| (l % 4 >= 2) == upper;
            let a = a.iter().enumerate().filter(|(at, _)| taken(at % k));
            let b = b.iter().enumerate().filter(|(at, _)| taken(at / n));
            let a: Vec<u32> = a.map(|(_, &bits)| converted(product.a, bits)).collect();
            let b: Vec<u32> = b.map(|(_, &bits)| converted(product.b, bits)).collect();
            self.multiply(&halves, &a, &b, &mut made);
        }
        for (sum, made) in sums.iter_mut().zip(made) {
            *sum = match product.sum {
                Accumulator::F16 => {
                    let [x, y] = [*sum, made].map(|bits| half::decode(Ty::F16, bits as u16));
                    if (x + y).is_nan() { 0x7FFF } else { half::encode(Ty::F16, x + y).into() }
                }
                _ => b32(f32::from_bits(*sum) + f32::from_bits(made)),
            };
        }
    }
}

/// A product of floats, to be compiled for wide vectors or without.
struct Dot<'a> {
    product: &'a Product,
    a: &'a [u32],
    b: &'a [u32],
    along: Range<usize>,
    rows: &'a mut Rows,
    columns: &'a mut Columns,
    rounding: Rounding,
    sums: &'a mut [u32],
}

impl Task for Dot<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        self.rows.decode(self.product, self.a, self.along.clone());
        self.columns.decode(self.product, self.b, self.along);
        fused_dot::add_product(self.rows, self.columns, self.rounding, self.sums);
    }
}

/// The same as [`TensorCore::multiply`] in binary64: one fused multiply-add after the other.
pub fn multiply_f64((m, n, k): (usize, usize, usize), a: &[u64], b: &[u64], sums: &mut [u64]) {
    for i in 0..m {
        for j in 0..n {
            let sum = &mut sums[i * n + j];
            for l in 0..k {
                *sum = mul_add64(a[i * k + l], b[l * n + j], *sum);
            }
        }
    }
}

/// Sums of products of integers.
fn integers(product: &Product, a: &[u32], b: &[u32], sums: &mut [u32]) {
    let Product { n, k, .. } = *product;
    let columns: Vec<i32> = b.iter().map(|bits| integer(product.b, *bits)).collect();
    let mut products = vec![0; n];
    for (row, sums) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)) {
        products.fill(0);
        for (x, columns) in row.iter().zip(columns.chunks_exact(n)) {
            let x = integer(product.a, *x);
            products.iter_mut().zip(columns).for_each(|(sum, y)| *sum += x * y);
        }
        for (sum, products) in sums.iter_mut().zip(&products) {
            let exact = i64::from(*sum as i32) + i64::from(*products);
            *sum = match product.sum {
                Accumulator::S32Sat => exact.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
                _ => exact as u32,
            };
        }
    }
}

/// The value of an integer's low bits.
fn integer(format: Factor, bits: u32) -> i32 {
    match format {
        Factor::S8 => i32::from(bits as i8),
        Factor::U8 => i32::from(bits as u8),
        Factor::S4 => (bits << 28) as i32 >> 28,
        _ => (bits & 15) as i32,
    }
}
