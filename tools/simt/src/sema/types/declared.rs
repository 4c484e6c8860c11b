//! `decltype`: the type of a name as it is declared, and the category of other expressions.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::calls::chosen_call::bound_names;
use crate::sema::classes::special_members::is_moved;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::resolve::contains_auto;
use crate::sema::types::{Kind, Signature, Type};
use crate::sema::{Arg, Checked, Declared};
use crate::syntax::ast;
use std::collections::HashMap;
use std::rc::Rc;

/// A value's type, or a reference to a place's.
pub(in crate::sema) fn category(value: &Expr) -> Type {
    let ty = Rc::new(value.ty.clone());
    match (value.place, is_moved(value)) {
        (false, _) => value.ty.unqualified(),
        (true, true) => Kind::Rvalue(ty).into(),
        (true, false) => Kind::Reference(ty).into(),
    }
}

impl Body<'_, '_> {
    /// What `decltype(written)` is; `value` is what `written` means.
    pub(in crate::sema) fn declared_type(&self, written: &ast::Expr, value: &Expr) -> Type {
        let length = (written.span.end - written.span.start) as usize;
        let bare = match &written.kind {
            ast::ExprKind::Name(name, _) => length <= name.to_string().len(),
            ast::ExprKind::Member(_, _, name, _) => written.span.end == name.end,
            ast::ExprKind::Scoped(..) => true,
            _ => false,
        };
        match &value.kind {
            ExprKind::Var(id) if bare => {
                let var = &self.vars[*id as usize];
                let ty = Rc::new(var.ty.clone());
                match (var.reference, var.rvalue) {
                    (false, _) => value.ty.unqualified(),
                    (true, true) => Kind::Rvalue(ty).into(),
                    (true, false) => Kind::Reference(ty).into(),
                }
            }
            // A member that is a reference.
            ExprKind::Deref(_) => category(value),
            _ if bare => value.ty.unqualified(),
            _ => category(value),
        }
    }

    /// Checks what is never evaluated: a function without a body may be called there.
    pub(in crate::sema) fn unevaluated<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.sema.instances.unevaluated, true);
        let made = check(self);
        self.sema.instances.unevaluated = outer;
        made
    }

    /// What a function returns, as it is declared.
    pub(in crate::sema) fn declared_result(
        &mut self,
        declared: &Declared,
        bound: &[Arg],
    ) -> Checked<Type> {
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        self.bind(&bound_names(declared, bound));
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        returns
    }

    /// The function type of the only `operator()` of a class, as a lambda has it.
    pub(in crate::sema) fn call_signature(&mut self, of: &ast::TypeExpr) -> Checked<Type> {
        let ty = self.resolve(of)?;
        let found = match ty.kind {
            Kind::Struct(index) => self.sema.find_methods(index, "operator()"),
            _ => None,
        };
        let ids = found.map_or_else(Vec::new, |(ids, _)| ids);
        let [id] = ids.as_slice() else {
            let text = self.sema.types.spell(&ty);
            let message = format!("`{text}` has no `operator()`, or several");
            return self.sema.error("template", of.span, message);
        };
        let declared = self.sema.definitions[*id].clone();
        if !declared.ast.template.is_empty() {
            let text = self.sema.types.spell(&ty);
            let message = format!("the parameters of `{text}` are templates");
            return self.sema.error("template", of.span, message);
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let params: Checked<Vec<Type>> =
            declared.ast.params.iter().map(|param| self.resolve(&param.ty)).collect();
        self.scopes = outer;
        let returns = match contains_auto(&declared.ast.returns) {
            true => self.sema.instantiate(*id, Vec::new(), self.side, of.span)?.returns.clone(),
            false => self.declared_result(&declared, &[])?,
        };
        let params = params?.iter().map(Type::unqualified).collect();
        Ok(Kind::Function(Rc::new(Signature { returns, params })).into())
    }

    /// A call of a function that is declared only: a value or a place of the type that it returns.
    pub(in crate::sema) fn declared_call(
        &mut self,
        declared: &Declared,
        bound: &[Arg],
        span: Span,
    ) -> Checked<Expr> {
        let returns = self.declared_result(declared, bound)?;
        let ty = returns.unreferenced().clone();
        // It stands for a value that nobody computes.
        let null = Expr::new(ExprKind::Int(0), ty.clone().pointer_to(), span);
        let place = self.dereference(null, ty, span);
        Ok(match returns.kind {
            Kind::Reference(_) => place,
            Kind::Rvalue(_) => crate::sema::classes::special_members::as_xvalue(place),
            _ => Expr { place: false, ..place },
        })
    }
}
