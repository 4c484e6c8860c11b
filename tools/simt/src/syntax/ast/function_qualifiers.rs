//! The ref-qualifier and the exception specification of a function.

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
