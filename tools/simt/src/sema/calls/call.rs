//! Function calls: what is called, and the arguments of it.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::calls::builtins;
use crate::sema::calls::builtins::exact::{overloads_atomic, takes_exactly};
use crate::sema::calls::misspelt::meant;
use crate::sema::classes::special_members::is_rvalue;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity, FunctionId, Side};
use crate::syntax::ast::{self, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::foreign::foreign;
use crate::syntax::name::Path;

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
                    return Err(Reported);
                };
                let object = self.object(object, *arrow)?;
                self.member_call(object, *name, explicit, *at, args, span)
            }
            ast::ExprKind::Scoped(written, name) => {
                let ty = self.resolve(written)?;
                // `decltype(x)::type(..)`
                if let Kind::Struct(class) = ty.kind
                    && let Some(Entity::Type(_)) = self.sema.definitions.statics.get(class, *name)
                {
                    let member = TypeKind::Member(Box::new(written.clone()), *name, Vec::new());
                    let made = TypeExpr { kind: member, ..written.clone() };
                    let made = ast::ExprKind::Construct(made, args.to_vec(), false);
                    return self.expr(&ast::Expr { kind: made, span });
                }
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
            ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => {
                Ok(body.braced_argument(arg, false))
            }
            _ if body.is_overloaded(arg) => Ok(body.braced_argument(arg, false)),
            _ => body.expr(arg),
        })
    }

    /// A call by name: of a variable, a member, a function of the host's library, or a function.
    fn named_call(
        &mut self,
        name: Path,
        explicit: &[TemplateArg],
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        if let Some(Entity::Wrong) = self.lookup(name) {
            return Err(Reported);
        }
        // A template's parameter that is a function.
        if let Some(Entity::Function(real)) = self.lookup(name) {
            return self.named_call(real, explicit, args, at, span);
        }
        // A variable with `operator()`, or one that points to a function.
        if let Some(value) = self.value_called(name, at) {
            return self.call_value(value?, args, at, span);
        }
        let open = |class: &ClassId| self.sema.types.get(*class).incomplete;
        for class in self.classes_here().filter(open).collect::<Vec<_>>() {
            self.declare_early(class, name);
        }
        if let Some(index) = self.frame.owner
            && self.sema.find_methods(index, name).is_some()
        {
            let Some(this) = self.frame.this.clone() else {
                let ty = Kind::Struct(index).into();
                return self.static_call(&ty, name, explicit, args, at, span);
            };
            let object = Expr::place(ExprKind::This, this, at);
            return self.method_call(object, name, explicit, at, args, span);
        }
        if let Some(object) = self.object_here(at)
            && let Kind::Struct(index) = object.ty.kind
            && self.sema.find_methods(index, name).is_some()
        {
            return self.method_call(object, name, explicit, at, args, span);
        }
        // A static function of a class around this one.
        let around = self.classes_here().find(|of| self.sema.find_methods(*of, name).is_some());
        if let Some(class) = around {
            return self.static_call(&Kind::Struct(class).into(), name, explicit, args, at, span);
        }
        if let Some(ty) = name.parent().and_then(|owner| self.class_called(owner)) {
            return self.static_call(&ty, name.last().into(), explicit, args, at, span);
        }
        if let Some(made) = self.primitive_call(name, args, span) {
            return made;
        }
        self.function_call(name, explicit, args, at, span)
    }

    /// The class of that name, or the base that is an instance of the template of that name.
    fn class_called(&self, name: Path) -> Option<Type> {
        if let Some(Entity::Type(ty)) = self.lookup(name) {
            return matches!(ty.kind, Kind::Struct(_)).then(|| ty.clone());
        }
        let types = &self.sema.types;
        let info = types.get(self.frame.owner?);
        let mut bases = info.fields[..info.bases.min(info.fields.len())].iter();
        let of_name =
            |ty: &&Type| matches!(ty.kind, Kind::Struct(i) if types.get(i).declared == name);
        bases.find_map(|base| Some(&base.ty).filter(of_name).cloned())
    }

    /// A call of a function at namespace scope, or of a built-in one. The candidates are what
    /// unqualified lookup finds and what argument-dependent lookup adds; each argument is checked
    /// once for all of them.
    fn function_call(
        &mut self,
        name: Path,
        explicit: &[TemplateArg],
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let declared = self.functions_here(name).and_then(|ids| self.beside_builtin(name, ids));
        if declared.is_none() {
            if let Some(refused) = self.refused_builtin(name, at) {
                return refused;
            }
            if builtins::is_printf(name) {
                let made = self.printf(args, None, span)?;
                return self.for_this_side(made, &name.to_string(), at);
            }
        }
        if declared.is_none()
            && args.is_empty()
            && let Some(place) = self.call_site_function(name, span)
        {
            return place;
        }
        let is_known = declared.is_some() || builtins::knows(name);
        if !is_known && name.is_qualified() {
            return self.unknown_function(name, at);
        }
        let mut values = self.values(args)?;
        if let Some(known) = self.extreme_of_list(name, explicit, &values, span) {
            return Ok(known);
        }
        self.check_extremes(name, &values, span)?;
        let is_declared = declared.is_some();
        let mut ids = declared.unwrap_or_default();
        for id in self.adl_candidates(name, at, &values) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        // `make_int4(1)` of the unit stands beside the built-in one, and so does the `exp` of a
        // `std::complex`.
        let builtin = builtin_meant(name, at).filter(|_| explicit.is_empty() || !is_declared);
        if let Some(builtin) = builtin
            && (!ids.iter().any(|id| self.could_take(*id, &values))
                || self.beats_templates(builtin, &ids, &values))
        {
            let made = match builtins::is_printf(builtin) {
                true => self.printf(args, Some(values), span)?,
                false => self.builtin_call(builtin, values, at, span)?,
            };
            return self.for_this_side(made, &builtin.to_string(), at);
        }
        if is_declared && !name.is_qualified() {
            self.add_standard(name, &values, &mut ids);
        }
        if ids.is_empty() {
            return self.unknown_function(name, at);
        }
        self.constants_to_bind(&ids, args, &mut values);
        let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
        self.finish(id, bound, &params, None, values, span)
    }

    /// Adds the functions of the standard library where none of the program's takes the values. They
    /// are found by `using std::find;` beside an own `find`, or by their iterators, which are classes
    /// of `std` elsewhere and pointers here.
    fn add_standard(&mut self, name: Path, values: &[Expr], ids: &mut Vec<FunctionId>) {
        let all = &self.sema.definitions.functions;
        let Some(known) = all.get(&Path::from("std").concat(name)).cloned() else { return };
        if !ids.iter().any(|id| self.could_take(*id, values)) {
            ids.extend(known.into_iter().filter(|id| self.could_take(*id, values)));
        }
    }

    /// Whether a built-in function takes the values as they are, and so do only templates beside it.
    fn beats_templates(&mut self, builtin: Path, ids: &[FunctionId], values: &[Expr]) -> bool {
        let types: Vec<&Type> = values.iter().map(|value| &value.ty).collect();
        let device = self.side == Side::Device;
        takes_exactly(&builtin.last(), &types, device)
            && ids.iter().all(|id| {
                let ast = &self.sema.definitions[*id].ast;
                let own = !ast.span.is_built_in() && !ast.name.is_qualified();
                own && (!ast.template.is_empty() || !self.could_take(*id, values))
            })
    }

    /// The functions of that name that are more than another declaration of a built-in one.
    fn beside_builtin(&self, name: Path, ids: Vec<FunctionId>) -> Option<Vec<FunctionId>> {
        if !builtins::knows(name) {
            return Some(ids);
        }
        let ids: Vec<_> = (ids.into_iter())
            .filter(|id| {
                let ast = &self.sema.definitions[*id].ast;
                let more = self.takes_class(ast) || overloads_atomic(ast);
                ast.body.is_some() || ast.on_host.is_some() || more
            })
            .collect();
        (!ids.is_empty()).then_some(ids)
    }

    /// Whether a parameter is a class, or a reference to one: built-in functions have none.
    fn takes_class(&self, ast: &ast::Function) -> bool {
        ast.params.iter().any(|param| {
            let mut ty = &param.ty.kind;
            while let TypeKind::Reference(inner) | TypeKind::Rvalue(inner) = ty {
                ty = &inner.kind;
            }
            let TypeKind::Named(name, _) = ty else { return false };
            let meant = self.sema.definitions.scope.get(name);
            matches!(meant, Some(Entity::Type(Type { kind: Kind::Struct(_), .. })))
        })
    }

    fn unknown_function<T>(&mut self, name: Path, at: Span) -> Checked<T> {
        if let Some(found) = foreign(name) {
            self.sema.report(found.refused(name, at));
            return Err(Reported);
        }
        let known = self.sema.definitions.functions.keys().map(Path::to_string);
        let mut diagnostic =
            Diagnostic::error("name", at, format!("no function `{name}` is known"));
        if let Some(close) = meant(&name.to_string(), known) {
            diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// The variable or member that the name means; `None` if it means a function.
    fn value_called(&mut self, name: Path, at: Span) -> Option<Checked<Expr>> {
        let local = self.scopes.iter().rev().find_map(|s| s.get(&name)).cloned();
        let member = local.is_none() && self.is_member_object(name, at);
        let value = matches!(
            self.lookup(name),
            Some(
                Entity::Var(_)
                    | Entity::HostGlobal(_)
                    | Entity::Global(_)
                    | Entity::StructuredBinding(..)
            )
        );
        // A function pointer as a template argument.
        let constant =
            matches!(self.lookup(name), Some(Entity::Constant(e)) if e.ty.signature().is_some());
        (member || value || constant)
            .then(|| self.expr(&ast::Expr { kind: ast::ExprKind::Name(name, None), span: at }))
    }

    /// Whether the name means a data member of the object whose method this is, or whose method the
    /// lambda here stands in.
    fn is_member_object(&mut self, name: Path, at: Span) -> bool {
        let Some(this) = self.frame.this.clone() else { return false };
        let own = Expr::place(ExprKind::This, this, at);
        for object in [Some(own), self.object_here(at)].into_iter().flatten() {
            let Kind::Struct(index) = object.ty.kind else { continue };
            if self.sema.find_methods(index, name).is_some() {
                return false;
            }
            if self.sema.types.find(index, name).is_some() {
                return true;
            }
        }
        false
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
        let mut values = values?;
        let Kind::Struct(index) = object.ty.kind else {
            let text = self.sema.types.spell(&object.ty);
            return self.sema.error("type", at, format!("a `{text}` has no functions to call"));
        };
        let Some((ids, path)) = self.sema.find_methods(index, name) else {
            let text = self.sema.types.spell(&object.ty.unqualified());
            return self.sema.error("name", at, format!("`{text}` has no function `{name}`"));
        };
        let rvalue = is_rvalue(&object);
        let ids = self.by_category(ids, rvalue);
        if ids.is_empty() {
            let (category, help) = match rvalue {
                true => ("an rvalue", "give the object a name first"),
                false => ("an lvalue", "move the object first: `move(object)`"),
            };
            let message = format!("no `{name}` takes {category} as its object");
            self.sema.report(Diagnostic::error("type", at, message).with_help(help));
            return Err(Reported);
        }
        let object = self.whole_object(object, &path, span);
        let object = self.along(object, &path, at);
        let ids = self.by_constness(ids, object.ty.constant);
        self.constants_to_bind(&ids, args, &mut values);
        let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
        self.check_function(index, id, at);
        if self.sema.definitions[id].ast.storage.is_static {
            return self.finish(id, bound, &params, None, values, span);
        }
        let constant = self.sema.definitions[id].ast.constant;
        if object.ty.constant && !constant {
            let diagnostic = Diagnostic::error(
                "type",
                at,
                format!("`{name}` may change its object, which is `const`"),
            )
            .with_label(
                self.sema.definitions[id].ast.span,
                "it has no `const` after its parameters",
            );
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        if !constant {
            self.mark_written(&object);
        }
        self.finish(id, bound, &params, Some(object), values, span)
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
            Kind::Struct(index) => {
                self.declare_early(index, name);
                self.sema.find_methods(index, name)
            }
            _ => None,
        };
        // `Base::f()` in a method of a struct that has this base.
        if let (Kind::Struct(base), Some(this), Some(own), Some((ids, _))) =
            (&ty.kind, self.frame.this.clone(), self.frame.owner, &found)
            && !ids.iter().all(|id| self.sema.definitions[*id].ast.storage.is_static)
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
        let mut values = self.values(args)?;
        self.constants_to_bind(&ids, args, &mut values);
        let (id, bound, params) = self.choose(name, &ids, explicit, &values, span)?;
        if let Kind::Struct(class) = ty.kind {
            self.check_function(class, id, at);
        }
        if !self.sema.definitions[id].ast.storage.is_static {
            return self.sema.error("type", at, format!("`{name}` needs an object of `{text}`"));
        }
        self.finish(id, bound, &params, None, values, span)
    }
}

/// The built-in function that a call may mean. What is written without a namespace and was found
/// through `using namespace X` may be the global one as well: `ceil` beside `std::chrono::ceil`.
fn builtin_meant(name: Path, at: Span) -> Option<Path> {
    let last = name.last();
    let unqualified = (at.end - at.start) as usize == last.len();
    let global = || Some(Path::from(last)).filter(|_| name.is_qualified() && unqualified);
    Some(name).filter(|n| builtins::knows(*n)).or_else(global).filter(|n| builtins::knows(*n))
}
