//! Lowers calls by inlining: each call site gets a copy of the callee's body.

use super::kernel::{Frame, Lower, Lowered, Returns};
use super::location::{Cleanup, Location};
use crate::diagnostic::Span;
use crate::isa::{Inst, Reg};
use crate::sema::tree::{Expr, ExprKind, Function, Intrinsic, Stmt};
use crate::syntax::ast::Prim;
use std::collections::HashMap;
use std::rc::Rc;

/// The limit of calls nested in calls.
const MAX_CALLS: usize = if cfg!(target_arch = "wasm32") { 48 } else { 300 };

impl Lower<'_> {
    /// Inlines a call, and returns its result if it has one.
    pub(super) fn call(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Reg>,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        // The hinted register may hold an argument that the body still needs, so the result gets
        // its own registers unless the body is a single `return` of a scalar.
        let single = matches!(function.body.as_slice(), [Stmt::Return(Some(_), _)]);
        let scalar = self.types.scalar(&function.returns).is_some();
        let into = into.filter(|_| single && scalar).map(Location::Reg);
        self.call_into(function, object, args, into, span)
    }

    /// Like [`Lower::call`], with the result in `into`, which holds no operand of the call. Returns a
    /// register if the result is in registers.
    pub(super) fn call_into(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Location>,
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

    /// A call for its side effects, of a function that returns the address of one of several objects.
    pub(super) fn call_for_effect(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<()> {
        let (this, given) = self.arguments(function, object, args, span)?;
        self.inline(function, this, given, None, span)
    }

    /// A call that returns a reference: the location of its referent.
    pub(super) fn call_place(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Location> {
        let (this, given) = self.arguments(function, object, args, span)?;
        if function.returns_address() {
            let (into, end) = (self.code.registers(2), self.code.label());
            let barrier = self.open_region(end, span);
            let returns = Returns::Address { into, end, regions: self.regions.len() };
            self.inline_body(function, this, given, returns, span)?;
            self.close_region(barrier, end, span);
            return Ok(Location::at(into));
        }
        match self.inline_body(function, this, given, Returns::Location, span)? {
            Some(place) => Ok(place),
            None => self.unsupported(span, "a call that returns no reference"),
        }
    }

    /// Evaluates the object and the arguments in the caller's frame.
    fn arguments(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<(Option<Location>, Vec<Given>)> {
        if self.is_too_large() {
            return self.kernel_too_large(span);
        }
        let depth = self.frames.len();
        if depth > MAX_CALLS || self.stack.is_low() {
            let what = format!("calls inlined more than {depth} deep");
            return self.unsupported(span, what);
        }
        let this = match object {
            Some(object) => {
                let place = match function.this_addressed && !object.place {
                    true => self.materialize(object)?,
                    false => self.location(object)?,
                };
                Some(self.bind(place, span))
            }
            None => None,
        };
        let mut given = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            given.push(self.argument(function, i, arg)?);
        }
        if let Some(object) = object {
            self.mark_defined(object);
        }
        for (i, (arg, var)) in args.iter().zip(&function.vars).enumerate() {
            let asked = function.needs_defined.iter().any(|(id, _)| *id as usize == i);
            if var.reference && !var.ty.constant && !asked {
                self.mark_defined(arg);
            }
        }
        Ok((this, given))
    }

    /// The definedness slots of the argument that a reference parameter is bound to.
    fn reference_slots(&mut self, arg: &Expr) -> Vec<(Option<u32>, u16)> {
        match arg.path() {
            Some((id, None)) => self.definedness_slots(id),
            Some((id, member)) => {
                self.definedness_slot(id, member).map(|n| (None, n)).into_iter().collect()
            }
            None => Vec::new(),
        }
    }

    /// Inlines a destructor for the object at a location.
    pub(super) fn call_destructor(
        &mut self,
        destroy: &Rc<Function>,
        place: Location,
        span: Span,
    ) -> Lowered<()> {
        self.inline(destroy, Some(place), Vec::new(), None, span)
    }

    fn inline(
        &mut self,
        function: &Rc<Function>,
        this: Option<Location>,
        given: Vec<Given>,
        result: Option<Location>,
        span: Span,
    ) -> Lowered<()> {
        let end = self.code.label();
        // A single `return` at the very end needs no convergence region.
        let early = match function.body.split_last() {
            Some((last, rest)) => {
                rest.iter().map(Stmt::returns).sum::<usize>() > 0
                    || !matches!(last, Stmt::Return(..)) && last.returns() > 0
            }
            None => false,
        };
        let barrier = if early { Some(self.open_region(end, span)) } else { None };
        let regions = self.regions.len();
        let how = Returns::Inline { into: result, end, regions };
        self.inline_body(function, this, given, how, span)?;
        match barrier {
            Some(barrier) => self.close_region(barrier, end, span),
            None => self.code.bind(end),
        }
        Ok(())
    }

    /// Inlines the callee's body in a new frame. Returns the referent of [`Returns::Location`].
    fn inline_body(
        &mut self,
        function: &Rc<Function>,
        this: Option<Location>,
        given: Vec<Given>,
        returns: Returns,
        span: Span,
    ) -> Lowered<Option<Location>> {
        // Of destructors there may be any number at each `return`.
        if self.is_too_large() {
            return self.kernel_too_large(span);
        }
        let targets = std::mem::take(&mut self.targets);
        let current = std::mem::take(&mut self.current);
        let cleanups = std::mem::take(&mut self.cleanups);
        let slots = vec![None; function.vars.len()];
        let reference_slots = HashMap::new();
        let result = self.named_return_value(function, returns);
        let instance = function.clone();
        self.frames.push(Frame {
            function: instance,
            slots,
            reference_slots,
            this,
            result,
            returns,
            referent: None,
        });
        let outer = self.code.inlined_at;
        // What a built-in function calls of the user's has places of its own.
        self.code.inlined_at = match function.span.is_built_in() {
            true => outer.or(Some(span)),
            false => None,
        };
        let scope = self.open_scope();
        let body = self.body(function, given);
        self.close_scope(scope);
        self.code.inlined_at = outer;
        let frame = self.frames.pop();
        self.targets = targets;
        self.cleanups = cleanups;
        self.current = current;
        body.map(|()| frame.and_then(|frame| frame.referent))
    }

    /// Lowers the body of the innermost subroutine, whose parameters are in registers.
    pub(super) fn subroutine_body(
        &mut self,
        function: &Rc<Function>,
        this: Option<Reg>,
        parameters: &[Reg],
        returns: Returns,
        span: Span,
    ) -> Lowered<()> {
        // The next level has an address of its own in the same register.
        let mut location = |reg| {
            let own = self.code.registers(2);
            self.code.emit(span, Inst::Mov { wide: true, d: own, a: reg });
            Location::at(own)
        };
        let this = this.map(&mut location);
        let mut given = Vec::new();
        for (var, &reg) in function.vars.iter().zip(parameters) {
            given.push(match var.reference {
                true => Given::Location(location(reg)),
                false => Given::Value(reg),
            });
        }
        self.inline_body(function, this, given, returns, span).map(|_| ())
    }

    fn body(&mut self, function: &Rc<Function>, given: Vec<Given>) -> Lowered<()> {
        for (i, given) in given.into_iter().enumerate() {
            let begun = self.code.insts.len();
            let (place, fresh) = match given {
                Given::Location(place) => (place, false),
                Given::Reference(place, definedness_slots) => {
                    self.frame().reference_slots.insert(i as u32, definedness_slots);
                    (place, false)
                }
                Given::Value(reg) => {
                    let place = self.allocate_variable(i as u32)?;
                    let var = &function.vars[i];
                    self.store_value(&place, &var.ty, reg, var.span, false)?;
                    (place, true)
                }
            };
            self.frame().slots[i] = Some(place);
            self.record_variable(i as u32, place, begun, fresh);
        }
        self.cleanups.extend((0..function.params).filter_map(|i| {
            let destroy = function.vars[i].destroy.clone()?;
            Some((Cleanup::Variable(i as u32), destroy))
        }));
        self.statements(&function.body)?;
        if !function.body.iter().any(super::statement::jumps) {
            self.run_cleanups(0, None, function.span)?;
        }
        Ok(())
    }

    fn argument(&mut self, function: &Rc<Function>, i: usize, arg: &Expr) -> Lowered<Given> {
        let param = &function.vars[i];
        if param.reference && arg.place {
            let place = self.location(arg)?;
            let place = self.bind(place, arg.span);
            return Ok(Given::Reference(place, self.reference_slots(arg)));
        }
        if param.reference && param.addressed {
            // The address of a value is that of a temporary.
            return self.materialize(arg).map(Given::Location);
        }
        if self.is_in_memory(&param.ty) {
            let changed = param.written || param.addressed || param.partially_written;
            return self.memory_argument(arg, changed).map(Given::Location);
        }
        // The built-in cooperative groups wrap shuffles in functions of this name.
        let shuffled =
            i == 0 && function.span.is_built_in() && function.name.last().starts_with("shfl");
        let reg = if shuffled { self.value_unchecked(arg, None)? } else { self.value(arg)? };
        if param.reference {
            return Ok(Given::Location(Location::Reg(reg)));
        }
        // An unmodified parameter can share the argument's register if nothing writes to that during
        // the call: it is preloaded, is no variable, or the body is one pure expression.
        let fixed =
            self.code.is_preloaded(reg) || !self.is_variable(arg) || is_expression(function);
        if fixed && !param.written && !param.addressed && param.destroy.is_none() {
            return Ok(Given::Location(Location::Reg(reg)));
        }
        Ok(Given::Value(reg))
    }

    /// Whether the value is in the register of a variable that may be written.
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

fn in_registers(result: Option<Location>) -> Option<Reg> {
    match result {
        Some(Location::Reg(reg)) => Some(reg),
        _ => None,
    }
}

/// Whether the body of a function is the `return` of one pure expression.
pub(super) fn is_expression(function: &Function) -> bool {
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

/// An evaluated argument.
enum Given {
    /// The parameter is an alias of this location.
    Location(Location),
    /// The same, with the definedness slots of the variable there.
    Reference(Location, Vec<(Option<u32>, u16)>),
    /// The parameter is a variable with this initial value.
    Value(Reg),
}
