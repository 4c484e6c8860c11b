//! Calls of `constexpr` functions whose arguments are constants, computed on the spot.
//!
//! Scalars, local variables, choices and loops: what a length or a template's argument is made of.
//! Where anything else is met the call stays a call, which is no mistake unless a constant is needed.

use super::fold;
use super::tree::{Expr, ExprKind, Function, Intrinsic, Stmt};
use super::types::Types;

/// Statements and calls of one evaluation at most.
const MAX_STEPS: u32 = 100_000;

/// Expressions and statements inside each other, through all calls, at most: as many as the
/// megabyte of stack that a page gives to WebAssembly can hold.
const MAX_DEPTH: u32 = 500;

/// The value of a call; `None` where it cannot be told.
pub(super) fn call(types: &Types, function: &Function, args: &[Expr]) -> Option<Expr> {
    let mut steps = MAX_STEPS;
    run(types, function, args.to_vec(), &mut steps, 0)
}

fn run(
    types: &Types,
    function: &Function,
    args: Vec<Expr>,
    steps: &mut u32,
    depth: u32,
) -> Option<Expr> {
    if function.reference {
        return None;
    }
    let mut vars: Vec<Option<Expr>> = args.into_iter().map(Some).collect();
    vars.resize(function.vars.len(), None);
    let mut it = Evaluation { types, vars, current: Vec::new(), steps, depth };
    match it.statements(&function.body)? {
        Flow::Return(value) => value,
        _ => None,
    }
}

/// Where control goes on.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Expr>),
}

struct Evaluation<'a> {
    types: &'a Types,
    vars: Vec<Option<Expr>>,
    /// What the place of an update held.
    current: Vec<Expr>,
    steps: &'a mut u32,
    depth: u32,
}

impl Evaluation<'_> {
    fn statements(&mut self, list: &[Stmt]) -> Option<Flow> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        for stmt in list {
            match self.statement(stmt)? {
                Flow::Next => {}
                other => {
                    self.depth -= 1;
                    return Some(other);
                }
            }
        }
        self.depth -= 1;
        Some(Flow::Next)
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<Flow> {
        *self.steps = self.steps.checked_sub(1)?;
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
                    *self.steps = self.steps.checked_sub(1)?;
                    if let Some(cond) = cond.as_ref().filter(|_| test)
                        && self.value(cond)?.as_int()? == 0
                    {
                        break;
                    }
                    test = true;
                    match self.statements(body)? {
                        Flow::Break => break,
                        done @ Flow::Return(_) => return Some(done),
                        Flow::Next | Flow::Continue => {}
                    }
                    if let Some(step) = step {
                        self.value(step)?;
                    }
                }
            }
            Stmt::Block(list) => return self.statements(list),
            Stmt::Break(_) => return Some(Flow::Break),
            Stmt::Continue(_) => return Some(Flow::Continue),
            Stmt::Return(value, _) => {
                let value = match value {
                    Some(e) => Some(self.value(e)?),
                    None => None,
                };
                return Some(Flow::Return(value));
            }
            Stmt::Switch { .. }
            | Stmt::Static(_)
            | Stmt::Try { .. }
            | Stmt::Label(..)
            | Stmt::Goto(..) => return None,
        }
        Some(Flow::Next)
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

    fn value_inner(&mut self, e: &Expr) -> Option<Expr> {
        let made = |kind: ExprKind| Some(Expr::new(kind, e.ty.unqualified(), e.span));
        let flag = |holds: bool| made(ExprKind::Int(i128::from(holds)));
        let prim = self.types.scalar(&e.ty);
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => made(e.kind.clone()),
            ExprKind::Var(id) => self.vars[*id as usize].clone(),
            ExprKind::Current => self.current.last().cloned(),
            ExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                made(fold::unary(*op, prim?, &a)?)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(fold::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Intrinsic(Intrinsic::Binary(op), args) => {
                let [a, b] = args.as_slice() else { return None };
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(fold::binary(*op, prim?, &a, &b)?)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                made(fold::compare(*op, &a, &b)?)
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
                made(fold::convert(self.types, &a, &e.ty)?)
            }
            ExprKind::Bits(a) if a.ty.kind == e.ty.kind => self.value(a),
            ExprKind::Assign(place, value) => {
                let ExprKind::Var(id) = place.kind else { return None };
                let value = self.value(value)?;
                self.vars[id as usize] = Some(value.clone());
                Some(value)
            }
            ExprKind::Update { place, value, post, .. } => {
                let ExprKind::Var(id) = place.kind else { return None };
                let old = self.vars[id as usize].clone()?;
                self.current.push(old.clone());
                let new = self.value(value);
                self.current.pop();
                let new = new?;
                self.vars[id as usize] = Some(new.clone());
                Some(if *post { old } else { new })
            }
            ExprKind::Call(function, None, args) => {
                let given = args.iter().map(|a| self.value(a)).collect::<Option<Vec<Expr>>>()?;
                *self.steps = self.steps.checked_sub(1)?;
                run(self.types, function, given, self.steps, self.depth)
            }
            ExprKind::Again(again, None, args) => {
                let given = args.iter().map(|a| self.value(a)).collect::<Option<Vec<Expr>>>()?;
                *self.steps = self.steps.checked_sub(1)?;
                run(self.types, again.function.get()?, given, self.steps, self.depth)
            }
            _ => None,
        }
    }
}
