//! Lowers loads, stores and copies. A built-in vector type moves in one access, as on the device, also as a
//! member of a struct; what else a struct has moves member by member. Each such access says which part of
//! the struct it copies ([`CopiedPart`]): a struct may be copied before each of its bytes has a value.

use super::kernel::{Lower, Lowered};
use super::layout::{self, Leaf};
use super::location::Location;
use super::value::too_large;
use crate::diagnostic::Span;
use crate::isa::{Addr, BinOp, CmpOp, CopiedPart, Index, Inst, Reg, Ty};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;

/// The limit of scalars that one statement writes one by one; more are copied in a loop.
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
        Addr { base, index: Index::None, scale: 1, offset: 0 }
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
        if let Some(d) = into
            && accesses(&leaves, self.vector_alignment(ty)).len() == 1
        {
            self.load_leaves(addr, ty, &leaves, (d, false), span);
            return Ok(d);
        }
        let d = self.code.registers(layout::slots(&leaves));
        self.load_leaves(addr, ty, &leaves, (d, true), span);
        Ok(d)
    }

    /// Loads a value into registers that do not hold its address.
    pub(super) fn load_fresh(&mut self, addr: Addr, ty: &Type, d: Reg, span: Span) -> Lowered<()> {
        let Some(leaves) = layout::leaves(self.types, ty) else {
            return self.unsupported(span, too_large("a copy of a value"));
        };
        self.load_leaves(addr, ty, &leaves, (d, false), span);
        Ok(())
    }

    /// `own`: the registers are new ones, and nothing else writes them.
    fn load_leaves(
        &mut self,
        addr: Addr,
        ty: &Type,
        leaves: &[Leaf],
        (d, own): (Reg, bool),
        span: Span,
    ) {
        let addr = self.with_offset_headroom(addr, ty, span);
        let volatile = Self::is_volatile(ty);
        for (leaf, n) in accesses(leaves, self.vector_alignment(ty)) {
            let (at, d) = (offset(addr, leaf.offset), d + leaf.slot);
            let inst = Inst::Load { ty: leaf.memory(), n, volatile, d, addr: at };
            self.emit_part(span, inst, ty, leaf.offset, own.then_some(d));
        }
    }

    /// Emits a load or a store of the part of a value that begins at `offset`. `reg`: the register that
    /// the part is in between its load and its store.
    fn emit_part(&mut self, span: Span, inst: Inst, ty: &Type, offset: u64, reg: Option<Reg>) {
        let size = u32::try_from(self.types.size_of(ty));
        match (&ty.kind, size) {
            (Kind::Struct(_) | Kind::Array(..), Ok(size)) => {
                let number = reg.map_or(0, |reg| u32::from(reg) + 1);
                let part = CopiedPart { offset: offset as u32, size, number };
                self.code.emit_copy(span, inst, part);
            }
            _ => self.code.emit(span, inst),
        }
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
                    let (at, a) = (offset(addr, leaf.offset), from + leaf.slot);
                    let inst = Inst::Store { ty: leaf.memory(), n, volatile, a, addr: at };
                    self.emit_part(span, inst, ty, leaf.offset, Some(a));
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

    /// Collects the scalars of a value in memory with their offsets; `false` if there are too many.
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
            Kind::Struct(_) => {
                self.parts(ty).iter().all(|(ty, offset)| self.scalars(ty, at + offset, out))
            }
            _ => true,
        }
    }

    /// The members of a struct with their offsets. The largest member of a union covers the others.
    fn parts(&self, ty: &Type) -> Vec<(Type, u64)> {
        let Kind::Struct(i) = ty.kind else { return Vec::new() };
        let info = self.types.get(i);
        let all = info.fields.iter().map(|f| (f.ty.clone(), f.offset));
        match info.union {
            true => all.max_by_key(|(ty, _)| self.types.size_of(ty)).into_iter().collect(),
            false => all.collect(),
        }
    }

    /// Emits a loop over the elements of an array of `n`. `each` gets the index.
    fn for_each_element(
        &mut self,
        n: u64,
        span: Span,
        each: impl FnOnce(&mut Self, Index) -> Lowered<()>,
    ) -> Lowered<()> {
        let [zero, one, end] = [0, 1, n].map(|v| self.constant(v, true));
        let (i, more, top) = (self.code.registers(2), self.code.registers(1), self.code.label());
        self.code.emit(span, Inst::Mov { wide: true, d: i, a: zero });
        self.code.bind(top);
        each(self, Index::I64(i))?;
        let ty = Ty::I64;
        self.code.emit(span, Inst::Binary { op: BinOp::Add, ty, d: i, a: i, b: one });
        self.code.emit(span, Inst::Compare { op: CmpOp::Lt, ty, d: more, a: i, b: end });
        self.code.emit(span, Inst::Branch { cond: more, when: true, target: top });
        Ok(())
    }

    /// The address of an element of the array there.
    fn element(&mut self, array: Addr, index: Index, ty: &Type, span: Span) -> Addr {
        let base = self.fold_address(array, span);
        Addr { base, index, scale: self.types.size_of(ty) as u32, offset: 0 }
    }

    fn clear(&mut self, addr: Addr, ty: &Type, span: Span) -> Lowered<()> {
        let mut all = Vec::new();
        if self.scalars(ty, 0, &mut all) {
            for (at, prim) in all {
                let zero = self.constant(0, prim.size() == 8);
                let addr = offset(addr, at);
                self.code.emit(
                    span,
                    Inst::Store { ty: prim.memory(), n: 1, volatile: false, a: zero, addr },
                );
            }
            return Ok(());
        }
        if let Kind::Array(element, n) = &ty.kind {
            return self.for_each_element(*n, span, |l, i| {
                let addr = l.element(addr, i, element, span);
                l.clear(addr, element, span)
            });
        }
        for (ty, at) in self.parts(ty) {
            self.clear(offset(addr, at), &ty, span)?;
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
        let mut all = Vec::new();
        if !self.scalars(ty, 0, &mut all) {
            if let Kind::Array(element, n) = &ty.kind {
                return self.for_each_element(*n, span, |l, i| {
                    let to = l.element(to, i, element, span);
                    let from = l.element(from, i, element, span);
                    l.copy_memory(to, from, element, span)
                });
            }
            for (ty, at) in self.parts(ty) {
                self.copy_memory(offset(to, at), offset(from, at), &ty, span)?;
            }
            return Ok(());
        }
        // No slot is used: each access has registers of its own.
        let leaf = |(offset, prim)| Leaf { offset, slot: 0, prim };
        let all: Vec<Leaf> = all.into_iter().map(leaf).collect();
        for (leaf, n) in accesses(&all, self.vector_alignment(ty)) {
            let d = self.code.registers(u16::from(n) * if leaf.wide() { 2 } else { 1 });
            let (source, target) = (offset(from, leaf.offset), offset(to, leaf.offset));
            let (memory, volatile) = (leaf.memory(), false);
            let load = Inst::Load { ty: memory, n, volatile, d, addr: source };
            self.emit_part(span, load, ty, leaf.offset, Some(d));
            let store = Inst::Store { ty: memory, n, volatile, a: d, addr: target };
            self.emit_part(span, store, ty, leaf.offset, Some(d));
        }
        Ok(())
    }
}
