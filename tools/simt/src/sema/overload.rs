//! Which function a call means: deduction of template arguments, then the best fit.

use super::body::Body;
use super::convert::{Fit, fit};
use super::tree::Expr;
use super::types::{Kind, Type};
use super::{Arg, Checked, FunctionId};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{self, Init, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::token::Name;
use std::collections::HashMap;

/// A function that the call could mean.
struct Candidate {
    id: FunctionId,
    args: Vec<Arg>,
    params: Vec<Type>,
    fits: Vec<Fit>,
    template: bool,
    /// How much of its parameters is written out: of two templates, the more special one is meant.
    special: usize,
}

/// Why it could not.
enum Refusal {
    Count,
    Template(String),
    Argument(usize, String),
    /// Reported already.
    Silent,
}

impl Body<'_, '_> {
    /// Chooses among `ids`; says why none fits.
    pub(super) fn choose(
        &mut self,
        name: &str,
        ids: &[FunctionId],
        explicit: &[TemplateArg],
        values: &[Expr],
        span: Span,
    ) -> Checked<(FunctionId, Vec<Arg>, Vec<Type>)> {
        let mut fitting: Vec<Candidate> = Vec::new();
        let mut refusals = Vec::new();
        for id in ids {
            match self.candidate(*id, explicit, values) {
                Ok(candidate) => fitting.push(candidate),
                Err(Refusal::Silent) => return None,
                Err(refusal) => refusals.push((*id, refusal)),
            }
        }
        let better = |a: &Candidate, b: &Candidate| {
            let pairs = || a.fits.iter().zip(&b.fits);
            let never_worse = pairs().all(|(x, y)| x <= y);
            let special = b.template && (!a.template || a.special > b.special);
            never_worse && (pairs().any(|(x, y)| x < y) || special)
        };
        let best = (0..fitting.len())
            .find(|i| (0..fitting.len()).all(|j| *i == j || better(&fitting[*i], &fitting[j])));
        match best {
            Some(i) => {
                let chosen = fitting.swap_remove(i);
                Some((chosen.id, chosen.args, chosen.params))
            }
            None if fitting.is_empty() => self.none_fits(name, values, &refusals, span),
            None => {
                let mut diagnostic = Diagnostic::error(
                    "overload",
                    span,
                    format!("more than one `{name}` fits this call"),
                );
                for candidate in &fitting {
                    diagnostic = diagnostic
                        .with_label(self.sema.declared[candidate.id].ast.span, "this one does");
                }
                self.sema
                    .report(diagnostic.with_help("cast the arguments to the types that are meant"));
                None
            }
        }
    }

    fn none_fits<T>(
        &mut self,
        name: &str,
        values: &[Expr],
        refusals: &[(FunctionId, Refusal)],
        span: Span,
    ) -> Checked<T> {
        let given: Vec<String> =
            values.iter().map(|v| self.sema.types.spell(&v.ty.unqualified())).collect();
        let mut diagnostic = Diagnostic::error(
            "overload",
            span,
            format!("no `{name}` takes ({})", given.join(", ")),
        );
        if let [(id, refusal)] = refusals {
            let ast = self.sema.declared[*id].ast.clone();
            match refusal {
                Refusal::Argument(i, to) => {
                    let at = values.get(*i).map_or(span, |v| v.span);
                    let from = given.get(*i).cloned().unwrap_or_default();
                    diagnostic =
                        Diagnostic::error("type", at, format!("cannot pass `{from}` as `{to}`"));
                }
                Refusal::Count => {
                    let message = format!(
                        "`{name}` takes {} arguments, not {}",
                        ast.params.len(),
                        values.len()
                    );
                    diagnostic = Diagnostic::error("overload", span, message);
                }
                Refusal::Template(why) => {
                    diagnostic = Diagnostic::error("template", span, why.clone());
                }
                Refusal::Silent => {}
            }
        }
        for (id, refusal) in refusals {
            let words = match refusal {
                Refusal::Count => {
                    let n = self.sema.declared[*id].ast.params.len();
                    format!("this takes {}", arguments(n))
                }
                Refusal::Template(why) => why.clone(),
                Refusal::Argument(i, to) => format!("argument {} would have to be a `{to}`", i + 1),
                Refusal::Silent => continue,
            };
            diagnostic = diagnostic.with_label(self.sema.declared[*id].ast.span, words);
        }
        self.sema.report(diagnostic);
        None
    }

    fn candidate(
        &mut self,
        id: FunctionId,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Result<Candidate, Refusal> {
        let declared = self.sema.declared[id].clone();
        let ast = &declared.ast;
        let needed = ast.params.iter().filter(|p| matches!(p.init, Init::None)).count();
        if values.len() < needed || values.len() > ast.params.len() {
            return Err(Refusal::Count);
        }
        let args = self.template_args(ast, explicit, values)?;
        // The parameters' types, with the template's arguments in scope, seen from outside.
        let seen = declared.scope.as_ref().map_or_else(HashMap::new, |s| (**s).clone());
        let outer = std::mem::replace(&mut self.scopes, vec![seen]);
        self.bind(&declared.bindings);
        let bindings: Vec<(Name, Arg)> =
            ast.template.iter().map(|t| t.name.clone()).zip(args.iter().cloned()).collect();
        self.bind(&bindings);
        let params: Option<Vec<Type>> = ast.params.iter().map(|p| self.resolve(&p.ty)).collect();
        self.scopes = outer;
        let params = params.ok_or(Refusal::Silent)?;
        let mut fits = Vec::new();
        for (i, (value, param)) in values.iter().zip(&params).enumerate() {
            match self.argument_fit(value, param) {
                Some(found) => fits.push(found),
                None => return Err(Refusal::Argument(i, self.sema.types.spell(param))),
            }
        }
        let special = ast.params.iter().map(|p| written_out(&p.ty, ast)).sum();
        Ok(Candidate { id, args, params, fits, template: !ast.template.is_empty(), special })
    }

    fn argument_fit(&self, value: &Expr, param: &Type) -> Option<Fit> {
        let wanted = param.unreferenced();
        if param.is_reference() && value.place && value.ty.kind == wanted.kind {
            if value.ty.constant && !wanted.constant {
                return None;
            }
            return Some(if value.ty.constant == wanted.constant {
                Fit::Exact
            } else {
                Fit::Qualified
            });
        }
        if param.is_reference() && !wanted.constant {
            return None;
        }
        fit(&self.sema.types, &value.ty, wanted, Self::is_null(value))
    }

    /// What a template's parameters stand for, if that can be told.
    pub(super) fn arguments_of(
        &mut self,
        ast: &ast::Function,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Option<Vec<Arg>> {
        self.template_args(ast, explicit, values).ok()
    }

    fn template_args(
        &mut self,
        ast: &ast::Function,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Result<Vec<Arg>, Refusal> {
        if explicit.len() > ast.template.len() {
            return Err(Refusal::Template(format!(
                "it has only {} template parameters",
                ast.template.len()
            )));
        }
        let mut found: HashMap<Name, Arg> = HashMap::new();
        for (param, written) in ast.template.iter().zip(explicit) {
            let arg = self.template_argument(written).ok_or(Refusal::Silent)?;
            found.insert(param.name.clone(), arg);
        }
        for (param, value) in ast.params.iter().zip(values) {
            let ty = match (&param.ty.kind, &value.ty.kind) {
                (TypeKind::Reference(_), _) => value.ty.clone(),
                (_, Kind::Array(element, _)) => (**element).clone().pointer_to(),
                _ => value.ty.unqualified(),
            };
            if let Some((name, first, second)) = self.deduce(&param.ty, &ty, ast, &mut found) {
                let (a, b) = (self.spell_arg(&first), self.spell_arg(&second));
                return Err(Refusal::Template(format!("`{name}` would be both `{a}` and `{b}`")));
            }
        }
        let mut args = Vec::new();
        for param in &ast.template {
            let arg = match (found.remove(&param.name), &param.default) {
                (Some(arg), _) => arg,
                (None, Some(default)) => {
                    let pairs: Vec<(Name, Arg)> = ast
                        .template
                        .iter()
                        .map(|t| t.name.clone())
                        .zip(args.iter().cloned())
                        .collect();
                    self.scopes.push(HashMap::new());
                    self.bind(&pairs);
                    let arg = self.template_argument(default);
                    self.scopes.pop();
                    arg.ok_or(Refusal::Silent)?
                }
                (None, None) => {
                    return Err(Refusal::Template(format!(
                        "the template argument `{}` cannot be told from the call: write `{}<..>(..)`",
                        param.name, ast.name
                    )));
                }
            };
            // A value takes its parameter's type.
            let arg = match (arg, &param.value) {
                (Arg::Value(v, _), Some(ty)) => {
                    let pairs: Vec<(Name, Arg)> = ast
                        .template
                        .iter()
                        .map(|t| t.name.clone())
                        .zip(args.iter().cloned())
                        .collect();
                    self.scopes.push(HashMap::new());
                    self.bind(&pairs);
                    let ty = self.resolve(ty);
                    self.scopes.pop();
                    let ty = ty.ok_or(Refusal::Silent)?;
                    let v = self.sema.types.scalar(&ty).map_or(v, |p| super::fold::wrap(v, p));
                    Arg::Value(v, ty)
                }
                (arg @ Arg::Type(_), None) => arg,
                (_, Some(_)) => {
                    return Err(Refusal::Template(format!(
                        "`{}` is a value, not a type",
                        param.name
                    )));
                }
                (_, None) => {
                    return Err(Refusal::Template(format!(
                        "`{}` is a type, not a value",
                        param.name
                    )));
                }
            };
            args.push(arg);
        }
        Ok(args)
    }

    /// Reads template arguments off an argument's type; a contradiction comes back.
    fn deduce(
        &self,
        pattern: &TypeExpr,
        ty: &Type,
        ast: &ast::Function,
        found: &mut HashMap<Name, Arg>,
    ) -> Option<(Name, Arg, Arg)> {
        match &pattern.kind {
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                if !ast.template.iter().any(|t| t.name == *name && t.value.is_none()) {
                    return None;
                }
                let mut ty = ty.clone();
                ty.constant &= !pattern.constant;
                ty.volatile &= !pattern.volatile;
                note(name, Arg::Type(ty), found)
            }
            TypeKind::Named(name, arguments) => {
                let key = self.sema.struct_instances.iter().find(|(_, t)| t.kind == ty.kind)?.0;
                if key.0 != *name {
                    return None;
                }
                for (written, arg) in arguments.iter().zip(&key.1) {
                    let conflict = match (written, arg) {
                        (TemplateArg::Type(inner), Arg::Type(t)) => {
                            self.deduce(inner, t, ast, found)
                        }
                        (TemplateArg::Value(e), arg) => deduce_value(e, arg, ast, found),
                        _ => None,
                    };
                    if conflict.is_some() {
                        return conflict;
                    }
                }
                None
            }
            TypeKind::Reference(inner) => self.deduce(inner, ty, ast, found),
            TypeKind::Pointer(inner) => self.deduce(inner, ty.pointee()?, ast, found),
            TypeKind::Array(inner, length) => {
                let Kind::Array(element, n) = &ty.kind else { return None };
                if let Some(length) = length {
                    let arg = Arg::Value(i128::from(*n), ast::Prim::ULong.into());
                    if let Some(conflict) = deduce_value(length, &arg, ast, found) {
                        return Some(conflict);
                    }
                }
                self.deduce(inner, element, ast, found)
            }
            _ => None,
        }
    }
}

/// The parts of a type that are no parameter of the template.
fn written_out(ty: &TypeExpr, ast: &ast::Function) -> usize {
    match &ty.kind {
        TypeKind::Named(name, arguments) => {
            let own = usize::from(!ast.template.iter().any(|t| t.name == *name));
            let inner = arguments.iter().map(|a| match a {
                TemplateArg::Type(ty) => written_out(ty, ast),
                TemplateArg::Value(_) => 0,
            });
            own + inner.sum::<usize>()
        }
        TypeKind::Pointer(inner) | TypeKind::Array(inner, _) => 1 + written_out(inner, ast),
        TypeKind::Reference(inner) => written_out(inner, ast),
        _ => 1,
    }
}

/// "1 argument", "2 arguments".
fn arguments(n: usize) -> String {
    if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") }
}

fn deduce_value(
    e: &ast::Expr,
    arg: &Arg,
    ast: &ast::Function,
    found: &mut HashMap<Name, Arg>,
) -> Option<(Name, Arg, Arg)> {
    let ast::ExprKind::Name(name, None) = &e.kind else { return None };
    if !ast.template.iter().any(|t| t.name == *name && t.value.is_some()) {
        return None;
    }
    note(name, arg.clone(), found)
}

fn note(name: &Name, arg: Arg, found: &mut HashMap<Name, Arg>) -> Option<(Name, Arg, Arg)> {
    match found.get(name) {
        Some(Arg::Value(a, _)) if matches!(&arg, Arg::Value(b, _) if a == b) => None,
        Some(known) if *known != arg => Some((name.clone(), known.clone(), arg)),
        Some(_) => None,
        None => {
            found.insert(name.clone(), arg);
            None
        }
    }
}
