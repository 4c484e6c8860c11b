//! Barriers of a block: `bar` and `barrier`, with a number and a count of threads.
//!
//! Barrier 0 for the whole block is `__syncthreads`. Every other is a named barrier of the machine. A
//! number or a count that no barrier can have ends the kernel with a trap, where it is not refused at
//! once.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, miscounted};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand};
use crate::types::Type;
use simt_machine::isa::{BarrierKind, BinOp, CmpOp, Inst, Preload, Reg, Ty};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "bar", types: &[], lower: barrier },
    Entry { name: "barrier", types: &[], lower: barrier },
];

/// What a barrier instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Synchronise,
    Arrive,
    Reduce,
}

/// `bar.sync a, b;`, `barrier.cta.arrive.aligned a, b;`, `bar.red.popc.u32 d, a, b, c;`
fn barrier(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.flag("cta");
    let action = m.required(&[
        ("sync", Action::Synchronise),
        ("arrive", Action::Arrive),
        ("red", Action::Reduce),
    ])?;
    let mut kind = BarrierKind::Plain;
    if action == Action::Reduce {
        kind = m.required(&[
            ("popc", BarrierKind::Count),
            ("and", BarrierKind::And),
            ("or", BarrierKind::Or),
        ])?;
    }
    if i.opcode.text == "barrier" {
        m.flag("aligned");
    }
    let result = match kind {
        BarrierKind::Plain => None,
        BarrierKind::Count => Some(m.ty_of(&[Type::U32])?),
        _ => Some(m.required(&[("pred", Type::PRED)])?),
    };
    m.end()?;
    let (result, rest) = match (result, &i.operands[..]) {
        (Some(ty), [to, rest @ .., pred]) => (Some((to, pred, ty)), rest),
        (_, rest) => (None, rest),
    };
    let (number, count) = match rest {
        [number] if action != Action::Arrive => (number, None),
        [number, count] => (number, Some(count)),
        _ if kind != BarrierKind::Plain => {
            return miscounted(i, "`d, number, p`, perhaps with a count of threads before `p`");
        }
        _ if action == Action::Arrive => return miscounted(i, "`number, threads`"),
        _ => return miscounted(i, "`number`, perhaps with a count of threads"),
    };
    let pred = match result {
        Some((_, pred, _)) => l.predicate(pred)?,
        None => l.word(0),
    };
    let d = l.temporary(Type::U32);
    match (count, l.known(number)) {
        (None, Some(0)) => l.emit(Inst::Barrier { kind, d, pred }),
        _ => {
            let (id, count) = numbers(l, number, count)?;
            let wait = action != Action::Arrive;
            l.emit(Inst::NamedBarrier { kind, wait, d, pred, id, count });
        }
    }
    match result {
        Some((to, _, ty)) => l.store(to, d, ty),
        None => Ok(()),
    }
}

/// The number of a barrier and its count of threads, checked.
fn numbers(l: &mut Lowering<'_>, number: &Operand, count: Option<&Operand>) -> Lowered<(Reg, Reg)> {
    const NUMBER: &str = "a barrier has a number from 0 to 15";
    const THREADS: &str = "a barrier counts whole warps: a multiple of 32, and not 0";
    match l.known(number) {
        Some(0..16) => {}
        Some(_) => return error(number.span, NUMBER),
        None => {
            let (id, most) = (l.source(number, Type::U32)?, l.word(15));
            let fits = l.compare(CmpOp::Le, Ty::U32, id, most);
            trap_unless(l, fits, NUMBER);
        }
    }
    let id = l.source(number, Type::U32)?;
    let Some(count) = count else {
        let threads = threads(l);
        return Ok((id, threads));
    };
    match l.known(count) {
        Some(threads) if threads > 0 && threads % 32 == 0 => {}
        Some(_) => return error(count.span, THREADS),
        None => {
            let all = l.source(count, Type::U32)?;
            let (part, zero) = (l.binary_with(BinOp::And, Ty::U32, all, 31), l.word(0));
            let whole = l.compare(CmpOp::Eq, Ty::U32, part, zero);
            let some = l.compare(CmpOp::Ne, Ty::U32, all, zero);
            let fits = l.binary(BinOp::And, Ty::U32, whole, some);
            trap_unless(l, fits, THREADS);
        }
    }
    Ok((id, l.source(count, Type::U32)?))
}

fn trap_unless(l: &mut Lowering<'_>, fits: Reg, message: &str) {
    let passed = l.target.label();
    l.emit(Inst::Branch { cond: fits, when: true, target: passed });
    let trap = l.target.trap(message);
    l.emit(Inst::Trap { trap });
    l.emit(Inst::Exit);
    l.target.bind(passed);
}

/// The threads of the block, in whole warps.
fn threads(l: &mut Lowering<'_>) -> Reg {
    let [x, y, z] = [0, 1, 2].map(|axis| l.target.preload(Preload::BlockDim(axis), false));
    let plane = l.binary(BinOp::Mul, Ty::U32, x, y);
    let all = l.binary(BinOp::Mul, Ty::U32, plane, z);
    let up = l.binary_with(BinOp::Add, Ty::U32, all, 31);
    l.binary_with(BinOp::And, Ty::U32, up, !31)
}
