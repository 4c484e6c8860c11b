//! `virtual`: an object of such a class says what it is, in a member in front of its others.
//!
//! A virtual call goes to a function that looks there and calls the method of that class. It is
//! written when everything else has been checked, since only then all classes are known.

use super::body::Body;
use super::tree::{Again, Expr, ExprKind, Function, Home, Intrinsic, Stmt, Var};
use super::types::{Kind, Type};
use super::{Checked, FunctionId, Sema, Side};
use crate::diagnostic::Span;
use crate::syntax::ast::{self, Instead, Prim};
use std::rc::Rc;

/// The name of the member that says what an object is.
pub(super) const TYPE: &str = "#type";

/// A function that chooses by what its object is.
#[derive(Clone)]
pub(super) struct Dispatch {
    /// The method, or `None` for what destroys.
    method: Option<FunctionId>,
    /// The class that it is called for.
    class: u32,
    span: Span,
    params: Vec<Type>,
    returns: Type,
    again: Rc<Again>,
    /// What is called for each class.
    arms: Vec<(u32, Rc<Function>)>,
}

impl Sema<'_> {
    /// Whether an object of the class says what it is.
    pub(super) fn is_dynamic(&self, index: u32) -> bool {
        self.types.find(index, TYPE).is_some()
    }

    /// Whether a call of the method depends on what the object is.
    pub(super) fn is_virtual(&self, id: FunctionId) -> bool {
        let declared = &self.declared[id];
        let Some(owner) = declared.owner.filter(|o| self.is_dynamic(*o)) else { return false };
        declared.ast.storage.dynamic || self.overrides(owner, &declared.ast)
    }

    fn overrides(&self, index: u32, ast: &ast::Function) -> bool {
        let info = self.types.get(index);
        info.fields[..info.bases].iter().any(|base| {
            let Kind::Struct(base) = base.ty.kind else { return false };
            let own = self.methods.get(&(base, ast.name.clone())).into_iter().flatten();
            own.into_iter().any(|id| {
                let theirs = &self.declared[*id].ast;
                theirs.storage.dynamic && theirs.params.len() == ast.params.len()
            }) || self.overrides(base, ast)
        })
    }

    /// Whether the class, or a base of it, has a `virtual` destructor.
    fn destroyed_dynamically(&self, index: u32) -> bool {
        let own = self.written.get(&index).and_then(|w| w.destructor.as_ref());
        let info = self.types.get(index);
        own.is_some_and(|d| d.storage.dynamic)
            || info.fields[..info.bases].iter().any(|base| match base.ty.kind {
                Kind::Struct(base) => self.destroyed_dynamically(base),
                _ => false,
            })
    }

    /// What destroys the object behind a pointer, whatever it is.
    pub(super) fn destroyer_behind(&mut self, ty: &Type, span: Span) -> Option<Rc<Function>> {
        let Kind::Struct(index) = ty.kind else { return self.destroyer(ty, span) };
        if !self.is_dynamic(index) || !self.destroyed_dynamically(index) {
            return self.destroyer(ty, span);
        }
        let void: Type = Prim::Void.into();
        let again = self.dispatch(None, index, Vec::new(), void.clone(), span);
        let this = Expr::place(ExprKind::This, ty.unqualified(), span);
        let kind = ExprKind::Again(again, Some(Box::new(this)), Vec::new());
        Some(Rc::new(Function {
            name: "~".into(),
            span,
            returns: void.clone(),
            reference: false,
            moved: false,
            params: 0,
            vars: Vec::new(),
            body: vec![Stmt::Expr(Expr::new(kind, void, span))],
            max_threads: None,
            this_addressed: false,
            asks: Vec::new(),
        }))
    }

    fn dispatch(
        &mut self,
        method: Option<FunctionId>,
        class: u32,
        params: Vec<Type>,
        returns: Type,
        span: Span,
    ) -> Rc<Again> {
        let known = self.dispatches.iter().find(|d| d.method == method && d.class == class);
        if let Some(known) = known {
            return known.again.clone();
        }
        let again = Rc::new(Again::default());
        self.dispatches.push(Dispatch {
            method,
            class,
            span,
            params,
            returns,
            again: again.clone(),
            arms: Vec::new(),
        });
        again
    }

    /// Writes the functions that choose, once all classes are known.
    pub(super) fn finish_dispatches(&mut self) {
        // A method that is reached in this way may make more of them, and more classes.
        let mut seen = std::collections::HashSet::new();
        loop {
            let mut found = false;
            let mut at = 0;
            while at < self.dispatches.len() {
                for class in 0..self.types.structs.len() as u32 {
                    let dispatch = self.dispatches[at].clone();
                    if self.types.get(class).incomplete
                        || self.types.base_path(class, dispatch.class).is_none()
                        || !seen.insert((at, class))
                    {
                        continue;
                    }
                    found = true;
                    if self.errors >= super::MAX_ERRORS {
                        return;
                    }
                    if let Some(made) = self.arm(&dispatch, class) {
                        self.dispatches[at].arms.push((class, made));
                    }
                }
                at += 1;
            }
            if !found {
                break;
            }
        }
        for dispatch in std::mem::take(&mut self.dispatches) {
            let function = self.write_dispatch(&dispatch);
            // It was empty until now.
            let _ = dispatch.again.function.set(Rc::new(function));
        }
    }

    /// What is called where the object is of that class.
    fn arm(&mut self, dispatch: &Dispatch, class: u32) -> Option<Rc<Function>> {
        let Some(method) = dispatch.method else {
            return self.destroyer(&Kind::Struct(class).into(), dispatch.span);
        };
        let wanted = self.declared[method].ast.clone();
        let spell = |f: &ast::Function| -> Vec<String> {
            f.params.iter().map(|p| super::resolve::spell_written(&p.ty)).collect()
        };
        let fits = |f: &ast::Function| {
            f.params.len() == wanted.params.len() && f.constant == wanted.constant
        };
        let mut at = class;
        // The nearest class on the way up that has one.
        loop {
            let ids = self.methods.get(&(at, wanted.name.clone())).cloned().unwrap_or_default();
            let ids: Vec<FunctionId> =
                ids.into_iter().filter(|id| fits(&self.declared[*id].ast)).collect();
            let exact = ids.iter().find(|id| spell(&self.declared[**id].ast) == spell(&wanted));
            if let Some(id) = exact.or(ids.first()) {
                let ast = self.declared[*id].ast.clone();
                if ast.instead == Instead::Pure {
                    return None;
                }
                return self.instantiate(*id, Vec::new(), Side::Host, ast.span);
            }
            let info = self.types.get(at);
            let next = info.fields[..info.bases].iter().find_map(|base| match base.ty.kind {
                Kind::Struct(base) if self.types.base_path(base, dispatch.class).is_some() => {
                    Some(base)
                }
                _ => None,
            });
            at = next?;
        }
    }

    fn write_dispatch(&mut self, dispatch: &Dispatch) -> Function {
        let span = dispatch.span;
        let mut body = Body::outside(self);
        body.side = Side::Host;
        let mut args = Vec::new();
        for ty in &dispatch.params {
            let id = body.add_var(&"".into(), ty, span, Home::Own);
            args.push(Expr::place(ExprKind::Var(id), ty.unreferenced().clone(), span));
        }
        let this = Expr::place(ExprKind::This, Kind::Struct(dispatch.class).into(), span);
        let mut cases = Vec::new();
        let mut list = Vec::new();
        let ty = dispatch.returns.unreferenced().clone();
        for (class, function) in &dispatch.arms {
            let own: Type = Kind::Struct(*class).into();
            let pointer = this.ty.clone().pointer_to();
            let address = Expr::new(ExprKind::Address(Box::new(this.clone())), pointer, span);
            let cast = body.cast(address, &own.clone().pointer_to());
            let object = Expr::place(ExprKind::Deref(Box::new(cast)), own, span);
            let kind = ExprKind::Call(function.clone(), Some(Box::new(object)), args.clone());
            let call = Expr { kind, ty: ty.clone(), span, place: function.reference };
            cases.push((Some(i128::from(*class)), list.len()));
            if ty.is(Prim::Void) {
                list.push(Stmt::Expr(call));
                list.push(Stmt::Return(None, span));
            } else {
                list.push(Stmt::Return(Some(call), span));
            }
        }
        cases.push((None, list.len()));
        let what = "a virtual function that the object's class does not have was called";
        if dispatch.method.is_some() {
            let kind = ExprKind::Intrinsic(Intrinsic::Trap(what.to_string()), Vec::new());
            list.push(Stmt::Expr(Expr::new(kind, Prim::Void.into(), span)));
        } else {
            list.push(Stmt::Return(None, span));
        }
        let mut out = Vec::new();
        if let Some(value) = body.type_place(this, dispatch.class, span) {
            out.push(Stmt::Switch { value, cases, body: list, span });
        }
        let vars: Vec<Var> = std::mem::take(&mut body.vars);
        Function {
            name: "virtual".into(),
            span,
            reference: dispatch.returns.is_reference(),
            moved: matches!(dispatch.returns.kind, Kind::Rvalue(_)),
            returns: ty,
            params: dispatch.params.len(),
            vars,
            body: out,
            max_threads: None,
            this_addressed: false,
            asks: Vec::new(),
        }
    }
}

impl Body<'_, '_> {
    /// Where an object of the class says what it is.
    pub(super) fn type_place(&mut self, object: Expr, class: u32, span: Span) -> Option<Expr> {
        let path = self.sema.types.find(class, TYPE)?;
        Some(self.along(object, &path, span))
    }

    pub(super) fn set_type(&mut self, place: Expr, class: u32, span: Span) -> Expr {
        let ty = place.ty.unqualified();
        let number = Expr::new(ExprKind::Int(i128::from(class)), ty.clone(), span);
        let place = Expr { ty: ty.clone(), ..place };
        Expr::place(ExprKind::Assign(Box::new(place), Box::new(number)), ty, span)
    }

    /// A value that says what it is, which its base said otherwise.
    pub(super) fn with_type(&mut self, value: Expr, class: u32, span: Span) -> Expr {
        let in_base = self.sema.types.find(class, TYPE).is_some_and(|path| path.len() > 1);
        if in_base { self.retyped(value, class, span) } else { value }
    }

    pub(super) fn retyped(&mut self, value: Expr, class: u32, span: Span) -> Expr {
        if !self.sema.is_dynamic(class) {
            return value;
        }
        let ty = value.ty.unqualified();
        let var = self.fresh(&ty, span);
        let object = || Expr::place(ExprKind::Var(var), ty.clone(), span);
        let kind = ExprKind::Assign(Box::new(object()), Box::new(value));
        let made = Expr::place(kind, ty.clone(), span);
        let Some(place) = self.type_place(object(), class, span) else { return made };
        let set = self.set_type(place, class, span);
        let rest = ExprKind::Comma(Box::new(set), Box::new(object()));
        let rest = Expr::new(rest, ty.clone(), span);
        Expr::new(ExprKind::Comma(Box::new(made), Box::new(rest)), ty, span)
    }

    /// A call that depends on what the object is.
    pub(super) fn dynamic_call(
        &mut self,
        id: FunctionId,
        object: Expr,
        args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        if self.side == Side::Device {
            return self.sema.unsupported(span, "virtual functions in device code");
        }
        let declared = self.sema.declared[id].clone();
        let class = declared.owner?;
        let outer = std::mem::replace(&mut self.scopes, vec![std::collections::HashMap::new()]);
        self.bind(&declared.bindings);
        let params: Option<Vec<Vec<Type>>> =
            declared.ast.params.iter().map(|p| self.expand_types(&p.ty)).collect();
        let params = params.map(|all| all.concat());
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let (params, returns) = (params?, returns?);
        let place = returns.is_reference();
        let ty = returns.unreferenced().clone();
        let again = self.sema.dispatch(Some(id), class, params, returns, declared.ast.span);
        let kind = ExprKind::Again(again, Some(Box::new(object)), args);
        Some(Expr { kind, ty, span, place })
    }
}
