//! Constant expressions: folding, and evaluation of `constexpr` functions.

pub(in crate::sema) mod constant_expression;
pub(in crate::sema) mod evaluation;
pub(in crate::sema) mod folding;
