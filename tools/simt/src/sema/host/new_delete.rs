//! `new`, `delete` and explicit calls of destructors.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::initialization::initializer::MAX_LIST;
use crate::sema::tree::{Expr, ExprKind, Home, Host, Intrinsic, OwnRoom, Stmt};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, FunctionId, Side};
use crate::syntax::ast::{self, Init, Prim, TypeExpr};
use std::rc::Rc;

impl Body<'_, '_> {
    /// `new (place) T[count](..)`
    pub(in crate::sema) fn new_object(
        &mut self,
        place: &[ast::Expr],
        ty: &TypeExpr,
        count: Option<&ast::Expr>,
        init: &Init,
        span: Span,
    ) -> Checked<Expr> {
        if self.side == Side::Device {
            return self.new_on_device(place, ty, count, init, span);
        }
        let element = self.resolve_for(ty, init)?;
        self.sized(&element, span)?;
        self.not_abstract(&element, ty.span)?;
        self.check_types(ty);
        self.check_constructors(&element, init, span);
        let count = match count {
            Some(count) => {
                let count = self.rvalue(count)?;
                Some(self.convert(count, &Prim::ULong.into())?)
            }
            None => None,
        };
        // `new Row`, where `Row` names an array type, is `new T[n]`.
        let (element, count) = match (&element.kind, count) {
            (Kind::Array(inner, n), None) => {
                let length = Self::int(i128::from(*n), Prim::ULong, span);
                ((**inner).clone(), Some(length))
            }
            (_, count) => (element, count),
        };
        // `{}` and, of numbers, `{0}`: all of it is zero.
        let zeros = |list: &ast::Expr| match &list.kind {
            ast::ExprKind::List(items) => {
                items.is_empty()
                    || element.is_arithmetic()
                        && items.iter().all(|i| matches!(i.kind, ast::ExprKind::Int(0, _)))
            }
            _ => false,
        };
        if let Some(count) = &count {
            self.own_functions_for_arrays(&element, count.span)?;
        }
        let value = match (init, &count) {
            (Init::Expr(list), Some(count)) if !zeros(list) && place.is_empty() => {
                return self.new_list(&element, count.clone(), list, span);
            }
            (Init::Paren(items), Some(_)) if !items.is_empty() => {
                return self.sema.error("type", span, "an array made by `new` takes no values");
            }
            (Init::Expr(_) | Init::Paren(_), Some(_)) if !self.needs_init(&element) => {
                Some(Expr::new(ExprKind::Zero, element.unqualified(), span))
            }
            (_, Some(_)) => self.initial_value(&element, &Init::None, span)?,
            (Init::Paren(items), None)
                if items.is_empty() && !matches!(element.kind, Kind::Struct(_)) =>
            {
                Some(self.zero(&element, span))
            }
            (init, None) => self.initial_value(&element, init, span)?,
        };
        let pointer = element.unqualified().pointer_to();
        if let [at] = place {
            let at = self.rvalue(at)?;
            if matches!(at.ty.kind, Kind::Pointer(_)) {
                if count.is_some() && value.is_some() {
                    let what = "an array that `new` makes at a place and gives values";
                    return self.sema.unsupported(span, what);
                }
                if count.is_some() {
                    return Ok(self.cast(at, &pointer));
                }
                let at = self.cast(at, &pointer);
                return Ok(self.placed(at, value, &element, span));
            }
            // `new (std::nothrow) T`: the program ends if the allocation fails, as with any `new`.
            if !self.is_nothrow(&at) {
                let text = self.sema.types.spell(&at.ty);
                let what = format!("`new` at a `{text}`, which is no pointer");
                return self.sema.unsupported(span, what);
            }
        } else if !place.is_empty() {
            return self.sema.unsupported(span, "`new` with several placement arguments");
        }
        let plain = element.unqualified();
        if count.is_some() {
            // The elements that are made are destroyed if one throws.
            self.sema.destroyer(&plain, self.side, span);
        }
        let own = match count {
            Some(_) => None,
            None => self.own_room(&element, span)?,
        };
        let make = value.map(|value| {
            let current = Expr::place(ExprKind::Current, plain.clone(), span);
            let kind = ExprKind::Assign(Box::new(current), Box::new(value));
            Expr::place(kind, plain.clone(), span)
        });
        let kind = ExprKind::Host(Box::new(Host::New { element: plain, count, own, make }));
        Ok(Expr::new(kind, pointer, span))
    }

    /// What the class's own `operator new` gives, and what its `operator delete` does if the constructor
    /// throws.
    fn own_room(&mut self, element: &Type, span: Span) -> Checked<Option<OwnRoom>> {
        let Kind::Struct(index) = element.kind else { return Ok(None) };
        let Some((ids, _)) = self.sema.find_methods(index, "operator new") else { return Ok(None) };
        let pointer = element.unqualified().pointer_to();
        let size = i128::from(self.sema.types.size_of(element));
        let size = Self::int(size, Prim::ULong, span);
        let (id, bound, params) =
            self.choose("operator new", &ids, &[], std::slice::from_ref(&size), span)?;
        let room = self.finish(id, bound, &params, None, vec![size], span)?;
        let room = self.cast(room, &pointer);
        let Some((ids, _)) = self.sema.find_methods(index, "operator delete") else {
            return Ok(Some(OwnRoom { room, free: None }));
        };
        let side = self.side;
        let mut body = Body::outside(self.sema);
        body.side = side;
        let at = body.add_var(&"at".into(), &pointer, span, Home::Own);
        let at = Expr::place(ExprKind::Var(at), pointer, span);
        let free = body.free_by_class(at, element, &ids, span)?;
        let free = body.written("operator delete", 1, vec![Stmt::Expr(free)], span);
        Ok(Some(OwnRoom { room, free: Some(free) }))
    }

    /// Refuses a class's own functions for arrays, by name.
    fn own_functions_for_arrays(&mut self, element: &Type, span: Span) -> Checked<()> {
        let Kind::Struct(index) = element.kind else { return Ok(()) };
        for name in ["operator new[]", "operator delete[]"] {
            if self.sema.find_methods(index, name).is_some() {
                let class = self.sema.types.get(index).path;
                let what = format!("the `{name}` of the class `{class}`");
                return self.sema.unsupported(span, what);
            }
        }
        Ok(())
    }

    /// `new T[count]{a, b}`
    fn new_list(
        &mut self,
        element: &Type,
        count: Expr,
        list: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let plain = element.unqualified();
        let given = match &list.kind {
            ast::ExprKind::List(items) => self.unpacked(items)?.len() as u64,
            _ => 0,
        };
        let known = count.as_int().and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= MAX_LIST);
        if known.is_none() && self.needs_init(&plain) {
            let what = "a list of values after `new T[n]`, where `n` is not constant";
            return self.sema.unsupported(span, what);
        }
        // The front of it as one array; what is behind are zeros.
        let front: Type = Kind::Array(Rc::new(plain.clone()), known.unwrap_or(given)).into();
        let init = Init::Expr(list.clone());
        let value = self.initial_value(&front, &init, span)?;
        let zero = Expr::new(ExprKind::Zero, plain.clone(), span);
        let make = known.is_none().then(|| {
            let current = Expr::place(ExprKind::Current, plain.clone(), span);
            let kind = ExprKind::Assign(Box::new(current), Box::new(zero));
            Expr::place(kind, plain.clone(), span)
        });
        let pointer = plain.clone().pointer_to();
        let new = Host::New { element: plain, count: Some(count), own: None, make };
        let new = Expr::new(ExprKind::Host(Box::new(new)), pointer.clone(), span);
        let at = self.cast(new, &front.clone().pointer_to());
        let made = self.placed(at, value, &front, span);
        Ok(self.cast(made, &pointer))
    }

    fn is_nothrow(&self, at: &Expr) -> bool {
        matches!(at.ty.kind, Kind::Struct(i)
            if self.sema.types.get(i).declared.in_std().as_deref() == Some("nothrow_t"))
    }

    fn begins_empty(&self, init: &Init) -> bool {
        match init {
            Init::None => true,
            Init::Paren(items) => items.is_empty(),
            Init::Expr(list) => matches!(&list.kind, ast::ExprKind::List(l) if l.is_empty()),
        }
    }

    /// A call of a function of the headers.
    fn built_in(&mut self, name: &'static str, values: Vec<Expr>, span: Span) -> Checked<Expr> {
        let ids = self.sema.definitions.functions.get(&name.into()).cloned().unwrap_or_default();
        let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
        self.finish(id, bound, &params, None, values, span)
    }

    /// `new` on the device's heap, without an initial value.
    fn new_on_device(
        &mut self,
        place: &[ast::Expr],
        ty: &TypeExpr,
        count: Option<&ast::Expr>,
        init: &Init,
        span: Span,
    ) -> Checked<Expr> {
        let element = self.resolve(ty)?;
        self.sized(&element, span)?;
        self.not_abstract(&element, ty.span)?;
        let made = !matches!(init, Init::None) || self.needs_init(&element);
        if let Some(count) = count.filter(|_| made || self.sema.needs_destroy(&element)) {
            if !self.begins_empty(init) || !matches!(place, []) {
                return self.sema.unsupported(
                    span,
                    "`new` of an array with initial values or a place, in device code",
                );
            }
            let count = self.rvalue(count)?;
            let room = Self::int(0, Prim::ULong, span);
            let room = self.cast(room, &element.unqualified().pointer_to());
            return self.built_in("__made", vec![room, count], span);
        }
        let value = match init {
            _ if !made => None,
            Init::Paren(items) if items.is_empty() && !matches!(element.kind, Kind::Struct(_)) => {
                Some(self.zero(&element, span))
            }
            init => self.initial_value(&element, init, span)?,
        };
        let pointer = element.unqualified().pointer_to();
        match place {
            [] => {}
            [at] => {
                let at = self.rvalue(at)?;
                // `std::nothrow`: a kernel's `new` never throws.
                if !self.is_nothrow(&at) {
                    let at = self.cast(at, &pointer);
                    return Ok(self.placed(at, value, &element, span));
                }
            }
            _ => {
                return self
                    .sema
                    .unsupported(span, "`new` with several placement arguments, in device code");
            }
        }
        let long: Type = Prim::ULong.into();
        let size = i128::from(self.sema.types.size_of(&element));
        let mut bytes = Self::int(size, Prim::ULong, span);
        if let Some(count) = count {
            let count = self.rvalue(count)?;
            let count = self.convert(count, &long)?;
            bytes = self.combine(ast::BinaryOp::Mul, count, bytes, span)?;
        }
        let void = Type::from(Prim::Void).pointer_to();
        let kind = ExprKind::Intrinsic(Intrinsic::Malloc, vec![bytes]);
        let room = Expr::new(kind, void, span);
        let room = self.cast(room, &pointer);
        let Some(value) = value else { return Ok(room) };
        // No object is made if the allocation fails.
        let var = self.fresh(&pointer, span);
        let it = || Expr::place(ExprKind::Var(var), pointer.clone(), span);
        let keep = ExprKind::Assign(Box::new(it()), Box::new(room));
        let keep = Expr::place(keep, pointer.clone(), span);
        let make = self.placed(it(), Some(value), &element, span);
        let some = self.boolean(it())?;
        let chosen = ExprKind::Cond(Box::new(some), Box::new(make), Box::new(it()));
        let chosen = Expr::new(chosen, pointer.clone(), span);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(chosen));
        Ok(Expr::new(kind, pointer, span))
    }

    /// An object made where a pointer points.
    fn placed(&mut self, at: Expr, value: Option<Expr>, element: &Type, span: Span) -> Expr {
        let pointer = at.ty.unqualified();
        let var = self.fresh(&pointer, span);
        let it = || Expr::place(ExprKind::Var(var), pointer.clone(), span);
        let kind = ExprKind::Assign(Box::new(it()), Box::new(at));
        let keep = Expr::place(kind, pointer.clone(), span);
        let Some(value) = value else {
            return Expr::new(
                ExprKind::Comma(Box::new(keep), Box::new(it())),
                pointer.clone(),
                span,
            );
        };
        let plain = element.unqualified();
        let object = Expr::place(ExprKind::Deref(Box::new(it())), plain, span);
        let make = self.begun(object, value, span);
        let rest = ExprKind::Comma(Box::new(make), Box::new(it()));
        let rest = Expr::new(rest, pointer.clone(), span);
        Expr::new(ExprKind::Comma(Box::new(keep), Box::new(rest)), pointer, span)
    }

    /// `delete p`, `delete[] p`
    pub(in crate::sema) fn delete_object(
        &mut self,
        pointer: &ast::Expr,
        array: bool,
        span: Span,
    ) -> Checked<Expr> {
        let pointer = self.rvalue(pointer)?;
        let Some(element) = pointer.ty.pointee().cloned() else {
            let text = self.sema.types.spell(&pointer.ty);
            let message = format!("`delete` needs a pointer, and this is a `{text}`");
            return self.sema.error("type", span, message);
        };
        if self.side == Side::Device {
            return self.delete_on_device(pointer, &element, array, span);
        }
        let own = match element.kind {
            Kind::Struct(index) if !array => self.sema.find_methods(index, "operator delete"),
            _ => None,
        };
        if let Some((ids, _)) = own {
            return self.delete_by_class(pointer, &element, &ids, span);
        }
        let destroy = match array {
            true => self.sema.destroyer(&element, self.side, span),
            false => self.sema.destroyer_behind(&element, self.side, span),
        };
        self.check_destructor(&element, span);
        let kind = ExprKind::Host(Box::new(Host::Delete { pointer, array, destroy }));
        Ok(Expr::new(kind, Prim::Void.into(), span))
    }

    /// Destroys the object, unless the pointer is null, and frees the allocation.
    fn delete_on_device(
        &mut self,
        pointer: Expr,
        element: &Type,
        array: bool,
        span: Span,
    ) -> Checked<Expr> {
        let void: Type = Prim::Void.into();
        let free = |b: &mut Self, p: Expr| {
            let p = b.cast(p, &Type::from(Prim::Void).pointer_to());
            Expr::new(ExprKind::Intrinsic(Intrinsic::Free, vec![p]), Prim::Void.into(), span)
        };
        if array && self.sema.needs_destroy(element) {
            return self.built_in("__unmade", vec![pointer], span);
        }
        let destroy = match array {
            true => None,
            false => self.sema.destroyer_behind(element, Side::Device, span),
        };
        let Some(destroy) = destroy else { return Ok(free(self, pointer)) };
        let ty = pointer.ty.unqualified();
        let var = self.fresh(&ty, span);
        let it = || Expr::place(ExprKind::Var(var), ty.clone(), span);
        let keep = ExprKind::Assign(Box::new(it()), Box::new(pointer));
        let keep = Expr::place(keep, ty.clone(), span);
        let object = Expr::place(ExprKind::Deref(Box::new(it())), element.clone(), span);
        let end = ExprKind::Call(destroy, Some(Box::new(object)), Vec::new());
        let end = Expr::new(end, void.clone(), span);
        let free = free(self, it());
        let both = ExprKind::Comma(Box::new(end), Box::new(free));
        let both = Expr::new(both, void.clone(), span);
        let some = self.boolean(it())?;
        let nothing =
            Expr::new(ExprKind::Intrinsic(Intrinsic::Nothing, vec![]), void.clone(), span);
        let chosen = ExprKind::Cond(Box::new(some), Box::new(both), Box::new(nothing));
        let chosen = Expr::new(chosen, void.clone(), span);
        Ok(Expr::new(ExprKind::Comma(Box::new(keep), Box::new(chosen)), void, span))
    }

    /// A class may have its own `operator delete`.
    fn delete_by_class(
        &mut self,
        pointer: Expr,
        element: &Type,
        ids: &[FunctionId],
        span: Span,
    ) -> Checked<Expr> {
        let ty = pointer.ty.unqualified();
        let var = self.fresh(&ty, span);
        let it = || Expr::place(ExprKind::Var(var), ty.clone(), span);
        let void: Type = Prim::Void.into();
        let keep = ExprKind::Assign(Box::new(it()), Box::new(pointer));
        let mut made = Expr::place(keep, ty.clone(), span);
        if let Some(destroy) = self.sema.destroyer_behind(element, self.side, span) {
            let object = Expr::place(ExprKind::Deref(Box::new(it())), element.clone(), span);
            let kind = ExprKind::Call(destroy, Some(Box::new(object)), Vec::new());
            let end = Expr::new(kind, void.clone(), span);
            made = Expr::new(ExprKind::Comma(Box::new(made), Box::new(end)), void.clone(), span);
        }
        let free = self.free_by_class(it(), element, ids, span)?;
        Ok(Expr::new(ExprKind::Comma(Box::new(made), Box::new(free)), void, span))
    }

    /// The call of a class's own `operator delete`, which may take the size, too.
    fn free_by_class(
        &mut self,
        at: Expr,
        element: &Type,
        ids: &[FunctionId],
        span: Span,
    ) -> Checked<Expr> {
        let mut values = vec![at];
        let sized = |id: &FunctionId| self.sema.definitions[*id].ast.params.len() == 2;
        if ids.iter().all(sized) {
            let Kind::Struct(index) = element.kind else { return Err(Reported) };
            if self.sema.destroyed_dynamically(index) {
                let what =
                    "an `operator delete` with the size, of a class with a virtual destructor";
                return self.sema.unsupported(span, what);
            }
            let size = i128::from(self.sema.types.size_of(element));
            values.push(Self::int(size, Prim::ULong, span));
        }
        let (id, bound, params) = self.choose("operator delete", ids, &[], &values, span)?;
        self.finish(id, bound, &params, None, values, span)
    }

    /// `p->~T()`
    pub(in crate::sema) fn destroy_object(
        &mut self,
        object: &ast::Expr,
        arrow: bool,
        span: Span,
    ) -> Checked<Expr> {
        let object = self.object(object, arrow)?;
        let void: Type = Prim::Void.into();
        let Some(destroy) = self.sema.destroyer(&object.ty, self.side, span) else {
            let kind = ExprKind::Intrinsic(Intrinsic::Nothing, vec![]);
            return Ok(Expr::new(kind, void, span));
        };
        let kind = ExprKind::Call(destroy, Some(Box::new(object)), Vec::new());
        Ok(Expr::new(kind, void, span))
    }
}
