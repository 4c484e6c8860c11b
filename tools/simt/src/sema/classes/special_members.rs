//! Special member functions: copy and move constructors, destructors. [`super::assignment`] has the
//! assignment operators.
//!
//! A trivially copyable class is copied as bytes, and every value is moved as bytes. For other
//! classes the implicit functions are synthesised here, member by member, as C++ defines them.

use crate::diagnostic::Span;
use crate::isa::{BinOp, CmpOp};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::expressions::{is_plainly_noexcept, may_by_declaration};
use crate::sema::may_throw;
use crate::sema::tree::{
    Expr, ExprKind, Function, Home, Host, HostLifetimes, Intrinsic, Stmt, VarId,
};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, FunctionId, Sema, Side};
use crate::syntax::ast::{BodyKind, Prim};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// The longest array of objects whose elements are copied one by one.
const MAX_ELEMENTS: u64 = 4096;

/// The functions that were synthesised; `None` for a trivial one.
#[derive(Default)]
pub(in crate::sema) struct Lifetimes {
    destroy: HashMap<(Type, Side), Option<Rc<Function>>>,
    /// Moving, if the flag is set. A host's copy may throw, so each side has its own.
    copy: HashMap<(Type, bool, Side), Option<Rc<Function>>>,
    /// `what()` of the classes that are thrown.
    pub(in crate::sema) what: HashMap<Type, Rc<Function>>,
}

impl Lifetimes {
    pub(in crate::sema) fn of_host(self) -> HostLifetimes {
        let all = self.destroy.into_iter().filter(|((_, side), _)| *side == Side::Host);
        let destroy = all.filter_map(|((ty, _), function)| Some((ty, function?))).collect();
        HostLifetimes { destroy, what: self.what }
    }
}

/// An xvalue, as `std::move` gives: a comma expression with an empty left side, so that the other
/// code sees an ordinary expression.
pub(in crate::sema) fn as_xvalue(place: Expr) -> Expr {
    let span = place.span;
    let ty = place.ty.clone();
    let kind = ExprKind::Intrinsic(Intrinsic::Nothing, Vec::new());
    let nothing = Expr::new(kind, Prim::Void.into(), span);
    Expr::place(ExprKind::Comma(Box::new(nothing), Box::new(place)), ty, span)
}

/// See [`as_xvalue`].
pub(in crate::sema) fn is_moved(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Comma(nothing, _) => {
            matches!(nothing.kind, ExprKind::Intrinsic(Intrinsic::Nothing, _))
        }
        ExprKind::Host(host) => matches!(**host, Host::Temporary(..)),
        ExprKind::Member(inner, _) => is_moved(inner),
        _ => false,
    }
}

/// Whether it is an rvalue, to which a `T&&` binds.
pub(in crate::sema) fn is_rvalue(e: &Expr) -> bool {
    !e.place || is_moved(e)
}

impl Sema<'_> {
    /// What a struct says about its values, and its members' types.
    pub(super) fn members(&self, ty: &Type) -> Option<(ClassId, Vec<Type>)> {
        let Kind::Struct(index) = ty.kind else { return None };
        let info = self.types.get(index);
        // The active member of a union is not known.
        if info.union {
            return Some((index, Vec::new()));
        }
        Some((index, info.fields.iter().map(|f| f.ty.clone()).collect()))
    }

    /// Whether it holds for a class itself, or for the type of one of its members.
    fn any_class(&self, ty: &Type, holds: &impl Fn(ClassId) -> bool) -> bool {
        match &ty.kind {
            Kind::Array(element, _) => self.any_class(element, holds),
            Kind::Struct(index) => {
                let info = self.types.get(*index);
                // The active member of a union is not known.
                holds(*index)
                    || (!info.union && info.fields.iter().any(|f| self.any_class(&f.ty, holds)))
            }
            _ => false,
        }
    }

    /// Whether the destructor is not trivial.
    pub(in crate::sema) fn needs_destroy(&self, ty: &Type) -> bool {
        let classes = &self.definitions.classes;
        self.any_class(ty, &|index| classes.get(&index).is_some_and(|c| c.destructor.is_some()))
    }

    /// Whether the copy constructor is not trivial.
    pub(in crate::sema) fn needs_copy(&self, ty: &Type) -> bool {
        let copies = |index| {
            let class = self.definitions.classes.get(&index);
            class.is_some_and(|c| c.copy.is_some() || c.moving.is_some())
        };
        self.any_class(ty, &copies)
    }

    /// Whether the assignment operator is not trivial.
    pub(super) fn needs_assign(&self, ty: &Type) -> bool {
        let name = Path::from("operator=");
        self.any_class(ty, &|index| self.definitions.methods.contains_key(&(index, name)))
    }

    /// The destructor; `None` if it is trivial.
    pub(in crate::sema) fn destroyer(
        &mut self,
        ty: &Type,
        side: Side,
        span: Span,
    ) -> Option<Rc<Function>> {
        let ty = ty.unqualified();
        if !self.needs_destroy(&ty) {
            return None;
        }
        let key = (ty, side);
        if let Some(known) = self.lifetimes.destroy.get(&key) {
            return known.clone();
        }
        // A class that owns its own kind through a pointer does not recurse here.
        let made = Body::outside(self).write_destroyer(&key.0, side, span);
        self.lifetimes.destroy.insert(key, made.clone());
        made
    }
}

impl Body<'_, '_> {
    fn write_destroyer(&mut self, ty: &Type, side: Side, span: Span) -> Option<Rc<Function>> {
        self.side = side;
        let this = Expr::place(ExprKind::This, ty.clone(), span);
        if let Kind::Array(element, n) = &ty.kind {
            let destroy = self.sema.destroyer(element, side, span)?;
            let call = |it: Expr| {
                let kind = ExprKind::Call(destroy.clone(), Some(Box::new(it)), Vec::new());
                Stmt::Expr(Expr::new(kind, Prim::Void.into(), span))
            };
            let body = self.each(this, *n, span, call);
            return Some(self.written("~", 0, body, span));
        }
        let (index, members) = self.sema.members(ty)?;
        let mut body = Vec::new();
        let own = self.sema.definitions.classes.get(&index).and_then(|c| c.destructor);
        let own = match own {
            Some(id) => Some(self.own_destructor(id, ty, side, span)?),
            None => None,
        };
        let inner: Vec<(usize, Rc<Function>)> = members
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(i, m)| Some((i, self.sema.destroyer(m, side, span)?)))
            .collect();
        if inner.is_empty() {
            return own;
        }
        if let Some(own) = own {
            let kind = ExprKind::Call(own, Some(Box::new(this.clone())), Vec::new());
            body.push(Stmt::Expr(Expr::new(kind, Prim::Void.into(), span)));
        }
        for (i, destroy) in inner {
            let member = self.field(this.clone(), index, i, span);
            let kind = ExprKind::Call(destroy, Some(Box::new(member)), Vec::new());
            body.push(Stmt::Expr(Expr::new(kind, Prim::Void.into(), span)));
        }
        Some(self.written("~", 0, body, span))
    }

    /// The user-provided destructor. One that is being checked, and destroys another object of its
    /// class as in a list, is a recursive call.
    fn own_destructor(
        &mut self,
        id: FunctionId,
        ty: &Type,
        side: Side,
        span: Span,
    ) -> Option<Rc<Function>> {
        let key = (id, Vec::new(), side);
        if !self.sema.instances.active.contains(&key) {
            return self.sema.instantiate(id, Vec::new(), side, span).ok();
        }
        let recursion = self.sema.instances.recursive.entry(key).or_default().clone();
        recursion.sites.set(recursion.sites.get() + 1);
        recursion.noexcept.set(is_plainly_noexcept(&self.sema.definitions[id].ast));
        let this = Expr::place(ExprKind::This, ty.clone(), span);
        let kind = ExprKind::RecursiveCall(recursion, Some(Box::new(this)), Vec::new());
        let body = vec![Stmt::Expr(Expr::new(kind, Prim::Void.into(), span))];
        Some(self.written("~", 0, body, span))
    }

    /// A loop over an array, last element first.
    fn each(
        &mut self,
        array: Expr,
        n: u64,
        span: Span,
        make: impl FnOnce(Expr) -> Stmt,
    ) -> Vec<Stmt> {
        let Kind::Array(element, _) = array.ty.kind.clone() else { return Vec::new() };
        let long: Type = Prim::ULong.into();
        let i = self.add_var(&"".into(), &long, span, Home::Own);
        let var = || Expr::place(ExprKind::Var(i), long.clone(), span);
        let number = |v: u64| Expr::new(ExprKind::Int(i128::from(v)), long.clone(), span);
        let kind = ExprKind::Binary(BinOp::Sub, Box::new(var()), Box::new(number(1)));
        let less = Expr::new(kind, long.clone(), span);
        let step = ExprKind::Assign(Box::new(var()), Box::new(less));
        let kind = ExprKind::Compare(CmpOp::Gt, Box::new(var()), Box::new(number(0)));
        let cond = Expr::new(kind, Prim::Bool.into(), span);
        let base = self.decay(array);
        let it = ExprKind::Index(Box::new(base), Box::new(var()));
        let it = Expr::place(it, (*element).clone(), span);
        let body = vec![Stmt::Expr(Expr::place(step, long.clone(), span)), make(it)];
        vec![
            Stmt::Declare { var: i, init: Some(number(n)), span },
            Stmt::Loop { cond: Some(cond), body, step: None, test_first: true, span },
        ]
    }

    pub(in crate::sema) fn written(
        &mut self,
        name: &str,
        params: usize,
        body: Vec<Stmt>,
        span: Span,
    ) -> Rc<Function> {
        let noexcept = !may_throw::statements(&body, &mut may_by_declaration);
        Rc::new(Function {
            name: name.into(),
            span,
            returns: Prim::Void.into(),
            reference: false,
            moved: false,
            params,
            vars: std::mem::take(&mut self.vars),
            body,
            max_threads: None,
            cluster: None,
            this_addressed: false,
            c_linkage: false,
            noexcept,
            needs_defined: Vec::new(),
        })
    }

    /// The copy or move constructor; `None` if it is trivial.
    fn copier(&mut self, ty: &Type, moving: bool, span: Span) -> Checked<Option<Rc<Function>>> {
        let ty = ty.unqualified();
        if !self.sema.needs_copy(&ty) {
            return Ok(None);
        }
        let key = (ty.clone(), moving, self.side);
        if let Some(known) = self.sema.lifetimes.copy.get(&key) {
            return Ok(known.clone());
        }
        let side = self.side;
        let mut body = Body::outside(self.sema);
        body.side = side;
        let made = body.write_copier(&ty, moving, span)?;
        self.sema.lifetimes.copy.insert(key, made.clone());
        Ok(made)
    }

    fn write_copier(
        &mut self,
        ty: &Type,
        moving: bool,
        span: Span,
    ) -> Checked<Option<Rc<Function>>> {
        let (index, _) = self.sema.members(ty).ok_or(Reported)?;
        let class = self.sema.definitions.classes.get(&index).cloned().unwrap_or_default();
        let own: Option<FunctionId> = match (moving, class.copy, class.moving) {
            (true, _, Some(id)) => Some(id),
            (_, Some(id), _) => Some(id),
            (false, None, Some(id)) => {
                let text = self.sema.types.spell(ty);
                let ast = self.sema.definitions[id].ast.clone();
                let message = format!("a `{text}` can be moved, and not copied");
                self.sema.report(
                    crate::diagnostic::Diagnostic::error("type", span, message)
                        .with_label(ast.span, "this makes it so")
                        .with_help("write `std::move(..)` around it, or pass a reference"),
                );
                return Err(Reported);
            }
            _ => None,
        };
        if let Some(id) = own {
            let ast = self.sema.definitions[id].ast.clone();
            if ast.body_kind == BodyKind::Delete {
                return self.deleted(&ast, span);
            }
            let side = self.side;
            return Ok(Some(self.sema.instantiate(id, Vec::new(), side, span)?));
        }
        // A user-declared destructor suppresses the implicit move.
        let moving = moving && class.destructor.is_none();
        let (this, other) = self.two(ty, span);
        let body = self.copy_members(this, other, moving, span)?;
        Ok(Some(self.written("", 1, body, span)))
    }

    /// What a copy or move constructor does that is not written: each base and member is copied.
    pub(in crate::sema) fn copy_members(
        &mut self,
        this: Expr,
        other: Expr,
        moving: bool,
        span: Span,
    ) -> Checked<Vec<Stmt>> {
        let (index, members) = self.sema.members(&this.ty).ok_or(Reported)?;
        let mut body = Vec::new();
        for (i, member) in members.iter().enumerate() {
            let [to, from] = [&this, &other].map(|object| {
                if self.sema.definitions.references.contains(&(index, i)) {
                    // The address that it holds is copied, not what it refers to.
                    let kind = ExprKind::Member(Box::new(object.clone()), i as u32);
                    return Expr::place(kind, member.clone(), span);
                }
                self.field(object.clone(), index, i, span)
            });
            self.copy_member(member, to, from, moving, span, &mut body)?;
        }
        Ok(body)
    }

    fn copy_member(
        &mut self,
        ty: &Type,
        to: Expr,
        from: Expr,
        moving: bool,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if let (Kind::Array(element, n), true) = (&ty.kind, self.sema.needs_copy(ty)) {
            for i in 0..self.elements_to_copy(*n, span)? {
                let [to, from] =
                    [&to, &from].map(|array| self.array_element(array, element, i, span));
                self.copy_member(element, to, from, moving, span, out)?;
            }
            return Ok(());
        }
        let from = if moving { as_xvalue(from) } else { from };
        let value = self.owned(from)?;
        let to = Expr { ty: ty.unqualified(), ..to };
        // On the device an object may be in registers, and what is not written is copied there.
        let copied = match self.side {
            Side::Host => self.begun(to.clone(), value, span),
            Side::Device => {
                let ty = to.ty.clone();
                Expr::place(ExprKind::Assign(Box::new(to.clone()), Box::new(value)), ty, span)
            }
        };
        out.push(Stmt::Expr(copied));
        out.extend(self.built(to, span));
        Ok(())
    }

    /// The object and the parameter of a function that is being written.
    pub(super) fn two(&mut self, ty: &Type, span: Span) -> (Expr, Expr) {
        let reference = Kind::Reference(Rc::new(ty.clone())).into();
        let other = self.add_var(&"other".into(), &reference, span, Home::Own);
        let this = Expr::place(ExprKind::This, ty.clone(), span);
        (this, Expr::place(ExprKind::Var(other), ty.clone(), span))
    }

    /// The expression as a value that its receiver owns: a place is copied, or moved from.
    pub(in crate::sema) fn owned(&mut self, e: Expr) -> Checked<Expr> {
        let Kind::Struct(class) = e.ty.kind else { return Ok(e) };
        if !e.place {
            return Ok(e);
        }
        if !self.sema.needs_copy(&e.ty) {
            let span = e.span;
            // The copy has the dynamic type of its class, on this side.
            return Ok(self.retyped(e, class, span));
        }
        let (span, ty) = (e.span, e.ty.unqualified());
        let own = self.sema.definitions.classes.get(&class).and_then(|own| match is_moved(&e) {
            true => own.moving.or(own.copy),
            false => own.copy,
        });
        if let Some(id) = own {
            self.check_function(class, id, span);
        }
        let Some(copy) = self.copier(&ty, is_moved(&e), span)? else { return Ok(e) };
        let var = self.fresh(&ty, span);
        let object = Expr::place(ExprKind::Var(var), ty.clone(), span);
        let kind = ExprKind::Call(copy, Some(Box::new(object.clone())), vec![e]);
        let call = Expr::new(kind, Prim::Void.into(), span);
        let kind = ExprKind::Comma(Box::new(call), Box::new(object));
        let made = Expr::new(kind, ty, span);
        Ok(self.retyped(made, class, span))
    }

    /// `S(s)`: a new object, even where its class has no copy constructor to call.
    pub(in crate::sema) fn copied(&mut self, e: Expr) -> Checked<Expr> {
        let copy = self.owned(e)?;
        if !copy.place {
            return Ok(copy);
        }
        let (span, ty) = (copy.span, copy.ty.unqualified());
        let object = Expr::place(ExprKind::Var(self.fresh(&ty, span)), ty.clone(), span);
        let kind = ExprKind::Assign(Box::new(object.clone()), Box::new(copy));
        let assign = Expr::place(kind, ty.clone(), span);
        let kind = ExprKind::Comma(Box::new(assign), Box::new(object));
        Ok(Expr::new(kind, ty, span))
    }

    /// A temporary variable.
    pub(in crate::sema) fn fresh(&mut self, ty: &Type, span: Span) -> VarId {
        let var = self.add_var(&"".into(), &ty.unqualified(), span, Home::Own);
        self.vars[var as usize].written = true;
        var
    }

    /// Elements of an array that are copied one by one: a statement is written for each.
    pub(super) fn elements_to_copy(&mut self, n: u64, span: Span) -> Checked<u64> {
        if n > MAX_ELEMENTS {
            let what = format!("the copy of an array of more than {MAX_ELEMENTS} objects");
            return self.sema.unsupported(span, what);
        }
        Ok(n)
    }

    /// An element of an array of objects.
    pub(in crate::sema) fn array_element(
        &mut self,
        array: &Expr,
        ty: &Type,
        i: u64,
        span: Span,
    ) -> Expr {
        let base = self.decay(array.clone());
        let index = Self::int(i128::from(i), Prim::Int, span);
        Expr::place(ExprKind::Index(Box::new(base), Box::new(index)), ty.clone(), span)
    }

    /// Temporary materialisation: a class value gets a place until the end of the full expression.
    pub(in crate::sema) fn materialize(&mut self, e: Expr, span: Span) -> Expr {
        if e.place || e.ty.is(Prim::Void) {
            return e;
        }
        if self.side == Side::Device && !self.sema.needs_destroy(&e.ty) {
            return e;
        }
        let destroy = self.sema.destroyer(&e.ty, self.side, span);
        let ty = e.ty.clone();
        Expr::place(ExprKind::Host(Box::new(Host::Temporary(e, destroy))), ty, span)
    }

    /// A temporary whose base a function gets, at the end of this path: it may go on to the whole object.
    pub(in crate::sema) fn whole_object(&mut self, e: Expr, path: &[usize], span: Span) -> Expr {
        let e = self.materialize(e, span);
        if e.place || path.is_empty() || !matches!(e.ty.kind, Kind::Struct(_)) {
            return e;
        }
        let ty = e.ty.unqualified();
        let place = Expr::place(ExprKind::Var(self.fresh(&ty, span)), ty.clone(), span);
        Expr::place(ExprKind::Assign(Box::new(place), Box::new(e)), ty, span)
    }

    /// A discarded value is destroyed at once.
    pub(in crate::sema) fn discarded(&mut self, e: Expr) -> Expr {
        if !e.place && self.sema.needs_destroy(&e.ty) {
            let span = e.span;
            return self.materialize(e, span);
        }
        e
    }

    /// `a, b`
    pub(in crate::sema) fn comma(&mut self, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        if matches!(a.ty.kind, Kind::Struct(_))
            && self.sema.definitions.functions.contains_key(&"operator,".into())
        {
            return self.sema.unsupported(span, "an `operator,`");
        }
        let a = self.discarded(a);
        let (ty, place) = (b.ty.clone(), b.place);
        Ok(Expr { kind: ExprKind::Comma(Box::new(a), Box::new(b)), ty, span, place })
    }
}
