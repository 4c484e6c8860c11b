//! What stands behind the parameters of a function: its ref-qualifier, its exception specification.

use super::Expr;
use std::rc::Rc;

/// A method's ref-qualifier: `f() &` takes an lvalue, `f() &&` an rvalue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ObjectOf {
    #[default]
    Any,
    Lvalue,
    Rvalue,
}

/// An exception specification.
#[derive(Debug, Clone, Default)]
pub(crate) enum Noexcept {
    #[default]
    Unsaid,
    /// `noexcept`, `throw()`
    Never,
    /// `noexcept(condition)`
    If(Rc<Expr>),
}
