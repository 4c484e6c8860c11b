//! Calls: of functions, methods, constructors, operators and built-in functions.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, FunctionId, Side};
use crate::syntax::ast::{self, Init, TemplateArg};
use crate::syntax::name::Path;
use std::collections::HashMap;

impl Body<'_, '_> {
    pub(in crate::sema) fn call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        match &callee.kind {
            ast::ExprKind::Name(name, explicit) => {
                let explicit = explicit.as_deref().unwrap_or(&[]);
                self.named_call(*name, explicit, args, callee.span, span)
            }
            ast::ExprKind::Member(object, name, at, arrow) => {
                let object = self.object(object, *arrow)?;
                self.member_call(object, *name, &[], *at, args, span)
            }
            ast::ExprKind::MemberTemplate(member, explicit) => {
                if let ast::ExprKind::Scoped(ty, name) = &member.kind {
                    let ty = self.resolve(ty)?;
                    return self.static_call(&ty, name.into(), explicit, args, callee.span, span);
                }
                let ast::ExprKind::Member(object, name, at, arrow) = &member.kind else {
                    return None;
                };
                let object = self.object(object, *arrow)?;
                self.member_call(object, *name, explicit, *at, args, span)
            }
            ast::ExprKind::Scoped(ty, name) => {
                let ty = self.resolve(ty)?;
                self.static_call(&ty, name.into(), &[], args, callee.span, span)
            }
            _ => {
                let object = self.expr(callee)?;
                self.call_value(object, args, callee.span, span)
            }
        }
    }

    /// A call of what an expression gives: an object with `operator()`, or a pointer to a function.
    fn call_value(
        &mut self,
        object: Expr,
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        if matches!(object.ty.kind, Kind::Struct(_)) {
            return self.method_call(object, "operator()".into(), &[], at, args, span);
        }
        self.call_through(object, args, at, span)
    }

    pub(in crate::sema) fn values(&mut self, args: &[ast::Expr]) -> Checked<Vec<Expr>> {
        self.expand_all(args, |body, arg| match &arg.kind {
            // Its type depends on who takes it.
            ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => {
                let first = match &arg.kind {
                    ast::ExprKind::List(items) => items.first(),
                    _ => None,
                };
                let first = first.and_then(|first| body.speculate(|b| b.rvalue(first)));
                body.lists.push(arg.clone());
                body.list_types.push(first.map(|value| value.ty.unqualified()));
                let kind = Kind::List(body.lists.len() as u32 - 1);
                Some(Expr::new(ExprKind::Zero, kind.into(), arg.span))
            }
            _ => body.expr(arg),
        })
    }

    fn named_call(
        &mut self,
        name: Path,
        explicit: &[TemplateArg],
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        // A template's parameter that is a function.
        if let Some(crate::sema::Entity::Function(real)) = self.lookup(name) {
            return self.named_call(real, explicit, args, at, span);
        }
        // A variable with `operator()`, or one that points to a function.
        if let Some(value) = self.value_called(name, at) {
            return self.call_value(value?, args, at, span);
        }
        if let Some(index) = self.owner
            && self.sema.find_methods(index, name).is_some()
        {
            let Some(this) = self.this.clone() else {
                return self.static_call(
                    &Kind::Struct(index).into(),
                    name,
                    explicit,
                    args,
                    at,
                    span,
                );
            };
            let object = Expr::place(ExprKind::This, this, at);
            return self.method_call(object, name, explicit, at, args, span);
        }
        if let Some(object) = self.object_here(at)
            && let Kind::Struct(index) = object.ty.kind
            && self.sema.methods.contains_key(&(index, name))
        {
            return self.method_call(object, name, explicit, at, args, span);
        }
        if let Some(owner) = name.parent()
            && let Some(crate::sema::Entity::Type(ty)) = self.lookup(owner)
            && matches!(ty.kind, Kind::Struct(_))
        {
            return self.static_call(&ty, name.last().into(), explicit, args, at, span);
        }
        if let Some(made) = self.primitive_call(name, args, span) {
            return made;
        }
        if let Some(mut ids) = self.functions_here(name) {
            let values = self.values(args)?;
            ids.extend(
                self.adl_candidates(name, &values)
                    .into_iter()
                    .filter(|id| !ids.contains(id))
                    .collect::<Vec<_>>(),
            );
            // `make_int4(1)` of the unit stands beside the built-in one.
            let beside = crate::sema::calls::builtins::knows(name)
                && explicit.is_empty()
                && !ids.iter().any(|id| self.could_take(*id, &values));
            if !beside {
                let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
                return self.finish(id, bound, &params, None, values, span);
            }
        }
        // `exp` of a `std::complex` is the one beside its type.
        if !name.is_qualified()
            && crate::sema::calls::builtins::knows(name)
            && let Some(values) = self.speculate(|b| b.values(args))
        {
            let ids = self.adl_candidates(name, &values);
            if ids.iter().any(|id| self.could_take(*id, &values)) {
                let values = self.values(args)?;
                let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
                return self.finish(id, bound, &params, None, values, span);
            }
        }
        // `assert` quotes its argument.
        if let Some(made) = self.builtin_call(name, args, at, span) {
            return self.for_this_side(made?, &name.to_string(), at);
        }
        // C++ also looks where the arguments' types are.
        if !name.is_qualified() {
            let values = self.values(args)?;
            let ids = self.adl_candidates(name, &values);
            if !ids.is_empty() {
                let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
                return self.finish(id, bound, &params, None, values, span);
            }
        }
        let builtin = crate::sema::calls::builtins::NAMES.iter().map(|n| (*n).to_string());
        let known = self.sema.functions.keys().map(Path::to_string).chain(builtin);
        let mut diagnostic =
            Diagnostic::error("name", at, format!("no function `{name}` is known"));
        if let Some(close) =
            crate::sema::expressions::id_expression::closest(&name.to_string(), known)
        {
            diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
        }
        self.sema.report(diagnostic);
        None
    }

    /// Functions of that name in the namespaces of the arguments' types, and friends of those.
    fn adl_candidates(&self, name: Path, values: &[Expr]) -> Vec<FunctionId> {
        let mut out = Vec::new();
        let Some(name) = name.unqualified() else { return out };
        for value in values {
            let ty = value.ty.pointee().unwrap_or(&value.ty);
            let Kind::Struct(index) = ty.kind else { continue };
            let Some(space) = self.sema.types.get(index).namespace else { continue };
            for id in self.sema.functions.get(&space.join(name)).into_iter().flatten() {
                if !out.contains(id) {
                    out.push(*id);
                }
            }
        }
        out
    }

    /// What a name means that is no function: `None` if it is none.
    fn value_called(&mut self, name: Path, at: Span) -> Option<Checked<Expr>> {
        use crate::sema::Entity;
        let local = self.scopes.iter().rev().find_map(|s| s.get(&name)).cloned();
        let member = local.is_none()
            && self.owner.is_some_and(|o| self.sema.find_methods(o, name).is_none())
            && self.this.is_some()
            && self.owner.is_some_and(|o| self.sema.types.find(o, name).is_some());
        let value = matches!(
            self.lookup(name),
            Some(
                Entity::Var(_)
                    | Entity::HostGlobal(_)
                    | Entity::Global(_)
                    | Entity::StructuredBinding(..)
            )
        );
        // A function that a template is given.
        let constant =
            matches!(self.lookup(name), Some(Entity::Constant(e)) if e.ty.signature().is_some());
        (member || value || constant)
            .then(|| self.expr(&ast::Expr { kind: ast::ExprKind::Name(name, None), span: at }))
    }

    /// The functions of that name; `std::lround` is the built-in `lround`.
    pub(in crate::sema) fn functions(&self, name: Path) -> Option<Vec<FunctionId>> {
        if let Some(ids) = self.sema.functions.get(&name) {
            return Some(ids.clone());
        }
        let ids = self.sema.functions.get(&name.in_std()?.into())?.clone();
        ids.iter().all(|id| self.sema.declared[*id].ast.span.is_built_in()).then_some(ids)
    }

    /// `a.f(..)`, where `f` may be a member that points to a function, or has `operator()`.
    fn member_call(
        &mut self,
        object: Expr,
        name: Path,
        explicit: &[TemplateArg],
        at: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        if let Kind::Struct(index) = object.ty.kind
            && self.sema.find_methods(index, name).is_none()
            && let Some(path) = self.sema.types.find(index, name)
        {
            let object = self.materialize(object, span);
            let member = self.along(object, &path, at);
            return self.call_value(member, args, at, span);
        }
        // `p->Base::f()`
        if let Some(base) = name.parent()
            && let Some(crate::sema::Entity::Type(Type { kind: Kind::Struct(base), .. })) =
                self.lookup(base)
            && let Kind::Struct(index) = object.ty.kind
            && let Some(path) = self.sema.types.base_path(index, base)
        {
            let object = self.along(object, &path, at);
            let dynamic = std::mem::replace(&mut self.non_virtual, true);
            let made = self.method_call(object, name.last().into(), explicit, at, args, span);
            self.non_virtual = dynamic;
            return made;
        }
        self.method_call(object, name, explicit, at, args, span)
    }

    fn method_call(
        &mut self,
        object: Expr,
        name: Path,
        explicit: &[TemplateArg],
        at: Span,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let statically = std::mem::replace(&mut self.non_virtual, false);
        let values = self.values(args);
        self.non_virtual = statically;
        let values = values?;
        let Kind::Struct(index) = object.ty.kind else {
            let text = self.sema.types.spell(&object.ty);
            return self.sema.error("type", at, format!("a `{text}` has no functions to call"));
        };
        let Some((ids, path)) = self.sema.find_methods(index, name) else {
            let text = self.sema.types.spell(&object.ty.unqualified());
            return self.sema.error("name", at, format!("`{text}` has no function `{name}`"));
        };
        let object = self.materialize(object, span);
        let object = self.along(object, &path, at);
        let ids = self.by_constness(ids, object.ty.constant);
        let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
        if self.sema.declared[id].ast.storage.is_static {
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
    pub(in crate::sema) fn by_constness(
        &self,
        ids: Vec<FunctionId>,
        constant: bool,
    ) -> Vec<FunctionId> {
        let written = |id: FunctionId| -> Vec<String> {
            let params = &self.sema.declared[id].ast.params;
            params.iter().map(|p| crate::sema::types::resolve::spell_written(&p.ty)).collect()
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
        name: Path,
        explicit: &[TemplateArg],
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let text = self.sema.types.spell(&ty.unqualified());
        let found = match ty.kind {
            Kind::Struct(index) => self.sema.find_methods(index, name),
            _ => None,
        };
        // `Base::f()` in a method of a struct that has this base.
        if let (Kind::Struct(base), Some(this), Some(own), Some((ids, _))) =
            (&ty.kind, self.this.clone(), self.owner, &found)
            && !ids.iter().all(|id| self.sema.declared[*id].ast.storage.is_static)
            && let Some(path) = self.sema.types.base_path(own, *base)
        {
            let object = Expr::place(ExprKind::This, this, at);
            let object = self.along(object, &path, at);
            let outer = std::mem::replace(&mut self.non_virtual, true);
            let made = self.method_call(object, name, explicit, at, args, span);
            self.non_virtual = outer;
            return made;
        }
        let Some((ids, _)) = found else {
            return self.sema.error("name", at, format!("`{text}` has no function `{name}`"));
        };
        let values = self.values(args)?;
        let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
        if !self.sema.declared[id].ast.storage.is_static {
            return self.sema.error("type", at, format!("`{name}` needs an object of `{text}`"));
        }
        self.finish(id, bound, &params, None, values, span)
    }

    /// An object made by one of its constructors.
    pub(in crate::sema) fn construct_values(
        &mut self,
        ty: &Type,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return None };
        if let [one] = values.as_slice()
            && one.ty.kind == ty.kind
        {
            let one = values.into_iter().next()?;
            return self.owned(one);
        }
        let ids = self.sema.constructors.get(&index).cloned().unwrap_or_default();
        if let [one] = values.as_slice()
            && !ids.iter().any(|id| self.could_take(*id, &values))
        {
            // A copy of what the class converts to, or of an object with this base.
            let one = one.clone();
            if crate::sema::conversions::standard_conversion::fit(
                &self.sema.types,
                &one.ty,
                ty,
                false,
            )
            .is_some()
            {
                return self.convert(one, ty);
            }
            if let Some(value) = self.convert_by_class(&one, ty, true) {
                return value;
            }
        }
        self.construct_with(ty, &ids, values, span)
    }

    /// The same by one of these constructors.
    pub(in crate::sema) fn construct_with(
        &mut self,
        ty: &Type,
        ids: &[FunctionId],
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return None };
        let plain = values.is_empty() && self.sema.classes.get(&index).is_some_and(|c| c.plain);
        if plain {
            return self.aggregate(ty, index, &[], None, span);
        }
        let name = self.sema.types.get(index).path;
        let (id, bound, params) = self.choose(name, ids, &[], &values, span)?;
        // The object is a fresh variable, which the constructor fills in.
        let var = self.fresh(ty, span);
        let object = Expr::place(ExprKind::Var(var), ty.unqualified(), span);
        let call = self.finish(id, bound, &params, Some(object.clone()), values, span)?;
        let kind = ExprKind::Comma(Box::new(call), Box::new(object));
        Some(Expr::new(kind, ty.unqualified(), span))
    }

    /// Whether some operator takes these.
    pub(in crate::sema) fn operator_fits(
        &mut self,
        name: impl Into<Path>,
        values: &[Expr],
    ) -> bool {
        let name = name.into();
        let methods = match values.first().map(|v| &v.ty.kind) {
            Some(Kind::Struct(index)) => self.sema.find_methods(*index, name),
            _ => None,
        };
        let (methods, _) = methods.unwrap_or_default();
        let functions = self.sema.functions.get(&name).cloned().unwrap_or_default();
        let methods: Vec<FunctionId> = methods
            .into_iter()
            .filter(|id| !values[0].ty.constant || self.sema.declared[*id].ast.constant)
            .collect();
        methods.iter().any(|id| self.could_take(*id, &values[1..]))
            || functions.iter().any(|id| self.could_take(*id, values))
    }

    /// `a + b` where one of them is a struct.
    pub(in crate::sema) fn operator_call(
        &mut self,
        name: impl Into<Path>,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let name = name.into();
        let methods = match values.first().map(|v| &v.ty.kind) {
            Some(Kind::Struct(index)) => self.sema.find_methods(*index, name),
            _ => None,
        };
        let (methods, path) = methods.unwrap_or_default();
        let functions = self.sema.functions.get(&name).cloned().unwrap_or_default();
        let functions: Vec<FunctionId> = functions
            .into_iter()
            .filter(|id| {
                !self.sema.host.is_program()
                    || crate::sema::host::callable(&self.sema.declared[*id].ast, self.side)
            })
            .collect();
        if let Some((id, bound, params, method)) =
            self.choose_operator(&methods, &functions, &values)
        {
            if !method {
                return self.finish(id, bound, &params, None, values, span);
            }
            let mut values = values;
            let object = values.remove(0);
            let object = self.materialize(object, span);
            let object = self.along(object, &path, span);
            if !self.sema.declared[id].ast.constant {
                self.mark_written(&object);
            }
            return self.finish(id, bound, &params, Some(object), values, span);
        }
        // Nothing fits, or too much does: say why.
        if !methods.is_empty() && functions.is_empty() {
            let constant = values[0].ty.constant;
            let ids = self.by_constness(methods, constant);
            self.choose(name, &ids, &[], &values[1..], span)?;
        } else if !functions.is_empty() && methods.is_empty() {
            self.choose(name, &functions, &[], &values, span)?;
        }
        let texts: Vec<String> = values
            .iter()
            .map(|v| format!("`{}`", self.sema.types.spell(&v.ty.unqualified())))
            .collect();
        let op = name.last();
        let op = op.trim_start_matches("operator");
        self.sema.error("type", span, format!("there is no `{op}` for {}", texts.join(" and ")))
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
        let declared = self.sema.declared[id].clone();
        if declared.ast.storage.global {
            return self.kernel_called(&declared.ast, span);
        }
        if !crate::sema::host::callable(&declared.ast, self.side) {
            return self.other_side(&declared.ast, span);
        }
        if declared.ast.body_kind == ast::BodyKind::Delete {
            return self.deleted(&declared.ast, span);
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
            return self.recursive_call(key, &declared, object, args, span);
        }
        if let Some(object) = &object
            && !self.non_virtual
            && self.sema.is_virtual(id)
        {
            return self.dynamic_call(id, object.clone(), args, span);
        }
        let function = self.sema.instantiate(id, bound, self.side, span)?;
        if words.constexpr
            && object.is_none()
            && args.iter().all(Expr::is_constant)
            && let Some(value) = crate::sema::constexpr::evaluation::call(
                &self.sema.types,
                &self.sema.known,
                &function,
                &args,
            )
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
        let taken = function.moved;
        let kind = ExprKind::Call(function, object.map(Box::new), args);
        let made = Expr { kind, ty, span, place };
        Some(if taken { crate::sema::classes::special_members::as_xvalue(made) } else { made })
    }

    /// The function that is being checked, or one that called it, is called recursion.
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
        let names = declared.ast.template.iter().map(|t| Path::from(t.name));
        let pairs: Vec<_> = names.zip(key.1.iter().cloned()).collect();
        self.bind(&pairs);
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let returns = returns?;
        if returns.is_reference() && self.side == Side::Device {
            return self.sema.unsupported(span, "recursion that returns references");
        }
        let recursion = self.sema.recursive.entry(key).or_default().clone();
        recursion.sites.set(recursion.sites.get() + 1);
        let place = returns.is_reference();
        if declared.ast.template.is_empty()
            && matches!(declared.ast.returns.kind, ast::TypeKind::Auto)
        {
            return self.sema.unsupported(span, "recursion of a function that returns `auto`");
        }
        let ty = returns.unreferenced().clone();
        let kind = ExprKind::RecursiveCall(recursion, object.map(Box::new), args);
        Some(Expr { kind, ty, span, place })
    }

    pub(in crate::sema) fn default_argument(
        &mut self,
        declared: &crate::sema::Declared,
        bound: &[crate::sema::Arg],
        i: usize,
    ) -> Checked<Expr> {
        let Init::Expr(value) = &declared.ast.params[i].init else { return None };
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let pairs: Vec<_> = declared
            .ast
            .template
            .iter()
            .map(|t| Path::from(t.name))
            .zip(bound.iter().cloned())
            .collect();
        self.bind(&pairs);
        let value = self.expr(value);
        self.scopes = outer;
        value
    }
}
