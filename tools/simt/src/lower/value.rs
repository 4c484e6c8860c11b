//! Lowers expressions to values in registers.
//!
//! `into` is a destination hint: the caller may name the register in which the value should end, so
//! that `x = a + b` is one instruction. The returned register is where the value really is. An
//! operation writes its result last, so the hint may name one of its operands; an expression that
//! writes in several steps uses new registers.

use super::kernel::{Lower, Lowered};
use super::layout;
use super::location::Location;
use super::order::is_current;
use crate::diagnostic::Span;
use crate::isa::{BinOp, CmpOp, Inst, Reg, Ty, UnOp};
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::Type;
use crate::syntax::ast::Prim;

/// The limit of expressions nested in expressions, calls included.
const MAX_DEPTH: usize = if cfg!(target_arch = "wasm32") { 400 } else { 600 };

/// Names a construct that needs registers for more than they hold.
pub(super) fn too_large(construct: &str) -> String {
    format!("{construct} that is a union, holds an array or has over {} bytes", layout::MAX_BYTES)
}

impl Lower<'_> {
    pub(super) fn value(&mut self, e: &Expr) -> Lowered<Reg> {
        self.value_in(e, None)
    }

    /// Computes a value into exactly this register.
    pub(super) fn value_into(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        let reg = self.value_in(e, Some(d))?;
        if reg != d
            && let Some(leaves) = layout::leaves(self.types, &e.ty)
        {
            self.copy(d, reg, &leaves, e.span);
        }
        Ok(())
    }

    /// Computes a value into `d`, which holds no operand of it: a variable's initial value.
    pub(super) fn value_fresh(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        match &e.kind {
            ExprKind::Make(parts) if layout::leaves(self.types, &e.ty).is_some() => {
                self.make(parts, &e.ty, d, e.span)
            }
            ExprKind::Call(function, object, args) if !e.place || function.returns_address() => {
                let into = Some(Location::Reg(d));
                self.call_into(function, object.as_deref(), args, into, e.span).map(|_| ())
            }
            ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Global(_)
                if e.place =>
            {
                match self.location(e)? {
                    Location::Mem(addr) => self.load_fresh(addr, &e.ty, d, e.span),
                    Location::Reg(_) => self.value_into(e, d),
                }
            }
            _ => self.value_into(e, d),
        }
    }

    /// Evaluates an expression for its side effects.
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
                self.call_for_effect(function, object.as_deref(), args, e.span)
            }
            ExprKind::Call(..) if e.place => self.location(e).map(|_| ()),
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
            _ if self.is_in_memory(&e.ty) => self.materialize(e).map(|_| ()),
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
        if self.is_in_memory(&e.ty) {
            return self.unsupported(e.span, too_large("an operand"));
        }
        let made = self.value_inner(e, into);
        self.depth = self.depth.saturating_sub(1);
        made
    }

    /// A value without the definedness check of a variable. A shuffle reads its operand in every
    /// lane, but uses that of the source lanes only.
    pub(super) fn value_unchecked(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        if !matches!(e.kind, ExprKind::Var(_)) {
            return self.value(e);
        }
        let place = self.location(e)?;
        self.load(&place, &e.ty, into, e.span)
    }

    /// The hinted register, or a new one for one scalar.
    pub(super) fn target(&mut self, into: Option<Reg>, wide: bool) -> Reg {
        into.unwrap_or_else(|| self.code.registers(if wide { 2 } else { 1 }))
    }

    fn value_inner(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let span = e.span;
        if let Some((_, reg)) = self.evaluated.iter().rfind(|(done, _)| std::ptr::eq(*done, e)) {
            return Ok(*reg);
        }
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
            | ExprKind::Builtin(_)
            | ExprKind::Zero => self.constant_value(e),
            ExprKind::Var(id) => {
                if let Some(variable) = self.definedness_slot(*id, None) {
                    self.code.emit(span, Inst::CheckDefined { variable });
                }
                self.value_unchecked(e, into)
            }
            ExprKind::Member(..) => {
                self.check_defined(e);
                self.load_location(e, into)
            }
            ExprKind::Global(_) | ExprKind::This | ExprKind::Deref(_) | ExprKind::Index(..) => {
                self.load_location(e, into)
            }
            ExprKind::Current => match self.current.last().cloned() {
                Some((location, ty, at)) => self.load(&location, &ty, None, at),
                None => self.unsupported(span, "the old value of an update outside an update"),
            },
            // The value of an assignment is what was written: memory is not read again.
            ExprKind::Assign(place, value) => match self.assign(place, value)?.value {
                Some(reg) => Ok(reg),
                None => self.unsupported(span, "an assignment of a value in memory as a value"),
            },
            ExprKind::Update { place, value, post, partial } => {
                self.update(place, value, *post, *partial, into).map(|(_, reg)| reg)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Compare(..)
            | ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::PointerDiff(..) => self.operation(e, into),
            ExprKind::PointerAdd(..) | ExprKind::Decay(_) | ExprKind::Address(_) => {
                let addr = self.pointer(e)?;
                if addr.index == crate::isa::Index::None && addr.offset == 0 {
                    return Ok(addr.base);
                }
                let d = self.target(into, true);
                self.code.emit(span, Inst::Lea { d, addr });
                Ok(d)
            }
            ExprKind::Cond(cond, a, b) => self.conditional(cond, a, b, &e.ty, into, span),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value_in(b, into)
            }
            ExprKind::Cast(a) => self.cast(a, &e.ty, into, span),
            ExprKind::Bits(a) => self.value_in(a, into),
            ExprKind::RecursiveCall(recursion, object, args) => {
                let result = self.call_recursive(recursion, object.as_deref(), args, None, span)?;
                self.require_value(result, span)
            }
            ExprKind::Call(function, ..) if e.place && !function.returns_address() => {
                self.load_location(e, into)
            }
            ExprKind::Call(function, object, args) => {
                let result = self.call(function, object.as_deref(), args, into, span)?;
                self.require_value(result, span)
            }
            ExprKind::Make(parts) => {
                let d = self.aggregate_registers(e)?;
                self.make(parts, &e.ty, d, span)?;
                Ok(d)
            }
            ExprKind::Intrinsic(kind, args) => {
                let result = self.intrinsic(kind, args, &e.ty, into, false, span)?;
                self.require_value(result, span)
            }
            ExprKind::Host(host) if matches!(**host, Host::Temporary(..)) => {
                self.load_location(e, into)
            }
            ExprKind::Host(host) => {
                self.unsupported(span, format!("{} in device code", host.construct()))
            }
        }
    }

    /// The value at the location that an expression names.
    fn load_location(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let location = self.location(e)?;
        self.load(&location, &e.ty, into, e.span)
    }

    /// The result of a call, where the expression needs one.
    fn require_value(&mut self, result: Option<Reg>, span: Span) -> Lowered<Reg> {
        match result {
            Some(reg) => Ok(reg),
            None => self.unsupported(span, "the value of a call that returns `void`"),
        }
    }

    /// New registers for an aggregate that fits in registers.
    fn aggregate_registers(&mut self, e: &Expr) -> Lowered<Reg> {
        match layout::leaves(self.types, &e.ty) {
            Some(leaves) => Ok(self.code.registers(layout::slots(&leaves))),
            None => self.unsupported(e.span, too_large("a value")),
        }
    }

    /// A value that the text fixes, or that the kernel starts with.
    fn constant_value(&mut self, e: &Expr) -> Lowered<Reg> {
        let prim = self.types.scalar(&e.ty);
        let wide = prim.is_some_and(|p| p.size() == 8);
        match &e.kind {
            ExprKind::Int(v) => Ok(self.constant(*v as u64, wide)),
            ExprKind::Float(v) => {
                let bits = prim.unwrap_or(Prim::Float).float_bits(*v);
                Ok(self.constant(bits, wide))
            }
            ExprKind::Text(text) => self.text(text, e.span),
            ExprKind::Builtin(preload) => Ok(self.code.preload(*preload, false)),
            _ => {
                let d = self.aggregate_registers(e)?;
                for leaf in layout::leaves(self.types, &e.ty).unwrap_or_default() {
                    let (wide, d) = (leaf.wide(), d + leaf.slot);
                    let a = self.constant(0, wide);
                    self.code.emit(e.span, Inst::Mov { wide, d, a });
                }
                Ok(d)
            }
        }
    }

    /// An arithmetic, comparison or logical operator.
    fn operation(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let span = e.span;
        match &e.kind {
            ExprKind::Unary(op, a) => {
                let wide = self.types.scalar(&e.ty).is_some_and(|p| p.size() == 8);
                let ty = self.ty_of(&a.ty);
                let a = self.value(a)?;
                let d = self.target(into, wide);
                self.code.emit(span, Inst::Unary { op: *op, ty, d, a });
                Ok(d)
            }
            ExprKind::Compare(op, a, b) => {
                let ty = self.ty_of(&a.ty);
                let a = self.value_before(a, &[b])?;
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
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, &e.ty, into, span),
            ExprKind::And(a, b) => self.logical(true, a, b, into, span),
            ExprKind::Or(a, b) => self.logical(false, a, b, into, span),
            ExprKind::PointerDiff(a, b) => self.pointer_difference(a, b, into, span),
            _ => self.unsupported(span, "an operation that is no operator"),
        }
    }

    fn cast(&mut self, a: &Expr, ty: &Type, into: Option<Reg>, span: Span) -> Lowered<Reg> {
        let (Some(from), Some(to)) = (self.types.scalar(&a.ty), self.types.scalar(ty)) else {
            return self.unsupported(span, "the value of a cast to or from a type without scalars");
        };
        let reg = if same_bits(from, to) { self.value_in(a, into)? } else { self.value(a)? };
        Ok(self.convert_reg(reg, from, to, into, span))
    }

    /// Builds a struct from its members, in registers that hold no operand of them.
    fn make(&mut self, parts: &[Expr], ty: &Type, d: Reg, span: Span) -> Lowered<()> {
        let leaves = layout::leaves(self.types, ty).unwrap_or_default();
        let crate::sema::types::Kind::Struct(index) = ty.kind else {
            return self.unsupported(span, "a braced list for a type that is no struct");
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
        // Strength reduction: unsigned division by a power of two is a shift or a mask.
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
        // In `x op= e`, `e` is evaluated before `x` is read.
        let (x, y) = if is_current(a) {
            let y = self.value(b)?;
            (self.value(a)?, y)
        } else {
            let x = self.value_before(a, &[b])?;
            (x, self.value(b)?)
        };
        let d = self.target(into, wide);
        self.code.emit(span, Inst::Binary { op, ty: kind, d, a: x, b: y });
        Ok(d)
    }

    /// `&&` and `||`, without a branch where the right side is cheap and has no side effect.
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
        let (barrier, pending) = (self.open_region(end, span), self.cleanups.len());
        self.code.emit(span, Inst::Branch { cond: d, when: !and, target: end });
        self.value_into(b, d)?;
        self.close_region(barrier, end, span);
        self.refuse_conditional_cleanups(pending, span)?;
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
            return self.unsupported(span, too_large("a `?:` of two values"));
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

    /// Converts a scalar; the same register where the bits are the same.
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
        // A smaller unsigned type, or `bool`, needs no narrowing.
        let fits =
            from.is_integer() && from.size() < to.size() && (!from.is_signed() || to.is_signed());
        if narrow && !fits {
            let d = self.target(into, false);
            self.code.emit(span, Inst::Narrow { to: to.memory(), d, a: widened });
            return d;
        }
        widened
    }

    /// Whether an expression may be evaluated speculatively: short, and without side effects or
    /// undefined results.
    pub(super) fn is_cheap(&mut self, e: &Expr) -> bool {
        fn weigh(l: &mut Lower<'_>, e: &Expr, left: &mut u32) -> bool {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return false;
            }
            match &e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Builtin(_) => true,
                ExprKind::Var(id) => {
                    let quiet = l.definedness_slots(*id).is_empty();
                    quiet && matches!(l.frame().slots[*id as usize], Some(Location::Reg(_)))
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
}

/// Whether a conversion keeps the bits of the register.
fn same_bits(from: Prim, to: Prim) -> bool {
    let whole = |p: Prim| p.is_integer() && p.size() >= 4;
    whole(from) && whole(to) && from.size() == to.size()
}
