//! Lowers lvalues to locations: registers, or an address in memory.

use super::kernel::{Lower, Lowered};
use super::layout;
use crate::diagnostic::Span;
use crate::isa::{Addr, BinOp, Index, Inst, Preload, Reg, Ty, UnOp};
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    /// In a register tuple that starts here.
    Reg(Reg),
    Mem(Addr),
}

impl Location {
    /// The object that a pointer points to.
    pub(super) fn at(base: Reg) -> Location {
        Location::Mem(Addr { base, index: Index::None, scale: 1, offset: 0 })
    }
}

/// An object on the cleanup stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cleanup {
    /// A variable, destroyed at the end of its scope.
    Variable(u32),
    /// A temporary, destroyed at the end of its full expression.
    Temporary(Location),
}

impl Lower<'_> {
    /// The location of an expression. A value that has none gets new registers.
    pub(super) fn location(&mut self, e: &Expr) -> Lowered<Location> {
        if let Kind::Struct(class) = e.ty.kind
            && self.types.get(class).packed
        {
            return self.unsupported(e.span, "an object of a packed class in a kernel");
        }
        if let ExprKind::Host(host) = &e.kind
            && let Host::Temporary(value, Some(destroy)) = &**host
        {
            let place = self.materialize(value)?;
            self.cleanups.push((Cleanup::Temporary(place), destroy.clone()));
            return Ok(place);
        }
        match &e.kind {
            ExprKind::Var(id) => {
                if let Some(place) = self.frame().slots[*id as usize] {
                    return Ok(place);
                }
                // A variable whose declaration a `switch` skips, or the object of a constructor.
                let place = self.allocate_variable(*id)?;
                self.frame().slots[*id as usize] = Some(place);
                Ok(place)
            }
            ExprKind::Global(i) => {
                Ok(Location::at(self.code.preload(Preload::Global(i.index() as u16), true)))
            }
            ExprKind::This => match self.frame().this {
                Some(place) => Ok(place),
                None => self.unsupported(e.span, "`this` outside a member function"),
            },
            ExprKind::Member(inner, i) => self.member(inner, *i),
            ExprKind::Index(base, index) => {
                let Kind::Pointer(element) = &base.ty.kind else {
                    return self.unsupported(e.span, "an index into something that is no pointer");
                };
                let size = self.types.size_of(element);
                let addr = self.pointer(base)?;
                self.step(addr, index, size, false, e.span).map(Location::Mem)
            }
            ExprKind::Deref(pointer) => self.pointer(pointer).map(Location::Mem),
            ExprKind::Comma(a, b) if e.place => {
                self.effect(a)?;
                self.location(b)
            }
            ExprKind::Call(function, object, args) if e.place => {
                self.call_place(function, object.as_deref(), args, e.span)
            }
            ExprKind::Cond(cond, a, b) if e.place => {
                let into = self.code.registers(2);
                let span = e.span;
                let other = |l: &mut Self| l.address_into(b, into, span);
                self.branches(cond, span, |l| l.address_into(a, into, span), other)?;
                Ok(Location::at(into))
            }
            ExprKind::Assign(place, value) => self.assign(place, value).map(|a| a.location),
            ExprKind::Update { place, value, post: false, partial } => {
                self.update(place, value, false, *partial, None).map(|(place, _)| place)
            }
            _ if self.is_in_memory(&e.ty) => self.materialize(e),
            _ => Ok(Location::Reg(self.value(e)?)),
        }
    }

    /// Computes the address of a location into a register pair.
    pub(super) fn address_into(&mut self, e: &Expr, into: Reg, span: Span) -> Lowered<()> {
        match self.location(e)? {
            Location::Mem(addr) => {
                let a = self.fold_address(addr, span);
                self.code.emit(span, Inst::Mov { wide: true, d: into, a });
                Ok(())
            }
            Location::Reg(_) => {
                self.unsupported(e.span, "a reference to one of several values in registers")
            }
        }
    }

    fn member(&mut self, inner: &Expr, i: u32) -> Lowered<Location> {
        let Kind::Struct(index) = inner.ty.kind else {
            return self.unsupported(inner.span, "a member of something that is no struct");
        };
        let field = self.types.get(index).fields[i as usize].clone();
        Ok(match self.location(inner)? {
            Location::Reg(reg) => {
                // The member starts at its first scalar.
                let slot = layout::leaves(self.types, &inner.ty)
                    .and_then(|all| all.iter().find(|l| l.offset >= field.offset).map(|l| l.slot))
                    .unwrap_or(0);
                Location::Reg(reg + slot)
            }
            Location::Mem(addr) => {
                Location::Mem(self.shift(addr, field.offset as i128, inner.span))
            }
        })
    }

    /// The value of a pointer as an address.
    pub(super) fn pointer(&mut self, e: &Expr) -> Lowered<Addr> {
        match &e.kind {
            ExprKind::Decay(inner) | ExprKind::Address(inner) => match self.location(inner)? {
                Location::Mem(addr) => Ok(addr),
                Location::Reg(_) => {
                    self.unsupported(e.span, "the address of a value that is in registers")
                }
            },
            ExprKind::PointerAdd(base, index, minus) => {
                let size = e.ty.pointee().map_or(1, |t| self.types.size_of(t));
                let addr = self.pointer(base)?;
                self.step(addr, index, size, *minus, e.span)
            }
            ExprKind::Bits(inner) | ExprKind::Cast(inner) if inner.ty.pointee().is_some() => {
                self.pointer(inner)
            }
            _ => {
                let base = self.value(e)?;
                Ok(Addr { base, index: Index::None, scale: 1, offset: 0 })
            }
        }
    }

    /// `addr` moved by a constant number of bytes.
    fn shift(&mut self, addr: Addr, bytes: i128, span: Span) -> Addr {
        match i32::try_from(i128::from(addr.offset) + bytes) {
            Ok(offset) => Addr { offset, ..addr },
            Err(_) => {
                let base = self.fold_address(addr, span);
                let index = Index::I64(self.constant(bytes as i64 as u64, true));
                Addr { base, index, scale: 1, offset: 0 }
            }
        }
    }

    /// `addr` moved by `index` elements of `size` bytes.
    fn step(
        &mut self,
        addr: Addr,
        index: &Expr,
        size: u64,
        minus: bool,
        span: Span,
    ) -> Lowered<Addr> {
        let sign = if minus { -1 } else { 1 };
        if let Some(v) = index.as_int() {
            return Ok(self.shift(addr, v * i128::from(size) * sign, span));
        }
        let Ok(scale) = u32::try_from(size) else {
            return self.unsupported(span, "an index into elements of 4 GiB or more");
        };
        let prim = self.types.scalar(&index.ty).unwrap_or(Prim::Int);
        // Signed overflow is undefined, so the constant part of a sum may move into the address.
        if let (ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b), true) =
            (&index.kind, prim.is_signed())
            && let Some(v) = b.as_int()
        {
            let v = if *op == BinOp::Sub { -v } else { v };
            let moved = self.shift(addr, v * i128::from(size) * sign, span);
            return self.step(moved, a, size, minus, span);
        }
        // An address has one index: the first of two becomes part of the base.
        let addr = if addr.index == Index::None {
            addr
        } else {
            let base = self.fold_address(addr, span);
            Addr { base, index: Index::None, scale: 1, offset: 0 }
        };
        let reg = self.value(index)?;
        let index = if minus {
            let wide = self.convert_reg(reg, prim, Prim::Long, None, span);
            let d = self.code.registers(2);
            self.code.emit(span, Inst::Unary { op: UnOp::Neg, ty: Ty::I64, d, a: wide });
            Index::I64(d)
        } else {
            match prim.ty() {
                Ty::I64 | Ty::U64 => Index::I64(reg),
                Ty::U32 => Index::U32(reg),
                _ => Index::I32(reg),
            }
        };
        Ok(Addr { index, scale, ..addr })
    }

    /// Computes an address into one pointer.
    pub(super) fn fold_address(&mut self, addr: Addr, span: Span) -> Reg {
        if addr.index == Index::None && addr.offset == 0 {
            return addr.base;
        }
        let d = self.code.registers(2);
        self.code.emit(span, Inst::Lea { d, addr });
        d
    }

    /// Binds a reference: the location stays the same when the variables of its address change.
    pub(super) fn bind(&mut self, place: Location, span: Span) -> Location {
        match place {
            Location::Mem(addr) => {
                let base = self.fold_address(addr, span);
                if self.code.is_preloaded(base) || base != addr.base {
                    return Location::at(base);
                }
                let copy = self.code.registers(2);
                self.code.emit(span, Inst::Mov { wide: true, d: copy, a: base });
                Location::at(copy)
            }
            reg @ Location::Reg(_) => reg,
        }
    }

    /// Whether accesses to the type are volatile.
    pub(super) fn is_volatile(ty: &Type) -> bool {
        ty.volatile
    }
}
