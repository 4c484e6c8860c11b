//! How expressions are made, and what they name.

use super::{Expr, ExprKind, VarId};
use crate::diagnostic::Span;
use crate::sema::types::Type;

impl Expr {
    /// A value.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span, place: false }
    }

    /// A place.
    pub fn place(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span, place: true }
    }

    /// The value of an integer constant.
    pub fn as_int(&self) -> Option<i128> {
        if let ExprKind::Int(v) = self.kind { Some(v) } else { None }
    }

    /// The variable that a place is, and which member of it where it is one, or within one.
    pub fn path(&self) -> Option<(VarId, Option<u32>)> {
        match &self.kind {
            ExprKind::Var(id) => Some((*id, None)),
            ExprKind::Member(inner, i) => {
                let (id, member) = inner.path()?;
                Some((id, member.or(Some(*i))))
            }
            _ => None,
        }
    }

    /// The variable that a place is a part of, elements of arrays among them.
    pub fn whole(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Var(id) => Some(*id),
            ExprKind::Member(inner, _) => inner.whole(),
            ExprKind::Index(base, _) => match &base.kind {
                ExprKind::Decay(array) => array.whole(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is a number.
    pub fn is_constant(&self) -> bool {
        matches!(self.kind, ExprKind::Int(_) | ExprKind::Float(_))
    }
}
