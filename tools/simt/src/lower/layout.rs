//! Maps a type to registers: its scalars in order, 64-bit ones at even registers (scalar
//! replacement of aggregates).

use crate::isa::{Element, MemTy};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;

/// The limit of registers per variable; a larger one lives in memory.
const MAX_SLOTS: u16 = 64;

/// The same limit in bytes.
pub(super) const MAX_BYTES: u16 = MAX_SLOTS * 4;

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

/// The scalars of a type in order; `None` if its values live in memory.
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
        // Members of a union overlap, which registers cannot express.
        Kind::Struct(i) if types.get(i).union => false,
        Kind::Struct(i) => {
            // The registers of a member are those of a value of its type: a pair inside it stays
            // at an even register.
            if types.align_of(ty) >= 8 {
                *slot = slot.next_multiple_of(2);
            }
            types.get(i).fields.iter().all(|f| collect(types, &f.ty, offset + f.offset, slot, out))
        }
        _ => false,
    }
}

/// The number of registers that these leaves take.
pub(super) fn slots(leaves: &[Leaf]) -> u16 {
    leaves.last().map_or(1, |l| l.slot + if l.wide() { 2 } else { 1 })
}

/// The element type of an array, for messages.
pub(super) fn element(types: &Types, ty: &Type) -> Element {
    Element { name: types.spell(&ty.unqualified()), size: types.size_of(ty).max(1) as u32 }
}
