//! Calls: the function's code stands where it is called.

use super::kernel::{Frame, Lower, Lowered, Returns};
use super::place::{End, Place};
use crate::diagnostic::Span;
use crate::isa::Reg;
use crate::sema::tree::{Expr, ExprKind, Function, Intrinsic, Recursion, Stmt};
use crate::syntax::ast::Prim;
use std::collections::HashMap;
use std::rc::Rc;

/// Calls inside calls at most.
const MAX_CALLS: usize = 48;

impl Lower<'_> {
    /// The value that comes back, if one does.
    pub(super) fn call(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        // The wish may be an argument that is still needed, so the result has its own place
        // unless the whole function is one expression with one result.
        let single = matches!(function.body.as_slice(), [Stmt::Return(Some(_), _)]);
        let scalar = self.types.scalar(&function.returns).is_some();
        let into = into.filter(|_| single && scalar).map(Place::Reg);
        self.call_into(function, object, args, into, span)
    }

    /// The same with the result in `into`, which holds nothing that the call needs. A register comes
    /// back where it is in registers.
    pub(super) fn call_into(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Place>,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let (this, given) = self.arguments(function, object, args, span)?;
        let result = match into {
            Some(place) if !function.returns.is(Prim::Void) => Some(place),
            _ => self.result(&function.returns, span)?,
        };
        self.inline(function, this, given, result, span)?;
        Ok(in_registers(result))
    }

    /// A function calls itself: its code stands here once more, down to a bound.
    pub(super) fn call_recursive(
        &mut self,
        recursion: &Recursion,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Place>,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let Some(function) = recursion.function.get().cloned() else {
            let what = "a recursive call of a function whose check has failed";
            return self.unsupported(span, what);
        };
        // Each level has as many copies as there are calls in one.
        let most = match recursion.sites.get() {
            0 | 1 => 20,
            2 => 8,
            3 => 5,
            _ => 3,
        };
        if self.recursion(&function) < most {
            return self.call_into(&function, object, args, into, span);
        }
        let words = format!(
            "`{}` calls itself more than {most} levels deep: the simulator copies it into itself that often, and no more",
            function.name
        );
        self.trap(words, span);
        self.result(&function.returns, span).map(in_registers)
    }

    /// A call for what happens on the way, of a function that returns one of several places.
    pub(super) fn call_picking(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<()> {
        let (this, given) = self.arguments(function, object, args, span)?;
        self.inline(function, this, given, None, span)
    }

    /// A call that returns a reference: what it refers to.
    pub(super) fn call_place(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Place> {
        let (this, given) = self.arguments(function, object, args, span)?;
        if function.returns_address() {
            let (into, end) = (self.code.registers(2), self.code.label());
            let barrier = self.open(end, span);
            let returns = Returns::Address { into, end, regions: self.regions.len() };
            self.framed(function, this, given, returns, span)?;
            self.close(barrier, end, span);
            return Ok(Place::at(into));
        }
        self.framed(function, this, given, Returns::Place, span)?;
        match self.returned.take() {
            Some(place) => Ok(place),
            None => self.unsupported(span, "this reference"),
        }
    }

    /// The object and the arguments, evaluated in the caller's frame, before the callee's exists.
    fn arguments(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<(Option<Place>, Vec<Given>)> {
        if self.is_too_large() {
            return self.unsupported(span, "a kernel this large (all its calls are inlined)");
        }
        if self.frames.len() > MAX_CALLS {
            let what = format!("calls inlined more than {MAX_CALLS} deep");
            return self.unsupported(span, what);
        }
        let this = match object {
            Some(object) => {
                let place = self.place(object)?;
                Some(self.settle(place, span))
            }
            None => None,
        };
        let mut given = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            given.push(self.argument(function, i, arg)?);
        }
        if let Some(object) = object {
            self.defined(object);
        }
        for (i, (arg, var)) in args.iter().zip(&function.vars).enumerate() {
            let asked = function.needs_defined.iter().any(|(id, _)| *id as usize == i);
            if var.reference && !var.ty.constant && !asked {
                self.defined(arg);
            }
        }
        Ok((this, given))
    }

    /// As what a place is watched that a parameter will stand for.
    fn lent(&mut self, arg: &Expr) -> Vec<(Option<u32>, u16)> {
        match arg.path() {
            Some((id, None)) => self.watches(id),
            Some((id, member)) => self.watch(id, member).map(|n| (None, n)).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A destructor, for what lies there.
    pub(super) fn destroy_at(
        &mut self,
        destroy: &Rc<Function>,
        place: Place,
        span: Span,
    ) -> Lowered<()> {
        self.inline(destroy, Some(place), Vec::new(), None, span)
    }

    fn inline(
        &mut self,
        function: &Rc<Function>,
        this: Option<Place>,
        given: Vec<Given>,
        result: Option<Place>,
        span: Span,
    ) -> Lowered<()> {
        let end = self.code.label();
        // One `return`, at the very end, needs no meeting point.
        let early = match function.body.split_last() {
            Some((last, rest)) => {
                rest.iter().map(Stmt::returns).sum::<usize>() > 0
                    || !matches!(last, Stmt::Return(..)) && last.returns() > 0
            }
            None => false,
        };
        let barrier = if early { Some(self.open(end, span)) } else { None };
        let regions = self.regions.len();
        let how = Returns::Inline { into: result, end, regions };
        self.framed(function, this, given, how, span)?;
        match barrier {
            Some(barrier) => self.close(barrier, end, span),
            None => self.code.bind(end),
        }
        Ok(())
    }

    /// The callee's body, in a frame of its own.
    fn framed(
        &mut self,
        function: &Rc<Function>,
        this: Option<Place>,
        given: Vec<Given>,
        returns: Returns,
        span: Span,
    ) -> Lowered<()> {
        let targets = std::mem::take(&mut self.targets);
        let current = std::mem::take(&mut self.current);
        let ends = std::mem::take(&mut self.ends);
        let slots = vec![None; function.vars.len()];
        let lent = HashMap::new();
        let result = self.result_variable(function, returns);
        let instance = function.clone();
        self.frames.push(Frame { function: instance, slots, lent, this, result, returns });
        let outer = self.code.site;
        if outer.is_none() && function.span.is_built_in() {
            self.code.site = Some(span);
        }
        let scope = self.open_scope();
        let body = self.body(function, given);
        self.close_scope(scope);
        self.code.site = outer;
        self.frames.pop();
        self.targets = targets;
        self.ends = ends;
        self.current = current;
        body
    }

    fn body(&mut self, function: &Rc<Function>, given: Vec<Given>) -> Lowered<()> {
        for (i, given) in given.into_iter().enumerate() {
            let begun = self.code.insts.len();
            let (place, fresh) = match given {
                Given::Place(place) => (place, false),
                Given::Lent(place, watches) => {
                    self.frame().lent.insert(i as u32, watches);
                    (place, false)
                }
                Given::Value(reg) => {
                    let place = self.home(i as u32)?;
                    let var = &function.vars[i];
                    self.store_value(&place, &var.ty, reg, var.span, false)?;
                    (place, true)
                }
            };
            self.frame().slots[i] = Some(place);
            self.live(i as u32, place, begun, fresh);
        }
        self.ends.extend((0..function.params).filter_map(|i| {
            let destroy = function.vars[i].destroy.clone()?;
            Some((End::Var(i as u32), destroy))
        }));
        self.statements(&function.body)?;
        if !function.body.iter().any(super::statement::jumps) {
            self.destroy(0, None, function.span)?;
        }
        Ok(())
    }

    fn argument(&mut self, function: &Rc<Function>, i: usize, arg: &Expr) -> Lowered<Given> {
        let param = &function.vars[i];
        if param.reference && arg.place {
            let place = self.place(arg)?;
            let place = self.settle(place, arg.span);
            return Ok(Given::Lent(place, self.lent(arg)));
        }
        if self.is_large(&param.ty) {
            let changed = param.written || param.addressed || param.partially_written;
            return self.large_argument(arg, changed).map(Given::Place);
        }
        // Cooperative groups' own, too.
        let offered =
            i == 0 && function.span.is_built_in() && function.name.last().starts_with("shfl");
        let reg = if offered { self.offered(arg, None)? } else { self.value(arg)? };
        if param.reference {
            return Ok(Given::Place(Place::Reg(reg)));
        }
        // A value that nobody can change needs no copy; while one expression is computed, nobody can.
        let fixed = self.code.is_pinned(reg) || !self.is_variable(arg) || is_expression(function);
        if fixed && !param.written && !param.addressed && param.destroy.is_none() {
            return Ok(Given::Place(Place::Reg(reg)));
        }
        Ok(Given::Value(reg))
    }

    /// Whether the value's register belongs to a variable that may change.
    fn is_variable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(id) => self.var(*id).written || self.var(*id).reference,
            ExprKind::Member(inner, _) => self.is_variable(inner),
            ExprKind::Bits(inner) | ExprKind::Cast(inner) | ExprKind::Comma(_, inner) => {
                self.is_variable(inner)
            }
            ExprKind::Call(..) => e.place,
            ExprKind::This | ExprKind::Current | ExprKind::Assign(..) | ExprKind::Update { .. } => {
                true
            }
            _ => false,
        }
    }
}

fn in_registers(result: Option<Place>) -> Option<Reg> {
    match result {
        Some(Place::Reg(reg)) => Some(reg),
        _ => None,
    }
}

/// Whether a function is one expression that changes nothing.
fn is_expression(function: &Function) -> bool {
    fn pure(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) | ExprKind::Builtin(_) => true,
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Bits(a)
            | ExprKind::Member(a, _) => pure(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => pure(a) && pure(b),
            ExprKind::Cond(a, b, c) => pure(a) && pure(b) && pure(c),
            ExprKind::Intrinsic(kind, args) => {
                use Intrinsic::{Binary, Fma, Math, Unary};
                matches!(kind, Unary(_) | Binary(_) | Fma | Math(_)) && args.iter().all(pure)
            }
            ExprKind::Make(parts) => parts.iter().all(pure),
            _ => false,
        }
    }
    !function.reference && matches!(function.body.as_slice(), [Stmt::Return(Some(e), _)] if pure(e))
}

/// An argument, ready.
enum Given {
    /// The parameter is another name for this.
    Place(Place),
    /// The same, of a variable that is watched.
    Lent(Place, Vec<(Option<u32>, u16)>),
    /// The parameter is a variable that begins as this.
    Value(Reg),
}
