//! Functions as values.

use crate::diagnostic::Span;
use crate::sema::body::{Body, Pointed};
use crate::sema::calls::builtins;
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{ClassId, Kind, Signature, Type};
use crate::sema::{Arg, Checked, Declared, FunctionId, Side};
use crate::syntax::ast::{self, Prim, TemplateArg, TypeExpr};
use crate::syntax::name::Path;
use std::rc::Rc;

/// What is behind the `&`, if there is one.
fn named_in(e: &ast::Expr) -> &ast::ExprKind {
    match &e.kind {
        ast::ExprKind::Unary(ast::UnaryOp::AddressOf, inner) => &inner.kind,
        kind => kind,
    }
}

impl Body<'_, '_> {
    /// A function, or a kernel, named as a value; `None` if the name is no function's.
    pub(in crate::sema) fn function_value(
        &mut self,
        name: &Path,
        arguments: Option<&[TemplateArg]>,
        span: Span,
    ) -> Option<Checked<Expr>> {
        // A variable or a member goes before a function outside; what a lambda took is a member.
        let known = |b: &mut Self| b.lookup(name).is_some() || b.own_member(name, span).is_some();
        if known(self) || matches!(self.member_of_no_object(name, span), Ok(Some(_))) {
            return None;
        }
        let (owner, ids) = match self.functions_named(name) {
            Some(found) => found,
            None => (None, vec![self.math_function(*name, span)?]),
        };
        if let (Some(arguments), [id]) = (arguments, ids.as_slice()) {
            match self.sema.definitions[*id].ast.body_kind {
                ast::BodyKind::Variable => {
                    return Some(self.variable_instance(name, *id, arguments, span));
                }
                ast::BodyKind::Concept => return Some(self.concept_value(*id, arguments, span)),
                _ => {}
            }
        }
        let _ = owner;
        Some(self.function_pointer(name, &ids, arguments, span))
    }

    /// Checks an expression whose value becomes one of that type: the type of a function pointer
    /// selects among overloads.
    pub(in crate::sema) fn value_for(&mut self, e: &ast::Expr, ty: &Type) -> Checked<Expr> {
        let named = named_in(e);
        if !matches!(named, ast::ExprKind::Name(..) | ast::ExprKind::Scoped(..)) {
            return self.rvalue(e);
        }
        let pointed = self.pointed_by(ty);
        let outer = std::mem::replace(&mut self.pointed, pointed);
        let value = self.rvalue(e);
        self.pointed = outer;
        value
    }

    /// What a pointer of this type points to, if that is a function or a method.
    fn pointed_by(&self, ty: &Type) -> Option<Pointed> {
        if let Some(signature) = ty.signature() {
            return Some(Pointed { signature: signature.clone(), class: None });
        }
        let Kind::Struct(index) = ty.kind else { return None };
        if !self.sema.types.get(index).declared.is("__method_pointer") {
            return None;
        }
        let mut instances = self.sema.instances.structs.iter();
        let ((_, args), _) = instances.find(|(_, made)| made.kind == ty.kind)?;
        match args.as_slice() {
            [Arg::Type(class), Arg::Type(Type { kind: Kind::Function(signature), .. })] => {
                Some(Pointed { signature: signature.clone(), class: Some(class.clone()) })
            }
            _ => None,
        }
    }

    /// Whether an argument names a function of which there are several, or a template: what it is
    /// pointed to by tells which is meant.
    pub(in crate::sema) fn is_overloaded(&mut self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name, arguments) = named_in(e) else { return false };
        if self.lookup(name).is_some() {
            return false;
        }
        let Some((_, ids)) = self.functions_named(name) else { return false };
        let of_method = matches!(e.kind, ast::ExprKind::Unary(ast::UnaryOp::AddressOf, _))
            && name.is_qualified();
        let mut count = 0;
        for id in ids {
            let declared = &self.sema.definitions[id];
            let ast = declared.ast.clone();
            let kernel = ast.storage.global && self.side == Side::Host;
            let meant = (kernel || crate::sema::host::callable(&ast, self.side))
                && (declared.owner.is_none() || ast.storage.is_static || of_method);
            if !meant {
                continue;
            }
            if ast.body_kind != ast::BodyKind::Ordinary {
                return false;
            }
            count += match arguments {
                None => 1 + usize::from(!ast.template.is_empty()),
                Some(_) if ast.template.is_empty() => 0,
                Some(given) => {
                    let bound = self.speculate(|body| body.arguments_of(&ast, given, &[]));
                    usize::from(bound.is_some())
                }
            };
        }
        count > 1
    }

    /// Functions of that name, or static methods.
    fn functions_named(&self, name: &Path) -> Option<(Option<ClassId>, Vec<FunctionId>)> {
        if let Some(ids) = self.functions(*name) {
            return Some((None, ids));
        }
        let of_class = |of| Some((Some(of), self.sema.find_methods(of, name)?.0));
        if let Some(found) = self.classes_here().find_map(of_class) {
            return Some(found);
        }
        match self.lookup(name.parent()?)? {
            crate::sema::Entity::Type(Type { kind: Kind::Struct(index), .. }) => {
                let (ids, _) = self.sema.find_methods(index, name.last())?;
                Some((Some(index), ids))
            }
            _ => None,
        }
    }

    /// A function of <math.h> as a value: one with the parameters that are wanted, or with its own,
    /// calls the built-in one.
    fn math_function(&mut self, name: Path, span: Span) -> Option<FunctionId> {
        let plain = name.in_std().or_else(|| name.unrooted().unqualified())?;
        let (arity, own) = builtins::math_signature(&plain)?;
        let wanted = self.pointed.clone().and_then(|Pointed { signature, .. }| {
            let params: Option<Vec<Prim>> = signature.params.iter().map(Type::prim).collect();
            Some((signature.returns.prim()?, params.filter(|params| params.len() == arity)?))
        });
        let (returns, params) = wanted.unwrap_or_else(|| (own, vec![own; arity]));
        let spelled: Vec<&str> = params.iter().map(|prim| prim.spelling()).collect();
        let path = Path::from(format!("__{plain}({})", spelled.join(", ")));
        if let Some(ids) = self.sema.definitions.functions.get(&path) {
            return ids.first().copied();
        }
        let expr = |kind| ast::Expr { kind, span };
        let typed = |prim| {
            let kind = ast::TypeKind::Prim(prim);
            TypeExpr { kind, constant: false, volatile: false, span }
        };
        let mut declared = Vec::new();
        let mut arguments = Vec::new();
        for (i, prim) in params.into_iter().enumerate() {
            let name = Path::from(format!("x{i}"));
            let (ty, storage) = (typed(prim), ast::Storage::default());
            declared.push(ast::VarDecl {
                name,
                span,
                ty,
                storage,
                align: None,
                init: ast::Init::None,
            });
            arguments.push(expr(ast::ExprKind::Name(name, None)));
        }
        let called = Box::new(expr(ast::ExprKind::Name(name, None)));
        let value = expr(ast::ExprKind::Call(called, arguments));
        let stmt = |kind| ast::Stmt { kind, span };
        let body = stmt(ast::StmtKind::Block(vec![stmt(ast::StmtKind::Return(Some(value)))]));
        let function = ast::Function {
            name: path,
            span,
            template: Vec::new(),
            returns: typed(returns),
            params: declared,
            body: Some(body),
            body_kind: ast::BodyKind::Ordinary,
            member_inits: Vec::new(),
            storage: ast::Storage { host: true, device: true, ..ast::Storage::default() },
            constant: false,
            object: ast::ObjectOf::Any,
            variadic: None,
            bounds: ast::LaunchBounds::default(),
            requires: None,
            noexcept: ast::Noexcept::Unsaid,
            on_host: None,
        };
        let id = self.sema.definitions.declare(Declared::free(Rc::new(function), Vec::new()));
        self.sema.definitions.functions.insert(path, vec![id]);
        Some(id)
    }

    /// Whether it names a function that only the device has.
    pub(in crate::sema) fn is_of_the_device(&self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name, ..) = named_in(e) else { return false };
        if self.side == Side::Device || self.lookup(name).is_some() {
            return false;
        }
        self.functions_named(name).is_some_and(|(_, ids)| {
            ids.iter().all(|id| {
                let ast = &self.sema.definitions[*id].ast;
                !ast.storage.global && !crate::sema::host::callable(ast, Side::Host)
            })
        })
    }

    fn function_pointer(
        &mut self,
        name: &Path,
        ids: &[FunctionId],
        arguments: Option<&[TemplateArg]>,
        span: Span,
    ) -> Checked<Expr> {
        if let Some(Pointed { signature, class: None }) = self.pointed.clone() {
            let fitting: Vec<FunctionId> = ids
                .iter()
                .copied()
                .filter(|id| {
                    let declared = &self.sema.definitions[*id];
                    let words = declared.ast.storage;
                    (words.global || crate::sema::host::callable(&declared.ast, self.side))
                        && (declared.owner.is_none() || words.is_static)
                })
                .collect();
            let explicit = arguments.unwrap_or_default();
            if let Some((id, bound)) = self.taking(&fitting, explicit, &signature.params) {
                return self.pointer_to(id, bound, span);
            }
        }
        let mut found = None;
        for id in ids {
            let declared = self.sema.definitions[*id].clone();
            let ast = &declared.ast;
            if declared.owner.is_some() && !ast.storage.is_static {
                continue;
            }
            if !ast.storage.global && !crate::sema::host::callable(ast, self.side) {
                continue;
            }
            let bound = match arguments {
                Some(arguments) => {
                    let Some(bound) = self.speculate(|b| b.arguments_of(ast, arguments, &[]))
                    else {
                        continue;
                    };
                    bound
                }
                None if ast.template.is_empty() => Vec::new(),
                None => continue,
            };
            if found.is_some() {
                let what = format!("a pointer to `{name}`, of which there is more than one");
                return self.sema.unsupported(span, what);
            }
            found = Some((*id, bound));
        }
        let Some((id, bound)) = found else {
            let what = format!("`{name}` as a value");
            return self.sema.unsupported(span, what);
        };
        self.pointer_to(id, bound, span)
    }

    pub(in crate::sema) fn pointer_to(
        &mut self,
        id: FunctionId,
        bound: Vec<crate::sema::Arg>,
        span: Span,
    ) -> Checked<Expr> {
        let global = self.sema.definitions[id].ast.storage.global;
        let function = if global {
            self.launched(id, bound, span)?
        } else {
            let side = self.side;
            self.sema.instantiate(id, bound, side, span)?
        };
        let params = function.vars[..function.params]
            .iter()
            .map(|v| match v.reference {
                true => Kind::Reference(Rc::new(v.ty.clone())).into(),
                false => v.ty.unqualified(),
            })
            .collect();
        let returns = match function.reference {
            true => Kind::Reference(Rc::new(function.returns.clone())).into(),
            false => function.returns.clone(),
        };
        let ty = Type::from(Kind::Function(Rc::new(Signature { returns, params }))).pointer_to();
        if self.side == Side::Device {
            if global {
                return self.sema.unsupported(span, "a pointer to a kernel in device code");
            }
            let number = self.sema.address_of(function);
            return Ok(Expr::new(ExprKind::Int(number), ty, span));
        }
        Ok(Expr::new(ExprKind::Host(Box::new(Host::Function(function))), ty, span))
    }

    /// A call through a pointer.
    pub(in crate::sema) fn call_through(
        &mut self,
        pointer: Expr,
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let Some(signature) = pointer.ty.signature().cloned() else {
            let text = self.sema.types.spell(&pointer.ty);
            return self.sema.error("type", at, format!("a `{text}` cannot be called"));
        };
        let values = self.values(args)?;
        if values.len() != signature.params.len() {
            let message =
                format!("this takes {} arguments, not {}", signature.params.len(), values.len());
            return self.sema.error("overload", span, message);
        }
        let mut given = Vec::new();
        let mut destroy = Vec::new();
        for (value, param) in values.into_iter().zip(&signature.params) {
            let host = self.side == Side::Host;
            let owned = host && !param.is_reference() && self.sema.needs_destroy(param);
            destroy.push(if owned { self.sema.destroyer(param, self.side, span) } else { None });
            given.push(if param.is_reference() {
                self.refer(value, param)?
            } else {
                self.convert(value, param)?
            });
        }
        let place = signature.returns.is_reference();
        let ty = signature.returns.unreferenced().clone();
        if self.side == Side::Device {
            return self.chosen_call(pointer, signature, given, span);
        }
        let kind = ExprKind::Host(Box::new(Host::IndirectCall(pointer, given, destroy)));
        Ok(Expr { kind, ty, span, place })
    }

    /// What `declval<T>()` stands for.
    pub(in crate::sema) fn some_value(ty: &Type, span: Span) -> Expr {
        let plain = ty.unreferenced().clone();
        match matches!(ty.kind, Kind::Reference(_)) {
            true => Expr::place(ExprKind::Zero, plain, span),
            false => Expr::new(ExprKind::Zero, plain, span),
        }
    }

    /// Whether `T(values)` is right.
    pub(in crate::sema) fn is_constructible(
        &mut self,
        ty: &Type,
        from: &[Type],
        span: Span,
    ) -> bool {
        if ty.is_reference() {
            return matches!(from, [one] if one.unreferenced().kind == ty.unreferenced().kind);
        }
        let values: Vec<Expr> = from.iter().map(|ty| Self::some_value(ty, span)).collect();
        match (&ty.kind, values.as_slice()) {
            (Kind::Struct(index), [one]) if one.ty.kind == ty.kind => {
                let class = self.sema.definitions.classes.get(index).cloned().unwrap_or_default();
                let chosen = if one.place {
                    class.copy.or(class.moving)
                } else {
                    class.moving.or(class.copy)
                };
                let deleted = |id| self.sema.definitions[id].ast.body_kind == ast::BodyKind::Delete;
                let moves_only = one.place && class.copy.is_none() && class.moving.is_some();
                !moves_only && !chosen.is_some_and(deleted)
            }
            (Kind::Struct(index), values) => {
                let ids =
                    self.sema.definitions.constructors.get(index).cloned().unwrap_or_default();
                if values.is_empty() {
                    let plain = self.sema.definitions.classes.get(index).is_none_or(|c| c.plain);
                    return ids.is_empty() || plain || self.constructor_fits(&ids, values, span);
                }
                self.constructor_fits(&ids, values, span)
                    || matches!(values, [one] if self.user_fit(one, ty).is_some())
            }
            (_, []) => true,
            (_, [one]) => {
                let types = &self.sema.types;
                crate::sema::conversions::standard_conversion::fit(types, &one.ty, ty, false)
                    .is_some()
                    || self.user_fit(one, ty).is_some()
            }
            _ => false,
        }
    }

    fn constructor_fits(&mut self, ids: &[FunctionId], values: &[Expr], span: Span) -> bool {
        let chosen = self.speculate(|b| b.choose("constructor", ids, &[], values, span));
        chosen
            .is_ok_and(|(id, ..)| self.sema.definitions[id].ast.body_kind != ast::BodyKind::Delete)
    }

    /// `__is_trivial(T)` and its like.
    pub(in crate::sema) fn type_trait(
        &mut self,
        name: &str,
        types: &[TypeExpr],
        span: Span,
    ) -> Checked<Expr> {
        let mut all = Vec::new();
        for ty in types {
            all.extend(self.expand_types(ty)?);
        }
        let types = all;
        if let ("__is_called", [ty]) = (name, types.as_slice()) {
            let Some(text) = self.mangled(ty) else {
                let what = format!("the name of the type `{}`", self.sema.types.spell(ty));
                return self.sema.unsupported(span, what);
            };
            return Ok(self.text(&text.into_bytes().into(), span));
        }
        let yes = match (name, types.as_slice()) {
            ("__is_trivially_copyable", [ty]) => {
                !self.sema.needs_copy(ty) && !self.sema.needs_destroy(ty)
            }
            ("__is_trivial", [ty]) => {
                !self.sema.needs_copy(ty) && !self.sema.needs_destroy(ty) && !self.needs_init(ty)
            }
            ("__is_trivially_destructible", [ty]) => !self.sema.needs_destroy(ty),
            ("__is_same", [a, b]) => a == b,
            ("__is_class", [ty]) => matches!(ty.kind, Kind::Struct(_)),
            ("__is_empty", [ty]) => {
                let union = matches!(ty.kind, Kind::Struct(i) if self.sema.types.get(i).union);
                !union && self.sema.types.is_empty(ty)
            }
            ("__is_integral", [ty]) => ty.prim().is_some_and(Prim::is_integer),
            ("__is_arithmetic", [ty]) => {
                ty.prim().is_some_and(|p| p.is_integer() || matches!(p, Prim::Float | Prim::Double))
            }
            ("__is_enum", [ty]) => matches!(ty.kind, Kind::Enum(_)),
            ("__is_base_of", [base, derived]) => match (&base.kind, &derived.kind) {
                (Kind::Struct(a), Kind::Struct(b)) => self.sema.types.base_path(*b, *a).is_some(),
                _ => false,
            },
            ("__is_convertible", [from, to]) => {
                let value = Self::some_value(from, span);
                let copies = matches!(to.kind, Kind::Struct(_)) && value.ty.kind == to.kind;
                self.argument_fit(&value, to).is_some()
                    && (!copies || self.is_constructible(to, std::slice::from_ref(from), span))
            }
            ("__is_polymorphic", [ty]) => {
                matches!(ty.kind, Kind::Struct(i) if self.sema.is_dynamic(i))
            }
            ("__is_constructible", [ty, from @ ..]) => self.is_constructible(ty, from, span),
            ("__is_nothrow_constructible", [ty, from @ ..]) => {
                self.is_nothrow_constructible(ty, from, span)
            }
            ("__is_assignable", [to, from]) => self.is_assignable(to, from, false, span),
            ("__is_nothrow_assignable", [to, from]) => self.is_assignable(to, from, true, span),
            ("__is_nothrow_destructible", [ty]) => !self.sema.destroys_with_exceptions(ty, span),
            _ => return self.sema.unsupported(span, format!("`{name}`")),
        };
        Ok(Self::int(i128::from(yes), Prim::Bool, span))
    }
}
