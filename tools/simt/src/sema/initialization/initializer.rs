//! Initialisers of scalars, classes, arrays and references.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::conversions::standard_conversion::elements_qualified;
use crate::sema::symbols::symbol_table::Arg;
use crate::sema::tree::{Expr, ExprKind, Stmt};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity};
use crate::syntax::ast::{self, Init, MemberInit};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// Elements of an array that has a list of values at most.
pub(in crate::sema) const MAX_LIST: u64 = 65_536;

impl Body<'_, '_> {
    pub(in crate::sema) fn has_constructor(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.sema.definitions.constructors.contains_key(&i) || self.sema.definitions.member_values.contains_key(&i))
    }

    /// `Ok(None)`: there is no initialiser, and the variable stays uninitialised.
    pub(in crate::sema) fn initial_value(
        &mut self,
        ty: &Type,
        init: &Init,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let value = match init {
            Init::None if self.needs_init(ty) => self.default_value(ty, span)?,
            Init::None => return Ok(None),
            Init::Expr(
                list @ ast::Expr {
                    kind: ast::ExprKind::List(_) | ast::ExprKind::Designated(_),
                    span,
                },
            ) => self.list_value(ty, list, *span)?,
            Init::Expr(ast::Expr { kind: ast::ExprKind::Str(text), span })
                if matches!(ty.kind, Kind::Array(..)) =>
            {
                self.characters(ty, text, *span)?
            }
            Init::Expr(e) => {
                let value = self.value_for(e, ty)?;
                if let Kind::Array(..) = ty.kind {
                    return self.sema.error(
                        "type",
                        e.span,
                        "an array is initialised by a list in `{}`",
                    );
                }
                self.lint_conversion(&value, ty);
                self.convert(value, ty)?
            }
            Init::Paren(items)
                if matches!(ty.kind, Kind::Struct(_))
                    || ty.packed().is_some()
                    || crate::sema::templates::packs::has_pack(items) =>
            {
                self.construct(ty, items, span)?
            }
            Init::Paren(items) => match items.as_slice() {
                [one] => {
                    let value = self.rvalue(one)?;
                    self.convert(value, ty)?
                }
                _ => {
                    return self.sema.error(
                        "type",
                        span,
                        "one value is needed between the brackets",
                    );
                }
            },
        };
        Ok(Some(value))
    }

    /// A string that fills an array.
    pub(in crate::sema) fn characters(
        &mut self,
        ty: &Type,
        text: &[u8],
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Array(element, n) = &ty.kind else { return Err(Reported) };
        if !matches!(element.prim(), Some(ast::Prim::Char | ast::Prim::SChar | ast::Prim::UChar)) {
            return self.sema.error("type", span, "a string fills an array of `char` alone");
        }
        let element = element.unqualified();
        if text.len() as u64 > *n {
            let message = format!("this string has {} bytes, and the array {n}", text.len());
            return self.sema.error("type", span, message);
        }
        if *n > MAX_LIST {
            let what = format!("a string for more than {MAX_LIST} elements");
            return self.sema.unsupported(span, what);
        }
        let bytes = text.iter().copied().chain(std::iter::repeat(0)).take(*n as usize);
        let prim = element.prim().ok_or(Reported)?;
        let parts = bytes
            .map(|b| {
                Self::int(if prim.is_signed() { i128::from(b as i8) } else { b.into() }, prim, span)
            })
            .collect();
        Ok(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
    }

    pub(in crate::sema) fn is_dim3(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.sema.types.get(i).path.is("dim3"))
    }

    /// The value of a scalar that was not given.
    pub(in crate::sema) fn zero(&self, ty: &Type, span: Span) -> Expr {
        let plain = Expr::new(ExprKind::Int(0), ast::Prim::Int.into(), span);
        let kind = folding::convert(&self.sema.types, &plain, ty).unwrap_or(ExprKind::Zero);
        Expr::new(kind, ty.unqualified(), span)
    }

    /// `T(a, b)`, `T{a, b}`.
    pub(in crate::sema) fn construct(
        &mut self,
        ty: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let constructed = match ty.kind {
            Kind::Struct(i) => self.sema.definitions.constructors.contains_key(&i),
            _ => false,
        };
        if !constructed && crate::sema::templates::packs::has_pack(items) {
            let mut values = self.values(items)?;
            return match (values.pop(), values.is_empty()) {
                (None, _) => self.construct(ty, &[], span),
                (Some(one), true) => self.convert(one, ty),
                _ => {
                    let items = self.unpacked(items)?;
                    self.construct(ty, &items, span)
                }
            };
        }
        let Kind::Struct(index) = ty.kind else {
            return self.list(ty, items, span);
        };
        if self.sema.definitions.constructors.contains_key(&index) {
            let values = self.values(items)?;
            return self.construct_values(ty, values, span);
        }
        if let [one] = items
            && !matches!(one.kind, ast::ExprKind::List(_))
        {
            // A copy, unless the first member is meant.
            let value = self.rvalue(one)?;
            if value.ty.kind == ty.kind {
                return self.copied(value);
            }
            if crate::sema::conversions::standard_conversion::fit(
                &self.sema.types,
                &value.ty,
                ty,
                false,
            )
            .is_some()
            {
                return self.convert(value, ty);
            }
            if let Some(made) = self.convert_by_class(&value, ty, true) {
                return made;
            }
            return self.aggregate(ty, index, items, Some(value), span);
        }
        self.aggregate(ty, index, items, None, span)
    }

    /// A place as what a member that is a reference holds.
    pub(in crate::sema) fn reference_to(&mut self, place: Expr, held: &Type) -> Checked<Expr> {
        let span = place.span;
        let wanted = held.pointee().ok_or(Reported)?.clone();
        let reference: Type = Kind::Reference(std::rc::Rc::new(wanted)).into();
        let place = self.refer(place, &reference)?;
        if !place.place {
            let message = "this reference would outlive what it refers to";
            return self.sema.error("type", span, message);
        }
        self.mark_addressed(&place);
        Ok(Expr::new(ExprKind::Address(Box::new(place)), held.unqualified(), span))
    }

    /// Whether default initialisation of the type gives a value.
    pub(in crate::sema) fn needs_init(&self, ty: &Type) -> bool {
        match &ty.kind {
            Kind::Array(element, _) => self.needs_init(element),
            Kind::Struct(i) => {
                let info = self.sema.types.get(*i);
                self.has_constructor(ty)
                    || self.is_dim3(ty)
                    || (!info.union
                        && info.fields.iter().any(|f| {
                            f.name.is(crate::sema::classes::virtual_dispatch::TYPE)
                                || self.needs_init(&f.ty)
                        }))
            }
            _ => false,
        }
    }

    /// The value of what is declared without one.
    pub(in crate::sema) fn default_value(&mut self, ty: &Type, span: Span) -> Checked<Expr> {
        self.sema.take_steps(1, span)?;
        let Kind::Array(element, n) = &ty.kind else { return self.construct(ty, &[], span) };
        if *n > MAX_LIST {
            let what = format!("an array of more than {MAX_LIST} objects");
            return self.sema.unsupported(span, what);
        }
        let mut parts = Vec::new();
        for _ in 0..*n {
            parts.push(self.default_value(&element.unqualified(), span)?);
        }
        Ok(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
    }

    /// The member initialiser list of a constructor, in the order of declaration.
    pub(in crate::sema) fn begin_members(
        &mut self,
        owner: ClassId,
        ast: &ast::Function,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let this = Expr::place(ExprKind::This, Kind::Struct(owner).into(), ast.span);
        let written = self.sema.definitions.struct_asts.get(&owner).cloned().ok_or(Reported)?;
        // A delegating constructor.
        if let [init @ MemberInit { name, span, packs: None, .. }] = ast.member_inits.as_slice()
            && name.last() == written.name.last()
        {
            let ty: Type = Kind::Struct(owner).into();
            let value = self.member_value(&ty, init)?;
            let kind = ExprKind::Assign(Box::new(this.clone()), Box::new(value));
            out.push(Stmt::Expr(Expr::place(kind, ty, *span)));
            out.extend(self.built(this, *span));
            return Ok(());
        }
        let info = self.sema.types.get(owner).clone();
        let inits = self.expanded_inits(&ast.member_inits)?;
        let mut used = vec![false; inits.len()];
        let (defaults, bindings) =
            self.sema.definitions.member_values.get(&owner).cloned().unwrap_or_default();
        for (i, field) in info.fields.iter().enumerate() {
            let given = inits.iter().position(|(ty, MemberInit { name, .. })| {
                if i >= info.bases {
                    return *name == field.name;
                }
                if let Some(ty) = ty {
                    return ty.kind == field.ty.kind;
                }
                let single = |b: &&ast::TypeExpr| !matches!(b.kind, ast::TypeKind::Expand(..));
                let base = written.bases.iter().take_while(single).nth(i);
                let named = match self.lookup(name) {
                    Some(crate::sema::Entity::Type(ty)) => ty.kind == field.ty.kind,
                    _ => false,
                };
                named
                    || base.is_some_and(|b| {
                        matches!(&b.kind, ast::TypeKind::Named(n, _) | ast::TypeKind::Defaults(n)
                            if n.last() == name.last())
                    })
            });
            let place = |ty: &Type, span: Span| {
                let kind = ExprKind::Member(Box::new(this.clone()), i as u32);
                Expr::place(kind, ty.unqualified(), span)
            };
            let (span, value) = if let Some(at) = given {
                used[at] = true;
                let (_, init @ MemberInit { span, values, .. }) = &inits[at];
                let value = if self.sema.definitions.references.contains(&(owner, i)) {
                    let [one] = values.as_slice() else {
                        let message = "a reference needs something to refer to";
                        return self.sema.error("type", *span, message);
                    };
                    let target = self.expr(one)?;
                    self.reference_to(target, &field.ty)?
                } else {
                    self.member_value(&field.ty, init)?
                };
                (*span, value)
            } else if field.name.is(crate::sema::classes::virtual_dispatch::TYPE) {
                continue;
            } else if let Some(init) = defaults.get(i).filter(|d| !matches!(d, Init::None)) {
                let member = ((owner, i), &field.ty);
                (ast.span, self.default_member(member, init, &bindings, &[], ast.span)?)
            } else if self.needs_init(&field.ty) && !info.union {
                (ast.span, self.default_value(&field.ty, ast.span)?)
            } else {
                continue;
            };
            let member = place(&field.ty, span);
            out.push(Stmt::Expr(self.begun(member.clone(), value, span)));
            if !info.union {
                out.extend(self.built(member, span));
            }
        }
        for (i, (_, given)) in inits.iter().enumerate() {
            used[i] = used[i]
                || self.begin_bits(&this, given, out)?
                || self.begin_anonymous(&this, given, out)?;
        }
        if let Some(i) = used.iter().position(|u| !u) {
            let (_, MemberInit { name: member, span, .. }) = &inits[i];
            let first = inits[..i].iter().find(|(_, init)| init.name == *member);
            let Some((_, first)) = first else {
                let message = format!("`{}` has no member `{member}`", info.path);
                return self.sema.error("name", *span, message);
            };
            let message = format!("`{member}` is initialised twice");
            let diagnostic = Diagnostic::error("name", *span, message)
                .with_label(first.span, "first here")
                .with_help("remove one of them");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        if let Some(place) = self.type_place(this, owner, ast.span) {
            out.push(Stmt::Expr(self.set_type(place, owner, ast.span)));
        }
        Ok(())
    }

    /// The initialisers with each pack expansion replaced by its elements; of these the types, too.
    fn expanded_inits(&mut self, all: &[MemberInit]) -> Checked<Vec<(Option<Type>, MemberInit)>> {
        let mut out = Vec::new();
        for given in all {
            let MemberInit { name, span, values, packs, .. } = given;
            let Some(packs) = packs else {
                out.push((None, given.clone()));
                continue;
            };
            let kind = ast::TypeKind::Named(*name, Vec::new());
            let base = ast::TypeExpr { kind, constant: false, volatile: false, span: *span };
            let types = self.expand(packs, *span, |body| body.resolve(&base))?;
            let whole = |value: &ast::Expr| {
                let kind = ast::ExprKind::Expand(Box::new(value.clone()), packs.clone());
                Rc::new(ast::Expr { kind, span: value.span })
            };
            let wholes: Vec<Rc<ast::Expr>> = values.iter().map(whole).collect();
            for (i, ty) in types.into_iter().enumerate() {
                let element = |whole: &Rc<ast::Expr>| {
                    let kind = ast::ExprKind::Element(whole.clone(), i);
                    ast::Expr { kind, span: whole.span }
                };
                let values = wholes.iter().map(element).collect();
                out.push((Some(ty), MemberInit { values, ..given.clone() }));
            }
        }
        Ok(out)
    }

    /// The value of a member that its declaration gives, in the class's own scope. `names`: what its
    /// members are there, if there is no `this`.
    pub(in crate::sema) fn default_member(
        &mut self,
        (member, held): ((ClassId, usize), &Type),
        init: &Init,
        bindings: &[(Path, Arg)],
        names: &[(Path, Entity)],
        span: Span,
    ) -> Checked<Expr> {
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        // It is the class's text, not that of the function.
        let function = self.frame.function.take();
        self.bind(bindings);
        for (name, entity) in names {
            self.define(*name, entity.clone());
        }
        let value = if self.sema.definitions.references.contains(&member) {
            self.default_reference(held, init, span)
        } else {
            self.initial_value(held, init, span).and_then(|value| value.ok_or(Reported))
        };
        self.frame.function = function;
        self.scopes = outer;
        value
    }

    /// `T& member = place;`
    fn default_reference(&mut self, held: &Type, init: &Init, span: Span) -> Checked<Expr> {
        let wanted = held.pointee().ok_or(Reported)?.clone();
        let reference: Type = Kind::Reference(std::rc::Rc::new(wanted)).into();
        let place = self.bind_reference(&reference, init, span)?;
        self.reference_to(place, held)
    }

    /// `: member(a, b)`, which for an array without values means zeros, and `: member{a, b}`.
    pub(super) fn member_value(&mut self, ty: &Type, init: &MemberInit) -> Checked<Expr> {
        let MemberInit { values, span, .. } = init;
        match &ty.kind {
            Kind::Struct(_) if init.braced => {
                let values = self.unpacked(values)?;
                self.construct_list(ty, &values, *span)
            }
            Kind::Struct(_) => self.construct(ty, values, *span),
            _ if crate::sema::templates::packs::has_pack(values) => {
                self.construct(ty, values, *span)
            }
            _ => self.list(ty, values, *span),
        }
    }

    /// Lifetime extension: the variable of a reference owns the temporary that it binds to.
    pub(in crate::sema) fn kept(
        &mut self,
        id: crate::sema::tree::VarId,
        bound: Expr,
        span: Span,
    ) -> Expr {
        let ExprKind::Host(host) = bound.kind else { return bound };
        match *host {
            crate::sema::tree::Host::Temporary(value, destroy) => {
                self.vars[id as usize].destroy = destroy;
                Expr { span, ..value }
            }
            other => Expr { kind: ExprKind::Host(Box::new(other)), ..bound },
        }
    }

    /// What a reference is another name for.
    pub(in crate::sema) fn bind_reference(
        &mut self,
        ty: &Type,
        init: &Init,
        span: Span,
    ) -> Checked<Expr> {
        let target = match init {
            Init::Expr(ast::Expr { kind: ast::ExprKind::List(items), .. }) if items.len() == 1 => {
                self.expr_to_bind(&items[0])?
            }
            Init::Expr(list @ ast::Expr { kind: ast::ExprKind::List(_), span }) => {
                self.list_value(ty.unreferenced(), list, *span)?
            }
            Init::Expr(e) => self.expr_to_bind(e)?,
            Init::Paren(items) if items.len() == 1 => self.expr_to_bind(&items[0])?,
            _ => return self.sema.error("type", span, "a reference needs something to refer to"),
        };
        let target = self.of_shadow(target);
        self.refer(target, ty)
    }

    /// `target` as a reference of type `ty`: a place, or a value that is kept for it.
    pub(in crate::sema) fn refer(&mut self, target: Expr, ty: &Type) -> Checked<Expr> {
        let wanted = ty.unreferenced();
        let target = if wanted.constant { target } else { self.as_place(target) };
        let rvalue = crate::sema::classes::special_members::is_rvalue(&target);
        // A temporary of a derived class is referred to, not a copy of its base.
        if rvalue
            && (wanted.constant || matches!(ty.kind, Kind::Rvalue(_)))
            && let (Kind::Struct(from), Kind::Struct(base)) = (&target.ty.kind, &wanted.kind)
            && from != base
            && let Some(path) = self.sema.types.base_path(*from, *base)
        {
            let span = target.span;
            let whole = self.whole_object(target, &path, span);
            self.mark_written(&whole);
            return Ok(self.along(whole, &path, span));
        }
        if let Kind::Rvalue(_) = ty.kind {
            if target.place
                && !crate::sema::classes::special_members::is_rvalue(&target)
                && target.ty.kind == wanted.kind
            {
                let text = self.sema.types.spell(ty);
                let message = format!("a `{text}` cannot refer to a variable");
                let diagnostic = Diagnostic::error("type", target.span, message)
                    .with_help("write `std::move(..)` around it, if its value may be taken away");
                self.sema.report(diagnostic);
                return Err(Reported);
            }
            if target.place && target.ty.kind == wanted.kind {
                self.mark_written(&target);
                return Ok(target);
            }
            let span = target.span;
            let same = !target.place && target.ty.kind == wanted.kind;
            let value = if same { target } else { self.convert(target, wanted)? };
            return Ok(self.materialize(value, span));
        }
        if target.place
            && let (Kind::Struct(from), Kind::Struct(base)) = (&target.ty.kind, &wanted.kind)
            && from != base
            && let Some(path) = self.sema.types.base_path(*from, *base)
            && (wanted.constant || !target.ty.constant)
        {
            let span = target.span;
            self.mark_written(&target);
            return Ok(self.along(target, &path, span));
        }
        if let (Kind::Array(x, n), Kind::Array(y, m), true) =
            (&target.ty.kind, &wanted.kind, target.place)
            && (n == m || *m == 0)
            && elements_qualified(x, y)
            && target.ty.kind != wanted.kind
        {
            if !y.constant {
                self.mark_written(&target);
            }
            return Ok(Expr { ty: wanted.clone(), ..target });
        }
        if target.place && target.ty.kind == wanted.kind {
            if target.ty.constant && !wanted.constant {
                let name = self.sema.types.spell(&target.ty);
                let message =
                    format!("a `{}` cannot refer to a `{name}`", self.sema.types.spell(ty));
                return self.sema.error("type", target.span, message);
            }
            if !wanted.constant || matches!(target.kind, ExprKind::Call(..) | ExprKind::Cond(..)) {
                self.mark_written(&target);
            }
            return Ok(target);
        }
        if wanted.constant {
            let span = target.span;
            let value = if !target.place && target.ty.kind == wanted.kind {
                target
            } else {
                self.convert(target, wanted)?
            };
            return Ok(self.materialize(value, span));
        }
        if let Some(place) = self.referred(&target, wanted) {
            return place;
        }
        let (span, text) = (target.span, self.sema.types.spell(ty));
        let what =
            if target.place { self.sema.types.spell(&target.ty) } else { "value".to_string() };
        let diagnostic =
            Diagnostic::error("type", span, format!("a `{text}` cannot refer to this {what}"))
                .with_help(
                    "pass a variable of just that type, or make the parameter a `const` reference",
                );
        self.sema.report(diagnostic);
        Err(Reported)
    }
}
