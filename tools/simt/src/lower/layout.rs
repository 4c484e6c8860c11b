//! How a type lies in registers: its scalars one after the other, 64-bit ones on even places.

use crate::isa::{Element, MemTy};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;

/// Registers that one variable may take; larger ones live in memory.
pub(super) const MAX_SLOTS: u16 = 64;

/// One scalar of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Bytes from the start of the value in memory.
    pub(super) offset: u64,
    /// Registers from its start.
    pub(super) slot: u16,
    pub(super) prim: Prim,
}

impl Leaf {
    pub(super) fn memory(&self) -> MemTy {
        self.prim.memory()
    }

    pub(super) fn wide(&self) -> bool {
        self.prim.size() == 8
    }
}

/// The scalars of a type in order; `None` if it belongs in memory.
pub(super) fn leaves(types: &Types, ty: &Type) -> Option<Vec<Leaf>> {
    let mut out = Vec::new();
    let mut slot = 0;
    collect(types, ty, 0, &mut slot, &mut out).then_some(out).filter(|_| slot <= MAX_SLOTS)
}

fn collect(types: &Types, ty: &Type, offset: u64, slot: &mut u16, out: &mut Vec<Leaf>) -> bool {
    if let Some(prim) = types.scalar(ty) {
        let slots = if prim.size() == 8 { 2 } else { 1 };
        *slot = slot.next_multiple_of(slots);
        out.push(Leaf { offset, slot: *slot, prim });
        *slot += slots;
        return *slot <= MAX_SLOTS;
    }
    match ty.kind {
        // One scalar may be another, in part: only memory can do that.
        Kind::Struct(i) if types.get(i).union => false,
        Kind::Struct(i) => {
            types.get(i).fields.iter().all(|f| collect(types, &f.ty, offset + f.offset, slot, out))
        }
        _ => false,
    }
}

/// Registers of a value of this many leaves.
pub(super) fn slots(leaves: &[Leaf]) -> u16 {
    leaves.last().map_or(1, |l| l.slot + if l.wide() { 2 } else { 1 })
}

/// What an array is made of, for messages.
pub(super) fn element(types: &Types, ty: &Type) -> Element {
    Element { name: types.spell(&ty.unqualified()), size: types.size_of(ty).max(1) as u32 }
}
