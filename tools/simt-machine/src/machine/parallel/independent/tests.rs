//! Kernels whose blocks are independent, and kernels whose blocks are not.

use super::*;
use crate::isa::{Addr, CmpOp, MemTy};
use crate::machine::{Dim3, Execution, Launch, Memory, test_kernel};

/// Registers beside the pointers 0, 2 and 4.
const THREAD: Reg = 6;
const BLOCK: Reg = 7;
const SIZE: Reg = 8;
const OTHER: Reg = 13;
const I: Reg = 10;
const J: Reg = 11;
const GRID: Dim3 = Dim3 { x: 8, y: 3, z: 1 };

fn at(base: Reg, index: Reg) -> Addr {
    Addr { base, index: Index::I32(index), scale: 4, offset: 0 }
}

fn store(addr: Addr) -> Inst {
    Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a: OTHER, addr }
}

fn load(addr: Addr) -> Inst {
    Inst::Load { ty: MemTy::B32, n: 1, volatile: false, d: J, addr }
}

fn binary(op: BinOp, d: Reg, a: Reg, b: Reg) -> Inst {
    Inst::Binary { op, ty: Ty::U32, d, a, b }
}

/// `I = blockIdx.x * SIZE + threadIdx.x`, and what follows.
fn by_index(rest: &[Inst]) -> Vec<Inst> {
    let index = [binary(BinOp::Mul, I, BLOCK, SIZE), binary(BinOp::Add, I, I, THREAD)];
    [&index[..], rest].concat()
}

/// Whether they are, in a launch of 8 blocks of 64 threads (or of `grid`) with this in `SIZE`.
fn are(grid: Dim3, size: u64, code: Vec<Inst>) -> bool {
    within(grid, size, code, 1 << 30, true)
}

fn within(grid: Dim3, size: u64, code: Vec<Inst>, budget: u64, checks: bool) -> bool {
    let mut module = test_kernel::module(3, code);
    module.kernels[0].preloads.extend([
        (THREAD, Preload::ThreadIdx(0)),
        (BLOCK, Preload::BlockIdx(0)),
        (SIZE, Preload::Const { bits: size, wide: false }),
        (OTHER, Preload::BlockIdx(1)),
    ]);
    let mut memory = Memory::new();
    let args = test_kernel::arrays(&mut memory, &[4096; 3]);
    let launch = Launch { grid, block: 64.into(), ..test_kernel::launch(&module, &args) };
    let execution = Execution { budget, checks, max_reports: 200, ..Execution::default() };
    let prepared = PreparedKernel::new(&module, &launch, &memory, &execution).unwrap();
    independent(&prepared, &execution)
}

#[test]
fn an_element_a_thread() {
    let kernel = |more: &[Inst]| {
        by_index(&[&[load(at(0, I)), load(at(2, I)), store(at(2, I))], more].concat())
    };
    assert!(are(8.into(), 64, kernel(&[])));
    assert!(are(8.into(), 100, kernel(&[])));
    // The threads of two blocks meet.
    assert!(!are(8.into(), 63, kernel(&[])));
    assert!(are(1.into(), 1, kernel(&[])));
    // Any thread may read what is never written.
    assert!(are(8.into(), 64, kernel(&[load(at(0, THREAD)), load(at(0, J)), load(at(4, J))])));
    // Of what is written, another element.
    let next = |offset| Addr { offset, ..at(2, I) };
    assert!(!are(8.into(), 64, kernel(&[load(next(4))])));
    assert!(!are(8.into(), 64, kernel(&[load(next(-4))])));
    assert!(!are(8.into(), 64, kernel(&[load(at(2, THREAD))])));
    assert!(!are(8.into(), 64, kernel(&[load(at(2, J))])));
    assert!(!are(8.into(), 64, kernel(&[load(Addr { index: Index::None, ..at(2, 0) })])));
    assert!(!are(8.into(), 64, kernel(&[store(Addr { scale: 8, ..at(2, I) })])));
    // Half of an element of eight bytes, and the other half.
    let half = |offset| store(Addr { scale: 8, offset, ..at(4, I) });
    assert!(are(8.into(), 64, kernel(&[half(0), half(4)])));
    assert!(are(8.into(), 64, kernel(&[half(4), half(8)])));
    assert!(!are(8.into(), 64, kernel(&[half(0), half(4), half(8)])));
    // A byte each: whose word that is, is not known.
    let byte = Inst::Store {
        ty: MemTy::U8,
        n: 1,
        volatile: false,
        a: OTHER,
        addr: Addr { scale: 1, ..at(4, I) },
    };
    assert!(!are(8.into(), 64, kernel(&[byte])));
}

#[test]
fn two_dimensions() {
    // `(blockIdx.y * 8 + blockIdx.x) * 64 + threadIdx.x`, and with 7 instead of 8.
    let kernel = |shift| {
        let row = match shift {
            true => vec![binary(BinOp::Mul, J, OTHER, SIZE), binary(BinOp::Add, J, J, BLOCK)],
            false => vec![binary(BinOp::Mul, J, OTHER, SIZE), binary(BinOp::Sub, J, J, OTHER)],
        };
        let rest = vec![
            binary(BinOp::Mul, J, J, SIZE),
            binary(BinOp::Mul, I, BLOCK, SIZE),
            binary(BinOp::Add, I, I, J),
            binary(BinOp::Add, I, I, THREAD),
            store(at(0, I)),
        ];
        [row, rest].concat()
    };
    // Rows of 64 * 64 beside columns of 64 and, with `shift`, of another 64.
    assert!(are(GRID, 64, kernel(true)));
    assert!(are(GRID, 64, kernel(false)));
    // One row's last block is the next row's first.
    assert!(!are(Dim3 { x: 64, ..GRID }, 64, kernel(false)));
    // The blocks of a column all write the same.
    assert!(!are(GRID, 64, by_index(&[store(at(0, I))])));
}

#[test]
fn what_is_known_where_two_ways_meet() {
    let less = Inst::Compare { op: CmpOp::Lt, ty: Ty::I32, d: J, a: I, b: SIZE };
    let branch = |target| Inst::Branch { cond: J, when: false, target };
    let kernel = |one: Inst| by_index(&[less, branch(5), one, store(at(0, I))]);
    assert!(are(8.into(), 64, kernel(Inst::Mov { wide: false, d: J, a: THREAD })));
    assert!(!are(8.into(), 64, kernel(Inst::Mov { wide: false, d: I, a: THREAD })));
    // The same by another way, and not the same any more when it is used.
    assert!(are(8.into(), 64, kernel(Inst::Mov { wide: false, d: I, a: I })));
    let kernel = by_index(&[less, branch(6), store(at(0, I)), Inst::Jump { target: 7 }]);
    assert!(are(8.into(), 64, [kernel.clone(), vec![load(at(0, I))]].concat()));
    assert!(!are(8.into(), 64, [kernel, vec![load(at(0, THREAD))]].concat()));
    // A pair of registers is written.
    let wide = Inst::Mov { wide: true, d: I, a: 0 };
    assert!(!are(8.into(), 64, by_index(&[wide, store(at(0, I))])));
}

#[test]
fn who_might_not_complete_is_not() {
    let own = store(at(0, I));
    let back = Inst::Branch { cond: J, when: true, target: 2 };
    assert!(!are(8.into(), 64, by_index(&[own, back])));
    let barrier = Inst::Barrier { kind: crate::isa::BarrierKind::Plain, d: J, pred: J };
    assert!(!are(8.into(), 64, by_index(&[own, barrier])));
    // 8 blocks of 64 threads, and four instructions, each twice.
    assert!(within(8.into(), 64, by_index(&[own]), 8 * 64 * 4 * 2 + 1, true));
    assert!(!within(8.into(), 64, by_index(&[own]), 8 * 64 * 4 * 2, true));
    // There may be more to say than is said.
    assert!(!are(8.into(), 64, by_index(&[own; 10])));
    assert!(within(8.into(), 64, by_index(&[own; 10]), 1 << 30, false));
}

#[test]
fn sums_leave_no_32_bits() {
    let kernel = by_index(&[store(at(0, I))]);
    assert!(are(8.into(), (1 << 32) / 8, kernel.clone()));
    assert!(!are(9.into(), (1 << 32) / 8, kernel.clone()));
    // From the end to the start.
    assert!(!are(8.into(), u64::from(64u32.wrapping_neg()), kernel));
}
