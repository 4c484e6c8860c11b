//! Expressions: names, members, indices, casts, assignments.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::expressions::id_expression::closest;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Name;
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// A value: arrays become pointers.
    pub(in crate::sema) fn rvalue(&mut self, e: &ast::Expr) -> Checked<Expr> {
        let value = self.expr(e)?;
        Ok(self.decay(value))
    }

    /// A value or a place.
    pub(in crate::sema) fn expr(&mut self, e: &ast::Expr) -> Checked<Expr> {
        let span = e.span;
        self.sema.take_steps(1, span)?;
        let made = match &e.kind {
            ast::ExprKind::Int(..)
            | ast::ExprKind::Float(..)
            | ast::ExprKind::Bool(_)
            | ast::ExprKind::Char(_)
            | ast::ExprKind::Str(_)
            | ast::ExprKind::Null => return self.literal(e),
            ast::ExprKind::This => match self.object_here(span) {
                Some(object) => {
                    self.mark_addressed(&object);
                    let ty = object.ty.clone();
                    Expr::new(ExprKind::Address(Box::new(object)), ty.pointer_to(), span)
                }
                None => return self.sema.error("name", span, "`this` outside a method"),
            },
            ast::ExprKind::Name(name, arguments) => {
                match self.function_value(name, arguments.as_deref(), span) {
                    Some(made) => made?,
                    None => self.name(name, span)?,
                }
            }
            ast::ExprKind::Unary(op, inner) => self.unary(*op, inner, span)?,
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span)?,
            ast::ExprKind::Assign(op, place, value) => self.assign(*op, place, value, span)?,
            ast::ExprKind::Cond(cond, a, b) => self.conditional(cond, a, b, span)?,
            ast::ExprKind::OrElse(a, b) => self.or_else(a, b, span)?,
            ast::ExprKind::Comma(a, b) => {
                let values = [self.expr(a)?, self.expr(b)?];
                let of_class = values.iter().any(|e| matches!(e.ty.kind, Kind::Struct(_)));
                if of_class && self.operator_fits("operator,", &values) {
                    self.operator_call("operator,", values.into(), span)?
                } else {
                    let [left, right] = values;
                    self.lint_before_comma(a);
                    self.comma(left, right, span)?
                }
            }
            ast::ExprKind::Call(callee, args) => self.call(callee, args, span)?,
            ast::ExprKind::Launch(kernel, at, shape, args) => {
                self.launch(kernel, *at, shape, args, span)?
            }
            ast::ExprKind::Index(base, index) => self.index(base, index, span)?,
            ast::ExprKind::Member(object, name, at, arrow) => {
                self.member(object, name, *at, *arrow, span)?
            }
            ast::ExprKind::Cast(style, ty, inner) => self.written_cast(*style, ty, inner, span)?,
            ast::ExprKind::Construct(ty, items, braces) => {
                self.functional_cast(ty, items, *braces, span)?
            }
            ast::ExprKind::New { place, ty, count, init } => {
                self.new_object(place, ty, count.as_deref(), init, span)?
            }
            ast::ExprKind::Delete(pointer, array) => self.delete_object(pointer, *array, span)?,
            ast::ExprKind::Destroy(object, arrow) => self.destroy_object(object, *arrow, span)?,
            ast::ExprKind::Throw(value) => self.throw(value.as_deref(), span)?,
            ast::ExprKind::Element(inner, i) => return self.element(inner, *i),
            ast::ExprKind::Expand(..) => {
                return self.sema.error("template", span, "a pack cannot be expanded here");
            }
            ast::ExprKind::SizeofPack(name) => {
                let n = self.pack_length(&name.into(), span)?;
                Self::int(n as i128, Prim::ULong, span)
            }
            ast::ExprKind::Fold(fold) => self.fold_pack(fold, span)?,
            ast::ExprKind::Requires(written) => self.requires(written, span),
            ast::ExprKind::Trait(name, types) => self.type_trait(name, types, span)?,
            ast::ExprKind::MemberTemplate(..) => {
                return self.sema.unsupported(span, "a method that is not called");
            }
            ast::ExprKind::List(items) => self.deduced_list(items, span)?,
            ast::ExprKind::Designated(_) => return self.no_list(span),
            ast::ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty)?;
                self.size(&ty, span)
            }
            ast::ExprKind::Typeid(inner) => self.typeid_of(inner, span)?,
            ast::ExprKind::Offsetof(ty, members) => self.offset_of(ty, members, span)?,
            ast::ExprKind::Alignof(ty) => {
                let ty = self.resolve(ty)?;
                let align = self.sema.types.align_of(ty.unreferenced());
                Expr::new(ExprKind::Int(i128::from(align)), Prim::ULong.into(), span)
            }
            ast::ExprKind::Lambda(lambda) => self.lambda(lambda, span)?,
            ast::ExprKind::Scoped(ty, member) => self.scoped_member(ty, *member, span)?,
            ast::ExprKind::Noexcept(inner) => self.noexcept_operator(inner, span)?,
            ast::ExprKind::SizeofExpr(inner) => {
                if let Some(size) = self.room_size(inner) {
                    return size;
                }
                let inner = self.unevaluated(|b| b.expr(inner))?;
                self.size(&inner.ty, span)
            }
        };
        Ok(made)
    }

    /// The error for `{1, 2}` where a value is needed.
    pub(in crate::sema) fn no_list<T>(&mut self, span: Span) -> Checked<T> {
        let list = Path::from("std").join("initializer_list".into());
        let mut diagnostic = Diagnostic::error("type", span, "a list of values cannot stand here");
        if !self.sema.templates.structs.contains_key(&list) {
            diagnostic = diagnostic
                .with_help("`auto` and `for` take one with `#include <initializer_list>`");
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    fn literal(&mut self, e: &ast::Expr) -> Checked<Expr> {
        let span = e.span;
        Ok(match &e.kind {
            ast::ExprKind::Int(v, prim) => {
                Expr::new(ExprKind::Int(i128::from(*v)), (*prim).into(), span)
            }
            ast::ExprKind::Float(v, single) => {
                let prim = if *single { Prim::Float } else { Prim::Double };
                Expr::new(ExprKind::Float(*v), prim.into(), span)
            }
            ast::ExprKind::Bool(v) => {
                Expr::new(ExprKind::Int(i128::from(*v)), Prim::Bool.into(), span)
            }
            ast::ExprKind::Char(v) => {
                Expr::new(ExprKind::Int(i128::from(*v)), Prim::Char.into(), span)
            }
            ast::ExprKind::Str(text) if self.side == Side::Host => self.text(text, span),
            ast::ExprKind::Str(text) => {
                let ty = Type::from(Prim::Char).qualified(true, false).pointer_to();
                Expr::new(ExprKind::Text(text.clone()), ty, span)
            }
            ast::ExprKind::Null => Expr::new(ExprKind::Int(0), Kind::Null.into(), span),
            _ => return Err(Reported),
        })
    }

    /// `T(a)` and `T{a}`: a functional cast.
    fn functional_cast(
        &mut self,
        ty: &ast::TypeExpr,
        items: &[ast::Expr],
        braces: bool,
        span: Span,
    ) -> Checked<Expr> {
        let written = ty;
        let ty = self.constructed_type(ty, items, braces)?;
        self.check_types(written);
        if self.sema.needs_destroy(&ty) {
            self.check_destructor(&ty, span);
        }
        match items {
            // `E(x)` is `(E)x`, and so it is with the name of a number's type.
            [one]
                if !braces
                    && (matches!(ty.kind, Kind::Enum(_)) || ty.is_arithmetic())
                    && !crate::sema::templates::packs::has_pack(items) =>
            {
                self.written_cast(ast::CastStyle::C, written, one, span)
            }
            [list @ ast::Expr { kind: ast::ExprKind::Designated(_), .. }] => {
                self.list_value(&ty, list, span)
            }
            _ if braces => self.construct_list(&ty, items, span),
            _ => self.construct(&ty, items, span),
        }
    }

    /// `S<int>::value`
    fn scoped_member(&mut self, ty: &ast::TypeExpr, member: Name, span: Span) -> Checked<Expr> {
        let resolved = self.resolve(ty)?;
        if let Some(value) = self.enumerator(&resolved, member, span) {
            return Ok(value);
        }
        let Kind::Struct(index) = resolved.kind else {
            let text = self.sema.types.spell(&resolved);
            return self.sema.error("type", span, format!("`{text}` has no members"));
        };
        self.scopes.push(std::collections::HashMap::new());
        if let Some(entity) = self.sema.definitions.statics.get(index, member).cloned() {
            self.check_static_member(index, member, span);
            self.define(member, entity);
        }
        let value = self.name(&member.into(), span);
        self.scopes.pop();
        value
    }

    /// `offsetof(S, a.b)`
    fn offset_of(&mut self, ty: &ast::TypeExpr, members: &[Name], span: Span) -> Checked<Expr> {
        let mut ty = self.resolve(ty)?;
        let mut offset = 0;
        for member in members {
            let found = match ty.kind {
                Kind::Struct(class) => self.sema.types.find(class, *member),
                _ => None,
            };
            let Some(path) = found else {
                let text = self.sema.types.spell(&ty);
                let message = format!("`{text}` has no member `{member}`");
                return self.sema.error("name", span, message);
            };
            for step in path {
                let Kind::Struct(class) = ty.kind else { break };
                let Some(field) = self.sema.types.get(class).fields.get(step) else {
                    return self.sema.error("type", span, "`offsetof` of a bit-field");
                };
                offset += field.offset;
                ty = field.ty.clone();
            }
        }
        Ok(Expr::new(ExprKind::Int(i128::from(offset)), Prim::ULong.into(), span))
    }

    fn size(&self, ty: &Type, span: Span) -> Expr {
        let size = self.sema.types.size_of(ty.unreferenced());
        Expr::new(ExprKind::Int(i128::from(size)), Prim::ULong.into(), span)
    }

    pub(in crate::sema) fn field(
        &mut self,
        object: Expr,
        index: ClassId,
        i: usize,
        span: Span,
    ) -> Expr {
        let info = self.sema.types.get(index);
        if let Some(bits) = i.checked_sub(info.fields.len()).and_then(|b| info.bits.get(b)) {
            let bits = bits.clone();
            let word = self.field(object, index, bits.unit, span);
            return self.bit_value(word, &bits, span);
        }
        let field = &info.fields[i];
        let mutable = self.sema.definitions.mutables.contains(&(index, i));
        let constant = object.ty.constant && !mutable;
        let mut ty = field.ty.clone().qualified(constant, object.ty.volatile);
        let place = object.place;
        if let ExprKind::Make(parts) = &object.kind
            && let Some(part) = parts.get(i)
            && matches!(part.kind, ExprKind::Builtin(_))
        {
            return Expr { span, ..part.clone() };
        }
        let reference = self.sema.definitions.references.contains(&(index, i));
        if reference {
            ty = field.ty.clone();
        }
        let member = Expr { kind: ExprKind::Member(Box::new(object), i as u32), ty, span, place };
        if reference && let Some(ty) = member.ty.pointee().cloned() {
            return self.dereference(member, ty, span);
        }
        member
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Checked<Expr> {
        let mut base = self.rvalue(base)?;
        if let Kind::Struct(class) = base.ty.kind
            && self.sema.find_methods(class, "operator[]").is_none()
        {
            base = self.as_pointer(base)?;
        }
        if let (Kind::Struct(_), ast::ExprKind::List(_)) = (&base.ty.kind, &index.kind) {
            let values = self.values(std::slice::from_ref(index))?;
            let values = std::iter::once(base).chain(values).collect();
            return self.operator_call("operator[]", values, span);
        }
        let index = self.expr(index)?;
        if let Kind::Struct(_) = base.ty.kind {
            return self.operator_call("operator[]", vec![base, index], span);
        }
        let index = self.decay(index);
        let index = self.as_number(index)?;
        let (base, index) = if base.ty.pointee().is_some() { (base, index) } else { (index, base) };
        let Some(element) = base.ty.pointee().cloned() else {
            let text = self.sema.types.spell(&base.ty);
            return self.sema.error("type", span, format!("`{text}` has no elements to index"));
        };
        self.sized(&element, span)?;
        let index = self.promote(index);
        if !index.ty.is_integer() {
            let text = self.sema.types.spell(&index.ty);
            let message = format!("an index is an integer, not `{text}`");
            let mut diagnostic = Diagnostic::error("type", index.span, message);
            if ["uint3", "dim3"].contains(&text.as_str()) {
                diagnostic =
                    diagnostic.with_help("one of its parts is a number: write `.x` behind it");
            }
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        Ok(Expr::place(ExprKind::Index(Box::new(base), Box::new(index)), element, span))
    }

    /// An error for `void` and incomplete types behind a pointer.
    pub(in crate::sema) fn sized(&mut self, ty: &Type, span: Span) -> Checked<()> {
        self.complete(ty)?;
        let incomplete = match ty.kind {
            Kind::Struct(i) => self.sema.types.get(i).incomplete,
            _ => ty.is(Prim::Void),
        };
        if incomplete {
            let text = self.sema.types.spell(ty);
            return self.sema.error("type", span, format!("`{text}` has no size"));
        }
        Ok(())
    }

    fn member(
        &mut self,
        object: &ast::Expr,
        name: &Path,
        at: Span,
        arrow: bool,
        span: Span,
    ) -> Checked<Expr> {
        let object = self.object(object, arrow)?;
        if let Some(half) = self.half_member(&object, name, span) {
            return Ok(half);
        }
        let Kind::Struct(index) = object.ty.kind else {
            let text = self.sema.types.spell(&object.ty);
            let mut diagnostic = Diagnostic::error("type", at, format!("`{text}` has no members"));
            if object.ty.pointee().is_some() {
                diagnostic = diagnostic.with_help("it is a pointer: use `->`");
            }
            self.sema.report(diagnostic);
            return Err(Reported);
        };
        if let Some(path) = self.sema.types.find(index, name) {
            self.check_data_member(index, &path, name.last(), at);
            let object = if self.sema.needs_destroy(&object.ty) {
                self.materialize(object, span)
            } else {
                object
            };
            return Ok(self.along(object, &path, span));
        }
        // `a.n`, where `n` is static; `p->Base::n`.
        if let Some(entity) = self.sema.definitions.statics.get(index, *name).cloned() {
            self.check_static_member(index, name.last(), at);
            self.scopes.push(std::collections::HashMap::new());
            self.define(name, entity);
            let made = self.name(name, span);
            self.scopes.pop();
            return made;
        }
        if name.is_qualified() {
            // `Base::x` may be hidden by an `x` of the class itself.
            let base = name.parent().and_then(|base| self.lookup(base));
            let base = match base {
                Some(Entity::Type(Type { kind: Kind::Struct(base), .. })) => Some(base),
                _ => None,
            };
            let way = base.and_then(|base| {
                let mut way = self.sema.types.base_path(index, base)?;
                way.extend(self.sema.types.find(base, name.last())?);
                Some(way)
            });
            if let Some(path) = way.or_else(|| self.sema.types.find(index, name.last())) {
                return Ok(self.along(object, &path, span));
            }
        }
        let info = self.sema.types.get(index);
        let mut diagnostic =
            Diagnostic::error("name", at, format!("`{}` has no member `{name}`", info.path));
        let fields = || info.fields.iter().map(|f| f.name.last());
        let near = closest(&name.to_string(), fields());
        let few = (1..=4).contains(&fields().count());
        if let Some(close) = near.filter(|_| name.to_string().len() > 1) {
            diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
        } else if few {
            let names: Vec<String> = fields().map(|name| format!("`{name}`")).collect();
            diagnostic = diagnostic.with_help(format!("it has {}", names.join(", ")));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// What `*` and `->` find behind `this`: the object needs no address for that.
    pub(in crate::sema) fn pointed_to_by_this(&mut self, e: &ast::Expr) -> Option<Expr> {
        let this = matches!(e.kind, ast::ExprKind::This);
        if this { self.object_here(e.span) } else { None }
    }

    /// The operand before `.` or `->`.
    pub(in crate::sema) fn object(&mut self, object: &ast::Expr, arrow: bool) -> Checked<Expr> {
        if !arrow {
            return self.expr(object);
        }
        if let Some(object) = self.pointed_to_by_this(object) {
            return Ok(object);
        }
        let span = object.span;
        let mut pointer = self.rvalue(object)?;
        let mut steps = 0;
        while matches!(pointer.ty.kind, Kind::Struct(_)) && steps < 8 {
            pointer = self.operator_call("operator->", vec![pointer], span)?;
            steps += 1;
        }
        match pointer.ty.pointee().cloned() {
            Some(ty) => Ok(self.dereference(pointer, ty, span)),
            None => {
                let text = self.sema.types.spell(&pointer.ty);
                let diagnostic = Diagnostic::error(
                    "type",
                    span,
                    format!("`->` needs a pointer, and this is a `{text}`"),
                )
                .with_help("use `.`");
                self.sema.report(diagnostic);
                Err(Reported)
            }
        }
    }

    /// `*p`; `*&x` is `x`.
    pub(in crate::sema) fn dereference(&mut self, pointer: Expr, ty: Type, span: Span) -> Expr {
        if let ExprKind::Address(inner) = pointer.kind {
            return Expr { span, ..*inner };
        }
        if matches!(ty.kind, Kind::Function(_)) {
            // A function is what points to it.
            return pointer;
        }
        Expr::place(ExprKind::Deref(Box::new(pointer)), ty, span)
    }

    /// The place's variable changes after its declaration.
    pub(in crate::sema) fn mark_written(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Var(id) => self.vars[*id as usize].written = true,
            ExprKind::Member(inner, _) => self.mark_written(inner),
            ExprKind::Comma(_, b) => self.mark_written(b),
            ExprKind::Cond(_, a, b) => {
                self.mark_addressed(a);
                self.mark_addressed(b);
            }
            ExprKind::Call(function, object, args) if function.returns_address() => {
                self.mark_call_addressed(function, object.as_deref(), args);
            }
            ExprKind::Assign(p, _) | ExprKind::Update { place: p, .. } => self.mark_written(p),
            _ => {}
        }
    }

    /// The place's address is taken: it must live in memory.
    pub(in crate::sema) fn mark_addressed(&mut self, place: &Expr) {
        self.mark_written(place);
        match &place.kind {
            ExprKind::Var(id) => self.vars[*id as usize].addressed = true,
            ExprKind::This => self.frame.this_addressed = true,
            ExprKind::Member(inner, _) => self.mark_addressed(inner),
            ExprKind::Comma(_, b) => self.mark_addressed(b),
            ExprKind::Assign(p, _) | ExprKind::Update { place: p, .. } => self.mark_addressed(p),
            ExprKind::Call(function, object, args) if place.place => {
                self.mark_call_addressed(function, object.as_deref(), args);
            }
            // An element of an array that is a member: the whole object must be in memory.
            ExprKind::Index(base, _) => {
                if let ExprKind::Decay(array) = &base.kind {
                    self.mark_addressed(array);
                }
            }
            _ => {}
        }
    }

    /// What a function may return a reference to must live in memory.
    fn mark_call_addressed(
        &mut self,
        function: &crate::sema::tree::Function,
        object: Option<&Expr>,
        args: &[Expr],
    ) {
        if let Some(object) = object {
            self.mark_addressed(object);
        }
        for (arg, _) in args.iter().zip(&function.vars).filter(|(_, var)| var.reference) {
            self.mark_addressed(arg);
        }
    }

    /// A constant of an arithmetic type.
    pub(in crate::sema) fn int(value: i128, prim: Prim, span: Span) -> Expr {
        Expr::new(ExprKind::Int(folding::wrap(value, prim)), prim.into(), span)
    }
}
