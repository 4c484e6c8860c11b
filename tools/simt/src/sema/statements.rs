//! Statements, structured bindings, and definite assignment analysis.

pub(in crate::sema) mod assembly;
pub(in crate::sema) mod control_flow;
pub(in crate::sema) mod definite_assignment;
mod exceptions;
pub(in crate::sema) mod nested_cases;
pub(in crate::sema) mod returns;
pub(in crate::sema) mod statement;
pub(in crate::sema) mod structured_binding;
mod warnings;
