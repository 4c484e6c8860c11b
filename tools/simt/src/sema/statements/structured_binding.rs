//! Structured bindings (`auto [a, b] = value`), range-based `for`, and exceptions.

use crate::diagnostic::Span;
use crate::isa::CmpOp;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::classes::special_members::as_xvalue;
use crate::sema::tree::{Expr, ExprKind, Home, Stmt, VarId};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Checked, Entity, FunctionId};
use crate::syntax::ast::{self, BinaryOp, Init, Prim, StmtKind, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::name::Name;
use crate::syntax::name::Path;
use std::rc::Rc;

/// The most elements of an array that is copied for names.
const MAX_BOUND: u64 = 64;

impl Body<'_, '_> {
    /// A member of a bound struct, or an element of a bound array or tuple.
    pub(in crate::sema) fn part(&mut self, whole: Expr, i: u32, span: Span) -> Expr {
        if let Kind::Struct(index) = whole.ty.kind {
            if self.is_tuple(index) {
                let (mut place, mut at) = (whole, index);
                for _ in 0..i {
                    place = self.field(place, at, 1, span);
                    let Kind::Struct(rest) = place.ty.kind else { return place };
                    at = rest;
                }
                return self.field(place, at, 0, span);
            }
            if self.items(index).is_some() {
                let items = self.field(whole, index, 0, span);
                return self.part(items, i, span);
            }
            return self.field(whole, index, i as usize, span);
        }
        let Kind::Array(element, _) = whole.ty.kind.clone() else { return whole };
        let base = self.decay(whole);
        let index = Self::int(i128::from(i), Prim::Int, span);
        let kind = ExprKind::Index(Box::new(base), Box::new(index));
        Expr::place(kind, (*element).clone(), span)
    }

    /// `auto& [a, b] = value;`
    pub(in crate::sema) fn bind_names(
        &mut self,
        ty: &TypeExpr,
        names: &[(Name, Span)],
        value: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let value = self.expr(value)?;
        self.bind_value(ty, names, value, span, out)
    }

    fn bind_value(
        &mut self,
        ty: &TypeExpr,
        names: &[(Name, Span)],
        value: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let id = self.declare_as(&"".into(), ty, value, span, out)?;
        let whole = self.vars[id as usize].ty.clone();
        if let Kind::Struct(index) = whole.kind
            && let Some(parts) = self.tuple_size(index)
        {
            return self.bind_by_get(id, index, parts, names, span, out);
        }
        let parts = match &whole.kind {
            Kind::Struct(index) if self.is_tuple(*index) => self.length(*index),
            Kind::Struct(index) if !self.sema.types.get(*index).union => {
                let fields = self.sema.types.get(*index).fields.len();
                self.items(*index).unwrap_or(fields)
            }
            Kind::Array(_, n) => *n as usize,
            _ => {
                let text = self.sema.types.spell(&whole);
                let message = format!("a `{text}` has no parts to bind names to");
                return self.sema.error("type", span, message);
            }
        };
        if parts != names.len() {
            let text = self.sema.types.spell(&whole);
            let message = format!("{} names for `{text}`, which has {parts} parts", names.len());
            return self.sema.error("type", span, message);
        }
        for (i, (name, _)) in names.iter().enumerate() {
            self.define(name, Entity::StructuredBinding(id, i as u32));
        }
        Ok(())
    }

    /// The value of `std::tuple_size` for a class of the program that specialises it.
    fn tuple_size(&mut self, class: ClassId) -> Option<usize> {
        let of_program = |ast: &Rc<ast::Struct>| !ast.span.is_built_in();
        if !self.sema.definitions.struct_asts.get(&class).is_some_and(of_program) {
            return None;
        }
        let sizes = Path::from("std").join("tuple_size".into());
        let ty: Type = Kind::Struct(class).into();
        let key = (sizes, vec![Arg::Type(ty)]);
        let templates = &self.sema.templates;
        if !templates.struct_specialisations.contains_key(&key)
            && self.partial(&sizes, &key.1).is_none()
        {
            return None;
        }
        let size = self.of_bound(&key.1[0], |b, bound, at| {
            let kind = TypeKind::Named(sizes, vec![TemplateArg::Type(bound)]);
            let ty = TypeExpr { kind, constant: false, volatile: false, span: at };
            let value = ast::Expr { kind: ast::ExprKind::Scoped(ty, "value".into()), span: at };
            b.constant_int(&value)
        });
        usize::try_from(size.ok()?).ok()
    }

    /// Checks something in which the type of what is bound has a name.
    fn of_bound<T>(
        &mut self,
        bound: &Arg,
        check: impl FnOnce(&mut Self, TypeExpr, Span) -> T,
    ) -> T {
        let (name, span) = (Path::from("__bound"), Span::default());
        self.scopes.push(std::collections::HashMap::new());
        self.bind(&[(name, bound.clone())]);
        let kind = TypeKind::Named(name, Vec::new());
        let made = check(self, TypeExpr { kind, constant: false, volatile: false, span }, span);
        self.scopes.pop();
        made
    }

    /// `auto [a, b] = value;` by `value.get<0>()` or `get<0>(value)`: each name is a reference.
    fn bind_by_get(
        &mut self,
        id: VarId,
        class: ClassId,
        parts: usize,
        names: &[(Name, Span)],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let ty = self.vars[id as usize].ty.clone();
        if parts != names.len() {
            let text = self.sema.types.spell(&ty);
            let message = format!("{} names for `{text}`, which has {parts} parts", names.len());
            return self.sema.error("type", span, message);
        }
        let whole = Expr::place(ExprKind::Var(id), ty, span);
        self.mark_addressed(&whole);
        // What is no reference to an lvalue is taken apart as an rvalue.
        let var = &self.vars[id as usize];
        let rvalue = !var.reference || var.rvalue;
        let whole = if rvalue { as_xvalue(whole) } else { whole };
        let auto = TypeExpr { kind: TypeKind::Auto, constant: false, volatile: false, span };
        let kind = TypeKind::Rvalue(Box::new(auto));
        let reference = TypeExpr { kind, constant: false, volatile: false, span };
        for (i, (name, at)) in names.iter().enumerate() {
            let number = ast::ExprKind::Int(i as u64, Prim::ULong);
            let number = [TemplateArg::Value(ast::Expr { kind: number, span })];
            // A method `get` that is no template of numbers is another one.
            let by_number = |b: &Self, id: &FunctionId| {
                let template = &b.sema.definitions[*id].ast.template;
                template.first().is_some_and(|param| param.value.is_some())
            };
            let methods = self.sema.find_methods(class, "get");
            let methods = methods.filter(|(ids, _)| ids.iter().any(|id| by_number(self, id)));
            let value = if let Some((ids, path)) = methods {
                let object = self.along(whole.clone(), &path, span);
                let ids = self.by_category(ids, rvalue);
                let ids = self.by_constness(ids, object.ty.constant);
                let (id, bound, params) = self.choose("get", &ids, &number, &[], span)?;
                self.finish(id, bound, &params, Some(object), Vec::new(), span)?
            } else {
                let values = vec![whole.clone()];
                let mut ids = self.functions("get".into()).unwrap_or_default();
                ids.extend(self.adl_candidates("get".into(), span, &values));
                ids.dedup();
                let (id, bound, params) = self.choose("get", &ids, &number, &values, span)?;
                self.finish(id, bound, &params, None, values, span)?
            };
            let bound = self.declare_as(&Path::from(*name), &reference, value, *at, out)?;
            self.define(name, Entity::Var(bound));
        }
        Ok(())
    }

    /// Whether a class is a tuple of one element or more: its first element, and a tuple of the rest.
    fn is_tuple(&self, class: ClassId) -> bool {
        let fields = &self.sema.types.get(class).fields;
        matches!(fields.as_slice(), [a, b] if a.name.is("__first") && b.name.is("__rest"))
    }

    /// The number of a tuple's elements.
    fn length(&self, mut class: ClassId) -> usize {
        let mut length = 0;
        while self.is_tuple(class) {
            length += 1;
            let Kind::Struct(rest) = self.sema.types.get(class).fields[1].ty.kind else { break };
            class = rest;
        }
        length
    }

    /// The number of elements of an `std::array`.
    fn items(&self, class: ClassId) -> Option<usize> {
        match self.sema.types.get(class).fields.as_slice() {
            [items] if items.name.is("__items") => match items.ty.kind {
                Kind::Array(_, n) => Some(n as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// A variable with a value that was checked already; `auto` takes its type.
    fn declare_as(
        &mut self,
        name: &Path,
        written: &TypeExpr,
        value: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<VarId> {
        let ty = self.filled(written, &value)?;
        let id = self.add_var(name, &ty, span, Home::Own);
        let init = if ty.is_reference() {
            let target = self.refer(value, &ty)?;
            self.kept(id, target, span)
        } else {
            self.ends(id, span)?;
            match &value.ty.kind {
                Kind::Array(_, n) if *n <= MAX_BOUND => {
                    self.copied_array(value.clone(), *n, span)?
                }
                _ => self.convert(value, &ty)?,
            }
        };
        self.vars[id as usize].written = true;
        out.push(Stmt::Declare { var: id, init: Some(init), span });
        Ok(id)
    }

    /// A copy of an array whose elements names are bound to.
    fn copied_array(&mut self, array: Expr, n: u64, span: Span) -> Checked<Expr> {
        let ty = array.ty.unqualified();
        let first = self.decay(array);
        let Some(element) = first.ty.pointee().cloned() else { return Err(Reported) };
        let mut parts = Vec::new();
        for i in 0..n {
            let at = Self::int(i128::from(i), Prim::Int, span);
            let kind = ExprKind::Index(Box::new(first.clone()), Box::new(at));
            let value = Expr::place(kind, element.clone(), span);
            parts.push(self.convert(value, &element.unqualified())?);
        }
        Ok(Expr::new(ExprKind::Make(parts), ty, span))
    }

    /// What a written type is for this value.
    pub(in crate::sema) fn filled(&mut self, written: &TypeExpr, value: &Expr) -> Checked<Type> {
        let qualified = |ty: Type, by: &TypeExpr| ty.qualified(by.constant, by.volatile);
        Ok(match &written.kind {
            TypeKind::Auto => {
                let kept = matches!(value.ty.kind, Kind::Array(..));
                let ty = if kept {
                    // An array that is bound to names is copied as a whole.
                    value.ty.unqualified()
                } else {
                    value.ty.unqualified()
                };
                qualified(ty, written)
            }
            TypeKind::AsReturned => crate::sema::types::declared::category(value),
            TypeKind::Reference(inner) if matches!(inner.kind, TypeKind::Auto) => {
                Kind::Reference(Rc::new(qualified(value.ty.clone(), inner))).into()
            }
            TypeKind::Rvalue(inner) if matches!(inner.kind, TypeKind::Auto) => {
                let ty = Rc::new(value.ty.clone());
                if crate::sema::classes::special_members::is_rvalue(value) {
                    Kind::Rvalue(ty).into()
                } else {
                    Kind::Reference(ty).into()
                }
            }
            TypeKind::Pointer(inner) if matches!(inner.kind, TypeKind::Auto) => {
                qualified(value.ty.unqualified(), written)
            }
            _ => self.resolve(written)?,
        })
    }

    /// `for (T x : range) body`
    pub(in crate::sema) fn range_for(
        &mut self,
        variable: &ast::Stmt,
        range: &ast::Expr,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<Stmt> {
        let mut out = Vec::new();
        let range_value = match &range.kind {
            ast::ExprKind::List(items) => self.listed_range(items, range.span)?,
            _ => self.expr(range)?,
        };
        let at = range.span;
        let auto = TypeExpr { kind: TypeKind::Auto, constant: false, volatile: false, span: at };
        let any = TypeExpr {
            kind: TypeKind::Rvalue(Box::new(auto.clone())),
            constant: false,
            volatile: false,
            span: at,
        };
        // The range lives as long as the loop.
        let id = self.declare_as(&"".into(), &any, range_value, at, &mut out)?;
        let ty = self.vars[id as usize].ty.clone();
        let whole = Expr::place(ExprKind::Var(id), ty.clone(), at);
        let (first, last) = match &ty.kind {
            Kind::Array(_, n) => {
                self.mark_addressed(&whole);
                let first = self.decay(whole);
                let count = Self::int(i128::from(*n), Prim::ULong, at);
                let ty = first.ty.clone();
                let kind = ExprKind::PointerAdd(Box::new(first.clone()), Box::new(count), false);
                (first, Expr::new(kind, ty, at))
            }
            Kind::Struct(_) => {
                (self.range_end(&whole, "begin", at)?, self.range_end(&whole, "end", at)?)
            }
            _ => {
                let text = self.sema.types.spell(&ty);
                let message = format!("a `{text}` is nothing to go over");
                return self.sema.error("type", at, message);
            }
        };
        let it = self.declare_as(&"".into(), &auto, first, at, &mut out)?;
        let end = self.declare_as(&"".into(), &auto, last, at, &mut out)?;
        let var = |body: &Self, id: VarId| {
            Expr::place(ExprKind::Var(id), body.vars[id as usize].ty.clone(), at)
        };
        let (a, b) = (var(self, it), var(self, end));
        let cond = match a.ty.pointee() {
            Some(_) => {
                let kind = ExprKind::Compare(CmpOp::Ne, Box::new(a.clone()), Box::new(b));
                Expr::new(kind, Prim::Bool.into(), at)
            }
            None => {
                let made = self.binary_values(BinaryOp::Ne, a.clone(), b, at)?;
                self.boolean(made)?
            }
        };
        let (element, step) = match a.ty.pointee().cloned() {
            Some(element) => {
                let one = Self::int(1, Prim::Int, at);
                let current = Expr::new(ExprKind::Current, a.ty.clone(), at);
                let kind = ExprKind::PointerAdd(Box::new(current), Box::new(one), false);
                let value = Box::new(Expr::new(kind, a.ty.clone(), at));
                let place = Box::new(a.clone());
                let kind = ExprKind::Update { place, value, post: false, partial: false };
                let step = Expr::place(kind, a.ty.clone(), at);
                (Expr::place(ExprKind::Deref(Box::new(a)), element, at), step)
            }
            None => (
                self.operator_call("operator*", vec![a.clone()], at)?,
                self.operator_call("operator++", vec![a], at)?,
            ),
        };
        let step = self.discarded(step);
        let mut inside = Vec::new();
        self.scopes.push(std::collections::HashMap::new());
        let bound = match &variable.kind {
            StmtKind::Declare(all) => match all.as_slice() {
                [one] if matches!(one.init, Init::None) => {
                    let made = self.declare_as(&one.name, &one.ty, element, one.span, &mut inside);
                    made.map(|id| {
                        self.define(one.name, Entity::Var(id));
                    })
                }
                _ => Err(Reported),
            },
            StmtKind::StructuredBinding(ty, names, _) => {
                self.bind_value(ty, names, element, variable.span, &mut inside)
            }
            _ => Err(Reported),
        };
        let rest = self.loop_body(body);
        self.scopes.pop();
        bound?;
        inside.push(Stmt::Block(rest));
        out.push(Stmt::Loop {
            cond: Some(cond),
            body: inside,
            step: Some(step),
            test_first: true,
            span,
        });
        Ok(Stmt::Block(out))
    }

    /// `range.begin()`, or `begin(range)`.
    fn range_end(&mut self, whole: &Expr, name: &str, span: Span) -> Checked<Expr> {
        let Kind::Struct(index) = whole.ty.kind else { return Err(Reported) };
        if let Some((ids, path)) = self.sema.find_methods(index, name) {
            let object = self.along(whole.clone(), &path, span);
            let ids = self.by_constness(ids, object.ty.constant);
            let (id, bound, params) = self.choose(name, &ids, &[], &[], span)?;
            return self.finish(id, bound, &params, Some(object), Vec::new(), span);
        }
        let values = vec![whole.clone()];
        let mut ids = self.functions(name.into()).unwrap_or_default();
        ids.extend(self.adl_candidates(name.into(), span, &values));
        if !ids.is_empty() {
            let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
            return self.finish(id, bound, &params, None, values, span);
        }
        let text = self.sema.types.spell(&whole.ty);
        self.sema.error("type", span, format!("a `{text}` has no `{name}()` to go over it with"))
    }

    /// `for (int x : {1, 2, 3})`
    fn listed_range(&mut self, items: &[ast::Expr], span: Span) -> Checked<Expr> {
        let mut parts = Vec::new();
        for item in items {
            let value = match (&item.kind, parts.first()) {
                (ast::ExprKind::List(_), Some(Expr { ty, .. })) => {
                    let ty: Type = ty.unqualified();
                    self.list_value(&ty, item, item.span)?
                }
                _ => self.rvalue(item)?,
            };
            let value = match parts.first() {
                Some(Expr { ty, .. }) => {
                    let ty: Type = ty.unqualified();
                    self.convert(value, &ty)?
                }
                None => self.owned(value)?,
            };
            parts.push(value);
        }
        let Some(first) = parts.first() else {
            return self.sema.error("type", span, "an empty list is nothing to go over");
        };
        let ty = Kind::Array(Rc::new(first.ty.unqualified()), parts.len() as u64).into();
        Ok(Expr::new(ExprKind::Make(parts), ty, span))
    }

    /// `c ? value : throw e`: the arm that throws counts as the other's value.
    pub(in crate::sema) fn thrown_arm(
        &mut self,
        cond: Expr,
        a: Expr,
        b: Expr,
        first: bool,
        span: Span,
    ) -> Checked<Expr> {
        let other = if first { &b } else { &a };
        let ty = other.ty.unqualified();
        let as_value = |thrown: Expr| {
            let zero = Expr::new(ExprKind::Zero, ty.clone(), span);
            Expr::new(ExprKind::Comma(Box::new(thrown), Box::new(zero)), ty.clone(), span)
        };
        let (a, b) = if first {
            (as_value(a), self.convert(b, &ty)?)
        } else {
            (self.convert(a, &ty)?, as_value(b))
        };
        Ok(Expr::new(ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span))
    }
}
