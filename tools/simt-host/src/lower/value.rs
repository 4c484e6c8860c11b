//! Scalar expressions, into registers; and expressions that are evaluated for their effects.

use super::assigned::part;
use super::place::Place;
use super::{Lower, Lowered};
use crate::bytecode::{Inst, Reg};
use simt::isa::{BinOp, CmpOp, Ty};
use simt::sema::tree::{Expr, ExprKind, Host};
use simt::sema::types::Kind;
use simt::sema::types::Prim;

/// The deepest nesting of expressions.
pub(super) const MAX_DEPTH: usize = 600;

/// Names what exceeds the limit.
pub(super) fn too_deep() -> String {
    format!("expressions nested more than {MAX_DEPTH} deep")
}

impl Lower<'_, '_> {
    /// A scalar's value, in its variable's register or in a new one.
    pub(super) fn value(&mut self, e: &Expr) -> Lowered<Reg> {
        if let ExprKind::Var(id) = &e.kind
            && let Place::Reg(reg) = self.home(*id)?
        {
            self.check_assigned((*id, None), e.span);
            return Ok(reg);
        }
        self.value_or(e, None)
    }

    /// The value, in the register `d`.
    pub(super) fn value_to(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        let reg = self.value_or(e, Some(d))?;
        if reg != d {
            self.span = e.span;
            self.emit(Inst::Move { d, a: reg });
        }
        Ok(())
    }

    /// The value, in a register that evaluating `later` does not change.
    pub(super) fn value_kept(&mut self, e: &Expr, later: &Expr) -> Lowered<Reg> {
        let reg = self.value(e)?;
        if matches!(e.kind, ExprKind::Var(_)) && !is_plain(later) {
            let d = self.temp()?;
            self.emit(Inst::Move { d, a: reg });
            return Ok(d);
        }
        Ok(reg)
    }

    fn value_or(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.unsupported(e.span, too_deep());
        }
        let value = self.value_inner(e, into);
        self.depth -= 1;
        self.span = e.span;
        value
    }

    pub(super) fn target(&mut self, into: Option<Reg>) -> Lowered<Reg> {
        match into {
            Some(d) => Ok(d),
            None => self.temp(),
        }
    }

    fn value_inner(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        self.span = e.span;
        match &e.kind {
            ExprKind::Int(v) => self.constant(narrow(self.unit.types.scalar(&e.ty), *v), into),
            ExprKind::Float(v) => {
                let prim = self.unit.types.scalar(&e.ty).unwrap_or(Prim::Double);
                self.constant(prim.float_bits(*v), into)
            }
            ExprKind::Zero if self.is_scalar(&e.ty) => self.constant(0, into),
            ExprKind::Text(text) if !matches!(e.ty.kind, Kind::Array(..)) => {
                let text = self.unit.text(text);
                let d = self.target(into)?;
                self.emit(Inst::Literal { d, text });
                Ok(d)
            }
            ExprKind::Unary(op, a) => {
                let ty = self.ty(&a.ty);
                let a = self.value(a)?;
                let d = self.target(into)?;
                self.span = e.span;
                self.emit(Inst::Unary { op: *op, ty, d, a });
                Ok(d)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, self.ty(&e.ty), into, e),
            ExprKind::Compare(op, a, b) => {
                let ty = self.ty(&a.ty);
                let x = self.value_kept(a, b)?;
                let y = self.value(b)?;
                let d = self.target(into)?;
                self.span = e.span;
                self.emit(Inst::Compare { op: *op, ty, d, a: x, b: y });
                Ok(d)
            }
            ExprKind::Not(a) => {
                let a = self.value(a)?;
                let zero = self.constant(0, None)?;
                let d = self.target(into)?;
                self.emit(Inst::Compare { op: CmpOp::Eq, ty: Ty::U32, d, a, b: zero });
                Ok(d)
            }
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Cond(..) if !e.place => {
                self.conditional(e)
            }
            ExprKind::PointerAdd(p, index, minus) => {
                let size = self.size(e.ty.pointee().unwrap_or(&e.ty)).max(1);
                let p = self.value_kept(p, index)?;
                let place = self.step(p, index, size, *minus)?;
                self.address(place, into)
            }
            ExprKind::PointerDiff(a, b) => {
                let size = self.size(a.ty.pointee().unwrap_or(&a.ty)).max(1) as u32;
                let x = self.value_kept(a, b)?;
                let y = self.value(b)?;
                let d = self.target(into)?;
                self.emit(Inst::Distance { d, a: x, b: y, size });
                Ok(d)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                if into.is_some() { self.value_or(b, into) } else { self.value(b) }
            }
            ExprKind::Assign(..) | ExprKind::Update { .. } => self.assignment(e, into),
            ExprKind::Address(inner) | ExprKind::Decay(inner) => self.address_value(inner, into),
            ExprKind::Cast(inner) => self.cast(inner, into, e),
            ExprKind::Bits(inner) if self.is_scalar(&inner.ty) && !e.place => self.value(inner),
            ExprKind::Call(..) | ExprKind::RecursiveCall(..) if !e.place => self.call_expr(e, None),
            ExprKind::Intrinsic(kind, args) => self.intrinsic(kind, args, into, e),
            ExprKind::Host(host) => match &**host {
                Host::Global(_) | Host::Temporary(..) => {
                    let place = self.place(e)?;
                    self.load(place, &e.ty, into)
                }
                Host::IndirectCall(..) if e.place => {
                    let place = self.place(e)?;
                    self.load(place, &e.ty, into)
                }
                _ => self.host(host, e, None),
            },
            ExprKind::Var(id) => {
                self.check_assigned((*id, None), e.span);
                let place = self.home(*id)?;
                self.load(place, &e.ty, into)
            }
            ExprKind::Current => {
                let part = self.current.last().and_then(|(.., part)| *part);
                part.into_iter().for_each(|part| self.check_assigned(part, self.span));
                let place = self.place(e)?;
                self.load(place, &e.ty, into)
            }
            ExprKind::Builtin(_) => self.unsupported(e.span, "`threadIdx` and its kin on the host"),
            _ => {
                part(e).into_iter().for_each(|part| self.check_assigned(part, e.span));
                let place = self.place(e)?;
                self.load(place, &e.ty, into)
            }
        }
    }

    /// `a && b`, `a || b` and `cond ? a : b`: with branches.
    fn conditional(&mut self, e: &Expr) -> Lowered<Reg> {
        match &e.kind {
            ExprKind::Cond(cond, a, b) => {
                let d = self.temp()?;
                let (other, end) = (self.label(), self.label());
                self.branch(cond, false, other)?;
                self.value_to(a, d)?;
                self.emit(Inst::Jump { to: end });
                self.bind(other);
                self.value_to(b, d)?;
                self.bind(end);
                Ok(d)
            }
            _ => {
                let d = self.temp()?;
                let (no, end) = (self.label(), self.label());
                self.branch(e, false, no)?;
                self.emit(Inst::Const { d, bits: 1 });
                self.emit(Inst::Jump { to: end });
                self.bind(no);
                self.emit(Inst::Const { d, bits: 0 });
                self.bind(end);
                Ok(d)
            }
        }
    }

    /// An assignment whose value is used.
    fn assignment(&mut self, e: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        match &e.kind {
            ExprKind::Assign(place, value) => {
                let place = self.assign(place, value)?;
                self.load(place, &e.ty, into)
            }
            ExprKind::Update { place, value, post: true, .. } => {
                let at = self.updated(place)?;
                let at = self.settle(at)?;
                let d = self.temp()?;
                part(place).into_iter().for_each(|part| self.check_assigned(part, self.span));
                self.load_to(at, &place.ty, d)?;
                self.update_at(at, place, value)?;
                Ok(d)
            }
            ExprKind::Update { place, value, .. } => {
                let ty = place.ty.clone();
                let place = self.update(place, value)?;
                self.load(place, &ty, into)
            }
            _ => unreachable!("the caller matches assignments only"),
        }
    }

    /// A conversion between scalar types.
    fn cast(&mut self, inner: &Expr, into: Option<Reg>, e: &Expr) -> Lowered<Reg> {
        let (Some(from), Some(to)) =
            (self.unit.types.scalar(&inner.ty), self.unit.types.scalar(&e.ty))
        else {
            self.effect(inner)?;
            return self.constant(0, into);
        };
        if same_bits(from, to) {
            return match into {
                Some(_) => self.value_or(inner, into),
                None => self.value(inner),
            };
        }
        let a = self.value(inner)?;
        let d = self.target(into)?;
        self.span = e.span;
        self.emit(Inst::Convert { from, to, d, a });
        Ok(d)
    }

    pub(super) fn constant(&mut self, bits: u64, into: Option<Reg>) -> Lowered<Reg> {
        let d = self.target(into)?;
        self.emit(Inst::Const { d, bits });
        Ok(d)
    }

    fn binary(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        ty: Ty,
        into: Option<Reg>,
        whole: &Expr,
    ) -> Lowered<Reg> {
        if let Some(b) = self.small(b, ty) {
            let a = self.value(a)?;
            let d = self.target(into)?;
            self.span = whole.span;
            self.emit(match (op, ty) {
                (BinOp::Add, Ty::I32 | Ty::U32) => Inst::AddI32Const { d, a, b },
                (BinOp::Sub, Ty::I32 | Ty::U32) => Inst::AddI32Const { d, a, b: b.wrapping_neg() },
                _ => Inst::BinaryConst { op, ty, d, a, b },
            });
            return Ok(d);
        }
        // In `x op= e`, `e` is evaluated first.
        let (x, y) = if is_current(a) {
            let y = self.value(b)?;
            (self.value(a)?, y)
        } else {
            let x = self.value_kept(a, b)?;
            (x, self.value(b)?)
        };
        let d = self.target(into)?;
        self.span = whole.span;
        let (a, b) = (x, y);
        self.emit(match (op, ty) {
            (BinOp::Add, Ty::I32 | Ty::U32) => Inst::AddI32 { d, a, b },
            (BinOp::Mul, Ty::I32 | Ty::U32) => Inst::MulI32 { d, a, b },
            (BinOp::Add, Ty::I64 | Ty::U64) => Inst::AddI64 { d, a, b },
            (BinOp::Add, Ty::F32) => Inst::AddF32 { d, a, b },
            (BinOp::Mul, Ty::F32) => Inst::MulF32 { d, a, b },
            (BinOp::Add, Ty::F64) => Inst::AddF64 { d, a, b },
            (BinOp::Mul, Ty::F64) => Inst::MulF64 { d, a, b },
            _ => Inst::Binary { op, ty, d, a, b },
        });
        Ok(d)
    }

    /// A constant that fits the operand of an instruction.
    pub(super) fn small(&self, e: &Expr, ty: Ty) -> Option<i32> {
        match (&e.kind, ty) {
            (ExprKind::Int(v), Ty::I32 | Ty::U32) => Some(*v as i32),
            (ExprKind::Int(v), Ty::I64 | Ty::U64) => i32::try_from(*v as i64).ok(),
            (ExprKind::Float(v), Ty::F32) => Some((*v as f32).to_bits() as i32),
            _ => None,
        }
    }

    /// What `&` and array decay give: of a `__device__` variable, the address of the host's copy.
    fn address_value(&mut self, inner: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let place = self.place(inner)?;
        if !self.is_device_variable(inner) {
            return self.address(place, into);
        }
        let a = self.address(place, None)?;
        let d = self.target(into)?;
        self.emit(Inst::HostCopy { d, a });
        Ok(d)
    }

    /// Evaluates for effects only, and discards the value.
    pub(super) fn effect(&mut self, e: &Expr) -> Lowered<()> {
        self.span = e.span;
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::Var(_) => Ok(()),
            ExprKind::Text(_) | ExprKind::This | ExprKind::Current => Ok(()),
            ExprKind::Assign(place, value) => self.assign(place, value).map(|_| ()),
            ExprKind::Update { place, value, .. } => self.update(place, value).map(|_| ()),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast(inner) | ExprKind::Bits(inner) => self.effect(inner),
            ExprKind::Cond(cond, a, b) => {
                let (other, end) = (self.label(), self.label());
                self.branch(cond, false, other)?;
                self.effect(a)?;
                self.emit(Inst::Jump { to: end });
                self.bind(other);
                self.effect(b)?;
                self.bind(end);
                Ok(())
            }
            ExprKind::Call(..) | ExprKind::RecursiveCall(..) => {
                if self.is_scalar(&e.ty) || e.place || e.ty.is(Prim::Void) {
                    return self.call_expr(e, None).map(|_| ());
                }
                let at = self.frame_slot(self.size(&e.ty), self.unit.types.align_of(&e.ty))?;
                self.call_expr(e, Some(Place::Frame(at))).map(|_| ())
            }
            ExprKind::Host(host) => match &**host {
                Host::Global(_) | Host::Function(_) => Ok(()),
                Host::Temporary(..) => self.place(e).map(|_| ()),
                _ if self.is_scalar(&e.ty) || e.place || e.ty.is(Prim::Void) => {
                    self.host(host, e, None).map(|_| ())
                }
                _ => self.place(e).map(|_| ()),
            },
            ExprKind::Intrinsic(kind, args) => self.intrinsic(kind, args, None, e).map(|_| ()),
            _ if e.ty.is(Prim::Void) => Ok(()),
            _ if self.is_scalar(&e.ty) => self.value(e).map(|_| ()),
            _ => self.place(e).map(|_| ()),
        }
    }
}

fn is_current(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Current => true,
        ExprKind::Cast(inner) | ExprKind::Bits(inner) => is_current(inner),
        _ => false,
    }
}

/// Whether evaluating it writes no variable.
pub(super) fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Var(_)
        | ExprKind::Global(_)
        | ExprKind::This
        | ExprKind::Current
        | ExprKind::Zero => true,
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Deref(a)
        | ExprKind::Address(a)
        | ExprKind::Decay(a)
        | ExprKind::Member(a, _)
        | ExprKind::Cast(a)
        | ExprKind::Bits(a) => is_plain(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PointerAdd(a, b, _)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Index(a, b) => is_plain(a) && is_plain(b),
        ExprKind::Cond(a, b, c) => is_plain(a) && is_plain(b) && is_plain(c),
        // A callee cannot reach a variable in a register.
        ExprKind::Call(_, object, args) => {
            object.iter().all(|o| is_plain(o)) && args.iter().all(is_plain)
        }
        ExprKind::Intrinsic(_, args) => args.iter().all(is_plain),
        _ => false,
    }
}

/// Whether its last instruction writes the result, so that the result may overwrite an operand.
pub(super) fn ends_in_one(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Compare(..))
        || matches!(e.kind, ExprKind::PointerAdd(..))
        || matches!(&e.kind, ExprKind::Cast(inner) if inner.ty == e.ty && ends_in_one(inner))
        || matches!(&e.kind, ExprKind::Cast(_))
}

/// Whether an array or struct has a place.
pub(super) fn names_place(e: &Expr) -> bool {
    matches!(
        &e.kind,
        ExprKind::Var(_)
            | ExprKind::Global(_)
            | ExprKind::This
            | ExprKind::Deref(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Current
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Comma(..)
    ) || e.place
        || matches!(&e.kind, ExprKind::Host(h) if matches!(**h, Host::Global(_) | Host::Temporary(..)))
}

/// A constant as the bits of a register.
pub(super) fn narrow(prim: Option<Prim>, value: i128) -> u64 {
    match prim.map(Prim::size) {
        Some(8) => value as u64,
        _ => u64::from(value as u32),
    }
}

/// Whether a conversion leaves the bits of a register unchanged.
fn same_bits(from: Prim, to: Prim) -> bool {
    if from == to {
        return true;
    }
    let whole = |p: Prim| p.is_integer();
    if !whole(from) || !whole(to) || to == Prim::Bool {
        return false;
    }
    match (from.size(), to.size()) {
        (8, 8) => true,
        (a, 4) if a <= 4 => true,
        (a, 8) if a <= 4 && !from.is_signed() => true,
        _ => false,
    }
}
