//! Calls: of functions, methods, constructors, operators and built-in functions.

use super::body::Body;
use super::tree::{Expr, ExprKind};
use super::types::{Kind, Type};
use super::{Checked, FunctionId, Side};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{self, Init, TemplateArg};
use std::collections::HashMap;

impl Body<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        match &callee.kind {
            ast::ExprKind::Name(name, explicit) => {
                let explicit = explicit.as_deref().unwrap_or(&[]);
                self.named_call(name, explicit, args, callee.span, span)
            }
            ast::ExprKind::Member(object, name, at, arrow) => {
                let object = self.object(object, *arrow)?;
                self.method_call(object, name, *at, args, span)
            }
            ast::ExprKind::Scoped(ty, name) => {
                let ty = self.resolve(ty)?;
                self.static_call(&ty, name, args, callee.span, span)
            }
            _ => {
                let object = self.expr(callee)?;
                if matches!(object.ty.kind, Kind::Struct(_)) {
                    return self.method_call(object, "operator()", callee.span, args, span);
                }
                self.sema.unsupported(callee.span, "calls through pointers")
            }
        }
    }

    pub(super) fn values(&mut self, args: &[ast::Expr]) -> Checked<Vec<Expr>> {
        // All of them, so that each mistake is reported.
        let made: Vec<Checked<Expr>> = args.iter().map(|a| self.expr(a)).collect();
        made.into_iter().collect()
    }

    fn named_call(
        &mut self,
        name: &str,
        explicit: &[TemplateArg],
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        // A variable with `operator()`.
        if let Some(super::Entity::Var(id)) = self.lookup(name) {
            let ty = self.vars[id as usize].ty.clone();
            let object = Expr::place(ExprKind::Var(id), ty, at);
            return self.method_call(object, "operator()", at, args, span);
        }
        if let Some(index) = self.owner
            && self.sema.methods.contains_key(&(index, name.into()))
        {
            let Some(this) = self.this.clone() else {
                return self.static_call(&Kind::Struct(index).into(), name, args, at, span);
            };
            let object = Expr::place(ExprKind::This, this, at);
            return self.method_call(object, name, at, args, span);
        }
        if let Some(object) = self.object_here(at)
            && let Kind::Struct(index) = object.ty.kind
            && self.sema.methods.contains_key(&(index, name.into()))
        {
            return self.method_call(object, name, at, args, span);
        }
        if let Some((owner, name)) = name.rsplit_once("::")
            && let Some(super::Entity::Type(ty)) = self.lookup(owner)
            && matches!(ty.kind, Kind::Struct(_))
        {
            return self.static_call(&ty, name, args, at, span);
        }
        if let Some(made) = self.primitive_call(name, args, span) {
            return made;
        }
        if let Some(ids) = self.functions_here(name) {
            let values = self.values(args)?;
            let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
            return self.finish(id, bound, &params, None, values, span);
        }
        // `assert` quotes its argument.
        if let Some(made) = self.builtin_call(name, args, at, span) {
            return self.for_this_side(made?, name, at);
        }
        // C++ also looks where the arguments' types are.
        if !name.contains("::") {
            let values = self.values(args)?;
            for value in &values {
                let Kind::Struct(index) = value.ty.kind else { continue };
                let ty = self.sema.types.get(index).name.split('<').next().unwrap_or_default();
                let Some((space, _)) = ty.rsplit_once("::") else { continue };
                let whole = format!("{space}::{name}");
                if let Some(ids) = self.sema.functions.get(&*whole).cloned() {
                    let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
                    return self.finish(id, bound, &params, None, values, span);
                }
            }
        }
        let known =
            self.sema.functions.keys().map(|k| &**k).chain(super::builtins::NAMES.iter().copied());
        let mut diagnostic =
            Diagnostic::error("name", at, format!("no function `{name}` is known"));
        if let Some(close) = super::expr::closest(name, known) {
            diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
        }
        self.sema.report(diagnostic);
        None
    }

    /// The functions of that name; `std::lround` is the built-in `lround`.
    pub(super) fn functions(&self, name: &str) -> Option<Vec<FunctionId>> {
        if let Some(ids) = self.sema.functions.get(name) {
            return Some(ids.clone());
        }
        let plain = name
            .strip_prefix("::")
            .or_else(|| name.strip_prefix("std::"))
            .or_else(|| name.strip_prefix("cuda::std::"))?;
        let ids = self.sema.functions.get(plain)?.clone();
        let global = name.starts_with("::");
        ids.iter().all(|id| global || self.sema.declared[*id].ast.span.is_built_in()).then_some(ids)
    }

    fn method_call(
        &mut self,
        object: Expr,
        name: &str,
        at: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let values = self.values(args)?;
        let Kind::Struct(index) = object.ty.kind else {
            let text = self.sema.types.spell(&object.ty);
            return self.sema.error("type", at, format!("a `{text}` has no functions to call"));
        };
        let Some(ids) = self.sema.methods.get(&(index, name.into())).cloned() else {
            let text = self.sema.types.spell(&object.ty.unqualified());
            return self.sema.error("name", at, format!("`{text}` has no function `{name}`"));
        };
        let ids = self.by_constness(ids, object.ty.constant);
        let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
        if self.sema.declared[id].ast.storage.fixed {
            return self.finish(id, bound, &params, None, values, span);
        }
        let constant = self.sema.declared[id].ast.constant;
        if object.ty.constant && !constant {
            let diagnostic = Diagnostic::error(
                "type",
                at,
                format!("`{name}` may change its object, which is `const`"),
            )
            .with_label(self.sema.declared[id].ast.span, "it has no `const` behind its parameters");
            self.sema.report(diagnostic);
            return None;
        }
        if !constant {
            self.mark_written(&object);
        }
        self.finish(id, bound, &params, Some(object), values, span)
    }

    /// Of two methods that differ in `const` alone, the one that suits the object.
    fn by_constness(&self, ids: Vec<FunctionId>, constant: bool) -> Vec<FunctionId> {
        let written = |id: FunctionId| -> Vec<String> {
            let params = &self.sema.declared[id].ast.params;
            params.iter().map(|p| super::resolve::spell_written(&p.ty)).collect()
        };
        let own = |id: FunctionId| self.sema.declared[id].ast.constant;
        let rival =
            |id: FunctionId| ids.iter().any(|o| own(*o) != own(id) && written(*o) == written(id));
        ids.iter().copied().filter(|id| own(*id) == constant || !rival(*id)).collect()
    }

    /// `S::f(..)`
    fn static_call(
        &mut self,
        ty: &Type,
        name: &str,
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let text = self.sema.types.spell(&ty.unqualified());
        let found = match ty.kind {
            Kind::Struct(index) => self.sema.methods.get(&(index, name.into())).cloned(),
            _ => None,
        };
        let Some(ids) = found else {
            return self.sema.error("name", at, format!("`{text}` has no function `{name}`"));
        };
        let values = self.values(args)?;
        let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
        if !self.sema.declared[id].ast.storage.fixed {
            return self.sema.error("type", at, format!("`{name}` needs an object of `{text}`"));
        }
        self.finish(id, bound, &params, None, values, span)
    }

    /// An object made by one of its constructors.
    pub(super) fn construct_values(
        &mut self,
        ty: &Type,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return None };
        if let [one] = values.as_slice()
            && one.ty.kind == ty.kind
        {
            return values.into_iter().next();
        }
        let ids = self.sema.constructors.get(&index).cloned().unwrap_or_default();
        let name = self.sema.types.get(index).name.clone();
        let (id, bound, params) = self.choose(&name, &ids, &[], &values, span)?;
        // The object is a fresh variable, which the constructor fills in.
        let var = self.add_var(&"".into(), &ty.unqualified(), span, super::tree::Home::Own);
        self.vars[var as usize].written = true;
        let object = Expr::place(ExprKind::Var(var), ty.unqualified(), span);
        let call = self.finish(id, bound, &params, Some(object.clone()), values, span)?;
        let kind = ExprKind::Comma(Box::new(call), Box::new(object));
        Some(Expr::new(kind, ty.unqualified(), span))
    }

    /// `a + b` where one of them is a struct.
    pub(super) fn operator_call(
        &mut self,
        name: &str,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        if let Some(Expr { ty: Type { kind: Kind::Struct(index), .. }, .. }) = values.first()
            && let Some(ids) = self.sema.methods.get(&(*index, name.into())).cloned()
        {
            let mut values = values;
            let object = values.remove(0);
            let ids = self.by_constness(ids, object.ty.constant);
            let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
            if !self.sema.declared[id].ast.constant {
                self.mark_written(&object);
            }
            return self.finish(id, bound, &params, Some(object), values, span);
        }
        if let Some(ids) = self.sema.functions.get(name).cloned() {
            let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
            return self.finish(id, bound, &params, None, values, span);
        }
        let texts: Vec<String> = values
            .iter()
            .map(|v| format!("`{}`", self.sema.types.spell(&v.ty.unqualified())))
            .collect();
        let op = name.trim_start_matches("operator");
        self.sema.error("type", span, format!("there is no `{op}` for {}", texts.join(" and ")))
    }

    /// The call itself: default arguments, conversions, the instance.
    fn finish(
        &mut self,
        id: FunctionId,
        bound: Vec<super::Arg>,
        params: &[Type],
        object: Option<Expr>,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let declared = self.sema.declared[id].clone();
        if declared.ast.storage.global {
            return self.kernel_called(&declared.ast, span);
        }
        if !super::host::callable(&declared.ast, self.side) {
            return self.other_side(&declared.ast, span);
        }
        let words = declared.ast.storage;
        let mut args = Vec::new();
        let mut values = values.into_iter();
        for (i, param) in params.iter().enumerate() {
            let value = match values.next() {
                Some(value) => value,
                None => self.default_argument(&declared, &bound, i)?,
            };
            args.push(if param.is_reference() {
                self.refer(value, param)?
            } else {
                self.convert(value, param)?
            });
        }
        let key = (id, bound.clone(), self.side);
        let host = self.side == Side::Host;
        if (object.is_none() || host) && self.sema.active.contains(&key) {
            return self.again(key, &declared, object, args, span);
        }
        let function = self.sema.instantiate(id, bound, self.side, span)?;
        if words.constexpr
            && object.is_none()
            && args.iter().all(Expr::is_constant)
            && let Some(value) = super::evaluate::call(&self.sema.types, &function, &args)
        {
            return Some(Expr { span, ..value });
        }
        if let (true, Some(object)) = (function.this_addressed && !host, &object) {
            self.mark_addressed(object);
        }
        for (arg, var) in args.iter().zip(&function.vars) {
            if var.reference && var.addressed && !host {
                self.mark_addressed(arg);
            }
        }
        let ty = function.returns.clone();
        let place = function.reference;
        let kind = ExprKind::Call(function, object.map(Box::new), args);
        Some(Expr { kind, ty, span, place })
    }

    /// The function that is being checked, or one that called it, is called again.
    fn again(
        &mut self,
        key: super::Instance,
        declared: &super::Declared,
        object: Option<Expr>,
        args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let names = declared.ast.template.iter().map(|t| t.name.clone());
        let pairs: Vec<_> = names.zip(key.1.iter().cloned()).collect();
        self.bind(&pairs);
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let returns = returns?;
        if returns.is_reference() && self.side == Side::Device {
            return self.sema.unsupported(span, "recursion that returns references");
        }
        let again = self.sema.again.entry(key).or_default().clone();
        again.sites.set(again.sites.get() + 1);
        let place = returns.is_reference();
        let ty = returns.unreferenced().clone();
        let kind = ExprKind::Again(again, object.map(Box::new), args);
        Some(Expr { kind, ty, span, place })
    }

    fn default_argument(
        &mut self,
        declared: &super::Declared,
        bound: &[super::Arg],
        i: usize,
    ) -> Checked<Expr> {
        let Init::Expr(value) = &declared.ast.params[i].init else { return None };
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let pairs: Vec<_> = declared
            .ast
            .template
            .iter()
            .map(|t| t.name.clone())
            .zip(bound.iter().cloned())
            .collect();
        self.bind(&pairs);
        let value = self.expr(value);
        self.scopes = outer;
        value
    }
}
