//! Constant evaluation: an interpreter of the typed tree for calls of `constexpr` functions, and
//! for elements and members of `constexpr` variables.
//!
//! It knows scalars, arrays, structs, texts, pointers and references ([`objects`]), branches and
//! loops. It does not know the heap, unions, exceptions and virtual functions. A call that it cannot
//! evaluate stays a call, which is an error only where a constant is needed.

mod control;
mod objects;

use crate::diagnostic::Span;
use crate::sema::constexpr::folding;
use crate::sema::ids::{GlobalId, HostGlobalId};
use crate::sema::tree::{Expr, ExprKind, Function, Host, Intrinsic, VarId};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;
use control::Completion;
use objects::{Frame, Lvalue, Root, Slot};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// The most statements and calls of one evaluation, as Clang's default.
pub(in crate::sema) const MAX_STEPS: u32 = 1 << 20;

/// The most steps of all evaluations of a unit: any call with constant arguments may be one.
const MAX_ALL_STEPS: u32 = 4 * MAX_STEPS;

/// Expressions and statements inside each other, through all calls, at most: as many as the
/// megabyte of stack that a page gives to WebAssembly can hold.
const MAX_DEPTH: u32 = 500;

/// The values of the `constexpr` arrays and structs that have names.
#[derive(Debug, Default)]
pub(in crate::sema) struct Known {
    /// Of the device.
    pub(in crate::sema) globals: HashMap<GlobalId, Rc<Expr>>,
    /// Of the host.
    pub(in crate::sema) hosts: HashMap<HostGlobalId, Rc<Expr>>,
    /// The steps of all evaluations so far.
    steps: Cell<u32>,
    /// Whether the latest evaluation had no steps left.
    exhausted: Cell<bool>,
}

impl Known {
    /// Evaluates within the limits of steps.
    fn bounded<T>(&self, evaluate: impl FnOnce(&mut u32) -> Option<T>) -> Option<T> {
        let most = MAX_STEPS.min(MAX_ALL_STEPS.saturating_sub(self.steps.get()));
        let mut left = most;
        let value = evaluate(&mut left);
        self.steps.set(self.steps.get() + (most - left));
        self.exhausted.set(value.is_none() && left == 0);
        value
    }

    /// Whether the latest evaluation ended because it had taken too many steps.
    pub(in crate::sema) fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }
}

/// The value of a call, which need not be a constant; `None` where it cannot be told.
pub(in crate::sema) fn call(
    types: &Types,
    known: &Known,
    function: &Function,
    args: &[Expr],
) -> Option<Expr> {
    // Another name for a place is not followed; one for a constant number is its value.
    let number = function.returns.constant && types.scalar(&function.returns).is_some();
    if function.reference && !number {
        return None;
    }
    known.bounded(|steps| {
        let mut evaluation = Evaluation::new(types, known, steps);
        evaluation.certain = false;
        let value = evaluation.called(function, None, args, function.span)?;
        evaluation.outside(value)
    })
}

/// The value of an expression among local variables, of which some are known.
pub(in crate::sema) fn value(
    types: &Types,
    known: &Known,
    locals: &HashMap<VarId, Rc<Expr>>,
    e: &Expr,
) -> Option<Expr> {
    known.bounded(|steps| {
        let mut evaluation = Evaluation::new(types, known, steps);
        evaluation.locals = Some(locals);
        let value = evaluation.value(e)?;
        evaluation.outside(value)
    })
}

struct Evaluation<'a> {
    types: &'a Types,
    known: &'a Known,
    /// The variables of the function that the expression stands in, as far as they are known.
    locals: Option<&'a HashMap<VarId, Rc<Expr>>>,
    /// All objects: variables of the calls that are open, and temporaries.
    objects: Vec<Option<Expr>>,
    /// What the pointers point to: the value of one is a number of these.
    pointed: Vec<Lvalue>,
    frame: Frame,
    /// What the place of an update held.
    current: Vec<Expr>,
    steps: &'a mut u32,
    depth: u32,
    /// Whether a constant must stand here, as `std::is_constant_evaluated` tells.
    certain: bool,
}

impl<'a> Evaluation<'a> {
    fn new(types: &'a Types, known: &'a Known, steps: &'a mut u32) -> Evaluation<'a> {
        Evaluation {
            types,
            known,
            locals: None,
            objects: Vec::new(),
            pointed: Vec::new(),
            frame: Frame::default(),
            current: Vec::new(),
            steps,
            depth: 0,
            certain: true,
        }
    }

    /// Takes steps; `None` if there are not so many left.
    fn step(&mut self, taken: u64) -> Option<()> {
        take(self.steps, taken)
    }

    /// What a call gives: a value, or a pointer to the place of a reference.
    // Out of line: the stack frames of the recursive functions stay small.
    #[inline(never)]
    fn called(
        &mut self,
        function: &Function,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        self.step(1)?;
        let this = match object {
            Some(object) => Some(self.object(function, object)?),
            None => None,
        };
        let mut slots = Vec::with_capacity(function.vars.len());
        for (arg, var) in args.iter().zip(&function.vars) {
            slots.push(match var.reference {
                true => Slot::Reference(Some(self.lvalue(arg)?)),
                false => {
                    let value = self.value(arg)?;
                    Slot::Object(self.new_object(Some(value)))
                }
            });
        }
        for var in &function.vars[slots.len()..] {
            slots.push(match var.reference {
                true => Slot::Reference(None),
                false => Slot::Object(self.new_object(None)),
            });
        }
        let top = self.objects.len();
        let inner = Frame { slots, this, of_reference: function.reference };
        let outer = std::mem::replace(&mut self.frame, inner);
        let locals = self.locals.take();
        let done = self.statements(&function.body);
        self.locals = locals;
        self.frame = outer;
        // Those of the call's own temporaries are gone; its variables may be the caller's arguments.
        self.objects.truncate(top);
        match done? {
            Completion::Return(value) => Some(Expr { span, ..value? }),
            Completion::Next if function.returns.is(Prim::Void) => Some(nothing(function)),
            _ => None,
        }
    }

    /// The object of a method; that of a constructor begins with zeros.
    #[inline(never)]
    fn object(&mut self, function: &Function, at: &Expr) -> Option<Lvalue> {
        let place = self.lvalue(at)?;
        if let (Root::Object(id), [], Kind::Struct(class)) =
            (&place.root, place.steps.as_slice(), &at.ty.kind)
            && self.objects[*id].is_none()
            && self.types.get(*class).declared.last() == function.name.last()
        {
            let zero = Expr::new(ExprKind::Zero, at.ty.unqualified(), at.span);
            self.objects[*id] = Some(zero);
        }
        Some(place)
    }

    /// A union, whose active member is not known.
    fn is_union(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.types.get(i).union)
    }

    fn truth(&mut self, e: &Expr) -> Option<bool> {
        let value = self.value(e)?;
        match objects::is_pointer(&value) {
            true => Some(true),
            false => Some(value.as_int()? != 0),
        }
    }

    fn value(&mut self, e: &Expr) -> Option<Expr> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.value_inner(e);
        self.depth -= 1;
        value
    }

    fn write_to(&mut self, place: &Expr, value: &Expr) -> Option<Expr> {
        let value = self.value(value)?;
        let path = self.lvalue(place)?;
        self.write(&path, value.clone())?;
        Some(value)
    }

    fn value_inner(&mut self, e: &Expr) -> Option<Expr> {
        let made = |kind: ExprKind| Some(Expr::new(kind, e.ty.unqualified(), e.span));
        let flag = |holds: bool| made(ExprKind::Int(i128::from(holds)));
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => made(e.kind.clone()),
            ExprKind::Address(inner) if objects::is_pointer(e) && inner.ty.is(Prim::Void) => {
                Some(e.clone())
            }
            ExprKind::Make(parts) if !self.is_union(&e.ty) => {
                let parts = parts.iter().map(|p| self.value(p)).collect::<Option<Vec<_>>>()?;
                made(ExprKind::Make(parts))
            }
            ExprKind::Zero => made(objects::zero_of(self.types, &e.ty)),
            ExprKind::Current => self.current.last().cloned(),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Intrinsic(..)
            | ExprKind::Compare(..)
            | ExprKind::Cast(_)
            | ExprKind::Bits(_) => self.operation(e),
            ExprKind::Not(a) => {
                let holds = self.truth(a)?;
                flag(!holds)
            }
            ExprKind::And(a, b) => {
                let holds = self.truth(a)? && self.truth(b)?;
                flag(holds)
            }
            ExprKind::Or(a, b) => {
                let holds = self.truth(a)? || self.truth(b)?;
                flag(holds)
            }
            ExprKind::Cond(cond, a, b) => {
                if self.truth(cond)? {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Comma(a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Assign(..) | ExprKind::Update { .. } => self.assigned(e),
            ExprKind::Address(_)
            | ExprKind::Decay(_)
            | ExprKind::PointerAdd(..)
            | ExprKind::PointerDiff(..) => self.pointer(e),
            ExprKind::Call(function, object, args) => {
                let value = self.called(function, object.as_deref(), args, e.span)?;
                self.referred(function, value, e)
            }
            ExprKind::RecursiveCall(recursion, object, args) => {
                let function = recursion.function.get()?;
                let value = self.called(function, object.as_deref(), args, e.span)?;
                self.referred(function, value, e)
            }
            ExprKind::Host(host) => self.of_host(host, e),
            _ => {
                let path = self.lvalue(e)?;
                self.read(&path, e)
            }
        }
    }

    /// What is read of the place that a call gives.
    #[inline(never)]
    fn referred(&mut self, function: &Function, value: Expr, e: &Expr) -> Option<Expr> {
        if !function.reference {
            return Some(value);
        }
        let place = self.pointee(&value)?;
        self.read(&place, e)
    }

    #[inline(never)]
    fn of_host(&mut self, host: &Host, e: &Expr) -> Option<Expr> {
        match host {
            Host::Global(_) => {
                let path = self.lvalue(e)?;
                self.read(&path, e)
            }
            Host::Temporary(inner, _) => self.value(inner),
            Host::Begin(place, value) => self.write_to(place, value),
            Host::Function(_) => Some(e.clone()),
            Host::IndirectCall(callee, args, _) => {
                let callee = self.value(callee)?;
                let ExprKind::Host(host) = &callee.kind else { return None };
                let Host::Function(function) = &**host else { return None };
                let value = self.called(function, None, args, e.span)?;
                self.referred(function, value, e)
            }
            // A part of an object is complete.
            Host::Built(..) => Some(Expr::new(ExprKind::Zero, Prim::Void.into(), e.span)),
            _ => None,
        }
    }

    /// Operators on numbers.
    #[inline(never)]
    fn operation(&mut self, e: &Expr) -> Option<Expr> {
        let made = |kind: ExprKind| Some(Expr::new(kind, e.ty.unqualified(), e.span));
        let prim = self.types.scalar(&e.ty);
        match &e.kind {
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                made(folding::unary(*op, prim?, &a)?)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(folding::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Intrinsic(Intrinsic::ConstantEvaluated, _) if self.certain => {
                made(ExprKind::Int(1))
            }
            ExprKind::Intrinsic(Intrinsic::Unary(op), args) => {
                let [a] = args.as_slice() else { return None };
                let a = self.value(a)?;
                made(folding::function(*op, prim?, &a)?)
            }
            ExprKind::Intrinsic(Intrinsic::Binary(op), args) => {
                let [a, b] = args.as_slice() else { return None };
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(folding::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Intrinsic(Intrinsic::Nothing, args) => {
                for arg in args {
                    self.value(arg)?;
                }
                made(ExprKind::Zero)
            }
            ExprKind::Intrinsic(Intrinsic::Assert, args) => {
                let [holds] = args.as_slice() else { return None };
                self.truth(holds)?.then(|| made(ExprKind::Zero))?
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match objects::is_pointer(&a) || objects::is_pointer(&b) {
                    true => made(self.compared(*op, &a, &b)?),
                    false => made(folding::compare(*op, &a, &b)?),
                }
            }
            ExprKind::Cast(a) if e.ty.is(Prim::Void) => {
                self.value(a)?;
                made(ExprKind::Zero)
            }
            ExprKind::Cast(a) => {
                let a = self.value(a)?;
                match objects::is_pointer(&a) {
                    true => self.pointer_as(a, &e.ty),
                    false => made(folding::convert(self.types, &a, &e.ty)?),
                }
            }
            ExprKind::Bits(a) if a.ty.kind == e.ty.kind => self.value(a),
            // `INFINITY`
            ExprKind::Bits(a) => {
                let a = self.value(a)?;
                made(folding::reinterpreted(prim?, &a)?)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn assigned(&mut self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Assign(place, value) => self.write_to(place, value),
            ExprKind::Update { place, value, post, .. } => {
                let path = self.lvalue(place)?;
                let old = self.read(&path, place)?;
                self.current.push(old.clone());
                let new = self.value(value);
                self.current.pop();
                let new = new?;
                self.write(&path, new.clone())?;
                Some(if *post { old } else { new })
            }
            _ => None,
        }
    }
}

fn take(steps: &mut u32, taken: u64) -> Option<()> {
    let left = u64::from(*steps).checked_sub(taken);
    *steps = left.unwrap_or(0) as u32;
    left.map(|_| ())
}

/// What a function that returns nothing returns.
fn nothing(function: &Function) -> Expr {
    Expr::new(ExprKind::Zero, function.returns.clone(), function.span)
}
