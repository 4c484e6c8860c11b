//! Packed 16-bit floats: `__half2` and `__nv_bfloat162`, one register each.
//!
//! CUDA defines them as structs with members `x` and `y`. Here they are scalars, so that an
//! operation on both halves is one instruction, as on the device, and a member is read by shifts.
//! In memory a member is a place of two bytes; in a variable, an assignment to a member makes a new
//! pair.

use crate::diagnostic::Span;
use crate::isa::BinOp;
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Home};
use crate::sema::types::Type;
use crate::syntax::ast::{self, BinaryOp, Prim};
use crate::syntax::name::Path;

fn bits(e: Expr, to: Prim) -> Expr {
    let span = e.span;
    Expr::new(ExprKind::Bits(Box::new(e)), to.into(), span)
}

impl Body<'_, '_> {
    /// Half `i` of a pair, as a value.
    fn half_value(&mut self, pair: Expr, i: u32, half: Prim) -> Expr {
        let span = pair.span;
        let whole = bits(pair, Prim::UInt);
        let word = if i == 0 {
            self.cast(whole, &Prim::UShort.into())
        } else {
            let count = Self::int(16, Prim::UInt, span);
            let kind = ExprKind::Binary(BinOp::Shr, Box::new(whole), Box::new(count));
            Expr::new(kind, Prim::UInt.into(), span)
        };
        bits(word, half)
    }

    /// A pair from its halves.
    fn make_pair(&mut self, x: Expr, y: Expr, pair: Prim, span: Span) -> Expr {
        let uint = Type::from(Prim::UInt);
        let word = |e: Expr| {
            let word = bits(e, Prim::UShort);
            Expr::new(ExprKind::Cast(Box::new(word)), Prim::UInt.into(), span)
        };
        let count = Self::int(16, Prim::UInt, span);
        let high = ExprKind::Binary(BinOp::Shl, Box::new(word(y)), Box::new(count));
        let high = Expr::new(high, uint.clone(), span);
        let both = ExprKind::Binary(BinOp::Or, Box::new(word(x)), Box::new(high));
        bits(Expr::new(both, uint, span), pair)
    }

    /// `v.x` and `v.y`; `None` if `object` is no pair or has no such member.
    pub(in crate::sema) fn half_member(
        &mut self,
        object: &Expr,
        name: &Path,
        span: Span,
    ) -> Option<Expr> {
        let half = object.ty.packed()?;
        let i = match &*name.unqualified()? {
            "x" => 0,
            "y" => 1,
            _ => return None,
        };
        if self.in_memory(object) {
            let ty = Type::from(half).qualified(object.ty.constant, object.ty.volatile);
            let own = object.ty.clone().pointer_to();
            let address = Expr::new(ExprKind::Address(Box::new(object.clone())), own, span);
            let first = Expr::new(ExprKind::Bits(Box::new(address)), ty.clone().pointer_to(), span);
            let index = Self::int(i, Prim::Int, span);
            return Some(Expr::place(ExprKind::Index(Box::new(first), Box::new(index)), ty, span));
        }
        let mut value = self.half_value(object.clone(), i as u32, half);
        value.span = span;
        Some(value)
    }

    /// Whether a place surely has an address of its own.
    fn in_memory(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Var(id) => {
                let var = &self.vars[*id as usize];
                var.home != Home::Own && !var.reference
            }
            ExprKind::Member(inner, _) => self.in_memory(inner),
            ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Global(_) => place.place,
            _ => false,
        }
    }

    /// Half of a pair that is in a variable: the variable, and which.
    pub(in crate::sema) fn half_of_variable(&self, e: &Expr) -> Option<(Expr, u32)> {
        let ExprKind::Bits(word) = &e.kind else { return None };
        if !e.ty.prim().is_some_and(Prim::is_half) {
            return None;
        }
        let (whole, i) = match &word.kind {
            ExprKind::Cast(whole) => (whole, 0),
            ExprKind::Binary(BinOp::Shr, whole, _) => (whole, 1),
            _ => return None,
        };
        let ExprKind::Bits(pair) = &whole.kind else { return None };
        (pair.place && pair.ty.packed().is_some()).then(|| ((**pair).clone(), i))
    }

    /// `v.x = e;` or `v.x += e;`
    pub(in crate::sema) fn assign_half(
        &mut self,
        (pair, i): (Expr, u32),
        op: Option<BinaryOp>,
        value: Expr,
        span: Span,
    ) -> Checked<Expr> {
        self.writable(&pair, span)?;
        let ty = pair.ty.unqualified();
        let (Some(prim), Some(half)) = (ty.prim(), ty.packed()) else { return Err(Reported) };
        let current = Expr::new(ExprKind::Current, ty.clone(), span);
        let mut value = self.convert(value, &half.into())?;
        if let Some(op) = op {
            let old = self.half_value(current.clone(), i, half);
            value = self.combine(op, old, value, span)?;
        }
        let other = self.half_value(current, 1 - i, half);
        let (x, y) = if i == 0 { (value, other) } else { (other, value) };
        let new = self.make_pair(x, y, prim, span);
        let (place, value) = (Box::new(pair), Box::new(new));
        let kind = ExprKind::Update { place, value, post: false, partial: true };
        Ok(Expr::place(kind, ty, span))
    }

    /// `__half2(a, b)`, `{a, b}`, `{}`.
    pub(in crate::sema) fn pair_list(
        &mut self,
        ty: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let (Some(prim), Some(half)) = (ty.prim(), ty.packed()) else { return Err(Reported) };
        match items {
            [] => Ok(self.zero(ty, span)),
            [one] => {
                let value = self.rvalue(one)?;
                self.convert(value, &ty.unqualified())
            }
            [x, y] => {
                let x = self.rvalue(x)?;
                let x = self.convert(x, &half.into())?;
                let y = self.rvalue(y)?;
                let y = self.convert(y, &half.into())?;
                Ok(self.make_pair(x, y, prim, span))
            }
            _ => {
                let message = format!("{} values for a pair", items.len());
                self.sema.error("type", span, message)
            }
        }
    }
}
