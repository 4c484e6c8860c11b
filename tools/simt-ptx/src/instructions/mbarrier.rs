//! Mbarriers: making them, arrivals, bytes, and waits; and the fence that makes a new one known.

use super::Entry;
use super::shared_operand::shared_address;
use crate::error::Lowered;
use crate::lower::{Lowering, miscounted, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::{BinOp, Inst, MbarrierOp, Reg, Scope, Ty};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "mbarrier.init", types: &[], lower: init },
    Entry { name: "mbarrier.inval", types: &[], lower: inval },
    Entry {
        name: "mbarrier.expect_tx",
        types: &[],
        lower: |l, i, m| bytes(l, i, m, MbarrierOp::ExpectTx),
    },
    Entry {
        name: "mbarrier.complete_tx",
        types: &[],
        lower: |l, i, m| bytes(l, i, m, MbarrierOp::CompleteTx),
    },
    Entry {
        name: "mbarrier.arrive",
        types: &[],
        lower: |l, i, m| arrive(l, i, m, MbarrierOp::Arrive),
    },
    Entry {
        name: "mbarrier.arrive.expect_tx",
        types: &[],
        lower: |l, i, m| arrive(l, i, m, MbarrierOp::ArriveExpectTx),
    },
    Entry {
        name: "mbarrier.arrive_drop",
        types: &[],
        lower: |l, i, m| arrive(l, i, m, MbarrierOp::ArriveDrop),
    },
    Entry {
        name: "mbarrier.arrive_drop.expect_tx",
        types: &[],
        lower: |l, i, m| arrive(l, i, m, MbarrierOp::ArriveDropExpectTx),
    },
    Entry { name: "mbarrier.test_wait", types: &[], lower: |l, i, m| wait(l, i, m, false) },
    Entry { name: "mbarrier.try_wait", types: &[], lower: |l, i, m| wait(l, i, m, true) },
    Entry { name: "mbarrier.pending_count", types: &[], lower: pending_count },
    Entry { name: "fence.mbarrier_init", types: &[], lower: init_fence },
];

/// Reads the state space and the type. Returns whether addresses are generic.
fn space(m: &mut Modifiers<'_>) -> Lowered<bool> {
    let shared = m.choice(&[("shared", ()), ("shared::cta", ()), ("shared::cluster", ())]);
    m.ty_of(&[Type::B64])?;
    m.end()?;
    Ok(shared.is_none())
}

/// Reads the semantics and the scope: to whom an arrival releases, or from whom a wait acquires. Where no
/// scope is written, other blocks are included, as public code takes it.
fn order(m: &mut Modifiers<'_>, ordered: &'static str) -> Option<Scope> {
    let relaxed = m.choice(&[(ordered, false), ("relaxed", true)]) == Some(true);
    let scope = m.choice(&[("cta", Scope::Block), ("cluster", Scope::Device)]);
    (!relaxed).then_some(scope.unwrap_or(Scope::Device))
}

/// `mbarrier.init.shared::cta.b64 [barrier], count;`
fn init(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let generic = space(&mut m)?;
    let [barrier, count] = operands(i)?;
    let (barrier, a) = (shared_address(l, barrier, generic)?, l.source(count, Type::U32)?);
    l.emit(Inst::Mbarrier {
        op: MbarrierOp::Init,
        order: Some(Scope::Device),
        d: None,
        barrier,
        a,
    });
    Ok(())
}

fn inval(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let generic = space(&mut m)?;
    let [barrier] = operands(i)?;
    let barrier = shared_address(l, barrier, generic)?;
    l.emit(Inst::Mbarrier {
        op: MbarrierOp::Inval,
        order: Some(Scope::Device),
        d: None,
        barrier,
        a: barrier,
    });
    Ok(())
}

/// `mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [barrier], bytes;`
fn bytes(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    op: MbarrierOp,
) -> Lowered<()> {
    m.flag("relaxed");
    m.choice(&[("cta", ()), ("cluster", ())]);
    let generic = space(&mut m)?;
    let [barrier, count] = operands(i)?;
    let (barrier, a) = (shared_address(l, barrier, generic)?, l.source(count, Type::U32)?);
    l.emit(Inst::Mbarrier { op, order: Some(Scope::Device), d: None, barrier, a });
    Ok(())
}

/// `mbarrier.arrive.release.cta.shared::cta.b64 state, [barrier], count;`
fn arrive(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    op: MbarrierOp,
) -> Lowered<()> {
    let explicit = m.flag("noComplete");
    let order = order(&mut m, "release");
    let generic = space(&mut m)?;
    let needs_count =
        explicit || matches!(op, MbarrierOp::ArriveExpectTx | MbarrierOp::ArriveDropExpectTx);
    let (state, barrier, count) = match &i.operands[..] {
        [state, barrier] if !needs_count => (state, barrier, None),
        [state, barrier, count] => (state, barrier, Some(count)),
        _ if needs_count => return miscounted(i, "`state, [barrier], count`"),
        _ => return miscounted(i, "`state, [barrier]` and perhaps a count"),
    };
    let barrier = shared_address(l, barrier, generic)?;
    let a = match count {
        Some(count) => l.source(count, Type::U32)?,
        None => l.constant(1, false),
    };
    let d = match &state.kind {
        OperandKind::Sink => None,
        _ => Some(l.destination(state, Type::B64)?),
    };
    l.emit(Inst::Mbarrier { op, order, d, barrier, a });
    Ok(())
}

/// `mbarrier.try_wait.parity.shared::cta.b64 p, [barrier], parity;`
fn wait(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    suspends: bool,
) -> Lowered<()> {
    let parity = m.flag("parity");
    let order = order(&mut m, "acquire");
    let generic = space(&mut m)?;
    let (done, barrier, phase): (&Operand, &Operand, &Operand) = match &i.operands[..] {
        [done, barrier, phase] => (done, barrier, phase),
        // How long it may wait is a hint.
        [done, barrier, phase, limit] if suspends => {
            l.source(limit, Type::U32)?;
            (done, barrier, phase)
        }
        _ if parity => return miscounted(i, "`done, [barrier], parity`"),
        _ => return miscounted(i, "`done, [barrier], state`"),
    };
    let barrier = shared_address(l, barrier, generic)?;
    let a: Reg = l.source(phase, if parity { Type::U32 } else { Type::B64 })?;
    let d = l.destination(done, Type::PRED)?;
    l.emit(Inst::MbarrierTest { parity, order, d, barrier, a });
    Ok(())
}

/// `mbarrier.pending_count.b64 count, state;`
fn pending_count(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.ty_of(&[Type::B64])?;
    m.end()?;
    let [to, state] = operands(i)?;
    let a = l.source(state, Type::B64)?;
    // The layout of a state is the machine's: the count is at bits 20 to 39.
    let (by, mask) = (l.constant(20, false), l.constant((1 << 20) - 1, false));
    let (moved, low, d) =
        (l.temporary(Type::U64), l.temporary(Type::U32), l.destination(to, Type::U32)?);
    l.emit(Inst::Binary { op: BinOp::Shr, ty: Ty::U64, d: moved, a, b: by });
    l.emit(Inst::Convert { from: Ty::U64, to: Ty::U32, d: low, a: moved });
    l.emit(Inst::Binary { op: BinOp::And, ty: Ty::U32, d, a: low, b: mask });
    Ok(())
}

/// `fence.mbarrier_init.release.cluster;`
fn init_fence(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("release", ())])?;
    m.required(&[("cluster", ())])?;
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::MbarrierInitFence);
    Ok(())
}
