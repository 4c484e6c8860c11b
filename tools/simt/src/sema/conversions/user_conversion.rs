//! User-defined conversions: converting constructors and conversion functions (`operator T`).

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::conversions::standard_conversion::{Fit, fit};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Checked, FunctionId};
use crate::syntax::ast::{self, Init};

/// A conversion function with its template arguments, and the rank of what follows it.
pub(in crate::sema) type Converting = (FunctionId, Vec<Arg>, Fit);

impl Body<'_, '_> {
    /// The rank if a user-defined conversion exists.
    pub(in crate::sema) fn user_fit(&mut self, value: &Expr, wanted: &Type) -> Option<Fit> {
        if let Kind::List(list) = value.ty.kind {
            return self.braced_fit(list, wanted);
        }
        if self.sema.instances.in_user_conversion || value.ty.is(ast::Prim::Void) {
            return None;
        }
        if self.closure_function(value, wanted).is_some() {
            return Some(Fit::User);
        }
        self.sema.instances.in_user_conversion = true;
        let made = self.converting(value, wanted).is_some()
            || self.conversion(value, wanted, false).is_some();
        self.sema.instances.in_user_conversion = false;
        made.then_some(Fit::User)
    }

    /// The converting constructors that take the value.
    fn converting(&mut self, value: &Expr, wanted: &Type) -> Option<Vec<FunctionId>> {
        let Kind::Struct(index) = wanted.kind else { return None };
        let ids = self.sema.definitions.constructors.get(&index).cloned()?;
        let fitting: Vec<FunctionId> = ids
            .into_iter()
            .filter(|id| {
                let ast = self.sema.definitions[*id].ast.clone();
                let alone = ast.params.iter().skip(1).all(|p| !matches!(p.init, Init::None));
                !ast.storage.explicit
                    && !ast.params.is_empty()
                    && alone
                    && self.could_take(*id, std::slice::from_ref(value))
            })
            .collect();
        if fitting.is_empty() { None } else { Some(fitting) }
    }

    /// A list that is returned or an argument calls no `explicit` constructor.
    pub(in crate::sema) fn check_implicit(&mut self, ty: &Type, made: &Expr, at: Span) {
        let Kind::Struct(class) = ty.kind else { return };
        let ExprKind::Comma(call, _) = &made.kind else { return };
        let ExprKind::Call(function, Some(_), _) = &call.kind else { return };
        let all = self.sema.definitions.constructors.get(&class).cloned().unwrap_or_default();
        let constructors = all.iter().map(|id| &self.sema.definitions[*id].ast);
        let mut called = constructors.filter(|ast| ast.span == function.span);
        let Some(explicit) = called.find(|ast| ast.storage.explicit) else { return };
        if at.is_built_in() || explicit.span.is_built_in() {
            return;
        }
        let (declared, name) = (explicit.span, self.sema.types.spell(&ty.unqualified()));
        let message = format!("a list alone does not call this constructor of `{name}`");
        let diagnostic = Diagnostic::error("type", at, message)
            .with_label(declared, "it is `explicit`")
            .with_help(format!("write `{name}{{..}}`, or declare it without `explicit`"));
        self.sema.report(diagnostic);
    }

    /// The best conversion function for the type.
    pub(in crate::sema) fn conversion(
        &mut self,
        value: &Expr,
        wanted: &Type,
        explicit: bool,
    ) -> Option<Converting> {
        let Kind::Struct(index) = value.ty.kind else { return None };
        let (ids, _) = self.sema.find_methods(index, "operator ")?;
        self.sema.take_steps_for_candidates(ids.len(), value.span).ok()?;
        let mut best: Option<(Fit, bool, FunctionId, Vec<Arg>)> = None;
        for id in ids {
            let declared = self.sema.definitions[id].clone();
            self.sema.take_steps_for_names(declared.bindings.len(), value.span).ok()?;
            if declared.ast.storage.explicit && !explicit {
                continue;
            }
            if value.ty.constant && !declared.ast.constant {
                continue;
            }
            let template = !declared.ast.template.is_empty();
            // To its own class or to a base of it no function converts.
            if template && !self.may_convert(index, wanted) {
                continue;
            }
            let args = match template {
                true => self.conversion_args(&declared, wanted),
                false => Some(Vec::new()),
            };
            let Some(args) = args else { continue };
            let scopes = vec![std::collections::HashMap::new()];
            let outer = std::mem::replace(&mut self.scopes, scopes);
            self.bind(&declared.bindings);
            let names = declared.ast.template.iter().map(|param| param.name.into());
            self.bind(&names.zip(args.iter().cloned()).collect::<Vec<_>>());
            let returns = self.resolve(&declared.ast.returns);
            self.scopes = outer;
            let Ok(returns) = returns else { continue };
            let Some(found) = fit(&self.sema.types, returns.unreferenced(), wanted, false) else {
                continue;
            };
            if best.as_ref().is_none_or(|(b, t, ..)| (found, template) < (*b, *t)) {
                best = Some((found, template, id, args));
            }
        }
        best.map(|(rank, _, id, args)| (id, args, rank))
    }

    fn may_convert(&self, class: ClassId, wanted: &Type) -> bool {
        match wanted.kind {
            Kind::Struct(to) => to != class && self.sema.types.base_path(class, to).is_none(),
            _ => !wanted.is(ast::Prim::Void),
        }
    }

    /// `None` if there is no user-defined conversion.
    pub(in crate::sema) fn converted(&mut self, value: &Expr, to: &Type) -> Option<Checked<Expr>> {
        if let Some(id) = self.closure_function(value, to)
            && self.side == crate::sema::Side::Host
        {
            let span = value.span;
            let made = self.pointer_to(id, Vec::new(), span);
            return Some(match made {
                Ok(pointer) if pointer.ty.kind == to.kind => Ok(pointer),
                Ok(pointer) => {
                    let text = self.sema.types.spell(&pointer.ty);
                    let message = format!("this lambda is a `{text}`, and another is needed");
                    self.sema.error("type", span, message)
                }
                Err(Reported) => Err(Reported),
            });
        }
        self.sema.instances.in_user_conversion = true;
        let constructors = self.converting(value, to);
        self.sema.instances.in_user_conversion = false;
        if let Some(ids) = constructors {
            return Some(self.construct_with(to, &ids, vec![value.clone()], value.span));
        }
        self.convert_by_class(value, to, false)
    }

    /// By an `operator T`; an `explicit` one too, where a condition or a cast asks.
    pub(in crate::sema) fn convert_by_class(
        &mut self,
        value: &Expr,
        to: &Type,
        explicit: bool,
    ) -> Option<Checked<Expr>> {
        let (id, args, _) = self.conversion(value, to, explicit)?;
        let span = value.span;
        let made = self.converted_by(id, args, value.clone(), span);
        Some(made.and_then(|value| self.convert(value, to)))
    }

    /// The place that an `operator T&` gives: what `std::ref` is for.
    pub(in crate::sema) fn referred(
        &mut self,
        value: &Expr,
        wanted: &Type,
    ) -> Option<Checked<Expr>> {
        let (id, args, _) = self.conversion(value, wanted, false)?;
        let made = self.speculate(|b| b.converted_by(id, args.clone(), value.clone(), value.span));
        let made = made.ok()?;
        if !made.place || made.ty.kind != wanted.kind {
            return None;
        }
        Some(self.converted_by(id, args, value.clone(), value.span))
    }

    fn converted_by(
        &mut self,
        id: FunctionId,
        args: Vec<Arg>,
        value: Expr,
        span: crate::diagnostic::Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = value.ty.kind else { return Err(Reported) };
        let path =
            self.sema.find_methods(index, "operator ").map(|(_, path)| path).ok_or(Reported)?;
        let object = self.whole_object(value, &path, span);
        let object = self.along(object, &path, span);
        self.check_function(index, id, span);
        self.finish(id, args, &[], Some(object), Vec::new(), span)
    }

    /// As a pointer, where `[]` asks for one: by the conversion for objects that are as constant as this.
    pub(in crate::sema) fn as_pointer(&mut self, value: Expr) -> Checked<Expr> {
        let Kind::Struct(index) = value.ty.kind else { return Ok(value) };
        let Some((ids, _)) = self.sema.find_methods(index, "operator ") else { return Ok(value) };
        let pointers: Vec<FunctionId> = ids
            .into_iter()
            .filter(|id| {
                let ast = &self.sema.definitions[*id].ast;
                let plain = !ast.storage.explicit && ast.template.is_empty();
                plain && matches!(ast.returns.kind, ast::TypeKind::Pointer(_))
            })
            .collect();
        let as_constant =
            |id: &&FunctionId| self.sema.definitions[**id].ast.constant == value.ty.constant;
        let Some(id) = pointers.iter().find(as_constant).or(pointers.first()).copied() else {
            return Ok(value);
        };
        let span = value.span;
        self.converted_by(id, Vec::new(), value, span)
    }

    /// As a number, where an operator asks for one and the class has just one to give.
    pub(in crate::sema) fn as_number(&mut self, value: Expr) -> Checked<Expr> {
        let Kind::Struct(index) = value.ty.kind else { return Ok(value) };
        let Some((ids, _)) = self.sema.find_methods(index, "operator ") else { return Ok(value) };
        let asked = |id: &FunctionId| {
            let ast = &self.sema.definitions[*id].ast;
            !ast.storage.explicit && ast.template.is_empty()
        };
        let open: Vec<FunctionId> = ids.into_iter().filter(asked).collect();
        let [id] = open.as_slice() else { return Ok(value) };
        let span = value.span;
        self.converted_by(*id, Vec::new(), value, span)
    }
}
