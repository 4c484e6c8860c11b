//! Products of every shape on small whole numbers.

use super::{Tensor, multiply};
use crate::isa::{Accumulator, Factor, Fragment, MatrixShape, Reg, Ty, half};
use crate::machine::simd::{Mask, Registers};

/// Every product that there is.
fn shapes() -> Vec<MatrixShape> {
    use Factor::{Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
    let factors = [F16, Bf16, Tf32, F64, E4m3, E5m2, S8, U8, S4, U4];
    let sums = [
        Accumulator::F16,
        Accumulator::F32,
        Accumulator::F64,
        Accumulator::S32,
        Accumulator::S32Sat,
    ];
    let mut all = Vec::new();
    for m in [8, 16] {
        for k in [4, 8, 16, 32, 64] {
            for a in factors {
                for b in factors {
                    for sum in sums {
                        all.push(MatrixShape { m, n: 8, k, a, b, sum });
                    }
                }
            }
        }
    }
    all.retain(|shape| shape.exists());
    all
}

/// The encoding of a small whole number.
fn encode(format: Factor, value: i32) -> u64 {
    match format {
        Factor::F64 => f64::from(value).to_bits(),
        Factor::Tf32 => (value as f32).to_bits().into(),
        Factor::F16 => half::encode(Ty::F16, value.into()).into(),
        Factor::Bf16 => half::encode(Ty::Bf16, value.into()).into(),
        // Of -1, 0, 1 and 2.
        Factor::E4m3 => [0xB8, 0, 0x38, 0x40][(value + 1) as usize],
        Factor::E5m2 => [0xBC, 0, 0x3C, 0x40][(value + 1) as usize],
        Factor::S4 | Factor::U4 => (value & 15) as u64,
        _ => (value & 255) as u64,
    }
}

fn decode(format: Accumulator, bits: u64) -> i32 {
    match format {
        Accumulator::F16 => half::decode(Ty::F16, bits as u16) as i32,
        Accumulator::F32 => f32::from_bits(bits as u32) as i32,
        Accumulator::F64 => f64::from_bits(bits) as i32,
        _ => bits as i32,
    }
}

/// Calls `f` with row, column, lane, register, and the lowest bit there, for each element.
fn each(shape: MatrixShape, fragment: Fragment, f: &mut dyn FnMut(usize, usize, usize, Reg, u32)) {
    let bits = shape.element_bits(fragment);
    let slots = shape.width(fragment).slots();
    let (registers, parts) = if bits == 64 { (slots / 2, 1) } else { (slots, 32 / bits) };
    for register in 0..registers {
        for lane in 0..32 {
            for part in 0..parts {
                let (row, column) = shape.place(fragment, lane, register.into(), part);
                f(row as usize, column as usize, lane as usize, register, part * bits);
            }
        }
    }
}

#[test]
fn every_element_is_in_one_place() {
    for shape in shapes() {
        let (m, n, k) = (usize::from(shape.m), usize::from(shape.n), usize::from(shape.k));
        for (fragment, rows, columns) in
            [(Fragment::A, m, k), (Fragment::B, k, n), (Fragment::Sum, m, n)]
        {
            let mut seen = vec![false; rows * columns];
            each(shape, fragment, &mut |row: usize, column: usize, _, _, _| {
                assert!(!seen[row * columns + column], "{shape} {fragment:?} ({row}, {column})");
                seen[row * columns + column] = true;
            });
            assert!(seen.iter().all(|seen| *seen), "{shape} {fragment:?}");
        }
    }
}

#[test]
fn products_of_every_shape() {
    let all = shapes();
    assert!(all.len() > 30, "{} shapes", all.len());
    for shape in all {
        let (m, n, k) = (usize::from(shape.m), usize::from(shape.n), usize::from(shape.k));
        // Unsigned formats have no -1.
        let least = |format| -i32::from(!matches!(format, Factor::U8 | Factor::U4));
        let x = |i: usize, l: usize| least(shape.a) + ((i * 7 + l * 3) % 4) as i32;
        let y = |l: usize, j: usize| least(shape.b) + ((l * 5 + j * 3) % 3) as i32;
        let z = |i: usize, j: usize| (i * 8 + j) as i32 - 40;
        let (d, a, b, c) = (0, 16, 48, 64);
        let mut registers = Registers::new(80);
        let mut put = |at: Reg, lane: usize, low: u32, wide: bool, bits: u64| {
            let old = if wide { 0 } else { registers.lane(at, false, lane) };
            registers.set_lane(at, wide, lane, old | bits << low);
        };
        let wide = shape.a == Factor::F64;
        let step = if wide { 2 } else { 1 };
        each(shape, Fragment::A, &mut |row: usize,
                                       column: usize,
                                       lane: usize,
                                       register: Reg,
                                       low: u32| {
            let value = encode(shape.a, x(row, column));
            put(a + register * step, lane, low, wide, value);
        });
        each(shape, Fragment::B, &mut |row: usize,
                                       column: usize,
                                       lane: usize,
                                       register: Reg,
                                       low: u32| {
            let value = encode(shape.b, y(row, column));
            put(b + register * step, lane, low, wide, value);
        });
        each(shape, Fragment::Sum, &mut |row: usize,
                                         column: usize,
                                         lane: usize,
                                         register: Reg,
                                         low: u32| {
            let format = match shape.sum {
                Accumulator::F16 => Factor::F16,
                Accumulator::F32 => Factor::Tf32,
                Accumulator::F64 => Factor::F64,
                _ => Factor::S8,
            };
            let whole = z(row, column);
            let integer = matches!(shape.sum, Accumulator::S32 | Accumulator::S32Sat);
            let bits = if integer { u64::from(whole as u32) } else { encode(format, whole) };
            put(c + register * step, lane, low, wide, bits);
        });
        multiply(&mut Tensor::default(), &mut registers, &Mask::new(!0), shape, [d, a, b, c]);
        let bits = shape.element_bits(Fragment::Sum);
        each(shape, Fragment::Sum, &mut |row: usize,
                                         column: usize,
                                         lane: usize,
                                         register: Reg,
                                         low: u32| {
            let word = registers.lane(d + register * step, wide, lane) >> low;
            let got = decode(shape.sum, if bits == 16 { word & 0xFFFF } else { word });
            let products = (0..k).map(|l| x(row, l) * y(l, column));
            let expected = z(row, column) + products.sum::<i32>();
            assert_eq!(got, expected, "{shape} ({row}, {column}) of {m} x {n}");
        });
    }
}
