//! Which registers an instruction reads and writes, and where it jumps.

use crate::bytecode::{Inst, Pc, Reg};

/// The arguments of a call, and its result.
pub(super) struct Window {
    pub(super) first: Reg,
    /// How many are read; `None`: nobody knows.
    pub(super) count: Option<u16>,
    /// Whether the result stands in the first afterwards.
    pub(super) written: bool,
    /// Whether all behind it are overwritten, too.
    pub(super) all: bool,
}

pub(super) fn window(inst: &Inst, arguments: &[u16]) -> Option<Window> {
    Some(match *inst {
        Inst::Call { function, window: first } => {
            let count = arguments.get(function as usize).copied();
            Window { first, count, written: true, all: true }
        }
        Inst::CallIndirect { window: first, .. } => {
            Window { first, count: None, written: true, all: true }
        }
        Inst::Library { window: first, count, .. } => {
            Window { first, count: Some(count), written: true, all: false }
        }
        Inst::Launch { window: first, .. } => {
            Window { first, count: Some(5), written: false, all: false }
        }
        _ => return None,
    })
}

/// Where it jumps.
pub(super) fn target(inst: &mut Inst) -> Option<&mut Pc> {
    match inst {
        Inst::Jump { to }
        | Inst::Skip { to }
        | Inst::Branch { to, .. }
        | Inst::BranchCompare { to, .. }
        | Inst::BranchConst { to, .. }
        | Inst::Try { to }
        | Inst::Once { to, .. } => Some(to),
        _ => None,
    }
}

/// Every register that it names by itself, and whether it writes it; those it reads come first.
pub(super) fn each(inst: &mut Inst, mut see: impl FnMut(&mut Reg, bool)) {
    match inst {
        Inst::Const { d, .. }
        | Inst::Literal { d, .. }
        | Inst::Symbol { d, .. }
        | Inst::GlobalAddress { d, .. }
        | Inst::FrameAddress { d, .. }
        | Inst::LoadFrame { d, .. }
        | Inst::CleanupDepth { d } => see(d, true),
        Inst::Move { d, a }
        | Inst::Unary { d, a, .. }
        | Inst::BinaryConst { d, a, .. }
        | Inst::AddI32Const { d, a, .. }
        | Inst::Convert { d, a, .. }
        | Inst::Offset { d, a, .. }
        | Inst::Load { d, p: a, .. }
        | Inst::Length { d, p: a }
        | Inst::New { d, count: a, .. } => {
            see(a, false);
            see(d, true);
        }
        Inst::Binary { d, a, b, .. }
        | Inst::AddI32 { d, a, b }
        | Inst::MulI32 { d, a, b }
        | Inst::AddI64 { d, a, b }
        | Inst::AddF32 { d, a, b }
        | Inst::MulF32 { d, a, b }
        | Inst::AddF64 { d, a, b }
        | Inst::MulF64 { d, a, b }
        | Inst::Compare { d, a, b, .. }
        | Inst::Step { d, a, b, .. }
        | Inst::Distance { d, a, b, .. } => {
            see(a, false);
            see(b, false);
            see(d, true);
        }
        Inst::Fma { d, a, b, c, .. } => {
            [a, b, c].into_iter().for_each(|reg| see(reg, false));
            see(d, true);
        }
        Inst::Math { d, operands, .. } => {
            operands.iter_mut().for_each(|reg| see(reg, false));
            see(d, true);
        }
        Inst::LoadIndex { d, at, .. } | Inst::IndexAddress { d, at } => {
            see(&mut at.p, false);
            see(&mut at.index, false);
            see(d, true);
        }
        Inst::StoreIndex { a, at, .. } => {
            see(a, false);
            see(&mut at.p, false);
            see(&mut at.index, false);
        }
        Inst::BranchCompare { a, b, .. }
        | Inst::Store { a, p: b, .. }
        | Inst::Copy { to: a, from: b, .. } => {
            see(a, false);
            see(b, false);
        }
        Inst::Branch { cond: a, .. }
        | Inst::BranchConst { a, .. }
        | Inst::StoreFrame { a, .. }
        | Inst::Clear { to: a, .. }
        | Inst::CallIndirect { pointer: a, .. }
        | Inst::Delete { p: a, .. }
        | Inst::PushCleanup { p: a, .. }
        | Inst::RunCleanups { mark: a }
        | Inst::DropCleanup { p: a }
        | Inst::Throw { p: a, .. } => see(a, false),
        Inst::Caught { d, p, .. } => {
            see(d, true);
            see(p, true);
        }
        Inst::Jump { .. }
        | Inst::Skip { .. }
        | Inst::Tick
        | Inst::Call { .. }
        | Inst::Return
        | Inst::Nop
        | Inst::Library { .. }
        | Inst::Launch { .. }
        | Inst::Try { .. }
        | Inst::EndTry
        | Inst::Rethrow
        | Inst::Catch
        | Inst::EndCatch
        | Inst::Once { .. }
        | Inst::AtExit { .. }
        | Inst::Abort { .. } => {}
    }
}

/// The register that it writes, but for a call's.
pub(super) fn written(inst: &Inst) -> Option<Reg> {
    let (mut inst, mut found) = (*inst, None);
    each(&mut inst, |reg, write| found = if write { Some(*reg) } else { found });
    found
}

/// Those that it reads, but for a call's.
pub(super) fn reads(inst: &Inst, mut see: impl FnMut(Reg)) {
    let mut inst = *inst;
    each(&mut inst, |reg, write| {
        if !write {
            see(*reg);
        }
    });
}

/// Its result goes elsewhere.
pub(super) fn write_to(inst: &mut Inst, d: Reg) {
    each(inst, |reg, write| {
        if write {
            *reg = d;
        }
    });
}

/// Whether all that it does is to write a register, and it cannot go wrong.
pub(super) fn is_pure(inst: &Inst) -> bool {
    match inst {
        Inst::Binary { op, ty, .. } | Inst::BinaryConst { op, ty, .. } => {
            use simt::isa::BinOp::{Div, Rem};
            !matches!(op, Div | Rem) || ty.is_float()
        }
        Inst::Const { .. }
        | Inst::Move { .. }
        | Inst::Unary { .. }
        | Inst::AddI32 { .. }
        | Inst::AddI32Const { .. }
        | Inst::MulI32 { .. }
        | Inst::AddI64 { .. }
        | Inst::AddF32 { .. }
        | Inst::MulF32 { .. }
        | Inst::AddF64 { .. }
        | Inst::MulF64 { .. }
        | Inst::Compare { .. }
        | Inst::Fma { .. }
        | Inst::Math { .. }
        | Inst::Convert { .. }
        | Inst::IndexAddress { .. }
        | Inst::LoadFrame { .. }
        | Inst::GlobalAddress { .. }
        | Inst::Literal { .. }
        | Inst::Symbol { .. }
        | Inst::FrameAddress { .. }
        | Inst::Step { .. }
        | Inst::Offset { .. }
        | Inst::Distance { .. } => true,
        _ => false,
    }
}
