//! Asynchronous copies: `cp.async`, bulk copies and reductions, their groups, and the proxy fence.

use super::Entry;
use super::shared_operand::{barrier_and_blocks, global_pointer, shared_address};
use crate::error::{Lowered, error};
use crate::lower::{Lowering, miscounted, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand};
use crate::types::{Class, Type};
use simt_machine::isa::{AtomicOp, BulkDirection, FencedMemory, GroupKind, Inst, Reg};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "cp.async.ca", types: &[], lower: |l, i, m| copy(l, i, m, false) },
    Entry { name: "cp.async.cg", types: &[], lower: |l, i, m| copy(l, i, m, true) },
    Entry {
        name: "cp.async.commit_group",
        types: &[],
        lower: |l, i, m| commit(l, i, m, GroupKind::CopyAsync),
    },
    Entry {
        name: "cp.async.wait_group",
        types: &[],
        lower: |l, i, m| wait(l, i, m, GroupKind::CopyAsync),
    },
    Entry { name: "cp.async.wait_all", types: &[], lower: wait_all },
    Entry { name: "cp.async.mbarrier.arrive", types: &[], lower: arrive },
    Entry { name: "cp.async.bulk", types: &[], lower: bulk },
    Entry {
        name: "cp.async.bulk.commit_group",
        types: &[],
        lower: |l, i, m| commit(l, i, m, GroupKind::Bulk),
    },
    Entry {
        name: "cp.async.bulk.wait_group",
        types: &[],
        lower: |l, i, m| wait(l, i, m, GroupKind::Bulk),
    },
    Entry { name: "cp.async.bulk.prefetch.L2", types: &[], lower: prefetch },
    Entry { name: "cp.reduce.async.bulk", types: &[], lower: reduce },
    Entry { name: "fence.proxy.async", types: &[], lower: proxy_fence },
];

/// How much more of a line is brought into the second-level cache: no effect on values.
const PREFETCH_SIZES: &[(&str, ())] = &[("L2::64B", ()), ("L2::128B", ()), ("L2::256B", ())];

/// `cp.async.cg.shared.global [to], [from], 16, size;`
fn copy(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, global: bool) -> Lowered<()> {
    m.required(&[("shared", ()), ("shared::cta", ())])?;
    m.required(&[("global", ())])?;
    let hint = m.flag("L2::cache_hint");
    m.choice(PREFETCH_SIZES);
    m.end()?;
    let ([to, from, bytes], mut rest) = at_least(i)?;
    if hint {
        rest = without_policy(l, i, rest)?;
    }
    let count = l.immediate(bytes)?;
    let sizes: &[i64] = if global { &[16] } else { &[4, 8, 16] };
    if !sizes.contains(&count) {
        let of = if global { "16 bytes" } else { "4, 8 or 16 bytes" };
        return error(bytes.span, format!("`{}` copies {of}, not {count}", i.mnemonic()));
    }
    let (to, from) = (shared_address(l, to, false)?, global_pointer(l, from)?);
    let size = match rest {
        [] => None,
        [one] => Some(source_size(l, one, count as u32)?),
        [_, more, ..] => return error(more.span, "`cp.async` has one more operand at most"),
    };
    l.emit(Inst::CopyAsync { bytes: count as u8, to, from, size });
    Ok(())
}

/// The bytes that are read: given, or none where a predicate ignores the source.
fn source_size(l: &mut Lowering<'_>, operand: &Operand, bytes: u32) -> Lowered<Reg> {
    let number = l.is_constant(operand) || l.immediate(operand).is_ok();
    if number || l.readable(operand)?.ty.class != Class::Predicate {
        return l.source(operand, Type::U32);
    }
    let (cond, d) = (l.predicate(operand)?, l.temporary(Type::U32));
    let (a, b) = (l.constant(0, false), l.constant(bytes.into(), false));
    l.emit(Inst::Select { wide: false, d, cond, a, b });
    Ok(d)
}

/// The first `N` operands, and the others.
fn at_least<const N: usize>(i: &Instruction) -> Lowered<(&[Operand; N], &[Operand])> {
    match i.operands.split_first_chunk() {
        Some(all) => Ok(all),
        None => error(i.span, format!("`{}` has {N} operands at least", i.mnemonic())),
    }
}

/// The operands before a cache policy, which has no effect on values.
fn without_policy<'i>(
    l: &mut Lowering<'_>,
    i: &Instruction,
    operands: &'i [Operand],
) -> Lowered<&'i [Operand]> {
    match operands.split_last() {
        Some((policy, rest)) => {
            l.source(policy, Type::B64)?;
            Ok(rest)
        }
        None => error(i.span, "`.L2::cache_hint` needs a policy: a 64-bit operand at the end"),
    }
}

fn commit(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>, kind: GroupKind) -> Lowered<()> {
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::CommitGroup { kind });
    Ok(())
}

/// `cp.async.wait_group 2;`
fn wait(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    kind: GroupKind,
) -> Lowered<()> {
    let read = kind == GroupKind::Bulk && m.flag("read");
    m.end()?;
    let [count] = operands(i)?;
    let Ok(left) = u16::try_from(l.immediate(count)?) else {
        return error(count.span, "the number of groups is between 0 and 65535 here");
    };
    l.emit(Inst::WaitGroup { kind, left, read });
    Ok(())
}

/// `cp.async.wait_all;` also waits for what is in no group yet.
fn wait_all(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [] = operands(i)?;
    let kind = GroupKind::CopyAsync;
    l.emit(Inst::CommitGroup { kind });
    l.emit(Inst::WaitGroup { kind, left: 0, read: false });
    Ok(())
}

/// `cp.async.mbarrier.arrive.noinc.shared.b64 [barrier];`
fn arrive(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let counted = !m.flag("noinc");
    let shared = m.flag("shared") || m.flag("shared::cta");
    m.ty_of(&[Type::B64])?;
    m.end()?;
    let [barrier] = operands(i)?;
    let barrier = shared_address(l, barrier, !shared)?;
    l.emit(Inst::CopyAsyncArrive { barrier, counted });
    Ok(())
}

/// The direction of a bulk copy, from its two spaces.
fn direction(i: &Instruction, m: &mut Modifiers<'_>) -> Lowered<BulkDirection> {
    let at = m.span();
    let to = m.required(&[("shared::cluster", 0), ("shared::cta", 1), ("global", 2)])?;
    let from = m.required(&[("global", 2), ("shared::cta", 1)])?;
    match (to, from) {
        (0 | 1, 2) => Ok(BulkDirection::ToShared),
        (2, 1) => Ok(BulkDirection::ToGlobal),
        (0, 1) => Ok(BulkDirection::ToCluster),
        _ => error(at, format!("`{}` does not copy between these spaces", i.mnemonic())),
    }
}

/// Reads how a copy in this direction completes.
fn completion(m: &mut Modifiers<'_>, direction: BulkDirection) -> Lowered<()> {
    match direction {
        BulkDirection::ToGlobal => m.required(&[("bulk_group", ())]),
        _ => m.required(&[("mbarrier::complete_tx::bytes", ())]),
    }
}

/// The registers of a bulk operation: to, from, size and mbarrier.
fn bulk_operands(
    l: &mut Lowering<'_>,
    i: &Instruction,
    direction: BulkDirection,
    hint: bool,
) -> Lowered<[Reg; 4]> {
    let ([to, from, size], mut rest) = at_least(i)?;
    if hint {
        rest = without_policy(l, i, rest)?;
    }
    let bytes = l.source(size, Type::U32)?;
    match (direction, rest) {
        (BulkDirection::ToShared, [barrier]) => {
            let (to, from) = (shared_address(l, to, false)?, global_pointer(l, from)?);
            Ok([to, from, bytes, shared_address(l, barrier, false)?])
        }
        (BulkDirection::Multicast, [barrier, blocks]) => {
            let (to, from) = (shared_address(l, to, false)?, global_pointer(l, from)?);
            Ok([to, from, bytes, barrier_and_blocks(l, barrier, blocks)?])
        }
        (BulkDirection::ToCluster, [barrier]) => {
            let (to, from) = (shared_address(l, to, false)?, shared_address(l, from, false)?);
            Ok([to, from, bytes, shared_address(l, barrier, false)?])
        }
        (BulkDirection::ToGlobal, []) => {
            let (to, from) = (global_pointer(l, to)?, shared_address(l, from, false)?);
            Ok([to, from, bytes, from])
        }
        (BulkDirection::ToGlobal, _) => miscounted(i, "`[to], [from], size`"),
        (BulkDirection::Multicast, _) => miscounted(i, "`[to], [from], size, [barrier], blocks`"),
        _ => miscounted(i, "`[to], [from], size, [barrier]`"),
    }
}

/// `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [barrier];`
fn bulk(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let mut direction = direction(i, &mut m)?;
    completion(&mut m, direction)?;
    if direction == BulkDirection::ToShared && m.flag("multicast::cluster") {
        direction = BulkDirection::Multicast;
    }
    let hint = m.flag("L2::cache_hint");
    m.end()?;
    let [to, from, bytes, barrier] = bulk_operands(l, i, direction, hint)?;
    l.emit(Inst::BulkCopy { direction, to, from, bytes, barrier });
    Ok(())
}

/// `cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [to], [from], size;`
fn reduce(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let direction = direction(i, &mut m)?;
    if direction == BulkDirection::ToShared {
        return error(i.mnemonic_span(), "a bulk reduction reads shared memory");
    }
    completion(&mut m, direction)?;
    let hint = m.flag("L2::cache_hint");
    let at = m.span();
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
    let subnormals = m.flag("noftz");
    let ty = m.ty()?;
    m.end()?;
    let types = reduced_types(op, direction);
    if !types.contains(&ty) {
        let types = types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", ");
        return error(at, format!("this bulk reduction is for {types}, not `{ty}`"));
    }
    if subnormals != (op == AtomicOp::Add && [Type::F16, Type::BF16].contains(&ty)) {
        return error(
            at,
            "sums of `.f16` and `.bf16` need `.noftz`, and no other bulk reduction has it",
        );
    }
    let [to, from, bytes, barrier] = bulk_operands(l, i, direction, hint)?;
    l.emit(Inst::BulkReduce { op, ty: ty.arithmetic(), direction, to, from, bytes, barrier });
    Ok(())
}

/// The types of a bulk reduction, to global memory or to another block's.
fn reduced_types(op: AtomicOp, direction: BulkDirection) -> &'static [Type] {
    let (all, of_blocks): (&[Type], usize) = match op {
        AtomicOp::Add => {
            (&[Type::U32, Type::S32, Type::U64, Type::F32, Type::F64, Type::F16, Type::BF16], 3)
        }
        AtomicOp::Min | AtomicOp::Max => {
            (&[Type::U32, Type::S32, Type::U64, Type::S64, Type::F16, Type::BF16], 2)
        }
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => (&[Type::B32, Type::B64], 1),
        _ => (&[Type::U32], 1),
    };
    if direction == BulkDirection::ToGlobal { all } else { &all[..of_blocks] }
}

/// `cp.async.bulk.prefetch.L2.global [from], size;` has no effect on values.
fn prefetch(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("global", ())])?;
    let hint = m.flag("L2::cache_hint");
    m.end()?;
    let ([from, size], mut rest) = at_least(i)?;
    if hint {
        rest = without_policy(l, i, rest)?;
    }
    if let Some(more) = rest.first() {
        return error(more.span, "a prefetch has two operands");
    }
    global_pointer(l, from)?;
    l.source(size, Type::U32)?;
    Ok(())
}

/// `fence.proxy.async.shared::cta;`
fn proxy_fence(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let memory = m.choice(&[
        ("global", FencedMemory::Global),
        ("shared::cta", FencedMemory::Block),
        ("shared::cluster", FencedMemory::Cluster),
    ]);
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::ProxyFence { memory: memory.unwrap_or(FencedMemory::All) });
    Ok(())
}
