//! Clusters: the barrier of their blocks, and addresses and stores in each other's shared memory.
//!
//! The upper 8 bits of a 32-bit shared address are 0 for the block itself, and 1 + the rank for a block
//! of its cluster.

use super::Entry;
use super::access::elements;
use super::shared_operand::shared_address;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::special_registers::cluster_rank;
use crate::syntax::{Instruction, Operand};
use crate::types::Type;
use simt_machine::isa::{AtomicOp, BinOp, CmpOp, Inst, Reg, Ty};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "barrier.cluster.arrive", types: &[], lower: |l, i, m| barrier(l, i, m, false) },
    Entry { name: "barrier.cluster.wait", types: &[], lower: |l, i, m| barrier(l, i, m, true) },
    Entry { name: "st.async", types: &[], lower: |l, i, m| store(l, i, m, false) },
    Entry { name: "red.async", types: &[], lower: |l, i, m| store(l, i, m, true) },
    Entry { name: "mapa", types: &[], lower: map_address },
    Entry { name: "getctarank", types: &[], lower: rank_of_address },
];

/// `barrier.cluster.arrive.release.aligned;`, `barrier.cluster.wait.acquire;`
fn barrier(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, wait: bool) -> Lowered<()> {
    m.flag(if wait { "acquire" } else { "release" });
    let ordered = wait || !m.flag("relaxed");
    m.flag("aligned");
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::ClusterBarrier { wait, ordered });
    Ok(())
}

const WORDS: [Type; 2] = [Type::U32, Type::U64];

/// `mapa.shared::cluster.u32 there, here, rank;`; without a space the addresses are generic.
fn map_address(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let generic = !m.flag("shared::cluster");
    let ty = m.ty_of(if generic { &WORDS[1..] } else { &WORDS })?;
    m.end()?;
    let [to, from, rank] = operands(i)?;
    let here = address(l, from, (ty, generic))?;
    let rank = l.source(rank, Type::U32)?;
    // No cluster has so many blocks: the access is refused.
    let most = l.word(254);
    let rank = l.binary(BinOp::Min, Ty::U32, rank, most);
    let block = l.binary_with(BinOp::Add, Ty::U32, rank, 1);
    let high = l.binary_with(BinOp::Shl, Ty::U32, block, 24);
    let low = l.binary_with(BinOp::And, Ty::U32, here, 0xFF_FFFF);
    let there = l.binary(BinOp::Or, Ty::U32, low, high);
    let d = l.destination(to, ty)?;
    match (generic, ty) {
        (true, _) => l.emit(Inst::SharedPointer { d, a: there }),
        (false, Type::U64) => l.emit(Inst::Convert { from: Ty::U32, to: Ty::U64, d, a: there }),
        _ => l.emit(Inst::Mov { wide: false, d, a: there }),
    }
    Ok(())
}

/// `getctarank.shared::cluster.u32 rank, address;`
fn rank_of_address(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let generic = !m.flag("shared::cluster");
    let ty = m.ty_of(if generic { &WORDS[1..] } else { &WORDS })?;
    m.end()?;
    let [to, from] = operands(i)?;
    let address = address(l, from, (ty, generic))?;
    let high = l.binary_with(BinOp::Shr, Ty::U32, address, 24);
    let rank = l.binary_with(BinOp::Sub, Ty::U32, high, 1);
    let (own, zero) = (cluster_rank(l), l.word(0));
    let here = l.compare(CmpOp::Eq, Ty::U32, high, zero);
    let d = l.destination(to, Type::U32)?;
    l.emit(Inst::Select { wide: false, d, cond: here, a: own, b: rank });
    Ok(())
}

/// A shared address in 32 bits.
fn address(l: &mut Lowering<'_>, operand: &Operand, (ty, generic): (Type, bool)) -> Lowered<Reg> {
    let a = l.source(operand, ty)?;
    Ok(match (generic, ty) {
        (true, _) => {
            let d = l.temporary(Type::U32);
            l.emit(Inst::SharedAddress { d, a });
            d
        }
        (false, Type::U64) => l.converted(Ty::U64, Ty::U32, a),
        _ => a,
    })
}

/// What an asynchronous store may store.
const STORED: [Type; 8] =
    [Type::U32, Type::S32, Type::U64, Type::S64, Type::B32, Type::B64, Type::F32, Type::F64];

const REDUCTIONS: [(&str, AtomicOp); 8] = [
    ("add", AtomicOp::Add),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("inc", AtomicOp::Inc),
    ("dec", AtomicOp::Dec),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
];

/// The types of an asynchronous reduction.
fn types_of(op: AtomicOp) -> &'static [Type] {
    match op {
        AtomicOp::Add => &[Type::U32, Type::S32, Type::U64, Type::S64],
        AtomicOp::Min | AtomicOp::Max => &[Type::U32, Type::S32],
        AtomicOp::Inc | AtomicOp::Dec => &[Type::U32],
        _ => &[Type::B32],
    }
}

/// `st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [to], {a, b, c, d}, [barrier];`,
/// `red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to], a, [barrier];`
fn store(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    reduces: bool,
) -> Lowered<()> {
    match reduces {
        true => {
            m.required(&[("relaxed", ())])?;
            m.required(&[("cluster", ())])?;
        }
        // Weak either way.
        false => {
            m.choice(&[("weak", ()), ("cluster", ())]);
        }
    }
    // Without a space the addresses are generic.
    let generic = !m.flag("shared::cluster");
    m.required(&[("mbarrier::complete_tx::bytes", ())])?;
    let reduce = if reduces { Some(m.required(&REDUCTIONS)?) } else { None };
    let count = m.choice(&[("v2", 2), ("v4", 4)]).filter(|_| !reduces).unwrap_or(1);
    let at = m.span();
    let ty = m.ty_of(reduce.map_or(&STORED, types_of))?;
    m.end()?;
    if u32::from(count) * ty.bits > 128 {
        return error(at, "an access moves 16 bytes at most");
    }
    let [to, from, barrier] = operands(i)?;
    let (to, barrier) = (shared_address(l, to, generic)?, shared_address(l, barrier, generic)?);
    let values = elements(l, from, count)?;
    let values: Vec<Reg> = values.iter().map(|v| l.source(v, ty)).collect::<Lowered<_>>()?;
    let a = l.target.registers(ty.slots() * u16::from(count));
    for (at, value) in (0u16..).zip(values) {
        l.emit(Inst::Mov { wide: ty.slots() == 2, d: a + at * ty.slots(), a: value });
    }
    l.emit(Inst::StoreAsync { ty: ty.arithmetic(), n: count, reduce, to, a, barrier });
    Ok(())
}
