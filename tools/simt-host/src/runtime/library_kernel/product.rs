//! `C = alpha * A * B + beta * C`, of matrices that are stored by columns.

use super::Arguments;
use crate::interpreter::Interpreter;
use simt::isa::{Ty, half};
use simt::machine::matrix_product::{Term, product};

/// The number of the argument that says what to do.
const SHAPE: usize = 5;

/// The types of a matrix's elements, in the numbering of `__cublas_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    F32,
    F64,
    F16,
    Bf16,
    I8,
    I32,
}

impl Type {
    fn of(number: usize) -> Type {
        match number & 0xFF {
            0 => Type::F32,
            1 => Type::F64,
            2 => Type::F16,
            3 => Type::Bf16,
            4 => Type::I8,
            _ => Type::I32,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Type::F64 => 8,
            Type::F32 | Type::I32 => 4,
            Type::F16 | Type::Bf16 => 2,
            Type::I8 => 1,
        }
    }
}

/// The type in which a product is summed up.
trait Sum: Term + PartialEq {
    fn of(ty: Type, bytes: &[u8]) -> Self;
    fn put(self, ty: Type, to: &mut Vec<u8>);
    fn from_double(value: f64) -> Self;
}

fn number<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

impl Sum for f32 {
    fn of(ty: Type, bytes: &[u8]) -> f32 {
        match ty {
            Type::F32 => f32::from_le_bytes(number(bytes)),
            Type::F64 => f64::from_le_bytes(number(bytes)) as f32,
            Type::F16 => half::decode(Ty::F16, u16::from_le_bytes(number(bytes))) as f32,
            Type::Bf16 => f32::from_bits(u32::from(u16::from_le_bytes(number(bytes))) << 16),
            Type::I8 => f32::from(i8::from_le_bytes(number(bytes))),
            Type::I32 => i32::from_le_bytes(number(bytes)) as f32,
        }
    }

    fn put(self, ty: Type, to: &mut Vec<u8>) {
        match ty {
            Type::F16 => to.extend(half::encode(Ty::F16, self.into()).to_le_bytes()),
            Type::Bf16 => to.extend(half::encode(Ty::Bf16, self.into()).to_le_bytes()),
            _ => to.extend(self.to_le_bytes()),
        }
    }

    fn from_double(value: f64) -> f32 {
        value as f32
    }
}

impl Sum for f64 {
    fn of(_: Type, bytes: &[u8]) -> f64 {
        f64::from_le_bytes(number(bytes))
    }

    fn put(self, _: Type, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn from_double(value: f64) -> f64 {
        value
    }
}

impl Sum for i32 {
    fn of(ty: Type, bytes: &[u8]) -> i32 {
        match ty {
            Type::I8 => i8::from_le_bytes(number(bytes)).into(),
            _ => i32::from_le_bytes(number(bytes)),
        }
    }

    fn put(self, _: Type, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }

    fn from_double(value: f64) -> i32 {
        value as i32
    }
}

/// A matrix in memory.
#[derive(Debug, Clone, Copy)]
struct Stored {
    at: u64,
    rows: usize,
    columns: usize,
    /// Elements from one column to the next.
    leading: i64,
    ty: Type,
}

impl Stored {
    /// The address of an element.
    fn address(self, row: usize, column: usize) -> u64 {
        let elements = (column as i64).wrapping_mul(self.leading).wrapping_add(row as i64);
        self.at.wrapping_add(elements.wrapping_mul(self.ty.bytes() as i64) as u64)
    }
}

impl Interpreter<'_> {
    pub(super) fn multiply(&self, args: &Arguments<'_>) {
        let types = args.size(SHAPE, 72);
        match (Type::of(types), Type::of(types >> 8)) {
            (Type::F64, _) => self.multiply_as::<f64>(args),
            (Type::I8, Type::I32) => self.multiply_as::<i32>(args),
            _ => self.multiply_as::<f32>(args),
        }
    }

    fn multiply_as<T: Sum>(&self, args: &Arguments<'_>) {
        let [m, n, k, ops] = [0, 4, 8, 12].map(|offset| args.size(SHAPE, offset));
        let leading = [16, 24, 32].map(|offset| args.long(SHAPE, offset));
        let strides = [40, 48, 56].map(|offset| args.long(SHAPE, offset));
        let [batches, part, types, arrays] =
            [64, 68, 72, 76].map(|offset| args.size(SHAPE, offset));
        let [alpha, beta] = [(3, 80), (4, 88)].map(|(argument, offset)| {
            let at = args.pointer(argument);
            let ty = Type::of(types >> 16);
            match at {
                0 => T::from_double(args.double(SHAPE, offset)),
                _ => T::of(ty, &self.device_bytes(at, ty.bytes() as u64).unwrap_or_default()),
            }
        });
        let types = [Type::of(types), Type::of(types), Type::of(types >> 8)];
        for batch in 0..batches {
            let place = |which: usize| match arrays {
                0 => {
                    let stride = strides[which].wrapping_mul(types[which].bytes() as i64);
                    let first = args.pointer(which);
                    Some(first.wrapping_add(stride.wrapping_mul(batch as i64) as u64))
                }
                _ => {
                    let at = args.pointer(which).wrapping_add(8 * batch as u64);
                    Some(u64::from_le_bytes(number(&self.device_bytes(at, 8)?)))
                }
            };
            let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(place) else { return };
            let stored = |at, which: usize, rows, columns| Stored {
                at,
                rows,
                columns,
                leading: leading[which],
                ty: types[which],
            };
            let (a_turned, b_turned) = (ops & 1 != 0, ops & 2 != 0);
            let a = if a_turned { stored(a, 0, k, m) } else { stored(a, 0, m, k) };
            let b = if b_turned { stored(b, 1, n, k) } else { stored(b, 1, k, n) };
            // Without `alpha`, the matrices are not read.
            let sums = match alpha == T::default() {
                true => vec![T::default(); m * n],
                false => {
                    let (a, b) = (self.matrix::<T>(a, a_turned), self.matrix::<T>(b, b_turned));
                    product(&a, &b, [m, n, k])
                }
            };
            self.put_matrix(stored(c, 2, m, n), &sums, [alpha, beta], part);
        }
    }

    /// The elements of a matrix, or of it with rows and columns exchanged, by columns.
    fn matrix<T: Sum>(&self, stored: Stored, turned: bool) -> Vec<T> {
        let (rows, columns, size) = (stored.rows, stored.columns, stored.ty.bytes());
        let mut all = vec![T::default(); rows * columns];
        for column in 0..columns {
            let bytes = self.device_bytes(stored.address(0, column), (rows * size) as u64);
            let bytes = bytes.unwrap_or_default();
            for (row, bytes) in bytes.chunks_exact(size).enumerate() {
                let to = if turned { row * columns + column } else { column * rows + row };
                all[to] = T::of(stored.ty, bytes);
            }
        }
        all
    }

    /// Writes a matrix, or only the part of it on and below (1) or above (2) its diagonal.
    fn put_matrix<T: Sum>(&self, to: Stored, sums: &[T], [alpha, beta]: [T; 2], part: usize) {
        let size = to.ty.bytes();
        for (column, sums) in sums.chunks(to.rows.max(1)).enumerate() {
            let rows = match part {
                1 => column.min(to.rows)..to.rows,
                2 => 0..to.rows.min(column + 1),
                _ => 0..to.rows,
            };
            let at = to.address(rows.start, column);
            let old = match beta == T::default() {
                true => None,
                false => self.device_bytes(at, (rows.len() * size) as u64),
            };
            let mut bytes = Vec::new();
            for (i, sum) in sums[rows].iter().enumerate() {
                let scaled = T::default().plus_product(alpha, *sum);
                let value = match old.as_ref().and_then(|old| old.get(i * size..)) {
                    Some(old) => scaled.plus_product(beta, T::of(to.ty, old)),
                    None => scaled,
                };
                value.put(to.ty, &mut bytes);
            }
            self.set_device_bytes(at, &bytes);
        }
    }
}
