//! `typeid`: a `std::type_info` with the name of a type.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::classes::class::TYPE_NAME;
use crate::sema::tree::Expr;
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity};
use crate::syntax::ast::{self, TypeExpr, TypeKind};
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// `typeid(T)`
    pub(in crate::sema) fn typeid_of_type(&mut self, ty: &TypeExpr, span: Span) -> Checked<Expr> {
        let ty = self.resolve(ty)?;
        self.type_info(&ty, span)
    }

    /// `typeid(e)`: what the object is at run time, if it is of a class with virtual functions.
    pub(in crate::sema) fn typeid_of(&mut self, e: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.unevaluated(|b| b.expr(e))?;
        if let Kind::Struct(class) = value.ty.kind
            && self.sema.is_dynamic(class)
            && value.place
        {
            if self.sema.find_methods(class, TYPE_NAME).is_none() {
                return self.sema.unsupported(span, "`typeid` of this object in device code");
            }
            let made = |kind| ast::Expr { kind, span };
            let member = ast::ExprKind::Member(Box::new(e.clone()), TYPE_NAME.into(), span, false);
            let name = made(ast::ExprKind::Call(Box::new(made(member)), Vec::new()));
            return self.type_info_named(name, span);
        }
        self.type_info(&value.ty, span)
    }

    fn type_info(&mut self, ty: &Type, span: Span) -> Checked<Expr> {
        let text = self.mangled(ty);
        if text.contains("6lambda") {
            return self.sema.unsupported(span, "`typeid` of a closure");
        }
        let kind = ast::ExprKind::Str(text.into_bytes().into());
        self.type_info_named(ast::Expr { kind, span }, span)
    }

    fn type_info_named(&mut self, name: ast::Expr, span: Span) -> Checked<Expr> {
        let class = Path::from("std").join("type_info".into());
        if !matches!(self.lookup(class), Some(Entity::Type(_))) {
            return self.sema.error("name", span, "`typeid` needs `#include <typeinfo>`");
        }
        let kind = TypeKind::Named(class, Vec::new());
        let class = TypeExpr { kind, constant: true, volatile: false, span };
        let kind = ast::ExprKind::Construct(class, vec![name], false);
        self.expr(&ast::Expr { kind, span })
    }
}
