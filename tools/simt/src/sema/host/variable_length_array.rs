//! Variable-length arrays, `float a[n]`: in C, and an extension of g++.
//!
//! Such an array is an allocation that its block owns, with the constructors and destructors of its
//! elements, and a pointer to it. It is used as any array is, and `sizeof` asks the allocation. Uses
//! that tell an array from a pointer are unsupported.

use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{
    self, BinaryOp, CastStyle, Init, Prim, TemplateArg, TypeExpr, TypeKind, VarDecl,
};
use crate::syntax::name::Path;

/// What such an array is made of.
pub(in crate::sema) struct InRoom {
    pub(in crate::sema) room: VarDecl,
    pub(in crate::sema) pointer: VarDecl,
    /// Assignments of the first values to elements.
    pub(in crate::sema) values: Vec<ast::Expr>,
}

impl Body<'_, '_> {
    /// What such an array is made of; `None` if it is none.
    pub(in crate::sema) fn in_room(&mut self, ast: &VarDecl) -> Checked<Option<InRoom>> {
        let TypeKind::Array(element, Some(length)) = &ast.ty.kind else { return Ok(None) };
        if self.side != Side::Host || ast.storage.is_static {
            return Ok(None);
        }
        let value = self.speculate(|body| body.rvalue(length).map(|value| body.folded(value)));
        if value.ok().is_none_or(|v| v.as_int().is_some() || !v.ty.is_integer()) {
            return Ok(None);
        }
        let span = ast.span;
        let given: &[ast::Expr] = match &ast.init {
            Init::None => &[],
            Init::Expr(ast::Expr { kind: ast::ExprKind::List(given), .. })
                if !given.iter().any(|v| matches!(v.kind, ast::ExprKind::List(_))) =>
            {
                given
            }
            _ => {
                let what = "these values for an array whose length is not constant";
                return self.sema.unsupported(span, what);
            }
        };
        let expr = |kind| ast::Expr { kind, span };
        let ty = |kind| TypeExpr { kind, constant: false, volatile: false, span };
        let size = expr(ast::ExprKind::SizeofType((**element).clone()));
        let bytes = expr(ast::ExprKind::Binary(BinaryOp::Mul, length.clone(), Box::new(size)));
        let name: Path = format!("the room of {}", ast.name).into();
        let room = VarDecl {
            name,
            ty: ty(TypeKind::Named(
                "__host_room".into(),
                vec![TemplateArg::Type((**element).clone())],
            )),
            init: Init::Paren(vec![
                bytes,
                expr(ast::ExprKind::Bool(!matches!(ast.init, Init::None))),
            ]),
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
        let value_at = |(i, value): (usize, &ast::Expr)| {
            let index = expr(ast::ExprKind::Int(i as u64, Prim::Int));
            let array = expr(ast::ExprKind::Name(ast.name, None));
            let element = expr(ast::ExprKind::Index(Box::new(array), Box::new(index)));
            expr(ast::ExprKind::Assign(None, Box::new(element), Box::new(value.clone())))
        };
        let values = given.iter().enumerate().map(value_at).collect();
        Ok(Some(InRoom { room, pointer, values }))
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
