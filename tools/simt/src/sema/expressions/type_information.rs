//! `typeid` of an expression.

use crate::diagnostic::Span;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::classes::class::TYPE_NAME;
use crate::sema::tree::Expr;
use crate::sema::types::Kind;
use crate::syntax::ast::{self, ExprKind, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::name::{Name, Path};

impl Body<'_, '_> {
    /// `typeid(e)`: what the object is at run time, if it is of a class with virtual functions.
    pub(in crate::sema) fn typeid_of(&mut self, e: &ast::Expr, span: Span) -> Checked<Expr> {
        let value = self.unevaluated(|b| b.expr(e))?;
        let made = |kind| ast::Expr { kind, span };
        let called = |name: &str, arguments, values| {
            let name = Path::from("std").join(Name::from(name));
            made(ExprKind::Call(Box::new(made(ExprKind::Name(name, arguments))), values))
        };
        if let Kind::Struct(class) = value.ty.kind
            && self.sema.is_dynamic(class)
            && value.place
        {
            if self.sema.find_methods(class, TYPE_NAME).is_none() {
                return self.sema.unsupported(span, "`typeid` of this object");
            }
            let member = ExprKind::Member(Box::new(e.clone()), TYPE_NAME.into(), span, false);
            let name = made(ExprKind::Call(Box::new(made(member)), Vec::new()));
            return self.expr(&called("__info_named", None, vec![name]));
        }
        let kind = TypeKind::Decltype(Box::new(e.clone()));
        let ty = TypeExpr { kind, constant: false, volatile: false, span };
        self.expr(&called("__typeid", Some(vec![TemplateArg::Type(ty)]), Vec::new()))
    }
}
