//! Overload resolution: template argument deduction for each candidate, then the best viable
//! function by the ranks of its conversions. SFINAE takes candidates out without an error.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::conversions::standard_conversion::{Fit, elements_qualified, fit};
use crate::sema::conversions::user_conversion::Converting;
use crate::sema::templates::partial_ordering;
use crate::sema::tree::{Expr, Home};
use crate::sema::types::as_written::signature;
use crate::sema::types::{Kind, Type};
use crate::sema::{Arg, Checked, Entity, FunctionId};
use crate::syntax::ast::{self, Init, Prim, TemplateArg, TypeKind};
use crate::syntax::name::Path;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

/// A viable function.
struct Candidate {
    id: FunctionId,
    args: Vec<Arg>,
    params: Vec<Type>,
    fits: Vec<Fit>,
    /// The conversion functions among them.
    by: Vec<Option<Converting>>,
    /// The types that these conversions give.
    taken: Vec<Type>,
    template: bool,
    ast: Rc<ast::Function>,
}

/// Why a candidate is not viable.
pub(in crate::sema) enum Refusal {
    Count,
    Template(String),
    Argument(usize, String),
    /// Reported already.
    Silent,
}

impl Body<'_, '_> {
    /// The best viable function of `ids`; an error if there is none, or more than one.
    pub(in crate::sema) fn choose(
        &mut self,
        name: impl Into<Path>,
        ids: &[FunctionId],
        explicit: &[TemplateArg],
        values: &[Expr],
        span: Span,
    ) -> Checked<(FunctionId, Vec<Arg>, Vec<Type>)> {
        let name = name.into();
        self.sema.take_steps_for_candidates(ids.len(), span)?;
        let mut fitting: Vec<Candidate> = Vec::new();
        let mut refusals = Vec::new();
        for id in ids {
            match self.candidate(*id, explicit, values) {
                Ok(candidate) => fitting.push(candidate),
                Err(Refusal::Silent) => return Err(Reported),
                Err(refusal) => refusals.push((*id, refusal)),
            }
        }
        match self.best(&fitting) {
            Some(i) => {
                let chosen = fitting.swap_remove(i);
                Ok((chosen.id, chosen.args, chosen.params))
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
                        .with_label(self.sema.definitions[candidate.id].ast.span, "this one does");
                }
                self.sema
                    .report(diagnostic.with_help("cast the arguments to the types that are meant"));
                Err(Reported)
            }
        }
    }

    /// Overload resolution for an operator: members of the left operand, and functions of all
    /// operands. `None` if none is best. The flag tells whether it is a member.
    pub(in crate::sema) fn choose_operator(
        &mut self,
        methods: &[FunctionId],
        functions: &[FunctionId],
        values: &[Expr],
    ) -> Option<(FunctionId, Vec<Arg>, Vec<Type>, bool)> {
        let (object, rest) = values.split_first()?;
        let candidates = methods.len() + functions.len();
        self.sema.take_steps_for_candidates(candidates, object.span).ok()?;
        let mut fitting: Vec<(Candidate, bool)> = Vec::new();
        for id in methods {
            let constant = self.sema.definitions[*id].ast.constant;
            if object.ty.constant && !constant {
                continue;
            }
            if let Ok(mut candidate) = self.speculate(|b| b.candidate(*id, &[], rest)) {
                let own = if constant && !object.ty.constant { Fit::Qualified } else { Fit::Exact };
                candidate.fits.insert(0, own);
                candidate.by.insert(0, None);
                candidate.taken.insert(0, Kind::Reference(Rc::new(object.ty.clone())).into());
                fitting.push((candidate, true));
            }
        }
        for id in functions {
            if let Ok(candidate) = self.speculate(|b| b.candidate(*id, &[], values)) {
                fitting.push((candidate, false));
            }
        }
        let flags: Vec<bool> = fitting.iter().map(|f| f.1).collect();
        let mut all: Vec<Candidate> = fitting.into_iter().map(|f| f.0).collect();
        let i = self.best(&all)?;
        let chosen = all.swap_remove(i);
        Some((chosen.id, chosen.args, chosen.params, flags[i]))
    }

    /// Whether the function is viable for these arguments.
    pub(in crate::sema) fn could_take(&mut self, id: FunctionId, values: &[Expr]) -> bool {
        self.speculate(|b| b.candidate(id, &[], values)).is_ok()
    }

    /// The function, or a template's instance, with exactly these parameter types.
    pub(in crate::sema) fn taking(
        &mut self,
        ids: &[FunctionId],
        explicit: &[TemplateArg],
        params: &[Type],
    ) -> Option<(FunctionId, Vec<Arg>)> {
        let value = |ty: &Type| {
            Expr::place(
                crate::sema::tree::ExprKind::Current,
                ty.unreferenced().clone(),
                Span::default(),
            )
        };
        let values: Vec<Expr> = params.iter().map(value).collect();
        let mut found = ids.iter().filter_map(|id| {
            let made = self.speculate(|b| b.candidate(*id, explicit, &values)).ok()?;
            let same =
                made.params.iter().map(Type::unqualified).eq(params.iter().map(Type::unqualified));
            same.then_some((made.template, made.id, made.args))
        });
        let found: Vec<_> = found.by_ref().collect();
        let plain = found.iter().find(|f| !f.0).or(found.first())?;
        Some((plain.1, plain.2.clone()))
    }

    /// Runs `inner` speculatively and discards its diagnostics (SFINAE).
    pub(in crate::sema) fn speculate<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let said = self.sema.diagnostics.list.len();
        let errors = self.sema.diagnostics.errors;
        let made = inner(self);
        self.sema.diagnostics.list.truncate(said);
        self.sema.diagnostics.errors = errors;
        made
    }

    fn none_fits<T>(
        &mut self,
        name: Path,
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
            let ast = self.sema.definitions[*id].ast.clone();
            match refusal {
                Refusal::Argument(i, to) => {
                    let at = values.get(*i).map_or(span, |v| v.span);
                    let from = given.get(*i).cloned().unwrap_or_default();
                    diagnostic =
                        Diagnostic::error("type", at, format!("cannot pass `{from}` as `{to}`"));
                    if from.contains("device_ptr<") {
                        diagnostic =
                            diagnostic.with_help("`thrust::raw_pointer_cast` makes it one");
                    }
                }
                Refusal::Count if ast.span.is_built_in() => {
                    let message = format!(
                        "`{name}` takes {}, not {}",
                        arguments(ast.params.len()),
                        values.len()
                    );
                    diagnostic = Diagnostic::error("overload", span, message)
                        .with_help(format!("it is `{}`", signature(&ast)));
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
        let lacks_address = |(_, refusal): &(FunctionId, Refusal)| {
            let Refusal::Argument(i, to) = refusal else { return false };
            values.get(*i).is_some_and(|value| value.place)
                && given.get(*i).is_some_and(|from| *to == format!("{from}*"))
        };
        if refusals.iter().any(lacks_address) {
            diagnostic = diagnostic.with_help("its address is wanted: write `&` before it");
        }
        for (id, refusal) in refusals {
            let words = match refusal {
                Refusal::Count => {
                    let n = self.sema.definitions[*id].ast.params.len();
                    format!("this takes {}", arguments(n))
                }
                Refusal::Template(why) => why.clone(),
                Refusal::Argument(i, to) => format!("argument {} would have to be a `{to}`", i + 1),
                Refusal::Silent => continue,
            };
            diagnostic = diagnostic.with_label(self.sema.definitions[*id].ast.span, words);
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    fn candidate(
        &mut self,
        id: FunctionId,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Result<Candidate, Refusal> {
        let declared = self.sema.definitions[id].clone();
        let ast = &declared.ast;
        let copied = declared.bindings.len() + declared.scope.as_ref().map_or(0, |s| s.len());
        self.sema.take_steps_for_names(copied, ast.span).map_err(|Reported| Refusal::Silent)?;
        let is_pack = |p: &ast::VarDecl| matches!(p.ty.kind, TypeKind::Expand(..));
        let needed =
            ast.params.iter().filter(|p| matches!(p.init, Init::None) && !is_pack(p)).count();
        let pack = ast.params.last().is_some_and(is_pack);
        if values.len() < needed || (!pack && values.len() > ast.params.len()) {
            return Err(Refusal::Count);
        }
        if self.sema.instances.overload_depth > 24 {
            return Err(Refusal::Template("it is asked for again and again".to_string()));
        }
        self.sema.instances.overload_depth += 1;
        let made = self.candidate_inner(id, &declared, explicit, values);
        self.sema.instances.overload_depth -= 1;
        made
    }

    fn candidate_inner(
        &mut self,
        id: FunctionId,
        declared: &crate::sema::Declared,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Result<Candidate, Refusal> {
        let ast = &declared.ast;
        let template = !ast.template.is_empty();
        // SFINAE: a substitution failure removes the candidate and is no error.
        let said = self.sema.diagnostics.list.len();
        let errors = self.sema.diagnostics.errors;
        let args = match self.template_args(declared, explicit, values) {
            Err(Refusal::Silent) if template => return Err(self.taken_out(said, errors)),
            made => made?,
        };
        // The parameters' types, with the template's arguments in scope, seen from outside.
        let seen = declared.scope.as_ref().map_or_else(HashMap::new, |s| (**s).clone());
        let outer = std::mem::replace(&mut self.scopes, vec![seen]);
        self.bind(&declared.bindings);
        let bindings: Vec<(Path, Arg)> =
            ast.template.iter().map(|t| t.name.into()).zip(args.iter().cloned()).collect();
        self.bind(&bindings);
        let mut params: Option<Vec<Type>> = Some(Vec::new());
        for param in &ast.params {
            let made = self.expand_types(&param.ty);
            params = params.zip(made.ok()).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        // Substitution into the result type may fail as well.
        let fits = match &ast.returns.kind {
            TypeKind::Member(..) if template => self.resolve(&ast.returns).is_ok(),
            TypeKind::Named(_, arguments) if template && !arguments.is_empty() => {
                self.resolve(&ast.returns).is_ok()
            }
            // `-> decltype(t.size())` names the parameters.
            TypeKind::Decltype(_)
                if template && ast.params.len() == params.as_ref().map_or(0, Vec::len) =>
            {
                let before = self.vars.len();
                for (param, ty) in ast.params.iter().zip(params.iter().flatten()) {
                    let id = self.add_var(&param.name, ty, param.span, Home::Own);
                    self.define(param.name, Entity::Var(id));
                }
                let around = (self.frame.this.take(), self.frame.owner);
                self.in_class_of(declared.owner, ast);
                let fits = self.resolve(&ast.returns).is_ok();
                (self.frame.this, self.frame.owner) = around;
                self.vars.truncate(before);
                fits
            }
            _ => true,
        };
        let params = params.filter(|_| fits);
        let wrong = match &params {
            Some(_) => self.unsatisfied(&ast.template, ast.requires.as_deref()),
            None => None,
        };
        self.scopes = outer;
        if wrong.is_some() {
            return Err(Refusal::Template("its constraints are not satisfied".to_string()));
        }
        let Some(params) = params else {
            return Err(if template { self.taken_out(said, errors) } else { Refusal::Silent });
        };
        if values.len() > params.len() {
            return Err(Refusal::Count);
        }
        let (mut fits, mut by) = (Vec::new(), Vec::new());
        for (i, (value, param)) in values.iter().zip(&params).enumerate() {
            let Some(found) = self.argument_fit(value, param) else {
                return Err(Refusal::Argument(i, self.sema.types.spell(param)));
            };
            by.push(match found {
                Fit::User | Fit::UserKept => self.conversion(value, param.unreferenced(), false),
                _ => None,
            });
            fits.push(found);
        }
        if ast.variadic.is_some() {
            let named = fits.len().min(ast.params.len() - 1);
            fits[named..].fill(Fit::Ellipsis);
        }
        let taken = params.iter().take(fits.len()).cloned().collect();
        let template = !ast.template.is_empty();
        Ok(Candidate { id, args, params, fits, by, taken, template, ast: ast.clone() })
    }

    /// The first diagnostic of the substitution becomes the reason.
    fn taken_out(&mut self, said: usize, errors: usize) -> Refusal {
        let why = self.sema.diagnostics.list.get(said).map(|d| d.message.clone());
        self.sema.diagnostics.list.truncate(said);
        self.sema.diagnostics.errors = errors;
        Refusal::Template(why.unwrap_or_else(|| "it does not apply".to_string()))
    }

    /// How well a value fits a parameter of this type, which may be a reference.
    pub(in crate::sema) fn argument_fit(&mut self, value: &Expr, param: &Type) -> Option<Fit> {
        let wanted = param.unreferenced();
        if let (Kind::Reference(_), Kind::Struct(_), false) =
            (&param.kind, &value.ty.kind, wanted.constant)
            && value.ty.kind != wanted.kind
            && self.referred(value, wanted).is_some()
        {
            return Some(Fit::User);
        }
        let rvalue = crate::sema::classes::special_members::is_rvalue(value);
        if let Kind::Rvalue(_) = param.kind {
            if value.ty.kind == wanted.kind {
                return rvalue.then_some(Fit::Exact);
            }
            return self.value_fit(value, wanted);
        }
        if param.is_reference() && value.place && rvalue && value.ty.kind == wanted.kind {
            return wanted.constant.then_some(Fit::Qualified);
        }
        if param.is_reference()
            && value.place
            && let (Kind::Struct(from), Kind::Struct(base)) = (&value.ty.kind, &wanted.kind)
            && from != base
            && self.sema.types.base_path(*from, *base).is_some()
        {
            let drops = value.ty.constant && !wanted.constant;
            return (!drops && (!rvalue || wanted.constant)).then_some(Fit::Conversion);
        }
        // `int a[4]` for a `const int (&)[4]`, or for an `int (&)[]`.
        if let (Kind::Array(x, n), Kind::Array(y, m), true) =
            (&value.ty.kind, &wanted.kind, param.is_reference() && value.place)
            && (n == m || *m == 0)
            && elements_qualified(x, y)
            && value.ty.kind != wanted.kind
        {
            return Some(Fit::Qualified);
        }
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
        let found = self.value_fit(value, wanted)?;
        // An rvalue binds to `T&&` rather than to `const T&`.
        Some(if param.is_reference() { found.kept() } else { found })
    }

    fn value_fit(&mut self, value: &Expr, wanted: &Type) -> Option<Fit> {
        fit(&self.sema.types, &value.ty, wanted, Self::is_null(value))
            .or_else(|| Self::is_text_for(value, wanted).then_some(Fit::Conversion))
            .or_else(|| self.converts_in_c(value, wanted).then_some(Fit::Conversion))
            .or_else(|| self.user_fit(value, wanted))
    }

    /// The template arguments, if deduction succeeds.
    pub(in crate::sema) fn arguments_of(
        &mut self,
        ast: &std::rc::Rc<ast::Function>,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Option<Vec<Arg>> {
        let declared = crate::sema::Declared {
            ast: ast.clone(),
            owner: None,
            bindings: std::rc::Rc::default(),
            scope: None,
        };
        self.template_args(&declared, explicit, values).ok()
    }

    /// Of two conversions of an object, or of its address: that to the nearer base is better, and of
    /// two to one base that which adds no `const`.
    fn nearer(&self, a: &Type, b: &Type) -> Ordering {
        let references = a.is_reference() && b.is_reference();
        let (a, b) = (a.unreferenced(), b.unreferenced());
        let pointers = a.pointee().is_some();
        let (a, b) = match (a.pointee(), b.pointee()) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => (a, b),
            _ => return Ordering::Equal,
        };
        match (&a.kind, &b.kind) {
            (Kind::Struct(_), Kind::Prim(Prim::Void)) => Ordering::Less,
            (Kind::Prim(Prim::Void), Kind::Struct(_)) => Ordering::Greater,
            (Kind::Struct(a), Kind::Struct(b)) if a != b => {
                let [down, up] = [(a, b), (b, a)].map(|(x, y)| self.sema.types.base_path(*x, *y));
                down.is_none().cmp(&up.is_none())
            }
            (Kind::Struct(_), Kind::Struct(_)) if references || pointers => {
                a.constant.cmp(&b.constant)
            }
            _ => Ordering::Equal,
        }
    }

    /// The candidate that is better than all others.
    fn best(&self, fitting: &[Candidate]) -> Option<usize> {
        let better = |a: &Candidate, b: &Candidate| {
            let count = a.fits.len().min(b.fits.len());
            let order = match a.template && b.template {
                true => partial_ordering::order(&a.ast, &b.ast, count),
                false => b.template.cmp(&a.template),
            };
            // A reference that adds `const` is as good as a copy: partial ordering decides.
            let ordered = a.template && b.template && order != Ordering::Equal;
            let rank = |i: usize| match (a.fits[i], b.fits[i]) {
                (Fit::Exact | Fit::Qualified, Fit::Exact | Fit::Qualified)
                    if ordered && a.taken[i].is_reference() != b.taken[i].is_reference() =>
                {
                    Ordering::Equal
                }
                (
                    x @ (Fit::Conversion | Fit::ConversionKept),
                    y @ (Fit::Conversion | Fit::ConversionKept),
                ) => self.nearer(&a.taken[i], &b.taken[i]).then(x.cmp(&y)),
                (x, y) => match (&a.by[i], &b.by[i]) {
                    // By one function: what follows it decides.
                    (Some((f, of, then)), Some((g, og, other))) if (f, of) == (g, og) => {
                        then.cmp(other).then(x.cmp(&y))
                    }
                    _ => x.cmp(&y),
                },
            };
            let ranks = || (0..count).map(rank);
            ranks().all(Ordering::is_le)
                && (ranks().any(Ordering::is_lt)
                    || order == Ordering::Greater
                    || order == Ordering::Equal && self.sema.more_constrained(&a.ast, &b.ast))
        };
        (0..fitting.len())
            .find(|i| (0..fitting.len()).all(|j| *i == j || better(&fitting[*i], &fitting[j])))
    }
}

/// "1 argument", "2 arguments".
fn arguments(n: usize) -> String {
    if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") }
}
