//! Constant evaluation: an interpreter of the typed tree for calls of `constexpr` functions, and
//! for elements and members of `constexpr` variables.
//!
//! It knows scalars, arrays, structs, local variables, branches and loops, but no pointers, and no
//! references except parameters. A call that it cannot evaluate stays a call, which is an error
//! only where a constant is needed.

use crate::sema::constexpr::folding;
use crate::sema::ids::{GlobalId, HostGlobalId};
use crate::sema::tree::{Expr, ExprKind, Function, Host, Intrinsic, Stmt, Var, VarId};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;
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
    let vars = args.iter().cloned().map(Some).collect();
    known.bounded(|steps| {
        let mut evaluation = Evaluation::new(types, known, vars, steps, 0);
        evaluation.certain = false;
        evaluation.run(function)
    })
}

/// The value of an expression among local variables, of which some are known.
pub(in crate::sema) fn value(
    types: &Types,
    known: &Known,
    locals: &HashMap<VarId, Rc<Expr>>,
    e: &Expr,
) -> Option<Expr> {
    let mut vars = Vec::new();
    if !locals.is_empty() {
        vars.resize(locals.keys().max().map_or(0, |id| *id as usize + 1), None);
        for (id, value) in locals {
            vars[*id as usize] = Some((**value).clone());
        }
    }
    known.bounded(|steps| Evaluation::new(types, known, vars, steps, 0).value(e))
}

/// How a statement ends.
enum Completion {
    Next,
    Break,
    Continue,
    Return(Option<Expr>),
}

/// An lvalue: an object, and the way to a part of it (members and elements by number).
struct Lvalue {
    root: Root,
    steps: Vec<usize>,
}

enum Root {
    Var(VarId),
    This,
    Known(Rc<Expr>),
    /// A temporary.
    Value(Expr),
}

struct Evaluation<'a> {
    types: &'a Types,
    known: &'a Known,
    vars: Vec<Option<Expr>>,
    this: Option<Expr>,
    /// What the place of an update held.
    current: Vec<Expr>,
    steps: &'a mut u32,
    depth: u32,
    /// Whether a constant must stand here, as `std::is_constant_evaluated` tells.
    certain: bool,
}

impl<'a> Evaluation<'a> {
    fn new(
        types: &'a Types,
        known: &'a Known,
        vars: Vec<Option<Expr>>,
        steps: &'a mut u32,
        depth: u32,
    ) -> Evaluation<'a> {
        let (this, current) = (None, Vec::new());
        Evaluation { types, known, vars, this, current, steps, depth, certain: true }
    }

    /// Takes steps; `None` if there are not so many left.
    fn step(&mut self, taken: u64) -> Option<()> {
        take(self.steps, taken)
    }

    /// The function's body; its parameters are there.
    fn run(&mut self, function: &Function) -> Option<Expr> {
        // Another name for a place is not followed; one for a constant number is its value.
        let number = function.returns.constant && self.types.scalar(&function.returns).is_some();
        if (function.reference && !number) || function.vars[function.params..].iter().any(follows) {
            return None;
        }
        self.vars.resize(function.vars.len(), None);
        match self.statements(&function.body)? {
            Completion::Return(value) => value,
            Completion::Next if function.returns.is(Prim::Void) => Some(nothing(function)),
            _ => None,
        }
    }

    // Out of line: the stack frames of the recursive functions stay small.
    #[inline(never)]
    fn call(
        &mut self,
        function: &Function,
        object_at: Option<&Expr>,
        args: &[Expr],
        e: &Expr,
    ) -> Option<Expr> {
        self.step(1)?;
        let given = args.iter().map(|a| self.value(a).map(Some)).collect::<Option<Vec<_>>>()?;
        let object = match object_at {
            Some(object) => Some(self.lvalue(object)?),
            None => None,
        };
        let this = match (&object, object_at) {
            (Some(path), Some(at)) => match self.makes(function, path, &at.ty) {
                true => Some(Expr::new(ExprKind::Zero, at.ty.unqualified(), at.span)),
                false => Some(self.read(path, at)?),
            },
            _ => None,
        };
        let mut inner = Evaluation::new(self.types, self.known, given, self.steps, self.depth);
        inner.this = this;
        inner.certain = self.certain;
        let made = inner.run(function)?;
        let (this, mut vars) = (inner.this, inner.vars);
        if let (Some(path), Some(this)) = (object, this) {
            self.write(&path, this);
        }
        for (i, arg) in args.iter().enumerate() {
            let var = &function.vars[i];
            if follows(var) && arg.place {
                let path = self.lvalue(arg)?;
                let value = vars[i].take()?;
                self.write(&path, value)?;
            }
        }
        Some(Expr { span: e.span, ..made })
    }

    /// The lvalue that an expression denotes.
    #[inline(never)]
    fn lvalue(&mut self, e: &Expr) -> Option<Lvalue> {
        let root = match &e.kind {
            ExprKind::Var(id) => Root::Var(*id),
            ExprKind::This => Root::This,
            ExprKind::Global(i) => Root::Known(self.known.globals.get(i)?.clone()),
            ExprKind::Host(host) => match &**host {
                Host::Global(i) => Root::Known(self.known.hosts.get(i)?.clone()),
                Host::Temporary(inner, None) => return self.lvalue(inner),
                _ => return None,
            },
            ExprKind::Member(inner, i) => {
                let mut path = self.lvalue(inner)?;
                path.steps.push(*i as usize);
                return Some(path);
            }
            ExprKind::Index(base, index) => {
                let ExprKind::Decay(array) = &base.kind else { return None };
                let mut path = self.lvalue(array)?;
                path.steps.push(usize::try_from(self.value(index)?.as_int()?).ok()?);
                return Some(path);
            }
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Address(inner) => return self.lvalue(inner),
                _ => return None,
            },
            ExprKind::Comma(a, b) if b.place => {
                self.value(a)?;
                return self.lvalue(b);
            }
            ExprKind::Call(function, Some(object), args) if function.reference => {
                return self.part_of_object(function, object, args);
            }
            _ if e.place => return None,
            _ => Root::Value(self.value(e)?),
        };
        Some(Lvalue { root, steps: Vec::new() })
    }

    /// `object[i]` by a method that only returns a part of its object.
    #[inline(never)]
    fn part_of_object(
        &mut self,
        function: &Function,
        object: &Expr,
        args: &[Expr],
    ) -> Option<Lvalue> {
        let [Stmt::Return(Some(part), _)] = function.body.as_slice() else { return None };
        let given = args.iter().map(|a| self.value(a).map(Some)).collect::<Option<Vec<_>>>()?;
        let mut path = self.lvalue(object)?;
        let this = self.read(&path, object)?;
        let mut inner = Evaluation::new(self.types, self.known, given, self.steps, self.depth);
        inner.this = Some(this);
        let Lvalue { root: Root::This, steps } = inner.lvalue(part)? else { return None };
        path.steps.extend(steps);
        Some(path)
    }

    /// Whether a function is the constructor of a new object.
    fn makes(&self, function: &Function, path: &Lvalue, ty: &Type) -> bool {
        let Kind::Struct(index) = ty.kind else { return false };
        let unset = match path.root {
            Root::Var(id) => self.vars.get(id as usize).is_none_or(Option::is_none),
            _ => false,
        };
        unset
            && path.steps.is_empty()
            && self.types.get(index).declared.last() == function.name.last()
    }

    /// The value of the part; `e` is the expression that reads it.
    fn read(&mut self, path: &Lvalue, e: &Expr) -> Option<Expr> {
        let mut at = match &path.root {
            Root::Var(id) => self.vars.get(*id as usize)?.as_ref()?,
            Root::This => self.this.as_ref()?,
            Root::Known(value) => value,
            Root::Value(value) => value,
        };
        for step in &path.steps {
            match &at.kind {
                ExprKind::Make(parts) => at = parts.get(*step)?,
                ExprKind::Zero => {
                    return Some(Expr::new(zero_of(self.types, &e.ty), e.ty.unqualified(), e.span));
                }
                _ => return None,
            }
        }
        let size = self.types.size_of(&at.ty) / 8;
        let made = at.clone();
        self.step(size)?;
        Some(made)
    }

    fn write(&mut self, path: &Lvalue, value: Expr) -> Option<()> {
        let root = match &path.root {
            Root::Var(id) => {
                let id = *id as usize;
                if id >= self.vars.len() {
                    self.vars.resize(id + 1, None);
                }
                &mut self.vars[id]
            }
            Root::This => &mut self.this,
            Root::Known(_) | Root::Value(_) => return None,
        };
        if path.steps.is_empty() {
            *root = Some(value);
            return Some(());
        }
        let types = self.types;
        let mut at = root.as_mut()?;
        for step in &path.steps {
            if matches!(at.kind, ExprKind::Zero) {
                let parts: Vec<Type> = match &at.ty.kind {
                    Kind::Array(element, n) => {
                        take(self.steps, *n)?;
                        (0..*n).map(|_| element.unqualified()).collect()
                    }
                    Kind::Struct(i) if !types.get(*i).union => {
                        types.get(*i).fields.iter().map(|f| f.ty.unqualified()).collect()
                    }
                    _ => return None,
                };
                let span = at.span;
                let zero = |ty: Type| Expr::new(zero_of(types, &ty), ty, span);
                at.kind = ExprKind::Make(parts.into_iter().map(zero).collect());
            }
            let ExprKind::Make(parts) = &mut at.kind else { return None };
            at = parts.get_mut(*step)?;
        }
        *at = value;
        Some(())
    }

    fn statements(&mut self, list: &[Stmt]) -> Option<Completion> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        for stmt in list {
            match self.statement(stmt)? {
                Completion::Next => {}
                other => {
                    self.depth -= 1;
                    return Some(other);
                }
            }
        }
        self.depth -= 1;
        Some(Completion::Next)
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<Completion> {
        self.step(1)?;
        match stmt {
            Stmt::Expr(e) => {
                self.value(e)?;
            }
            Stmt::Declare { var, init, .. } => {
                let value = match init {
                    Some(e) => Some(self.value(e)?),
                    None => None,
                };
                self.vars[*var as usize] = value;
            }
            Stmt::If { cond, then, other, .. } => {
                let holds = self.value(cond)?.as_int()? != 0;
                return self.statements(if holds { then } else { other });
            }
            Stmt::Loop { cond, body, step, test_first, .. } => {
                let mut test = *test_first;
                loop {
                    self.step(1)?;
                    if let Some(cond) = cond.as_ref().filter(|_| test)
                        && self.value(cond)?.as_int()? == 0
                    {
                        break;
                    }
                    test = true;
                    match self.statements(body)? {
                        Completion::Break => break,
                        done @ Completion::Return(_) => return Some(done),
                        Completion::Next | Completion::Continue => {}
                    }
                    if let Some(step) = step {
                        self.value(step)?;
                    }
                }
            }
            Stmt::Block(list) => return self.statements(list),
            Stmt::Break(_) => return Some(Completion::Break),
            Stmt::Continue(_) => return Some(Completion::Continue),
            Stmt::Return(value, _) => {
                let value = match value {
                    Some(e) => Some(self.value(e)?),
                    None => None,
                };
                return Some(Completion::Return(value));
            }
            Stmt::Switch { .. }
            | Stmt::Static(..)
            | Stmt::Asm(_)
            | Stmt::Try { .. }
            | Stmt::Label(..)
            | Stmt::Goto(..) => return None,
        }
        Some(Completion::Next)
    }

    /// A union, whose active member is not known.
    fn is_union(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.types.get(i).union)
    }

    fn truth(&mut self, e: &Expr) -> Option<bool> {
        Some(self.value(e)?.as_int()? != 0)
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

    fn assigned(&mut self, place: &Expr, value: &Expr) -> Option<Expr> {
        let value = self.value(value)?;
        let path = self.lvalue(place)?;
        self.write(&path, value.clone())?;
        Some(value)
    }

    fn value_inner(&mut self, e: &Expr) -> Option<Expr> {
        let made = |kind: ExprKind| Some(Expr::new(kind, e.ty.unqualified(), e.span));
        let flag = |holds: bool| made(ExprKind::Int(i128::from(holds)));
        let prim = self.types.scalar(&e.ty);
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => made(e.kind.clone()),
            ExprKind::Var(_) | ExprKind::Global(_) | ExprKind::This | ExprKind::Member(..) => {
                let path = self.lvalue(e)?;
                self.read(&path, e)
            }
            ExprKind::Host(host) if let Host::Begin(place, value) = &**host => {
                self.assigned(place, value)
            }
            ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Host(_) => {
                let path = self.lvalue(e)?;
                self.read(&path, e)
            }
            ExprKind::Make(parts) if !self.is_union(&e.ty) => {
                let parts = parts.iter().map(|p| self.value(p)).collect::<Option<Vec<_>>>()?;
                made(ExprKind::Make(parts))
            }
            ExprKind::Zero => made(zero_of(self.types, &e.ty)),
            ExprKind::Current => self.current.last().cloned(),
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                made(folding::unary(*op, prim?, &a)?)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(folding::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Intrinsic(Intrinsic::ConstantEvaluated, _) if self.certain => flag(true),
            ExprKind::Intrinsic(Intrinsic::Binary(op), args) => {
                let [a, b] = args.as_slice() else { return None };
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(folding::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(folding::compare(*op, &a, &b)?)
            }
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
            ExprKind::Cast(a) => {
                let a = self.value(a)?;
                made(folding::convert(self.types, &a, &e.ty)?)
            }
            ExprKind::Bits(a) if a.ty.kind == e.ty.kind => self.value(a),
            // `INFINITY`
            ExprKind::Bits(a) => {
                let a = self.value(a)?;
                made(folding::reinterpreted(prim?, &a)?)
            }
            ExprKind::Assign(place, value) => self.assigned(place, value),
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
            ExprKind::Call(function, Some(_), _)
                if function.reference && !function.returns.constant =>
            {
                let path = self.lvalue(e)?;
                self.read(&path, e)
            }
            ExprKind::Call(function, object, args) => {
                self.call(function, object.as_deref(), args, e)
            }
            ExprKind::RecursiveCall(recursion, object, args) => {
                self.call(recursion.function.get()?, object.as_deref(), args, e)
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

/// Zero: a scalar's, or all of a value.
fn zero_of(types: &Types, ty: &Type) -> ExprKind {
    match types.scalar(ty) {
        Some(prim) if prim.is_float() => ExprKind::Float(0.0),
        Some(prim) if prim.is_integer() => ExprKind::Int(0),
        _ => ExprKind::Zero,
    }
}

/// Whether it is another name for something that may change.
fn follows(var: &Var) -> bool {
    var.reference && !crate::sema::symbols::namespace_variables::element_of(&var.ty).constant
}

/// What a function that returns nothing returns.
fn nothing(function: &Function) -> Expr {
    Expr::new(ExprKind::Zero, function.returns.clone(), function.span)
}
