//! Variable-length arrays, `float a[n]`: in C, and an extension of g++.
//!
//! Such an array is an allocation that its block owns, and a pointer to it. It is used as any array
//! is, and `sizeof` asks the allocation. Uses that tell an array from a pointer are unsupported.

use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, BinaryOp, CastStyle, Init, TypeExpr, TypeKind, VarDecl};
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// The room and the pointer that such an array is made of; `Some(None)` if it is none.
    pub(in crate::sema) fn in_room(
        &mut self,
        ast: &VarDecl,
    ) -> Checked<Option<(VarDecl, VarDecl)>> {
        let TypeKind::Array(element, Some(length)) = &ast.ty.kind else { return Ok(None) };
        if self.side != Side::Host || ast.storage.is_static {
            return Ok(None);
        }
        let value = self.speculate(|body| body.rvalue(length));
        if value.ok().is_none_or(|v| v.as_int().is_some() || !v.ty.is_integer()) {
            return Ok(None);
        }
        let span = ast.span;
        if !matches!(ast.init, Init::None) {
            let what = "values for an array whose length is not constant";
            return self.sema.unsupported(span, what);
        }
        let expr = |kind| ast::Expr { kind, span };
        let ty = |kind| TypeExpr { kind, constant: false, volatile: false, span };
        let size = expr(ast::ExprKind::SizeofType((**element).clone()));
        let bytes = expr(ast::ExprKind::Binary(BinaryOp::Mul, length.clone(), Box::new(size)));
        let name: Path = format!("the room of {}", ast.name).into();
        let room = VarDecl {
            name,
            ty: ty(TypeKind::Named("__host_room".into(), Vec::new())),
            init: Init::Paren(vec![bytes]),
            align: None,
            ..ast.clone()
        };
        let inside = Box::new(expr(ast::ExprKind::Name(name, None)));
        let at = expr(ast::ExprKind::Member(inside, "at".into(), span, false));
        let pointer = ty(TypeKind::Pointer(element.clone()));
        let cast = expr(ast::ExprKind::Cast(CastStyle::C, pointer.clone(), Box::new(at)));
        let pointer = VarDecl {
            ty: TypeExpr { constant: true, ..pointer },
            init: Init::Expr(cast),
            align: None,
            ..ast.clone()
        };
        Ok(Some((room, pointer)))
    }

    /// The allocation of the array that an expression names.
    pub(in crate::sema) fn room_of(&self, e: &ast::Expr) -> Option<Path> {
        let ast::ExprKind::Name(name, None) = &e.kind else { return None };
        match self.lookup(name)? {
            Entity::Var(id) => self.array_lengths.get(&id).cloned(),
            _ => None,
        }
    }

    /// `sizeof a`.
    pub(in crate::sema) fn room_size(&mut self, e: &ast::Expr) -> Option<Checked<Expr>> {
        let room = self.room_of(e)?;
        let inside = ast::Expr { kind: ast::ExprKind::Name(room, None), span: e.span };
        let kind = ast::ExprKind::Member(Box::new(inside), "bytes".into(), e.span, false);
        Some(self.rvalue(&ast::Expr { kind, span: e.span }))
    }
}
