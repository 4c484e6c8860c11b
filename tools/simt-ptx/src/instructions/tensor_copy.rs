//! Copies and reductions of boxes of an array, by a tensor map.

use super::Entry;
use super::shared_operand::{barrier_and_blocks, pointer, shared_address};
use crate::error::{Lowered, error, unsupported};
use crate::lower::{Lowering, Space, miscounted};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::{AtomicOp, BulkDirection, Inst, Reg};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "cp.async.bulk.tensor", types: &[], lower: copy },
    Entry { name: "cp.async.bulk.prefetch.tensor", types: &[], lower: prefetch },
    Entry { name: "cp.reduce.async.bulk.tensor", types: &[], lower: reduce },
    Entry { name: "prefetch.tensormap", types: &[], lower: prefetch_map },
    Entry { name: "prefetch.const.tensormap", types: &[], lower: prefetch_map },
    Entry { name: "prefetch.param.tensormap", types: &[], lower: prefetch_map },
];

const RANKS: &[(&str, u8)] = &[("1d", 1), ("2d", 2), ("3d", 3), ("4d", 4), ("5d", 5)];

/// Reads the mode, of which the usual one is implemented.
fn mode(m: &mut Modifiers<'_>) -> Lowered<()> {
    match m.peek() {
        Some(word) if word.text.starts_with("im2col") || word.text.starts_with("tile::") => {
            unsupported(word.span, format!("tensor copies with `.{}`", word.text))
        }
        _ => {
            m.flag("tile");
            Ok(())
        }
    }
}

/// The map and the coordinates: `[map, {x, y}]`.
fn place(l: &mut Lowering<'_>, operand: &Operand, rank: u8) -> Lowered<(Reg, [Reg; 5])> {
    let OperandKind::Address { base, offset, more } = &operand.kind else {
        return error(operand.span, "a map and coordinates are needed here: `[map, {x, y}]`");
    };
    let [given] = &more[..] else {
        return error(operand.span, "a map and coordinates are needed here: `[map, {x, y}]`");
    };
    let all = l.elements(given);
    if all.len() != usize::from(rank) {
        let found = all.len();
        return error(given.span, format!("this copy has {rank} coordinates, not {found}"));
    }
    let addr = l.pointer(base, *offset, Space::Generic)?;
    let map = pointer(l, addr)?;
    let mut coordinates = [0; 5];
    for (to, one) in coordinates.iter_mut().zip(all) {
        *to = l.source(one, Type::S32)?;
    }
    let first = coordinates[0];
    coordinates[usize::from(rank)..].fill(first);
    Ok((map, coordinates))
}

/// Checks a cache policy at the end of the operands, which has no effect on values.
fn policy(l: &mut Lowering<'_>, i: &Instruction, hint: bool) -> Lowered<usize> {
    let Some(last) = i.operands.last().filter(|_| hint) else { return Ok(i.operands.len()) };
    l.source(last, Type::B64)?;
    Ok(i.operands.len() - 1)
}

/// `cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier];`
fn copy(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let rank = m.required(RANKS)?;
    // The first space is the destination's.
    let spaces = [("shared::cluster", false), ("shared::cta", false), ("global", true)];
    if m.required(&spaces)? {
        m.required(&[("shared::cta", ())])?;
        mode(&mut m)?;
        m.required(&[("bulk_group", ())])?;
        return store(l, i, m, (rank, None));
    }
    m.required(&[("global", ())])?;
    mode(&mut m)?;
    m.required(&[("mbarrier::complete_tx::bytes", ())])?;
    let multicast = m.flag("multicast::cluster");
    let hint = m.flag("L2::cache_hint");
    m.end()?;
    let count = policy(l, i, hint)?;
    let (to, from, direction, barrier) = match &i.operands[..count] {
        [to, from, barrier] if !multicast => {
            (to, from, BulkDirection::ToShared, shared_address(l, barrier, false)?)
        }
        [to, from, barrier, blocks] if multicast => {
            (to, from, BulkDirection::Multicast, barrier_and_blocks(l, barrier, blocks)?)
        }
        _ if multicast => {
            return miscounted(i, "`[to], [map, {x, ...}], [barrier], blocks`");
        }
        _ => return miscounted(i, "`[to], [map, {x, ...}], [barrier]`"),
    };
    let (map, coordinates) = place(l, from, rank)?;
    let shared = shared_address(l, to, false)?;
    let reduce = None;
    l.emit(Inst::BulkTensor { direction, map, shared, coordinates, rank, barrier, reduce });
    Ok(())
}

/// `cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [map, {x, y}], [from];`
fn store(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    (rank, reduce): (u8, Option<AtomicOp>),
) -> Lowered<()> {
    let hint = m.flag("L2::cache_hint");
    m.end()?;
    let count = policy(l, i, hint)?;
    let [to, from] = &i.operands[..count] else {
        return miscounted(i, "`[map, {x, ...}], [from]`");
    };
    let (map, coordinates) = place(l, to, rank)?;
    let shared = shared_address(l, from, false)?;
    let direction = BulkDirection::ToGlobal;
    l.emit(Inst::BulkTensor { direction, map, shared, coordinates, rank, barrier: shared, reduce });
    Ok(())
}

/// `cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [map, {x, y}], [from];`
fn reduce(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let rank = m.required(RANKS)?;
    m.required(&[("global", ())])?;
    m.required(&[("shared::cta", ())])?;
    let op = m.required(&[
        ("add", AtomicOp::Add),
        ("min", AtomicOp::Min),
        ("max", AtomicOp::Max),
        ("and", AtomicOp::And),
        ("or", AtomicOp::Or),
        ("xor", AtomicOp::Xor),
        ("inc", AtomicOp::Inc),
        ("dec", AtomicOp::Dec),
    ])?;
    mode(&mut m)?;
    m.required(&[("bulk_group", ())])?;
    store(l, i, m, (rank, Some(op)))
}

/// `cp.async.bulk.prefetch.tensor.2d.L2.global [map, {x, y}];` has no effect on values.
fn prefetch(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let rank = m.required(RANKS)?;
    m.required(&[("L2", ())])?;
    m.required(&[("global", ())])?;
    mode(&mut m)?;
    let hint = m.flag("L2::cache_hint");
    m.end()?;
    let count = policy(l, i, hint)?;
    let [from] = &i.operands[..count] else {
        return miscounted(i, "`[map, {x, ...}]`");
    };
    place(l, from, rank).map(|_| ())
}

/// `prefetch.tensormap [map];` has no effect on values.
fn prefetch_map(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [map] = crate::lower::operands(i)?;
    l.address(map, Space::Generic).map(|_| ())
}
