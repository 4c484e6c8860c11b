//! Exception analysis: whether an expression, or statements, may end by an exception.
//!
//! What a call may do depends on the question. The operator `noexcept` asks what functions declare;
//! code generation asks what their bodies do.

use crate::sema::tree::{Expr, ExprKind, Function, Host, Intrinsic, Recursion, Stmt};
use std::rc::Rc;

/// What is called.
#[derive(Debug, Clone, Copy)]
pub enum Callee<'t> {
    /// A function.
    Function(&'t Rc<Function>),
    /// A function that calls itself, or a virtual one.
    Recursion(&'t Rc<Recursion>),
    /// What a pointer points to.
    Pointer,
}

/// Whether a call of that function may throw.
pub type Question<'q> = dyn FnMut(Callee<'_>) -> bool + 'q;

/// Whether one of the expressions may throw.
pub fn any<'t>(all: impl IntoIterator<Item = &'t Expr>, calls: &mut Question<'_>) -> bool {
    all.into_iter().any(|e| expression(e, calls))
}

/// Whether the expression may throw.
pub fn expression(e: &Expr, calls: &mut Question<'_>) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Text(_)
        | ExprKind::Var(_)
        | ExprKind::Global(_)
        | ExprKind::Builtin(_)
        | ExprKind::This
        | ExprKind::Current
        | ExprKind::Zero => false,
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Cast(a)
        | ExprKind::Bits(a)
        | ExprKind::Deref(a)
        | ExprKind::Address(a)
        | ExprKind::Decay(a)
        | ExprKind::Member(a, _) => expression(a, calls),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PointerAdd(a, b, _)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Update { place: a, value: b, .. } => {
            expression(a, calls) || expression(b, calls)
        }
        ExprKind::Cond(c, a, b) => any([&**c, a, b], calls),
        ExprKind::Call(function, object, args) => {
            calls(Callee::Function(function))
                || any(object.as_deref().into_iter().chain(args), calls)
        }
        ExprKind::RecursiveCall(recursion, object, args) => {
            calls(Callee::Recursion(recursion))
                || any(object.as_deref().into_iter().chain(args), calls)
        }
        ExprKind::Make(parts) | ExprKind::Intrinsic(Intrinsic::Nothing, parts) => any(parts, calls),
        ExprKind::Intrinsic(_, args) => any(args, calls),
        ExprKind::Host(host) => in_host(host, calls),
    }
}

fn in_host(host: &Host, calls: &mut Question<'_>) -> bool {
    match host {
        Host::Throw(_) | Host::New { .. } => true,
        Host::Global(_) | Host::Function(_) | Host::Built(..) => false,
        Host::Launch { grid, block, shared, stream, args, .. } => {
            any([grid, block, shared, stream].into_iter().chain(args), calls)
        }
        Host::LaunchPointer { pointer, grid, block, args, shared, stream } => {
            any([pointer, grid, block, args, shared, stream], calls)
        }
        Host::IndirectCall(callee, args, _) => {
            calls(Callee::Pointer) || expression(callee, calls) || any(args, calls)
        }
        Host::Library(_, args) => any(args, calls),
        Host::Delete { pointer, destroy, .. } => {
            expression(pointer, calls)
                || destroy.as_ref().is_some_and(|destroy| calls(Callee::Function(destroy)))
        }
        Host::Temporary(value, destroy) => {
            expression(value, calls)
                || destroy.as_ref().is_some_and(|destroy| calls(Callee::Function(destroy)))
        }
        Host::Begin(place, value) => any([place, value], calls),
    }
}

/// Whether the statements may throw.
pub fn statements(list: &[Stmt], calls: &mut Question<'_>) -> bool {
    list.iter().any(|stmt| statement(stmt, calls))
}

fn statement(stmt: &Stmt, calls: &mut Question<'_>) -> bool {
    match stmt {
        Stmt::Expr(e) => expression(e, calls),
        Stmt::Declare { init, .. } => any(init, calls),
        Stmt::If { cond, then, other, .. } => {
            expression(cond, calls) || statements(then, calls) || statements(other, calls)
        }
        Stmt::Loop { cond, body, step, .. } => {
            any(cond.iter().chain(step), calls) || statements(body, calls)
        }
        Stmt::Switch { value, body, .. } => expression(value, calls) || statements(body, calls),
        Stmt::Block(list) | Stmt::Static(_, list) => statements(list, calls),
        Stmt::Return(value, _) => any(value, calls),
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Label(..) | Stmt::Goto(..) | Stmt::Asm(_) => {
            false
        }
        Stmt::Try { body, handlers } => {
            let all = handlers.iter().any(|(_, ty, _)| ty.is_none());
            !all && statements(body, calls)
                || handlers.iter().any(|(_, _, body)| statements(body, calls))
        }
    }
}
