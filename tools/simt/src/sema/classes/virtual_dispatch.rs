//! Virtual dispatch: the dynamic type of an object is a number in its first member.
//!
//! A virtual call calls a dispatch function, which switches on that number and calls the method of
//! the class. It is synthesised after everything else, when all classes are known.
//!
//! A call through a function pointer in device code, where every call is inlined, works alike: the
//! pointer is the number of a function, and the dispatch function chooses among the functions of
//! its type whose address is taken.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::classes::cross_side_virtual_calls::type_number;
use crate::sema::tree::{Expr, ExprKind, Function, Home, Intrinsic, Recursion, Stmt, Var};
use crate::sema::types::as_written;
use crate::sema::types::{ClassId, Kind, Signature, Type};
use crate::sema::{Checked, FunctionId, Sema, Side};
use crate::syntax::ast::{self, BodyKind, Prim};
use std::rc::Rc;

/// The name of the member with the number of the dynamic type.
pub(in crate::sema) const TYPE: &str = "#type";

/// What a dispatch function chooses among.
#[derive(Clone, PartialEq)]
pub(super) enum Among {
    /// The final overrider of a method; the static type of the object.
    Method(FunctionId, ClassId),
    /// The virtual destructor; the static type of the object.
    Destroyer(ClassId),
    /// `dynamic_cast` from the first class to the second.
    Cast(ClassId, ClassId),
    /// The function with the number of the pointer.
    Functions(Rc<Signature>),
}

/// What a dispatch function may call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    /// The method, or the destructor, of objects of that dynamic type.
    Class(ClassId),
    /// The function of [`DispatchTable::functions`].
    Function(usize),
}

impl Target {
    /// What the object, or the pointer, holds: functions count from 1.
    fn number(self, side: Side) -> i128 {
        match self {
            Target::Class(class) => type_number(class, side),
            Target::Function(index) => index as i128 + 1,
        }
    }

    fn class(self) -> Option<ClassId> {
        match self {
            Target::Class(class) => Some(class),
            Target::Function(_) => None,
        }
    }
}

/// A dispatch function.
#[derive(Clone)]
pub(in crate::sema) struct Dispatch {
    among: Among,
    side: Side,
    span: Span,
    params: Vec<Type>,
    returns: Type,
    recursion: Rc<Recursion>,
    arms: Vec<(Target, Rc<Function>)>,
}

/// Calls whose target is known at run time.
#[derive(Default)]
pub(in crate::sema) struct DispatchTable {
    pub(in crate::sema) dispatches: Vec<Dispatch>,
    /// Functions whose address device code takes: the pointers are their numbers, from 1.
    pub(in crate::sema) functions: Vec<Rc<Function>>,
}

impl Sema<'_> {
    /// Whether the class is polymorphic.
    pub(in crate::sema) fn is_dynamic(&self, index: ClassId) -> bool {
        self.types.find(index, TYPE).is_some()
    }

    /// Whether the method is virtual.
    pub(in crate::sema) fn is_virtual(&self, id: FunctionId) -> bool {
        let declared = &self.definitions[id];
        let Some(owner) = declared.owner.filter(|o| self.is_dynamic(*o)) else { return false };
        declared.ast.storage.is_virtual || self.overrides(owner, &declared.ast)
    }

    fn overrides(&self, index: ClassId, ast: &ast::Function) -> bool {
        let info = self.types.get(index);
        info.fields[..info.bases].iter().any(|base| {
            let Kind::Struct(base) = base.ty.kind else { return false };
            let own = self.definitions.methods.get(&(base, ast.name)).into_iter().flatten();
            own.into_iter().any(|id| {
                let theirs = &self.definitions[*id].ast;
                theirs.storage.is_virtual && theirs.params.len() == ast.params.len()
            }) || self.overrides(base, ast)
        })
    }

    /// Whether the class, or a base of it, has a `virtual` destructor.
    pub(in crate::sema) fn destroyed_dynamically(&self, index: ClassId) -> bool {
        let own = self.definitions.struct_asts.get(&index).and_then(|w| w.destructor.as_ref());
        let info = self.types.get(index);
        own.is_some_and(|d| d.storage.is_virtual)
            || info.fields[..info.bases].iter().any(|base| match base.ty.kind {
                Kind::Struct(base) => self.destroyed_dynamically(base),
                _ => false,
            })
    }

    /// The virtual destructor of the object behind a pointer.
    pub(in crate::sema) fn destroyer_behind(
        &mut self,
        ty: &Type,
        side: Side,
        span: Span,
    ) -> Option<Rc<Function>> {
        let Kind::Struct(index) = ty.kind else { return self.destroyer(ty, side, span) };
        if !self.is_dynamic(index) || !self.destroyed_dynamically(index) {
            return self.destroyer(ty, side, span);
        }
        let void: Type = Prim::Void.into();
        let recursion =
            self.dispatch(Among::Destroyer(index), side, Vec::new(), void.clone(), span);
        let this = Expr::place(ExprKind::This, ty.unqualified(), span);
        let kind = ExprKind::RecursiveCall(recursion, Some(Box::new(this)), Vec::new());
        let body = vec![Stmt::Expr(Expr::new(kind, void.clone(), span))];
        Some(Rc::new(Function::of_object("~", void, body, span)))
    }

    /// The number that is the device's pointer to the function.
    pub(in crate::sema) fn address_of(&mut self, function: Rc<Function>) -> i128 {
        let known = self.dispatch_table.functions.iter().position(|f| Rc::ptr_eq(f, &function));
        let at = known.unwrap_or_else(|| {
            self.dispatch_table.functions.push(function);
            self.dispatch_table.functions.len() - 1
        });
        at as i128 + 1
    }

    pub(super) fn dispatch(
        &mut self,
        among: Among,
        side: Side,
        params: Vec<Type>,
        returns: Type,
        span: Span,
    ) -> Rc<Recursion> {
        let known =
            self.dispatch_table.dispatches.iter().find(|d| d.among == among && d.side == side);
        if let Some(known) = known {
            return known.recursion.clone();
        }
        let recursion = Rc::new(Recursion::default());
        self.dispatch_table.dispatches.push(Dispatch {
            among,
            side,
            span,
            params,
            returns,
            recursion: recursion.clone(),
            arms: Vec::new(),
        });
        recursion
    }

    /// Synthesises the dispatch functions, once all classes are known.
    pub(in crate::sema) fn finish_dispatches(&mut self) {
        // A method that is instantiated here may need more dispatch functions, and more classes.
        let mut seen = std::collections::HashSet::new();
        loop {
            let mut found = false;
            let mut at = 0;
            while at < self.dispatch_table.dispatches.len() {
                let dispatch = self.dispatch_table.dispatches[at].clone();
                for target in self.targets(&dispatch.among) {
                    if !seen.insert((at, target)) {
                        continue;
                    }
                    found = true;
                    if self.diagnostics.errors >= crate::sema::MAX_ERRORS {
                        return;
                    }
                    let sites = &self.diagnostics.sites;
                    self.diagnostics.site =
                        target.class().and_then(|class| sites.get(&class).copied());
                    let made = self.arm(&dispatch, target);
                    self.diagnostics.site = None;
                    if let Some(made) = made {
                        self.dispatch_table.dispatches[at].arms.push((target, made));
                    }
                }
                at += 1;
            }
            if !found {
                break;
            }
        }
        for dispatch in std::mem::take(&mut self.dispatch_table.dispatches) {
            let function = self.write_dispatch(&dispatch);
            // It was empty until now.
            let _ = dispatch.recursion.function.set(Rc::new(function));
        }
    }

    /// The complete classes, or the functions, that can be called.
    fn targets(&self, among: &Among) -> Vec<Target> {
        let derived = |bases: &[ClassId]| {
            let is = |class, base| self.types.base_path(class, base).is_some();
            let known = self.types.class_ids().filter(|class| !self.types.get(*class).incomplete);
            known
                .filter(|class| bases.iter().all(|base| is(*class, *base)))
                .map(Target::Class)
                .collect()
        };
        match among {
            Among::Method(_, class) | Among::Destroyer(class) => derived(&[*class]),
            Among::Cast(class, target) => derived(&[*class, *target]),
            Among::Functions(signature) => {
                let same = |ty: &Type, reference: bool, wanted: &Type| {
                    reference == wanted.is_reference()
                        && ty.unqualified() == wanted.unreferenced().unqualified()
                };
                let fits = |f: &Function| {
                    f.params == signature.params.len()
                        && same(&f.returns, f.reference, &signature.returns)
                        && f.vars
                            .iter()
                            .zip(&signature.params)
                            .all(|(v, p)| same(&v.ty, v.reference, p))
                };
                let all = self.dispatch_table.functions.iter().enumerate();
                all.filter(|(_, f)| fits(f)).map(|(i, _)| Target::Function(i)).collect()
            }
        }
    }

    /// The function that is called for the target.
    fn arm(&mut self, dispatch: &Dispatch, target: Target) -> Option<Rc<Function>> {
        let class = match target {
            Target::Class(class) => class,
            Target::Function(index) => return self.dispatch_table.functions.get(index).cloned(),
        };
        let (method, root) = match dispatch.among {
            Among::Method(method, root) => (method, root),
            Among::Destroyer(_) => {
                return self.destroyer(&Kind::Struct(class).into(), dispatch.side, dispatch.span);
            }
            Among::Functions(_) => return None,
            Among::Cast(_, target) => return self.caster(dispatch, class, target).map(Rc::new),
        };
        let wanted = self.definitions[method].ast.clone();
        let fits = |f: &ast::Function| {
            f.params.len() == wanted.params.len() && f.constant == wanted.constant
        };
        let types = self.parameter_types(method);
        let mut at = class;
        // The final overrider: of the nearest class on the way up that has one.
        loop {
            let ids = self.definitions.methods.get(&(at, wanted.name)).cloned().unwrap_or_default();
            let ids: Vec<FunctionId> =
                ids.into_iter().filter(|id| fits(&self.definitions[*id].ast)).collect();
            let exact = ids
                .iter()
                .find(|id| as_written::same_parameters(&self.definitions[**id].ast, &wanted));
            let exact = exact.copied();
            let overrider = exact.or_else(|| {
                ids.iter().copied().find(|id| {
                    let theirs = self.parameter_types(*id);
                    theirs.is_none() || types.is_none() || theirs == types
                })
            });
            if let Some(id) = overrider {
                let ast = self.definitions[id].ast.clone();
                // A method of the other side is no target.
                if ast.body_kind == BodyKind::Pure
                    || !crate::sema::host::callable(&ast, dispatch.side)
                {
                    return None;
                }
                return self.instantiate(id, Vec::new(), dispatch.side, ast.span).ok();
            }
            let info = self.types.get(at);
            let next = info.fields[..info.bases].iter().find_map(|base| match base.ty.kind {
                Kind::Struct(base) if self.types.base_path(base, root).is_some() => Some(base),
                _ => None,
            });
            at = next?;
        }
    }

    /// The types of a method's parameters, as its signature has them.
    pub(in crate::sema) fn parameter_types(&mut self, id: FunctionId) -> Option<Vec<Type>> {
        let declared = self.definitions[id].clone();
        let mut body = Body::outside(self);
        body.bind(&declared.bindings);
        let resolved: Checked<Vec<Type>> = body.speculate(|body| {
            let params = declared.ast.params.iter();
            params.map(|param| Ok(body.resolve(&param.ty)?.unqualified())).collect()
        });
        resolved.ok()
    }

    /// Gives back where an object of the class is one of the other.
    fn caster(&mut self, dispatch: &Dispatch, class: ClassId, target: ClassId) -> Option<Function> {
        let path = self.types.base_path(class, target)?;
        let mut body = Body::outside(self);
        body.side = dispatch.side;
        let span = dispatch.span;
        let this = Expr::place(ExprKind::This, Kind::Struct(class).into(), span);
        let part = Box::new(body.along(this, &path, span));
        let value = Expr::new(ExprKind::Address(part), dispatch.returns.clone(), span);
        let body = vec![Stmt::Return(Some(value), span)];
        Some(Function::of_object("dynamic_cast", dispatch.returns.clone(), body, span))
    }

    fn write_dispatch(&mut self, dispatch: &Dispatch) -> Function {
        // What goes wrong in it has the place of the call.
        let span = Span::BUILT_IN;
        let mut body = Body::outside(self);
        body.side = dispatch.side;
        let mut args = Vec::new();
        for ty in &dispatch.params {
            let id = body.add_var(&"".into(), ty, span, Home::Own);
            body.vars[id as usize].addressed = ty.is_reference();
            args.push(Expr::place(ExprKind::Var(id), ty.unreferenced().clone(), span));
        }
        let class = match dispatch.among {
            Among::Method(_, class) | Among::Destroyer(class) | Among::Cast(class, _) => {
                Some(class)
            }
            Among::Functions(_) => None,
        };
        let root = class;
        let this = class.map(|class| Expr::place(ExprKind::This, Kind::Struct(class).into(), span));
        let chosen = match (&this, class) {
            (Some(this), Some(class)) => body.type_place(this.clone(), class, span),
            _ => Some(args.remove(0)),
        };
        let mut cases = Vec::new();
        let mut list = Vec::new();
        let ty = dispatch.returns.unreferenced().clone();
        for (target, function) in &dispatch.arms {
            let object = this.as_ref().zip(target.class()).map(|(this, class)| {
                let own: Type = Kind::Struct(class).into();
                let pointer = this.ty.clone().pointer_to();
                let address = Expr::new(ExprKind::Address(Box::new(this.clone())), pointer, span);
                let offset = root.and_then(|root| body.sema.types.base_offset(class, root));
                let cast = match offset.unwrap_or(0) {
                    0 => body.cast(address, &own.clone().pointer_to()),
                    n => body.shifted(address, &own.clone().pointer_to(), n, true),
                };
                Box::new(Expr::place(ExprKind::Deref(Box::new(cast)), own, span))
            });
            let kind = ExprKind::Call(function.clone(), object, args.clone());
            let call = Expr { kind, ty: ty.clone(), span, place: function.reference };
            cases.push((Some(target.number(dispatch.side)), list.len()));
            if ty.is(Prim::Void) {
                list.push(Stmt::Expr(call));
                list.push(Stmt::Return(None, span));
            } else {
                list.push(Stmt::Return(Some(call), span));
            }
        }
        cases.push((None, list.len()));
        if let (Some(place), Among::Method(..) | Among::Destroyer(_)) = (&chosen, &dispatch.among) {
            list.push(body.made_elsewhere(place.clone(), span));
        }
        let what = match dispatch.among {
            Among::Method(..) => {
                Some("a virtual function that the object's class does not have was called")
            }
            Among::Destroyer(_) | Among::Cast(..) => None,
            Among::Functions(_) => {
                Some("a pointer that is to no function of the device of its type was called")
            }
        };
        if let Some(what) = what {
            let kind = ExprKind::Intrinsic(Intrinsic::Trap(what.to_string()), Vec::new());
            list.push(Stmt::Expr(Expr::new(kind, Prim::Void.into(), span)));
        } else {
            let nothing = || Expr::new(ExprKind::Zero, ty.clone(), span);
            list.push(Stmt::Return((!ty.is(Prim::Void)).then(nothing), span));
        }
        let mut out = Vec::new();
        if let Some(value) = chosen {
            out.push(Stmt::Switch { value, cases, body: list, span });
        }
        let vars: Vec<Var> = std::mem::take(&mut body.vars);
        Function {
            name: if class.is_some() { "virtual" } else { "pointer" }.into(),
            span,
            reference: dispatch.returns.is_reference(),
            moved: matches!(dispatch.returns.kind, Kind::Rvalue(_)),
            returns: ty,
            params: dispatch.params.len(),
            vars,
            body: out,
            max_threads: None,
            cluster: None,
            this_addressed: class.is_some(),
            c_linkage: false,
            noexcept: false,
            needs_defined: Vec::new(),
        }
    }
}

impl Function {
    /// A function of an object, without parameters.
    pub(in crate::sema) fn of_object(
        name: &str,
        returns: Type,
        body: Vec<Stmt>,
        span: Span,
    ) -> Function {
        Function {
            name: name.into(),
            span,
            returns,
            reference: false,
            moved: false,
            params: 0,
            vars: Vec::new(),
            body,
            max_threads: None,
            cluster: None,
            this_addressed: true,
            c_linkage: false,
            noexcept: false,
            needs_defined: Vec::new(),
        }
    }
}

impl Body<'_, '_> {
    /// The member with the number of the dynamic type, as a place.
    pub(in crate::sema) fn type_place(
        &mut self,
        object: Expr,
        class: ClassId,
        span: Span,
    ) -> Option<Expr> {
        let path = self.sema.types.find(class, TYPE)?;
        Some(self.along(object, &path, span))
    }

    pub(in crate::sema) fn set_type(&mut self, place: Expr, class: ClassId, span: Span) -> Expr {
        let ty = place.ty.unqualified();
        let number = Expr::new(ExprKind::Int(type_number(class, self.side)), ty.clone(), span);
        let place = Expr { ty: ty.clone(), ..place };
        Expr::place(ExprKind::Assign(Box::new(place), Box::new(number)), ty, span)
    }

    /// Sets the number of the dynamic type, which the base's constructor has set to the base's.
    pub(in crate::sema) fn with_type(&mut self, value: Expr, class: ClassId, span: Span) -> Expr {
        let in_base = self.sema.types.find(class, TYPE).is_some_and(|path| path.len() > 1);
        if in_base { self.retyped(value, class, span) } else { value }
    }

    pub(in crate::sema) fn retyped(&mut self, value: Expr, class: ClassId, span: Span) -> Expr {
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

    /// A virtual call.
    pub(in crate::sema) fn dynamic_call(
        &mut self,
        id: FunctionId,
        object: Expr,
        args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let declared = self.sema.definitions[id].clone();
        let class = declared.owner.ok_or(Reported)?;
        let outer = std::mem::replace(&mut self.scopes, vec![std::collections::HashMap::new()]);
        self.bind(&declared.bindings);
        let params: Checked<Vec<Vec<Type>>> =
            declared.ast.params.iter().map(|p| self.expand_types(&p.ty)).collect();
        let params = params.map(|all| all.concat());
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let (params, returns) = (params?, returns?);
        let place = returns.is_reference();
        let ty = returns.unreferenced().clone();
        let side = self.side;
        if side == Side::Device {
            if place {
                let what = "virtual functions that return references in device code";
                return self.sema.unsupported(span, what);
            }
            self.reached(Some(&object), &args);
        }
        let among = Among::Method(id, class);
        let recursion = self.sema.dispatch(among, side, params, returns, declared.ast.span);
        recursion.noexcept.set(crate::sema::expressions::is_plainly_noexcept(&declared.ast));
        recursion.sites.set(recursion.sites.get() + 1);
        let kind = ExprKind::RecursiveCall(recursion, Some(Box::new(object)), args);
        Ok(Expr { kind, ty, span, place })
    }

    /// The callee is not known yet: the object and the reference arguments count as modified.
    pub(super) fn reached(&mut self, object: Option<&Expr>, args: &[Expr]) {
        for it in object.into_iter().chain(args.iter().filter(|a| a.place)) {
            self.mark_addressed(it);
        }
    }

    /// A call through a pointer in device code.
    pub(in crate::sema) fn chosen_call(
        &mut self,
        pointer: Expr,
        signature: Rc<Signature>,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let ty = signature.returns.unreferenced().clone();
        let known = pointer.as_int().and_then(|n| usize::try_from(n - 1).ok());
        if let Some(function) =
            known.and_then(|n| self.sema.dispatch_table.functions.get(n)).cloned()
        {
            for (arg, var) in args.iter().zip(&function.vars) {
                if var.reference && var.addressed {
                    self.mark_addressed(arg);
                }
            }
            let place = function.reference;
            return Ok(Expr { kind: ExprKind::Call(function, None, args), ty, span, place });
        }
        if signature.returns.is_reference() {
            let what = "a call through a pointer that returns a reference in device code";
            return self.sema.unsupported(span, what);
        }
        self.reached(None, &args);
        let number: Type = Prim::ULong.into();
        args.insert(0, self.cast(pointer, &number));
        let mut params = vec![number];
        params.extend(signature.params.iter().cloned());
        let returns = signature.returns.clone();
        let among = Among::Functions(signature);
        let recursion = self.sema.dispatch(among, Side::Device, params, returns, span);
        recursion.sites.set(recursion.sites.get() + 1);
        Ok(Expr::new(ExprKind::RecursiveCall(recursion, None, args), ty, span))
    }
}
