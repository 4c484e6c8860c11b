//! Products of matrices by a warp (`mma.sync`), and loads and stores of 8 by 8 matrices (`ldmatrix`,
//! `stmatrix`): moves elements between the registers of 32 lanes and the tiles that
//! [`tensor_core`] computes with.
//!
//! A matrix is loaded as an ordinary access of 16 bytes per lane that has a row's address, so bounds,
//! counters and races are those of any load; then the lanes exchange what they have read.

use crate::isa::{Addr, Factor, Fragment, Inst, MatrixShape, MemTy, Reg};
use crate::machine::access::{self, AccessOp};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, Registers};
use crate::machine::tensor_core::{self, Product, TensorCore};

/// The tensor core of one interpreter, with its operands as tiles.
#[derive(Debug, Default)]
pub(super) struct Tensor {
    core: Option<TensorCore>,
    /// The places of the last product's elements.
    places: Option<Places>,
    a: Vec<u32>,
    b: Vec<u32>,
    sums: Vec<u32>,
}

/// Where the elements of a product's registers are in the tiles: by register, lane and part.
#[derive(Debug)]
struct Places {
    shape: MatrixShape,
    a: Vec<u16>,
    b: Vec<u16>,
    sums: Vec<u16>,
}

impl Places {
    fn new(shape: MatrixShape) -> Places {
        let all = |fragment, columns: u8| {
            let registers = u32::from(shape.width(fragment).slots());
            let parts = 32 / shape.element_bits(fragment);
            let mut out = Vec::new();
            for register in 0..registers {
                for lane in 0..32 {
                    for part in 0..parts {
                        let (row, column) = shape.place(fragment, lane, register, part);
                        out.push((row * u32::from(columns) + column) as u16);
                    }
                }
            }
            out
        };
        Places {
            shape,
            a: all(Fragment::A, shape.k),
            b: all(Fragment::B, shape.n),
            sums: all(Fragment::Sum, shape.n),
        }
    }
}

/// Executes the instruction in lanes that arrived together, if it is one of these.
#[inline(always)]
pub(super) fn run(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    inst: &Inst,
) -> bool {
    match *inst {
        Inst::MatrixMultiply { shape, d, a, b, c, .. } => {
            multiply(&mut vm.tensor, &mut warp.registers, m, shape, [d, a, b, c]);
        }
        Inst::LoadMatrix { count, transpose, d, rows, addr, .. } => {
            load(vm, block, warp, pc, m, (count, transpose, d, rows, addr));
        }
        Inst::StoreMatrix { count, transpose, a, rows, addr, .. } => {
            store(vm, block, warp, pc, m, (count, transpose, a, rows, addr));
        }
        _ => return false,
    }
    true
}

/// `d = a b + c`.
fn multiply(
    tensor: &mut Tensor,
    registers: &mut Registers,
    m: &Mask,
    shape: MatrixShape,
    [d, a, b, c]: [Reg; 4],
) {
    if shape.a == Factor::F64 {
        return multiply_f64(registers, m, shape, [d, a, b, c]);
    }
    if tensor.places.as_ref().is_none_or(|places| places.shape != shape) {
        tensor.places = Some(Places::new(shape));
    }
    let Some(places) = &tensor.places else { return };
    let core = tensor.core.get_or_insert_with(TensorCore::new);
    let bits = |fragment| shape.element_bits(fragment);
    gather(registers, a, bits(Fragment::A), &places.a, &mut tensor.a);
    gather(registers, b, bits(Fragment::B), &places.b, &mut tensor.b);
    gather(registers, c, bits(Fragment::Sum), &places.sums, &mut tensor.sums);
    let product = Product {
        m: shape.m.into(),
        n: shape.n.into(),
        k: shape.k.into(),
        a: shape.a,
        b: shape.b,
        sum: shape.sum,
        warp_group: false,
    };
    core.multiply(&product, &tensor.a, &tensor.b, &mut tensor.sums);
    scatter(registers, m, d, bits(Fragment::Sum), &places.sums, &tensor.sums);
}

/// Elements of adjacent registers, put to their places.
fn gather(registers: &Registers, from: Reg, bits: u32, places: &[u16], tile: &mut Vec<u32>) {
    tile.resize(places.len(), 0);
    let parts = (32 / bits) as usize;
    let low = u32::MAX >> (32 - bits);
    for (register, places) in places.chunks_exact(32 * parts).enumerate() {
        let row = registers.row(from + register as Reg);
        for (word, places) in row.iter().zip(places.chunks_exact(parts)) {
            for (part, place) in places.iter().enumerate() {
                tile[usize::from(*place)] = word >> (part as u32 * bits) & low;
            }
        }
    }
}

/// The reverse.
fn scatter(registers: &mut Registers, m: &Mask, to: Reg, bits: u32, places: &[u16], tile: &[u32]) {
    let parts = (32 / bits) as usize;
    for (register, places) in places.chunks_exact(32 * parts).enumerate() {
        let mut row = [0; 32];
        for (word, places) in row.iter_mut().zip(places.chunks_exact(parts)) {
            for (part, place) in places.iter().enumerate() {
                *word |= tile[usize::from(*place)] << (part as u32 * bits);
            }
        }
        registers.put(m, to + register as Reg, &row);
    }
}

/// The same for binary64, whose elements take pairs of registers.
fn multiply_f64(registers: &mut Registers, m: &Mask, shape: MatrixShape, [d, a, b, c]: [Reg; 4]) {
    let (rows, columns, depth) = (usize::from(shape.m), usize::from(shape.n), usize::from(shape.k));
    let pairs = |fragment| shape.width(fragment).slots() / 2;
    let at = |fragment, width: usize, lane: usize, pair: Reg| {
        let (row, column) = shape.place(fragment, lane as u32, pair.into(), 0);
        row as usize * width + column as usize
    };
    let read = |from: Reg, fragment, width, count: usize| {
        let mut tile = vec![0; count];
        for pair in 0..pairs(fragment) {
            for (lane, value) in registers.pair(from + 2 * pair).iter().enumerate() {
                tile[at(fragment, width, lane, pair)] = *value;
            }
        }
        tile
    };
    let left = read(a, Fragment::A, depth, rows * depth);
    let right = read(b, Fragment::B, columns, depth * columns);
    let mut sums = read(c, Fragment::Sum, columns, rows * columns);
    tensor_core::multiply_f64((rows, columns, depth), &left, &right, &mut sums);
    for pair in 0..pairs(Fragment::Sum) {
        let values = std::array::from_fn(|lane| sums[at(Fragment::Sum, columns, lane, pair)]);
        registers.put_pair(m, d + 2 * pair, &values);
    }
}

/// The lanes whose addresses are used.
fn with_addresses(m: &Mask, count: u8) -> Mask {
    Mask::new(m.bits & (u32::MAX >> (32 - 8 * u32::from(count))))
}

fn load(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    (count, transpose, d, rows, addr): (u8, bool, Reg, Reg, Addr),
) {
    let what = AccessOp::Load { ty: MemTy::B32, n: 4, volatile: false, d: rows };
    access::run(vm, block, warp, pc, &with_addresses(m, count), &what, &addr);
    let read: [[u32; 32]; 4] = std::array::from_fn(|w| *warp.registers.row(rows + w as Reg));
    for matrix in 0..count {
        let element = |row: usize, column: usize| {
            let word = read[column / 2][usize::from(matrix) * 8 + row];
            word >> (column % 2 * 16) & 0xFFFF
        };
        let out = std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            if transpose {
                element(column, row) | element(column + 1, row) << 16
            } else {
                element(row, column) | element(row, column + 1) << 16
            }
        });
        warp.registers.put(m, d + Reg::from(matrix), &out);
    }
}

fn store(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    (count, transpose, a, rows, addr): (u8, bool, Reg, Reg, Addr),
) {
    let held: Vec<[u32; 32]> = (0..count).map(|i| *warp.registers.row(a + Reg::from(i))).collect();
    for word in 0..4 {
        let out = std::array::from_fn(|lane| {
            let (matrix, row) = (lane / 8, lane % 8);
            let Some(held) = held.get(matrix) else { return 0 };
            let element = |column: usize| {
                let (line, place) = if transpose { (column, row) } else { (row, column) };
                held[line * 4 + place / 2] >> (place % 2 * 16) & 0xFFFF
            };
            element(2 * word) | element(2 * word + 1) << 16
        });
        warp.registers.put(m, rows + word as Reg, &out);
    }
    let what = AccessOp::Store { ty: MemTy::B32, n: 4, volatile: false, a: rows };
    access::run(vm, block, warp, pc, &with_addresses(m, count), &what, &addr);
}

#[cfg(test)]
mod tests;
