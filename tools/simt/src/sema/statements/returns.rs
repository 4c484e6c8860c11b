//! Where the statements of a function return: the variables that they name, and whether its end is
//! reached at all.
//!
//! Both are read from the tree: what values a condition takes is not followed, but for constants.

use crate::sema::tree::{Expr, ExprKind, Host, Intrinsic, Stmt};
use crate::syntax::ast::{self, Prim, StmtKind};
use crate::syntax::name::Path;

/// The variable that each `return` names.
pub(in crate::sema) fn returned(stmt: &ast::Stmt, out: &mut Vec<Option<Path>>) {
    match &stmt.kind {
        StmtKind::Return(value) => out.push(match value.as_ref().map(|v| &v.kind) {
            Some(ast::ExprKind::Name(name, None)) => Some(*name),
            _ => None,
        }),
        StmtKind::Block(all) | StmtKind::Several(all) => {
            all.iter().for_each(|s| returned(s, out));
        }
        StmtKind::If { then, other, .. } => {
            returned(then, out);
            if let Some(other) = other {
                returned(other, out);
            }
        }
        StmtKind::While(_, body)
        | StmtKind::Do(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Range { body, .. }
        | StmtKind::Switch(_, body) => returned(body, out),
        StmtKind::Try(body, handlers) => {
            returned(body, out);
            handlers.iter().for_each(|h| returned(&h.body, out));
        }
        _ => {}
    }
}

/// Whether control never reaches the end.
pub(in crate::sema) fn always_returns(body: &[Stmt]) -> bool {
    body.iter().any(|s| match s {
        // A jump is trusted to lead to a `return`.
        Stmt::Return(..) | Stmt::Goto(..) => true,
        Stmt::Block(inner) => always_returns(inner),
        Stmt::If { then, other, .. } => always_returns(then) && always_returns(other),
        // A loop without a condition ends only by `return` (or a `break`, which is trusted).
        Stmt::Loop { cond: None, .. } => true,
        Stmt::Loop { cond: Some(c), .. } if c.as_int().is_some_and(|v| v != 0) => true,
        Stmt::Switch { cases, body, .. } => {
            cases.iter().any(|(v, _)| v.is_none()) && always_returns(body)
        }
        Stmt::Try { body, handlers } => {
            always_returns(body) && handlers.iter().all(|(_, _, handler)| always_returns(handler))
        }
        Stmt::Expr(value) => never_returns(value, 4),
        _ => false,
    })
}

/// Whether control does not come back from it: a `throw`, or a call of a function that ends with such
/// a call, as `exit` does. So many calls are looked into.
fn never_returns(value: &Expr, calls: usize) -> bool {
    match &value.kind {
        ExprKind::Intrinsic(Intrinsic::Trap(_), _) => true,
        ExprKind::Host(host) => matches!(**host, Host::Throw(_)),
        ExprKind::Call(callee, ..) if calls > 0 && callee.returns.is(Prim::Void) => {
            let ends = |end: &Stmt| matches!(end, Stmt::Expr(e) if never_returns(e, calls - 1));
            callee.body.last().is_some_and(ends) && callee.body.iter().all(|s| s.returns() == 0)
        }
        _ => false,
    }
}
