//! Lowers loads, stores and copies. A built-in vector type moves in one access, as on the device, also as a
//! member of a struct; what else a struct has moves member by member.

use super::kernel::{Lower, Lowered};
use super::layout::{self, Leaf};
use super::location::Location;
use super::value::too_large;
use crate::diagnostic::Span;
use crate::isa::{Addr, Inst, Reg};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;

/// The limit of scalars that one statement may write: such writes are unrolled.
const MAX_SCALARS: u64 = 4096;

/// The accesses that move a value: the first leaf of each, and the number of its leaves. `vector` is the
/// alignment of a vector type, which no access may exceed.
pub(super) fn accesses(leaves: &[Leaf], vector: Option<u64>) -> Vec<(Leaf, u8)> {
    let mut out = Vec::new();
    let mut rest = leaves;
    while let Some(first) = rest.first() {
        let width = first.prim.size();
        let like = rest
            .iter()
            .enumerate()
            .take_while(|(i, l)| {
                l.memory() == first.memory() && l.offset == first.offset + *i as u64 * width
            })
            .count();
        let fits = |n: u64| {
            vector.is_some_and(|align| n * width <= align)
                && leaves.len().is_multiple_of(n as usize)
                && first.offset.is_multiple_of(n * width)
        };
        let n = match like {
            4.. if width <= 4 && fits(4) => 4,
            2.. if fits(2) => 2,
            _ => 1,
        };
        out.push((*first, n as u8));
        rest = &rest[n..];
    }
    out
}

fn offset(addr: Addr, by: u64) -> Addr {
    Addr { offset: addr.offset.wrapping_add(by as i32), ..addr }
}

impl Lower<'_> {
    /// The alignment of a type whose members move together.
    pub(super) fn vector_alignment(&self, ty: &Type) -> Option<u64> {
        let Kind::Struct(id) = ty.kind else { return None };
        let info = self.types.get(id);
        let first = info.fields.first().map_or(1, |f| self.types.align_of(&f.ty));
        let vector = info.vector && !info.path.is("dim3") && info.align > first;
        let has_vector = || info.fields.iter().any(|f| self.vector_alignment(&f.ty).is_some());
        (vector || has_vector()).then_some(info.align)
    }

    /// The address, to which any member's offset can be added without overflow.
    fn with_offset_headroom(&mut self, addr: Addr, ty: &Type, span: Span) -> Addr {
        let size = self.types.size_of(ty);
        if i64::from(addr.offset).saturating_add_unsigned(size) <= i64::from(i32::MAX) {
            return addr;
        }
        let base = self.fold_address(addr, span);
        Addr { base, index: crate::isa::Index::None, scale: 1, offset: 0 }
    }

    /// Loads a value into registers: into `into` if that is given and a load was needed.
    pub(super) fn load(
        &mut self,
        place: &Location,
        ty: &Type,
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Reg> {
        let addr = match place {
            Location::Reg(reg) => return Ok(*reg),
            Location::Mem(addr) => *addr,
        };
        let Some(leaves) = layout::leaves(self.types, ty) else {
            return self.unsupported(span, too_large("a copy of a value"));
        };
        // With several accesses, the first must not overwrite the address.
        let d = match into {
            Some(d) if accesses(&leaves, self.vector_alignment(ty)).len() == 1 => d,
            _ => self.code.registers(layout::slots(&leaves)),
        };
        self.load_fresh(addr, ty, d, span)?;
        Ok(d)
    }

    /// Loads a value into registers that do not hold its address.
    pub(super) fn load_fresh(&mut self, addr: Addr, ty: &Type, d: Reg, span: Span) -> Lowered<()> {
        let Some(leaves) = layout::leaves(self.types, ty) else {
            return self.unsupported(span, too_large("a copy of a value"));
        };
        let addr = self.with_offset_headroom(addr, ty, span);
        let volatile = Self::is_volatile(ty);
        for (leaf, n) in accesses(&leaves, self.vector_alignment(ty)) {
            let at = offset(addr, leaf.offset);
            self.code.emit(
                span,
                Inst::Load { ty: leaf.memory(), n, volatile, d: d + leaf.slot, addr: at },
            );
        }
        Ok(())
    }

    /// Stores registers to a location.
    pub(super) fn store_value(
        &mut self,
        place: &Location,
        ty: &Type,
        from: Reg,
        span: Span,
        volatile: bool,
    ) -> Lowered<()> {
        let Some(leaves) = layout::leaves(self.types, ty) else {
            return self.unsupported(span, too_large("a copy of a value"));
        };
        match place {
            Location::Reg(d) => self.copy(*d, from, &leaves, span),
            Location::Mem(addr) => {
                let addr = self.with_offset_headroom(*addr, ty, span);
                for (leaf, n) in accesses(&leaves, self.vector_alignment(ty)) {
                    let at = offset(addr, leaf.offset);
                    self.code.emit(
                        span,
                        Inst::Store {
                            ty: leaf.memory(),
                            n,
                            volatile,
                            a: from + leaf.slot,
                            addr: at,
                        },
                    );
                }
            }
        }
        Ok(())
    }

    /// Copies registers to registers.
    pub(super) fn copy(&mut self, to: Reg, from: Reg, leaves: &[Leaf], span: Span) {
        if to == from {
            return;
        }
        for leaf in leaves {
            self.code.emit(
                span,
                Inst::Mov { wide: leaf.wide(), d: to + leaf.slot, a: from + leaf.slot },
            );
        }
    }

    /// Initialises a location in memory with a value that may not fit in registers.
    pub(super) fn fill(&mut self, place: &Location, value: &Expr) -> Lowered<()> {
        let span = value.span;
        let Location::Mem(addr) = *place else {
            let from = self.value(value)?;
            return self.store_value(place, &value.ty, from, span, false);
        };
        match (&value.kind, &value.ty.kind) {
            (ExprKind::Make(parts), Kind::Array(element, _)) => {
                if parts.len() as u64 > MAX_SCALARS {
                    return self.unsupported(
                        span,
                        format!("a list of more than {MAX_SCALARS} values in a function"),
                    );
                }
                let step = self.types.size_of(element);
                for (i, part) in parts.iter().enumerate() {
                    self.fill(&Location::Mem(offset(addr, i as u64 * step)), part)?;
                }
                Ok(())
            }
            (ExprKind::Make(parts), Kind::Struct(index))
                if layout::leaves(self.types, &value.ty).is_none() =>
            {
                let offsets: Vec<u64> =
                    self.types.get(*index).fields.iter().map(|f| f.offset).collect();
                for (part, at) in parts.iter().zip(offsets) {
                    self.fill(&Location::Mem(offset(addr, at)), part)?;
                }
                Ok(())
            }
            (ExprKind::Zero, _) => self.clear(addr, &value.ty, span),
            _ if layout::leaves(self.types, &value.ty).is_some() => {
                let from = self.value(value)?;
                self.store_value(place, &value.ty, from, span, false)
            }
            _ if value.place => {
                let source = self.location(value)?;
                let Location::Mem(source) = source else {
                    return self.unsupported(span, "a copy of a value in registers to memory");
                };
                self.copy_memory(addr, source, &value.ty, span)
            }
            (ExprKind::Comma(a, b), _) => {
                // Copy elision: a constructor initialises the target itself. A copy would read members
                // that the constructor leaves uninitialised.
                if let ExprKind::Var(id) = b.kind
                    && self.var(id).name.is_empty()
                {
                    self.frame().slots[id as usize] = Some(*place);
                    return self.effect(a);
                }
                self.effect(a)?;
                self.fill(place, b)
            }
            (ExprKind::Bits(inner), _) => self.fill(place, inner),
            (ExprKind::Cond(cond, a, b), _) => {
                self.branches(cond, span, |l| l.fill(place, a), |l| l.fill(place, b))
            }
            (ExprKind::Call(function, object, args), _) => {
                self.call_into(function, object.as_deref(), args, Some(*place), span).map(|_| ())
            }
            (ExprKind::RecursiveCall(recursion, object, args), _) => self
                .call_recursive(recursion, object.as_deref(), args, Some(*place), span)
                .map(|_| ()),
            _ => self.unsupported(span, too_large("a temporary")),
        }
    }

    /// Collects the scalars of a value in memory with their offsets.
    fn scalars(&self, ty: &Type, at: u64, out: &mut Vec<(u64, Prim)>) -> bool {
        if out.len() as u64 > MAX_SCALARS {
            return false;
        }
        if let Some(prim) = self.types.scalar(ty) {
            out.push((at, prim));
            return true;
        }
        match &ty.kind {
            Kind::Array(element, n) => {
                let step = self.types.size_of(element);
                (0..*n).all(|i| self.scalars(element, at + i * step, out))
            }
            Kind::Struct(i) if self.types.get(*i).union => {
                // The largest member of a union covers the others.
                let fields = &self.types.get(*i).fields;
                let largest = fields.iter().max_by_key(|f| self.types.size_of(&f.ty));
                largest.is_none_or(|f| self.scalars(&f.ty, at, out))
            }
            Kind::Struct(i) => {
                self.types.get(*i).fields.iter().all(|f| self.scalars(&f.ty, at + f.offset, out))
            }
            _ => true,
        }
    }

    fn all_scalars(&mut self, ty: &Type, span: Span) -> Lowered<Vec<(u64, Prim)>> {
        let mut out = Vec::new();
        if !self.scalars(ty, 0, &mut out) {
            return self
                .unsupported(span, format!("more than {MAX_SCALARS} elements in one assignment"));
        }
        Ok(out)
    }

    fn clear(&mut self, addr: Addr, ty: &Type, span: Span) -> Lowered<()> {
        for (at, prim) in self.all_scalars(ty, span)? {
            let zero = self.constant(0, prim.size() == 8);
            let addr = offset(addr, at);
            self.code.emit(
                span,
                Inst::Store { ty: prim.memory(), n: 1, volatile: false, a: zero, addr },
            );
        }
        Ok(())
    }

    pub(super) fn copy_memory(
        &mut self,
        to: Addr,
        from: Addr,
        ty: &Type,
        span: Span,
    ) -> Lowered<()> {
        // No slot is used: each access has registers of its own.
        let leaf = |(offset, prim)| Leaf { offset, slot: 0, prim };
        let all: Vec<Leaf> = self.all_scalars(ty, span)?.into_iter().map(leaf).collect();
        for (leaf, n) in accesses(&all, self.vector_alignment(ty)) {
            let d = self.code.registers(u16::from(n) * if leaf.wide() { 2 } else { 1 });
            let (source, target) = (offset(from, leaf.offset), offset(to, leaf.offset));
            let ty = leaf.memory();
            self.code.emit(span, Inst::Load { ty, n, volatile: false, d, addr: source });
            self.code.emit(span, Inst::Store { ty, n, volatile: false, a: d, addr: target });
        }
        Ok(())
    }
}
