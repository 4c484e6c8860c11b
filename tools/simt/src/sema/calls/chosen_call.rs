//! The call of the function that overload resolution has chosen: default arguments, conversions,
//! the template's instance, recursion.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::resolve::contains_auto;
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Checked, Declared, FunctionId, Side};
use crate::syntax::ast::{self, Init};
use crate::syntax::name::Path;
use std::collections::HashMap;

/// A template's parameters and what they are bound to.
pub(in crate::sema) fn bound_names(declared: &Declared, bound: &[Arg]) -> Vec<(Path, Arg)> {
    let names = declared.ast.template.iter().map(|t| Path::from(t.name));
    names.zip(bound.iter().cloned()).collect()
}

impl Body<'_, '_> {
    /// The part of an object that is of this class.
    fn as_owner(&mut self, object: Expr, owner: ClassId, span: Span) -> Expr {
        let Kind::Struct(index) = object.ty.kind else { return object };
        match self.sema.types.base_path(index, owner) {
            Some(path) if !path.is_empty() => self.along(object, &path, span),
            _ => object,
        }
    }

    /// Whether the object is a variable of its class, whose dynamic type is known.
    fn is_variable(&self, object: &Expr) -> bool {
        let ExprKind::Var(id) = object.kind else { return false };
        let var = &self.vars[id as usize];
        !var.reference && var.ty.kind == object.ty.kind
    }

    /// A call in an unevaluated operand, if its type is known without the body; `foreign` says that
    /// the other side has the function.
    fn unevaluated_call(
        &mut self,
        declared: &Declared,
        bound: &[Arg],
        foreign: bool,
        span: Span,
    ) -> Option<Checked<Expr>> {
        if !self.sema.instances.unevaluated {
            return None;
        }
        let ast = &declared.ast;
        let deduced = contains_auto(&ast.returns);
        if ast.body.is_none() || foreign && !deduced {
            return Some(self.declared_call(declared, bound, span));
        }
        // The body may call what only the other side has, and its type is known without it.
        let void = matches!(ast.returns.kind, ast::TypeKind::Prim(ast::Prim::Void));
        if deduced || void || ast.storage.constexpr {
            return None;
        }
        self.speculate(|b| b.declared_call(declared, bound, span)).ok().map(Ok)
    }

    /// The call itself: default arguments, conversions, the instance.
    pub(in crate::sema) fn finish(
        &mut self,
        id: FunctionId,
        bound: Vec<crate::sema::Arg>,
        params: &[Type],
        object: Option<Expr>,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let declared = self.sema.definitions[id].clone();
        // It may be a base's.
        let object = match (object, declared.owner) {
            (Some(object), Some(owner)) => Some(self.as_owner(object, owner, span)),
            (object, _) => object,
        };
        if declared.ast.storage.global {
            return self.kernel_called(&declared.ast, span);
        }
        let foreign = !crate::sema::host::callable(&declared.ast, self.side);
        // In an unevaluated operand only its type counts, which both sides know.
        if foreign && !self.sema.instances.unevaluated {
            return self.other_side(&declared.ast, span);
        }
        if declared.ast.body_kind == ast::BodyKind::Delete {
            return self.deleted(&declared.ast, span);
        }
        let words = declared.ast.storage;
        let (mut args, mut constants) = (Vec::new(), Vec::new());
        let mut values = values.into_iter();
        for (i, param) in params.iter().enumerate() {
            let value = match values.next() {
                Some(value) => value,
                None => self.at_call_site(span, |b| b.default_argument(&declared, &bound, i))?,
            };
            // A constant that a reference binds to stays one for the evaluation below.
            let constant = self.constant_of(&value);
            let value = match (&constant, param.is_reference()) {
                (Some(constant), false) => constant.clone(),
                (Some(_), true) => self.kept_variable(value),
                (None, _) => value,
            };
            let constant = constant.or_else(|| value.is_constant().then(|| value.clone()));
            let plain = constant
                .filter(|_| words.constexpr && param.is_reference())
                .map(|constant| (constant, param.unreferenced().unqualified()));
            // What takes a symbol takes the variable of the device.
            let symbol = declared.ast.name.last().contains("Symbol");
            let value = if symbol { value } else { self.of_shadow(value) };
            let arg = match param.is_reference() {
                true => self.refer(value, param)?,
                false => self.convert(value, param)?,
            };
            if words.constexpr {
                constants.push(match plain {
                    Some((value, ty)) if ty.is_arithmetic() => self.convert(value, &ty)?,
                    _ => arg.clone(),
                });
            }
            args.push(arg);
        }
        self.note_throwing(&declared, &bound);
        let key = (id, bound.clone(), self.side);
        let host = self.side == Side::Host;
        if self.sema.instances.active.contains(&key) {
            // On the device the callee has registers of its own.
            if let Some(object) = object.as_ref().filter(|_| !host) {
                self.mark_addressed(object);
            }
            for (arg, _) in args.iter().zip(params).filter(|(_, p)| p.is_reference() && !host) {
                self.mark_addressed(arg);
            }
            return self.recursive_call(key, &declared, object, args, span);
        }
        if let Some(object) = &object
            && !self.non_virtual
            && !self.is_variable(object)
            && self.sema.is_virtual(id)
        {
            return self.dynamic_call(id, object.clone(), args, span);
        }
        if let Some(made) = self.unevaluated_call(&declared, &bound, foreign, span) {
            return made;
        }
        let side = match (foreign, self.side) {
            (false, side) => side,
            (true, Side::Host) => Side::Device,
            (true, Side::Device) => Side::Host,
        };
        let function = self.sema.instantiate(id, bound, side, span)?;
        if words.constexpr
            && object.is_none()
            && constants.iter().all(Expr::is_constant)
            && let Some(value) = crate::sema::constexpr::evaluation::call(
                &self.sema.types,
                &self.sema.storage.constants,
                &function,
                &constants,
            )
        {
            return Ok(Expr { span, ..value });
        }
        if let (true, Some(object)) = (function.this_addressed && !host, &object) {
            self.mark_addressed(object);
        }
        for (arg, var) in args.iter().zip(&function.vars) {
            if var.reference && var.addressed && !host {
                self.mark_addressed(arg);
            }
        }
        let (ty, place, taken) = (function.returns.clone(), function.reference, function.moved);
        let kind = ExprKind::Call(function, object.map(Box::new), args);
        let made = Expr { kind, ty, span, place };
        Ok(if taken { crate::sema::classes::special_members::as_xvalue(made) } else { made })
    }

    /// A recursive call: of the function that is being checked, or of one that called it.
    fn recursive_call(
        &mut self,
        key: crate::sema::Instance,
        declared: &crate::sema::Declared,
        object: Option<Expr>,
        args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        self.bind(&bound_names(declared, &key.1));
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let returns = returns?;
        if returns.is_reference() && self.side == Side::Device {
            return self.sema.unsupported(span, "recursion that returns references");
        }
        let recursion = self.sema.instances.recursive.entry(key).or_default().clone();
        recursion.sites.set(recursion.sites.get() + 1);
        recursion.noexcept.set(super::super::expressions::is_plainly_noexcept(&declared.ast));
        recursion.of_method.set(object.is_some() && self.side == Side::Device);
        let place = returns.is_reference();
        if declared.ast.template.is_empty()
            && matches!(declared.ast.returns.kind, ast::TypeKind::Auto)
        {
            return self.sema.unsupported(span, "recursion of a function that returns `auto`");
        }
        let ty = returns.unreferenced().clone();
        let kind = ExprKind::RecursiveCall(recursion, object.map(Box::new), args);
        Ok(Expr { kind, ty, span, place })
    }

    pub(in crate::sema) fn default_argument(
        &mut self,
        declared: &crate::sema::Declared,
        bound: &[crate::sema::Arg],
        i: usize,
    ) -> Checked<Expr> {
        let Init::Expr(value) = &declared.ast.params[i].init else { return Err(Reported) };
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        // It is written in the class, and may name what is static there.
        let owner = declared.owner.or(self.frame.owner);
        let owner = std::mem::replace(&mut self.frame.owner, owner);
        let this = if declared.owner.is_some() { self.frame.this.take() } else { None };
        self.bind(&declared.bindings);
        self.bind(&bound_names(declared, bound));
        let value = match &value.kind {
            ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => {
                Ok(self.braced_argument(value, true))
            }
            _ => self.expr(value),
        };
        self.frame.owner = owner;
        if declared.owner.is_some() {
            self.frame.this = this;
        }
        self.scopes = outer;
        value
    }
}
