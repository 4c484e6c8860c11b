//! Expressions to registers.
//!
//! `into` is a wish: who asks for a value may name the register that it should end in, so that
//! `x = a + b` is one instruction. The answer is where the value is. An operation writes its
//! result last, so that the wish may be one of its operands; what writes in several steps uses
//! registers of its own.

use super::kernel::{Lower, Lowered};
use super::layout;
use super::place::Place;
use crate::diagnostic::Span;
use crate::isa::{BinOp, CmpOp, Inst, Reg, Ty, UnOp};
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::Type;
use crate::syntax::ast::Prim;

/// Expressions inside expressions and calls at most.
const MAX_DEPTH: usize = 600;

impl Lower<'_> {
    pub(super) fn value(&mut self, e: &Expr) -> Lowered<Reg> {
        self.value_in(e, None)
    }

    /// The value, in just this register.
    pub(super) fn value_into(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        let reg = self.value_in(e, Some(d))?;
        if reg != d
            && let Some(leaves) = layout::leaves(self.types, &e.ty)
        {
            self.copy(d, reg, &leaves, e.span);
        }
        Ok(())
    }

    /// The same where `d` holds nothing that the value could need: a variable's first value.
    pub(super) fn value_fresh(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        match &e.kind {
            ExprKind::Make(parts) if layout::leaves(self.types, &e.ty).is_some() => {
                self.make(parts, &e.ty, d, e.span)
            }
            ExprKind::Call(function, object, args) if !e.place || function.returns_address() => {
                let into = Some(Place::Reg(d));
                self.call_into(function, object.as_deref(), args, into, e.span).map(|_| ())
            }
            ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Global(_)
                if e.place =>
            {
                match self.place(e)? {
                    Place::Mem(addr) => self.load_fresh(addr, &e.ty, d, e.span),
                    Place::Reg(_) => self.value_into(e, d),
                }
            }
            _ => self.value_into(e, d),
        }
    }

    /// Evaluates for what happens on the way.
    pub(super) fn effect(&mut self, e: &Expr) -> Lowered<()> {
        match &e.kind {
            ExprKind::Assign(place, value) => self.assign(place, value).map(|_| ()),
            ExprKind::Update { place, value, partial, .. } => {
                self.update(place, value, false, *partial, None).map(|_| ())
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast(inner) | ExprKind::Bits(inner) if !inner.place => self.effect(inner),
            ExprKind::Cast(inner) if e.ty.is(Prim::Void) => self.effect(inner),
            ExprKind::RecursiveCall(recursion, object, args) => {
                self.call_recursive(recursion, object.as_deref(), args, None, e.span).map(|_| ())
            }
            ExprKind::Call(function, object, args) if function.returns_address() => {
                self.call_picking(function, object.as_deref(), args, e.span)
            }
            ExprKind::Call(..) if e.place => self.place(e).map(|_| ()),
            ExprKind::This => Ok(()),
            ExprKind::Call(function, object, args) => {
                self.call(function, object.as_deref(), args, None, e.span).map(|_| ())
            }
            ExprKind::Intrinsic(kind, args) => {
                self.intrinsic(kind, args, &e.ty, None, true, e.span).map(|_| ())
            }
            ExprKind::Cond(cond, a, b) if e.ty.is(Prim::Void) => {
                self.branches(cond, e.span, |l| l.effect(a), |l| l.effect(b))
            }
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Float(_) if !e.ty.volatile => Ok(()),
            _ if e.ty.is(Prim::Void) => Ok(()),
            // An array that is merely named.
            _ if e.place && layout::leaves(self.types, &e.ty).is_none() => Ok(()),
            _ if self.is_large(&e.ty) => self.large_value(e).map(|_| ()),
            _ => self.value(e).map(|_| ()),
        }
    }

    pub(super) fn value_in(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth = 0;
            let what = format!("expressions and calls nested more than {MAX_DEPTH} deep");
            return self.unsupported(e.span, what);
        }
        if self.is_large(&e.ty) {
            return self.too_many_scalars(e.span);
        }
        let made = self.value_inner(e, into);
        self.depth = self.depth.saturating_sub(1);
        made
    }

    /// What a shuffle offers to the other lanes. Mostly one lane is read, and only that one need have
    /// assigned something to the variable.
    pub(super) fn offered(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        if !matches!(e.kind, ExprKind::Var(_)) {
            return self.value(e);
        }
        let place = self.place(e)?;
        self.load(&place, &e.ty, into, e.span)
    }

    /// The wish, or a new register for one scalar.
    pub(super) fn target(&mut self, into: Option<Reg>, wide: bool) -> Reg {
        into.unwrap_or_else(|| self.code.registers(if wide { 2 } else { 1 }))
    }

    fn value_inner(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let span = e.span;
        let wide = self.types.scalar(&e.ty).is_some_and(|p| p.size() == 8);
        match &e.kind {
            ExprKind::Int(v) => Ok(self.constant(*v as u64, wide)),
            ExprKind::Float(v) => {
                let prim = self.types.scalar(&e.ty).unwrap_or(Prim::Float);
                Ok(self.constant(prim.float_bits(*v), wide))
            }
            ExprKind::Text(text) => self.text(text, span),
            ExprKind::Builtin(preload) => Ok(self.code.preload(*preload, false)),
            ExprKind::Var(id) => {
                if let Some(variable) = self.watch(*id, None) {
                    self.code.emit(span, Inst::CheckDefined { variable });
                }
                self.offered(e, into)
            }
            ExprKind::Member(..) => {
                self.check_defined(e);
                let place = self.place(e)?;
                self.load(&place, &e.ty, into, span)
            }
            ExprKind::Global(_) | ExprKind::This | ExprKind::Deref(_) | ExprKind::Index(..) => {
                let place = self.place(e)?;
                self.load(&place, &e.ty, into, span)
            }
            ExprKind::Current => match self.current.last().cloned() {
                Some((place, ty, at)) => self.load(&place, &ty, None, at),
                None => self
                    .unsupported(span, "an update (`+=`, `++`) of a place that is not known here"),
            },
            // What was written is what is read: no second access to memory.
            ExprKind::Assign(place, value) => match self.assign(place, value)? {
                Place::Reg(reg) => Ok(reg),
                Place::Mem(_) => Ok(self.kept),
            },
            ExprKind::Update { place, value, post, partial } => {
                self.update(place, value, *post, *partial, into).map(|(_, reg)| reg)
            }
            ExprKind::Unary(op, a) => {
                let ty = self.ty_of(&a.ty);
                let a = self.value(a)?;
                let d = self.target(into, wide);
                self.code.emit(span, Inst::Unary { op: *op, ty, d, a });
                Ok(d)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, &e.ty, into, span),
            ExprKind::Compare(op, a, b) => {
                let ty = self.ty_of(&a.ty);
                let a = self.value(a)?;
                let b = self.value(b)?;
                let d = self.target(into, false);
                self.code.emit(span, Inst::Compare { op: *op, ty, d, a, b });
                Ok(d)
            }
            ExprKind::Not(a) => {
                let a = self.value(a)?;
                let b = self.constant(0, false);
                let d = self.target(into, false);
                self.code.emit(span, Inst::Compare { op: CmpOp::Eq, ty: Ty::U32, d, a, b });
                Ok(d)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(e.kind, ExprKind::And(..));
                self.logical(and, a, b, into, span)
            }
            ExprKind::PointerAdd(..) | ExprKind::Decay(_) | ExprKind::Address(_) => {
                let addr = self.pointer(e)?;
                if addr.index == crate::isa::Index::None && addr.offset == 0 {
                    return Ok(addr.base);
                }
                let d = self.target(into, true);
                self.code.emit(span, Inst::Lea { d, addr });
                Ok(d)
            }
            ExprKind::PointerDiff(a, b) => self.pointer_difference(a, b, into, span),
            ExprKind::Cond(cond, a, b) => self.conditional(cond, a, b, &e.ty, into, span),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value_in(b, into)
            }
            ExprKind::Cast(a) => {
                let (Some(from), Some(to)) = (self.types.scalar(&a.ty), self.types.scalar(&e.ty))
                else {
                    self.effect(a)?;
                    return Ok(0);
                };
                let reg =
                    if same_bits(from, to) { self.value_in(a, into)? } else { self.value(a)? };
                Ok(self.convert_reg(reg, from, to, into, span))
            }
            ExprKind::Bits(a) => self.value_in(a, into),
            ExprKind::RecursiveCall(recursion, object, args) => Ok(self
                .call_recursive(recursion, object.as_deref(), args, None, span)?
                .unwrap_or(0)),
            ExprKind::Call(function, ..) if e.place && !function.returns_address() => {
                let place = self.place(e)?;
                self.load(&place, &e.ty, into, span)
            }
            ExprKind::Call(function, object, args) => {
                let reg = self.call(function, object.as_deref(), args, into, span)?;
                Ok(reg.unwrap_or(0))
            }
            ExprKind::Make(parts) => {
                let Some(leaves) = layout::leaves(self.types, &e.ty) else {
                    return self.too_many_scalars(span);
                };
                let d = self.code.registers(layout::slots(&leaves));
                self.make(parts, &e.ty, d, span)?;
                Ok(d)
            }
            ExprKind::Zero => {
                let Some(leaves) = layout::leaves(self.types, &e.ty) else {
                    return self.too_many_scalars(span);
                };
                let d = self.code.registers(layout::slots(&leaves));
                for leaf in &leaves {
                    let zero = self.constant(0, leaf.wide());
                    self.code
                        .emit(span, Inst::Mov { wide: leaf.wide(), d: d + leaf.slot, a: zero });
                }
                Ok(d)
            }
            ExprKind::Intrinsic(kind, args) => {
                let reg = self.intrinsic(kind, args, &e.ty, into, false, span)?;
                Ok(reg.unwrap_or(0))
            }
            ExprKind::Host(host) if matches!(**host, Host::Temporary(..)) => {
                let place = self.place(e)?;
                self.load(&place, &e.ty, into, span)
            }
            ExprKind::Host(_) => self.unsupported(span, "this in a kernel: only the host does it"),
        }
    }

    fn too_many_scalars<T>(&mut self, span: Span) -> Lowered<T> {
        let most = layout::MAX_SLOTS;
        self.unsupported(span, format!("an operand of more than {most} registers"))
    }

    /// A struct from its members, in registers that hold none of them yet.
    fn make(&mut self, parts: &[Expr], ty: &Type, d: Reg, span: Span) -> Lowered<()> {
        let leaves = layout::leaves(self.types, ty).unwrap_or_default();
        let crate::sema::types::Kind::Struct(index) = ty.kind else {
            return self.unsupported(span, "this list");
        };
        let offsets: Vec<u64> = self.types.get(index).fields.iter().map(|f| f.offset).collect();
        for (part, offset) in parts.iter().zip(offsets) {
            let slot = leaves.iter().find(|l| l.offset >= offset).map_or(0, |l| l.slot);
            self.value_fresh(part, d + slot)?;
        }
        Ok(())
    }

    fn binary(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        ty: &Type,
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Reg> {
        let kind = self.ty_of(ty);
        let wide = kind.slots() == 2;
        let unsigned = matches!(kind, Ty::U32 | Ty::U64);
        // A power of two divides by its bits.
        if let (Some(v), true, BinOp::Div | BinOp::Rem) = (b.as_int(), unsigned, op)
            && v > 0
            && (v & (v - 1)) == 0
        {
            let a = self.value(a)?;
            let (op, b) = if op == BinOp::Rem {
                (BinOp::And, self.constant((v - 1) as u64, wide))
            } else {
                (BinOp::Shr, self.constant(u64::from(v.trailing_zeros()), false))
            };
            let d = self.target(into, wide);
            self.code.emit(span, Inst::Binary { op, ty: kind, d, a, b });
            return Ok(d);
        }
        // In `x op= e`, e comes first.
        let (x, y) = if is_current(a) {
            let y = self.value(b)?;
            (self.value(a)?, y)
        } else {
            let x = self.value(a)?;
            (x, self.value(b)?)
        };
        let d = self.target(into, wide);
        self.code.emit(span, Inst::Binary { op, ty: kind, d, a: x, b: y });
        Ok(d)
    }

    /// `&&` and `||`: both sides at once where the second cannot do harm.
    fn logical(
        &mut self,
        and: bool,
        a: &Expr,
        b: &Expr,
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Reg> {
        if self.is_cheap(b) {
            let x = self.value(a)?;
            let y = self.value(b)?;
            let d = self.target(into, false);
            let op = if and { BinOp::And } else { BinOp::Or };
            self.code.emit(span, Inst::Binary { op, ty: Ty::U32, d, a: x, b: y });
            return Ok(d);
        }
        let d = self.code.registers(1);
        self.value_into(a, d)?;
        let end = self.code.label();
        let (barrier, alive) = (self.open(end, span), self.ends.len());
        self.code.emit(span, Inst::Branch { cond: d, when: !and, target: end });
        self.value_into(b, d)?;
        self.close(barrier, end, span);
        self.all_made(alive, span)?;
        Ok(d)
    }

    fn conditional(
        &mut self,
        cond: &Expr,
        a: &Expr,
        b: &Expr,
        ty: &Type,
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Reg> {
        let scalar = self.types.scalar(ty);
        if let Some(prim) = scalar.filter(|_| self.is_cheap(a) && self.is_cheap(b)) {
            let wide = prim.size() == 8;
            let cond = self.value(cond)?;
            let a = self.value(a)?;
            let b = self.value(b)?;
            let d = self.target(into, wide);
            self.code.emit(span, Inst::Select { wide, d, cond, a, b });
            return Ok(d);
        }
        let Some(leaves) = layout::leaves(self.types, ty) else {
            return self.unsupported(span, "a choice between values this large");
        };
        let d = match into {
            Some(d) if scalar.is_some() => d,
            _ => self.code.registers(layout::slots(&leaves)),
        };
        self.branches(cond, span, |l| l.value_into(a, d), |l| l.value_into(b, d))?;
        Ok(d)
    }

    fn pointer_difference(
        &mut self,
        a: &Expr,
        b: &Expr,
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Reg> {
        let size = a.ty.pointee().map_or(1, |t| self.types.size_of(t)).max(1);
        let a = self.value(a)?;
        let b = self.value(b)?;
        let bytes = self.target(into.filter(|_| size == 1), true);
        self.code.emit(span, Inst::Binary { op: BinOp::Sub, ty: Ty::I64, d: bytes, a, b });
        let mut d = bytes;
        if size > 1 {
            let (op, b) = if size.is_power_of_two() {
                (BinOp::Shr, self.constant(u64::from(size.trailing_zeros()), false))
            } else {
                (BinOp::Div, self.constant(size, true))
            };
            d = self.target(into, true);
            self.code.emit(span, Inst::Binary { op, ty: Ty::I64, d, a: bytes, b });
        }
        Ok(d)
    }

    /// A scalar under another type; the same register where the bits are the same.
    pub(super) fn convert_reg(
        &mut self,
        a: Reg,
        from: Prim,
        to: Prim,
        into: Option<Reg>,
        span: Span,
    ) -> Reg {
        if from == to {
            return a;
        }
        if to == Prim::Bool {
            let zero = self.constant(0, from.size() == 8);
            let d = self.target(into, false);
            self.code.emit(span, Inst::Compare { op: CmpOp::Ne, ty: from.ty(), d, a, b: zero });
            return d;
        }
        let (x, y) = (from.ty(), to.ty());
        let narrow = to.size() < 4 && to.is_integer();
        let integers = from.is_integer() && to.is_integer();
        let same = integers && x.slots() == y.slots();
        let widened = if same {
            a
        } else {
            let d =
                if narrow { self.target(None, false) } else { self.target(into, y.slots() == 2) };
            self.code.emit(span, Inst::Convert { from: x, to: y, d, a });
            d
        };
        // Everything of a smaller unsigned type, or of `bool`, fits already.
        let fits =
            from.is_integer() && from.size() < to.size() && (!from.is_signed() || to.is_signed());
        if narrow && !fits {
            let d = self.target(into, false);
            self.code.emit(span, Inst::Narrow { to: to.memory(), d, a: widened });
            return d;
        }
        widened
    }

    /// Whether it may be computed in vain: short, and nothing that can go wrong or be seen.
    pub(super) fn is_cheap(&mut self, e: &Expr) -> bool {
        fn weigh(l: &mut Lower<'_>, e: &Expr, left: &mut u32) -> bool {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return false;
            }
            match &e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Builtin(_) => true,
                ExprKind::Var(id) => {
                    let quiet = l.watches(*id).is_empty();
                    quiet && matches!(l.frame().slots[*id as usize], Some(Place::Reg(_)))
                }
                ExprKind::Unary(op, a) => !matches!(op, UnOp::Sqrt) && weigh(l, a, left),
                ExprKind::Not(a) | ExprKind::Cast(a) | ExprKind::Bits(a) => weigh(l, a, left),
                ExprKind::Binary(op, a, b) => {
                    let safe = match op {
                        BinOp::Div | BinOp::Rem => {
                            b.as_int().is_some_and(|v| v != 0) && b.ty.is_integer()
                        }
                        BinOp::Shl | BinOp::Shr => b.is_constant(),
                        _ => true,
                    };
                    safe && weigh(l, a, left) && weigh(l, b, left)
                }
                ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                    weigh(l, a, left) && weigh(l, b, left)
                }
                _ => false,
            }
        }
        let mut left = 9;
        weigh(self, e, &mut left)
    }

    /// The register of a place that is in registers.
    fn place_of_register(&mut self, place: &Expr) -> Lowered<Option<Reg>> {
        if matches!(place.kind, ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::This)
            && let Place::Reg(reg) = self.place(place)?
        {
            return Ok(Some(reg));
        }
        Ok(None)
    }

    /// `place = value;`, and the place.
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Lowered<Place> {
        if layout::leaves(self.types, &place.ty).is_none() {
            return self.replace(place, value);
        }
        // A variable in registers is computed where it lives.
        if let Some(d) = self.place_of_register(place)? {
            self.value_into(value, d)?;
            self.defined(place);
            return Ok(Place::Reg(d));
        }
        let from = self.value(value)?;
        let target = self.place(place)?;
        self.store_value(&target, &place.ty, from, place.span, Self::is_volatile(&place.ty))?;
        self.kept = from;
        Ok(target)
    }

    /// `place op= value`, `++place`, `place++`: the place, and the value of the whole.
    pub(super) fn update(
        &mut self,
        place: &Expr,
        value: &Expr,
        post: bool,
        partial: bool,
        into: Option<Reg>,
    ) -> Lowered<(Place, Reg)> {
        let target = self.place(place)?;
        let wide = self.types.scalar(&place.ty).is_some_and(|p| p.size() == 8);
        if partial {
            self.defined(place);
        } else {
            self.check_defined(place);
        }
        match target {
            Place::Reg(reg) => {
                let mut result = reg;
                if post {
                    result = self.target(into.filter(|d| *d != reg), wide);
                    self.code.emit(place.span, Inst::Mov { wide, d: result, a: reg });
                }
                self.current.push((target, place.ty.clone(), place.span));
                let made = self.value_into(value, reg);
                self.current.pop();
                made?;
                Ok((target, result))
            }
            Place::Mem(_) => {
                // The old value is loaded where it is needed, once.
                self.current.push((target, place.ty.clone(), place.span));
                let mut old = None;
                if post {
                    let reg = self.load(&target, &place.ty, None, place.span)?;
                    old = Some(reg);
                    self.current.pop();
                    self.current.push((Place::Reg(reg), place.ty.clone(), place.span));
                }
                let made = self.value(value);
                self.current.pop();
                let new = made?;
                self.store_value(
                    &target,
                    &place.ty,
                    new,
                    place.span,
                    Self::is_volatile(&place.ty),
                )?;
                Ok((target, old.unwrap_or(new)))
            }
        }
    }

    /// The variable holds something now.
    pub(super) fn defined(&mut self, place: &Expr) {
        let Some((id, member)) = place.path() else { return };
        for (part, variable) in self.watches(id) {
            if member.is_none() || part.is_none() || part == member {
                self.code.emit(place.span, Inst::Define { variable });
            }
        }
    }

    /// The place is read: the variable must hold something there.
    fn check_defined(&mut self, place: &Expr) {
        if let Some((id, member)) = place.path()
            && let Some(variable) = self.watch(id, member).or_else(|| self.watch(id, None))
        {
            self.code.emit(place.span, Inst::CheckDefined { variable });
        }
    }
}

/// Whether a conversion leaves the register as it is.
fn same_bits(from: Prim, to: Prim) -> bool {
    let whole = |p: Prim| p.is_integer() && p.size() >= 4;
    whole(from) && whole(to) && from.size() == to.size()
}

/// Whether it is the old value of an update, converted or not.
fn is_current(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Current => true,
        ExprKind::Cast(inner) => is_current(inner),
        _ => false,
    }
}
