//! Functions of a warp: shuffles, votes, matches, reductions, election, synchronisation.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::{
    AtomicOp, BinOp, CmpOp, Inst, Preload, Reg, ShuffleKind, Ty, UnOp, VoteKind,
};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "shfl.sync", types: &[Type::B32], lower: shuffle },
    Entry { name: "vote.sync", types: &[], lower: vote },
    Entry { name: "match.any.sync", types: &[Type::B32, Type::B64], lower: match_any },
    Entry { name: "match.all.sync", types: &[Type::B32, Type::B64], lower: match_all },
    Entry { name: "redux.sync", types: &[], lower: reduce },
    Entry { name: "activemask", types: &[Type::B32], lower: active_mask },
    Entry { name: "elect.sync", types: &[], lower: elect },
    Entry { name: "bar.warp.sync", types: &[], lower: synchronise },
];

/// A destination and the predicate that may follow it: `d|p`.
fn with_predicate(operand: &Operand) -> (&Operand, Option<&Operand>) {
    match &operand.kind {
        OperandKind::Pair(first, second) => (first, Some(second)),
        _ => (operand, None),
    }
}

/// `shfl.sync.idx.b32 d|p, a, b, c, mask;`. `c` holds the clamp in bits 0 to 4 and the segment mask in
/// bits 8 to 12; the lane that is read is computed as the PTX ISA defines it.
fn shuffle(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let kind = m.required(&[
        ("idx", ShuffleKind::Idx),
        ("up", ShuffleKind::Up),
        ("down", ShuffleKind::Down),
        ("bfly", ShuffleKind::Xor),
    ])?;
    let ty = m.ty_of(&[Type::B32])?;
    m.end()?;
    let [to, a, b, c, mask] = operands(i)?;
    let (to, valid) = with_predicate(to);
    let (a, mask) = (l.source(a, ty)?, l.source(mask, Type::B32)?);
    let (lane, is_valid) = {
        let (b, c) = (l.source(b, Type::B32)?, l.source(c, Type::B32)?);
        source_lane(l, kind, b, c)
    };
    let width = l.word(32);
    let made = l.temporary(ty);
    l.emit(Inst::Shuffle { kind: ShuffleKind::Idx, wide: false, d: made, a, lane, width, mask });
    if let Some(valid) = valid {
        l.store(valid, is_valid, Type::PRED)?;
    }
    l.store(to, made, ty)
}

/// The lane that a shuffle reads, and whether it is in range.
fn source_lane(l: &mut Lowering<'_>, kind: ShuffleKind, b: Reg, c: Reg) -> (Reg, Reg) {
    let lane = l.target.preload(Preload::LaneId, false);
    let step = l.binary_with(BinOp::And, Ty::U32, b, 31);
    let clamp = l.binary_with(BinOp::And, Ty::U32, c, 31);
    let upper = l.binary_with(BinOp::Shr, Ty::U32, c, 8);
    let segment = l.binary_with(BinOp::And, Ty::U32, upper, 31);
    let inside = l.unary(UnOp::Not, Ty::U32, segment);
    let first = l.binary(BinOp::And, Ty::U32, lane, segment);
    let clamped = l.binary(BinOp::And, Ty::U32, clamp, inside);
    let last = l.binary(BinOp::Or, Ty::U32, first, clamped);
    let from = match kind {
        ShuffleKind::Up => l.binary(BinOp::Sub, Ty::I32, lane, step),
        ShuffleKind::Down => l.binary(BinOp::Add, Ty::I32, lane, step),
        ShuffleKind::Xor => l.binary(BinOp::Xor, Ty::I32, lane, step),
        ShuffleKind::Idx => {
            let within = l.binary(BinOp::And, Ty::U32, step, inside);
            l.binary(BinOp::Or, Ty::U32, first, within)
        }
    };
    let op = if kind == ShuffleKind::Up { CmpOp::Ge } else { CmpOp::Le };
    let valid = l.compare(op, Ty::I32, from, last);
    (l.select(false, valid, from, lane), valid)
}

/// `vote.sync.ballot.b32 d, p, mask;`
fn vote(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let kind = m.required(&[
        ("all", Some(VoteKind::All)),
        ("any", Some(VoteKind::Any)),
        ("ballot", Some(VoteKind::Ballot)),
        ("uni", None),
    ])?;
    let result = if m.flag("pred") { Type::PRED } else { m.ty_of(&[Type::B32])? };
    m.end()?;
    if (kind == Some(VoteKind::Ballot)) != (result == Type::B32) {
        return error(at, "`.ballot` gives `.b32`, the others give `.pred`");
    }
    let [to, pred, mask] = operands(i)?;
    let (pred, mask) = (l.predicate(pred)?, l.source(mask, Type::B32)?);
    let made = l.temporary(Type::B32);
    let asked = kind.unwrap_or(VoteKind::Ballot);
    l.emit(Inst::Vote { kind: asked, d: made, pred, mask });
    if kind.is_some() {
        return l.store(to, made, result);
    }
    // Uniform: none or all.
    let zero = l.word(0);
    let none = l.compare(CmpOp::Eq, Ty::U32, made, zero);
    let all = l.compare(CmpOp::Eq, Ty::U32, made, mask);
    let uniform = l.binary(BinOp::Or, Ty::U32, none, all);
    l.store(to, uniform, result)
}

/// `match.any.sync.b64 d, a, mask;`
fn match_any(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    matched(l, i, m, false)
}

/// `match.all.sync.b64 d|p, a, mask;`
fn match_all(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    matched(l, i, m, true)
}

fn matched(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, all: bool) -> Lowered<()> {
    let ty = m.ty_of(&[Type::B32, Type::B64])?;
    m.end()?;
    let [to, a, mask] = operands(i)?;
    let (to, equal) = with_predicate(to);
    if let (Some(equal), false) = (equal, all) {
        return error(equal.span, "`match.any` gives no predicate");
    }
    let (a, mask) = (l.source(a, ty)?, l.source(mask, Type::B32)?);
    let (d, pred) = (l.temporary(Type::B32), l.temporary(Type::PRED));
    l.emit(Inst::Match { all, wide: ty.is_wide(), d, pred, a, mask });
    if let Some(equal) = equal {
        l.store(equal, pred, Type::PRED)?;
    }
    l.store(to, d, Type::B32)
}

/// `redux.sync.add.s32 d, a, mask;`
fn reduce(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let op = m.required(&[
        ("add", AtomicOp::Add),
        ("min", AtomicOp::Min),
        ("max", AtomicOp::Max),
        ("and", AtomicOp::And),
        ("or", AtomicOp::Or),
        ("xor", AtomicOp::Xor),
    ])?;
    let bitwise = matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor);
    let ty = m.ty_of(if bitwise { &[Type::B32] } else { &[Type::U32, Type::S32] })?;
    m.end()?;
    let [to, a, mask] = operands(i)?;
    let (a, mask) = (l.source(a, ty)?, l.source(mask, Type::B32)?);
    let d = l.temporary(ty);
    l.emit(Inst::WarpReduce { op, ty: ty.arithmetic(), d, a, mask });
    l.store(to, d, ty)
}

/// `activemask.b32 d;`
fn active_mask(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(&[Type::B32])?;
    m.end()?;
    let [to] = operands(i)?;
    let d = l.temporary(ty);
    l.emit(Inst::ActiveMask { d });
    l.store(to, d, ty)
}

/// `elect.sync d|p, mask;`: the lowest lane of the mask is the leader.
fn elect(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [to, mask] = operands(i)?;
    let (to, Some(elected)) = with_predicate(to) else {
        return error(to.span, "`elect.sync` gives `d|p`");
    };
    let (mask, pred) = (l.source(mask, Type::B32)?, l.word(1));
    let members = l.temporary(Type::B32);
    l.emit(Inst::Vote { kind: VoteKind::Ballot, d: members, pred, mask });
    let number = l.unary(UnOp::Ffs, Ty::U32, members);
    let leader = l.binary_with(BinOp::Sub, Ty::U32, number, 1);
    let lane = l.target.preload(Preload::LaneId, false);
    let is_leader = l.compare(CmpOp::Eq, Ty::U32, lane, leader);
    l.store(elected, is_leader, Type::PRED)?;
    l.store(to, leader, Type::B32)
}

/// `bar.warp.sync mask;`
fn synchronise(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [mask] = operands(i)?;
    let mask = l.source(mask, Type::B32)?;
    l.emit(Inst::SyncWarp { mask });
    Ok(())
}
