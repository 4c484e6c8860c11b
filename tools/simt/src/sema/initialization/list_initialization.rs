//! List initialisation: of arrays, aggregates, by constructors and `std::initializer_list`.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::classes::cross_side_virtual_calls::type_number;
use crate::sema::initialization::initializer::MAX_LIST;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Checked, Entity, FunctionId};
use crate::syntax::ast::{self, Init};
use crate::syntax::name::{Name, Path};
use std::collections::HashMap;

impl Body<'_, '_> {
    /// `{a, b}` for a variable of type `ty`.
    pub(in crate::sema) fn list(
        &mut self,
        ty: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        // `char a[] = {"text"}`
        if let Kind::Array(element, _) = &ty.kind
            && let [item @ ast::Expr { kind: ast::ExprKind::Str(_), .. }] = items
            && element.prim().is_some()
        {
            return self.item_value(ty, item);
        }
        match &ty.kind {
            Kind::Array(element, n) => {
                if items.len() as u64 > *n && !self.elides(&element.unqualified(), items) {
                    let message = format!("{} values for an array of {n}", items.len());
                    return self.sema.error("type", span, message);
                }
                if items.is_empty() && !self.needs_init(element) {
                    return Ok(Expr::new(ExprKind::Zero, ty.unqualified(), span));
                }
                // What is written out is as long as its source.
                if *n > MAX_LIST && items.len() as u64 * 2 < *n {
                    return self.sema.unsupported(
                        span,
                        format!("a list of values for more than {MAX_LIST} elements"),
                    );
                }
                let element = element.unqualified();
                let mut parts = Vec::new();
                if self.elides(&element, items) {
                    let mut at = 0;
                    let made = self.elided(ty, items, &mut at)?;
                    if at < items.len() {
                        let message = format!("{} values are too many here", items.len());
                        return self.sema.error("type", span, message);
                    }
                    return Ok(made);
                }
                for item in items {
                    parts.push(self.element_value(&element, item)?);
                }
                while (parts.len() as u64) < *n {
                    parts.push(self.empty_value(&element, span)?);
                }
                Ok(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
            }
            Kind::Struct(_) => self.construct_list(ty, items, span),
            _ if ty.packed().is_some() => self.pair_list(ty, items, span),
            _ => match items {
                [] => Ok(self.zero(ty, span)),
                [one] if self.is_scoped_enum(ty) => {
                    let value = self.rvalue(one)?;
                    match value.ty.is_integer() {
                        // `Mode m{3}`
                        true => Ok(self.cast(value, ty)),
                        false => self.convert(value, ty),
                    }
                }
                [one] => self.item_value(ty, one),
                _ => self.sema.error("type", span, "one value is needed between the braces"),
            },
        }
    }

    fn is_scoped_enum(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Enum(index) if self.sema.types.enums[index.index()].scoped)
    }

    fn item_value(&mut self, ty: &Type, item: &ast::Expr) -> Checked<Expr> {
        if let ast::ExprKind::List(_) | ast::ExprKind::Designated(_) = &item.kind {
            return self.list_value(ty, item, item.span);
        }
        if let (ast::ExprKind::Str(text), Kind::Array(..)) = (&item.kind, &ty.kind) {
            return self.characters(ty, text, item.span);
        }
        let value = self.value_for(item, ty)?;
        self.convert(value, ty)
    }

    /// The value of an element or a member of a list.
    fn element_value(&mut self, ty: &Type, item: &ast::Expr) -> Checked<Expr> {
        if let ast::ExprKind::List(_) | ast::ExprKind::Designated(_) | ast::ExprKind::Str(_) =
            &item.kind
        {
            return self.item_value(ty, item);
        }
        let value = self.value_for(item, ty)?;
        self.check_narrowing(item, &value, ty);
        self.convert(value, ty)
    }

    /// Member by member, in order.
    pub(in crate::sema) fn aggregate(
        &mut self,
        ty: &Type,
        index: ClassId,
        items: &[ast::Expr],
        first: Option<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        if let ([], None, Some(id)) = (items, &first, self.needs_object(index, span)) {
            return self.constructed(ty, &[id], Vec::new(), span);
        }
        let mut fields = self.sema.types.get(index).fields.clone();
        self.sema.take_steps(fields.len(), span)?;
        if self.sema.types.get(index).union {
            // A list is for the first member.
            fields.truncate(1);
        }
        let defaults = self.sema.definitions.member_values.get(&index).cloned();
        let defaults = defaults.unwrap_or_default().0;
        // `dim3(2.0)` calls a constructor in CUDA's headers.
        let written = self.sema.definitions.struct_asts.get(&index);
        let is_library = written.is_none_or(|written| written.span.is_built_in());
        let mut first = first;
        let mut parts = Vec::new();
        let mut at = 0;
        for (i, field) in fields.iter().enumerate() {
            if field.name.is(crate::sema::classes::virtual_dispatch::TYPE) {
                let value = ExprKind::Int(type_number(index, self.side));
                parts.push(Some(Expr::new(value, field.ty.clone(), span)));
                continue;
            }
            if field.name.is(crate::sema::classes::bit_fields::WORD) {
                let all = self.sema.types.get(index).bits.clone();
                let mut word = self.zero(&field.ty, span);
                for bits in all.iter().filter(|b| b.unit == i) {
                    let value = match (items.get(at), first.take()) {
                        (None, _) => break,
                        (Some(_), Some(value)) => self.convert(value, &bits.ty)?,
                        (Some(item), None) => self.item_value(&bits.ty, item)?,
                    };
                    at += 1;
                    word = self.with_bits(word, bits, value);
                }
                parts.push(Some(word));
                continue;
            }
            if self.sema.definitions.references.contains(&(index, i)) {
                let given = defaults.get(i).filter(|init| !matches!(init, Init::None));
                if let (None, Some(_)) = (items.get(at), given) {
                    parts.push(None);
                    continue;
                }
                let Some(item) = items.get(at) else {
                    let message =
                        format!("the reference `{}` needs something to refer to", field.name);
                    return self.sema.error("type", span, message);
                };
                at += 1;
                let place = self.expr(item)?;
                parts.push(Some(self.reference_to(place, &field.ty)?));
                continue;
            }
            let elided = items.get(at..=at).is_some_and(|item| self.elides(&field.ty, item));
            let part = match (items.get(at), first.take()) {
                (Some(_), _) if elided => Some(self.elided(&field.ty, items, &mut at)?),
                (Some(_), Some(value)) => {
                    if !is_library {
                        self.check_narrowing(&items[at], &value, &field.ty);
                    }
                    at += 1;
                    Some(self.convert(value, &field.ty)?)
                }
                (Some(item), None) => {
                    at += 1;
                    Some(match is_library {
                        true => self.item_value(&field.ty, item)?,
                        false => self.element_value(&field.ty, item)?,
                    })
                }
                (None, _) => None,
            };
            parts.push(part);
        }
        if at < items.len() {
            let name = self.sema.types.get(index).path;
            let message =
                format!("{} values for `{name}`, which has {} members", items.len(), fields.len());
            return self.sema.error("type", span, message);
        }
        self.completed(ty, index, parts, span)
    }

    /// An aggregate from the members that have a value; the others get that of their declaration. If
    /// one of those names another member, an object is made, and its members get their values in order.
    fn completed(
        &mut self,
        ty: &Type,
        index: ClassId,
        given: Vec<Option<Expr>>,
        span: Span,
    ) -> Checked<Expr> {
        let fields = self.sema.types.get(index).fields.clone();
        let (defaults, bindings) =
            self.sema.definitions.member_values.get(&index).cloned().unwrap_or_default();
        let one_each = self.is_dim3(ty);
        let mut object = None;
        let mut parts = Vec::new();
        for ((i, field), part) in fields.iter().enumerate().zip(given) {
            let default = defaults.get(i).filter(|init| !matches!(init, Init::None));
            let part = match (part, default) {
                (Some(part), _) => part,
                (None, _) if one_each => Expr::new(ExprKind::Int(1), field.ty.clone(), span),
                (None, Some(init)) => {
                    let member = ((index, i), &field.ty);
                    if object.is_none() && self.names_members(member, init, &bindings, span) {
                        object = Some(self.fresh(ty, span));
                    }
                    let names = match object {
                        Some(var) => self.members_as(index, |i| Entity::StructuredBinding(var, i)),
                        None => Vec::new(),
                    };
                    self.default_member(member, init, &bindings, &names, span)?
                }
                (None, None) if self.needs_init(&field.ty) => {
                    // It is the class that constructs it, not the function.
                    let function = self.frame.function.take();
                    let value = self.default_value(&field.ty, span);
                    self.frame.function = function;
                    value?
                }
                (None, None) => self.zero(&field.ty, span),
            };
            parts.push(part);
        }
        let ty = ty.unqualified();
        let made = match object {
            None => Expr::new(ExprKind::Make(parts), ty, span),
            Some(var) => {
                let whole = Expr::place(ExprKind::Var(var), ty.clone(), span);
                let mut made = whole.clone();
                for (i, part) in parts.into_iter().enumerate().rev() {
                    let place = ExprKind::Member(Box::new(whole.clone()), i as u32);
                    let place = Expr::place(place, part.ty.clone(), span);
                    let begun = self.begun(place, part, span);
                    let both = ExprKind::Comma(Box::new(begun), Box::new(made));
                    made = Expr::new(both, ty.clone(), span);
                }
                made
            }
        };
        Ok(self.with_type(made, index, span))
    }

    /// Whether the value of a member that its declaration gives names members, and so needs an object.
    fn names_members(
        &mut self,
        member: ((ClassId, usize), &Type),
        init: &Init,
        bindings: &[(Path, Arg)],
        span: Span,
    ) -> bool {
        // What cannot be a value stands for the members.
        let names = self.members_as(member.0.0, |_| Entity::Pack(Vec::new()));
        self.speculate(|body| body.default_member(member, init, bindings, &names, span)).is_err()
    }

    /// The names of a class's members, and what they mean.
    fn members_as(&self, class: ClassId, means: impl Fn(u32) -> Entity) -> Vec<(Path, Entity)> {
        let fields = self.sema.types.get(class).fields.iter().enumerate();
        fields.map(|(i, field)| (field.name, means(i as u32))).collect()
    }

    /// The default constructor of a class whose default member initialisers name other members,
    /// and so need an object; `None` for a class whose members have values without one.
    fn needs_object(&mut self, index: ClassId, span: Span) -> Option<FunctionId> {
        let implicit = self.sema.definitions.classes.get(&index)?.implicit?;
        let (defaults, bindings) = self.sema.definitions.member_values.get(&index).cloned()?;
        let fields = self.sema.types.get(index).fields.clone();
        let named = fields.iter().zip(&defaults).enumerate().any(|(i, (field, init))| {
            let member = ((index, i), &field.ty);
            !matches!(init, Init::None) && self.names_members(member, init, &bindings, span)
        });
        named.then_some(implicit)
    }

    /// Values in braces.
    pub(in crate::sema) fn list_value(
        &mut self,
        ty: &Type,
        list: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        match &list.kind {
            ast::ExprKind::List(items) => {
                let items = self.unpacked(items)?;
                match &*items {
                    [one] if matches!(ty.kind, Kind::Prim(_)) => self.element_value(ty, one),
                    _ => self.list(ty, &items, span),
                }
            }
            ast::ExprKind::Designated(members) => self.designated(ty, members, span),
            _ => Err(Reported),
        }
    }

    /// `{.x = 1, .z = 2}`: those between are as if they were not mentioned.
    fn designated(
        &mut self,
        ty: &Type,
        members: &[(Name, Span, ast::Expr)],
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else {
            return self.sema.error("type", span, "only a struct's members have names");
        };
        let info = self.sema.types.get(index).clone();
        let count = if info.union { 1 } else { info.fields.len() };
        let mut parts = vec![None; count];
        for (name, at, value) in members {
            if let Some(bits) = info.bits.iter().find(|b| b.name == *name) {
                let value = self.item_value(&bits.ty, value)?;
                let word = parts.get_mut(bits.unit).ok_or(Reported)?.take();
                let word = word.unwrap_or_else(|| self.zero(&info.fields[bits.unit].ty, span));
                parts[bits.unit] = Some(self.with_bits(word, bits, value));
                continue;
            }
            let Some(i) = info.fields.iter().position(|f| f.name == *name) else {
                let message = format!("`{}` has no member `{name}`", info.path);
                return self.sema.error("name", *at, message);
            };
            if info.union && i > 0 {
                return self
                    .sema
                    .unsupported(*at, "a designated member of a union after the first");
            }
            parts[i] = Some(self.element_value(&info.fields[i].ty, value)?);
        }
        self.completed(ty, index, parts, span)
    }

    /// Whether braces are elided.
    fn elides(&mut self, element: &Type, items: &[ast::Expr]) -> bool {
        let Some(first) = items.first() else { return false };
        let listed = matches!(
            first.kind,
            ast::ExprKind::List(_) | ast::ExprKind::Designated(_) | ast::ExprKind::Str(_)
        );
        match &element.kind {
            Kind::Array(..) => !listed,
            Kind::Struct(i) => {
                let plain = !self.sema.definitions.constructors.contains_key(i);
                let value = if listed { None } else { self.speculate(|b| b.rvalue(first)).ok() };
                plain
                    && value.is_some_and(|v| {
                        crate::sema::conversions::standard_conversion::fit(
                            &self.sema.types,
                            &v.ty,
                            element,
                            false,
                        )
                        .is_none()
                    })
            }
            _ => false,
        }
    }

    /// What `{}` makes: an element or a member for which a list has no value.
    fn empty_value(&mut self, ty: &Type, span: Span) -> Checked<Expr> {
        match self.needs_init(ty) {
            true => self.default_value(ty, span),
            false => Ok(self.zero(ty, span)),
        }
    }

    /// A value from as many items as it needs.
    fn elided(&mut self, ty: &Type, items: &[ast::Expr], at: &mut usize) -> Checked<Expr> {
        let Some(item) = items.get(*at) else {
            let span = items.last().map_or_else(Span::default, |i| i.span);
            return self.empty_value(ty, span);
        };
        let span = item.span;
        let members: Vec<Type> = match &ty.kind {
            Kind::Array(element, n) if *n <= MAX_LIST => {
                (0..*n).map(|_| element.unqualified()).collect()
            }
            Kind::Struct(i) if !self.sema.types.get(*i).union => {
                self.sema.types.get(*i).fields.iter().map(|f| f.ty.unqualified()).collect()
            }
            Kind::Struct(i) if !self.sema.types.get(*i).fields.is_empty() => {
                // A union: its first member.
                let first = self.sema.types.get(*i).fields[0].ty.unqualified();
                let value = if self.elides(&first, std::slice::from_ref(item)) {
                    self.elided(&first, items, at)?
                } else {
                    *at += 1;
                    self.element_value(&first, item)?
                };
                return self.completed(ty, *i, vec![Some(value)], span);
            }
            _ => {
                *at += 1;
                return self.element_value(ty, item);
            }
        };
        let mut parts = Vec::new();
        for member in &members {
            let whole = items.get(*at).is_none_or(|item| match &item.kind {
                ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => true,
                ast::ExprKind::Str(_) => true,
                _ => !self.elides(member, std::slice::from_ref(item)),
            });
            parts.push(match items.get(*at) {
                Some(item) if whole => {
                    *at += 1;
                    self.element_value(member, item)?
                }
                _ => self.elided(member, items, at)?,
            });
        }
        Ok(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
    }

    /// Whether values in braces make a value of that type.
    pub(in crate::sema) fn list_fits(&mut self, ty: &Type, list: &ast::Expr) -> bool {
        self.speculate(|b| b.list_value(ty, list, list.span)).is_ok()
    }

    /// `T{a, b}`: by a constructor that takes a `std::initializer_list` first.
    pub(in crate::sema) fn construct_list(
        &mut self,
        ty: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return self.list(ty, items, span) };
        if let Some(element) = self.listed(ty) {
            return self.initializer_list(ty, &element, items, span);
        }
        if items.is_empty() {
            return self.construct(ty, items, span);
        }
        for id in self.sema.definitions.constructors.get(&index).cloned().unwrap_or_default() {
            let Some(param) = self.first_param(id) else { continue };
            let param = param.unreferenced().unqualified();
            let Some(element) = self.listed(&param) else { continue };
            let plain = element.unqualified();
            let fits = items.iter().all(|item| {
                self.speculate(|b| match &item.kind {
                    ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => {
                        b.list_fits(&plain, item)
                    }
                    _ => match b.expr(item) {
                        Ok(value) => {
                            crate::sema::conversions::standard_conversion::fit(
                                &b.sema.types,
                                &value.ty,
                                &plain,
                                Self::is_null(&value),
                            )
                            .is_some()
                                || b.user_fit(&value, &plain).is_some()
                        }
                        Err(Reported) => false,
                    },
                })
            });
            if fits {
                let list = self.initializer_list(&param, &element, items, span)?;
                return self.construct_with(ty, &[id], vec![list], span);
            }
        }
        let made = self.construct(ty, items, span)?;
        self.check_narrowed_arguments(items, &made);
        Ok(made)
    }

    /// The type of a function's first parameter, if it can be called with that one alone and its types are
    /// all known.
    fn first_param(&mut self, id: crate::sema::FunctionId) -> Option<Type> {
        let declared = self.sema.definitions[id].clone();
        let first = declared.ast.params.first()?;
        let alone = declared.ast.params[1..].iter().all(|p| !matches!(p.init, Init::None));
        if !declared.ast.template.is_empty() || !alone {
            return None;
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let ty = self.speculate(|b| b.resolve(&first.ty)).ok();
        self.scopes = outer;
        ty
    }

    /// What a `std::initializer_list` lists.
    pub(in crate::sema) fn listed(&self, ty: &Type) -> Option<Type> {
        let Kind::Struct(index) = ty.kind else { return None };
        let info = self.sema.types.get(index);
        if info.declared.in_std().as_deref() != Some("initializer_list") {
            return None;
        }
        info.fields.first()?.ty.pointee().cloned()
    }

    /// `auto list = {a, b};`: a `std::initializer_list` of the type of the first.
    pub(in crate::sema) fn deduced_list(
        &mut self,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let name = Path::from("std").join("initializer_list".into());
        let known = self.sema.templates.structs.contains_key(&name);
        let [first, ..] = items else {
            return self.no_list(span);
        };
        if !known || matches!(first.kind, ast::ExprKind::List(_) | ast::ExprKind::Designated(_)) {
            return self.no_list(span);
        }
        let element = self.rvalue(first)?.ty.unqualified();
        let own = Path::from("#element");
        self.scopes.push(HashMap::from([(own, Entity::Type(element.clone()))]));
        let kind = ast::TypeKind::Named(own, Vec::new());
        let named = ast::TypeExpr { kind, constant: false, volatile: false, span };
        let ty = self.struct_instance(&name, &[ast::TemplateArg::Type(named)], span);
        self.scopes.pop();
        self.initializer_list(&ty?, &element, items, span)
    }

    /// The values are in a backing array that lives as long as the expression.
    fn initializer_list(
        &mut self,
        ty: &Type,
        element: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let element = element.unqualified();
        let mut parts = Vec::new();
        for item in items {
            parts.push(self.item_value(&element, item)?);
        }
        let count = Self::int(parts.len() as i128, ast::Prim::ULong, span);
        let pointer: Type = element.clone().qualified(true, false).pointer_to();
        let first = if parts.is_empty() {
            self.zero(&pointer, span)
        } else {
            let array: Type = Kind::Array(std::rc::Rc::new(element), parts.len() as u64).into();
            let all = Expr::new(ExprKind::Make(parts), array, span);
            let all = self.materialize(all, span);
            let first = self.decay(all);
            self.cast(first, &pointer)
        };
        Ok(Expr::new(ExprKind::Make(vec![first, count]), ty.unqualified(), span))
    }
}
