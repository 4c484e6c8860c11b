//! `try`, `catch` and `throw`.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::classes::special_members::as_xvalue;
use crate::sema::tree::{Expr, ExprKind, Function, Home, Host, Stmt, VarId};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, Prim};
use std::rc::Rc;

type Handler = (Option<VarId>, Option<Type>, Vec<Stmt>);

impl Body<'_, '_> {
    /// `try { .. } catch (const E& e) { .. }`
    pub(in crate::sema) fn try_statement(
        &mut self,
        body: &ast::Stmt,
        handlers: &[ast::Handler],
        span: Span,
    ) -> Checked<Stmt> {
        if self.side == Side::Device {
            return self.sema.unsupported(span, "exceptions");
        }
        let around = std::mem::replace(&mut self.nesting.variables_before_try, self.vars.len());
        let body = self.scoped(body);
        self.nesting.variables_before_try = around;
        Ok(Stmt::Try { body, handlers: self.handlers(handlers)? })
    }

    /// A constructor whose body is a `try`: the members that are built are in its block, and each
    /// handler throws again what it caught.
    pub(in crate::sema) fn try_in_constructor(
        &mut self,
        mut built: Vec<Stmt>,
        body: &ast::Stmt,
        handlers: &[ast::Handler],
        span: Span,
    ) -> Checked<Stmt> {
        if self.side == Side::Device {
            return self.sema.unsupported(span, "exceptions");
        }
        built.push(Stmt::Block(self.scoped(body)));
        let mut handlers = self.handlers(handlers)?;
        for (.., statements) in &mut handlers {
            let again = ExprKind::Host(Box::new(Host::Throw(None)));
            statements.push(Stmt::Expr(Expr::new(again, Prim::Void.into(), span)));
        }
        Ok(Stmt::Try { body: built, handlers })
    }

    fn handlers(&mut self, handlers: &[ast::Handler]) -> Checked<Vec<Handler>> {
        let mut out = Vec::new();
        for handler in handlers {
            self.scopes.push(std::collections::HashMap::new());
            let made = self.handler(handler);
            self.scopes.pop();
            out.push(made?);
        }
        Ok(out)
    }

    fn handler(&mut self, handler: &ast::Handler) -> Checked<Handler> {
        let Some(variable) = &handler.variable else {
            return Ok((None, None, self.scoped(&handler.body)));
        };
        let ty = self.variable_type(variable)?;
        let span = variable.span;
        let caught = ty.unreferenced().unqualified();
        let copied = !ty.is_reference() && self.sema.needs_copy(&ty);
        let thrown = copied.then(|| {
            let reference: Type = Kind::Reference(Rc::new(caught.clone())).into();
            self.add_var(&"".into(), &reference, span, Home::Own)
        });
        let id = self.add_var(&variable.name, &ty, span, Home::Own);
        self.vars[id as usize].written = true;
        self.ends(id, span)?;
        self.define(variable.name, Entity::Var(id));
        let Some(thrown) = thrown else {
            return Ok((Some(id), Some(caught), self.scoped(&handler.body)));
        };
        // The thrown object stays where it is, and the variable is a copy.
        let place = Expr::place(ExprKind::Var(thrown), caught.clone(), span);
        let init = Some(self.owned(place)?);
        let mut statements = vec![Stmt::Declare { var: id, init, span }];
        statements.push(Stmt::Block(self.scoped(&handler.body)));
        Ok((Some(thrown), Some(caught), statements))
    }

    /// `throw value`
    pub(in crate::sema) fn throw(
        &mut self,
        value: Option<&ast::Expr>,
        span: Span,
    ) -> Checked<Expr> {
        if self.side == Side::Device {
            let diagnostic =
                Diagnostic::error("type", span, "CUDA has no exceptions in device code")
                    .with_help("write a result that tells of the error, or `__trap()`");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        let value = match value {
            Some(value) => {
                let value = self.rvalue(value)?;
                let ty = value.ty.unqualified();
                let value = if self.ends_with_throw(&value) { as_xvalue(value) } else { value };
                self.sema.destroyer(&ty, Side::Host, span);
                self.note_what(&ty, span);
                Some(self.convert(value, &ty)?)
            }
            None => None,
        };
        let kind = ExprKind::Host(Box::new(Host::Throw(value)));
        Ok(Expr::new(kind, Prim::Void.into(), span))
    }

    /// Whether it is a variable that nothing reads once it is thrown, so that it is moved.
    fn ends_with_throw(&self, value: &Expr) -> bool {
        let ExprKind::Var(id) = value.kind else { return false };
        let kept = self.frame.params.max(self.nesting.variables_before_try);
        id as usize >= kept && !self.vars[id as usize].reference
    }

    /// Notes what says why an exception of the class was thrown: its `what()`, if it is a
    /// `std::exception`.
    fn note_what(&mut self, ty: &Type, span: Span) {
        let Kind::Struct(index) = ty.kind else { return };
        let is_exception = self.sema.types.class_ids().any(|base| {
            let named = self.sema.types.get(base).declared.in_std().as_deref() == Some("exception");
            named && self.sema.types.base_path(index, base).is_some()
        });
        if !is_exception || self.sema.lifetimes.what.contains_key(ty) {
            return;
        }
        let mut body = Body::outside(self.sema);
        let Some(function) = body.write_what(ty, span) else { return };
        self.sema.lifetimes.what.insert(ty.clone(), Rc::new(function));
    }

    fn write_what(&mut self, ty: &Type, span: Span) -> Option<Function> {
        let Kind::Struct(index) = ty.kind else { return None };
        let (ids, path) = self.sema.find_methods(index, "what")?;
        let this = Expr::place(ExprKind::This, ty.clone(), span);
        let object = self.along(this, &path, span);
        // The dynamic type of what is thrown is known.
        self.non_virtual = true;
        let value = self.speculate(|body| {
            let (id, bound, params) = body.choose("what", &ids, &[], &[], span)?;
            body.finish(id, bound, &params, Some(object), Vec::new(), span)
        });
        let value = value.ok().filter(|value| value.ty.pointee().is_some())?;
        let returns = value.ty.clone();
        let body = vec![Stmt::Return(Some(value), span)];
        Some(Function::of_object("what", returns, body, span))
    }
}
