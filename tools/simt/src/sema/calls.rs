//! Function calls: name lookup, overload resolution, and the built-in functions.

pub(in crate::sema) mod builtins;
pub(in crate::sema) mod call;
pub(in crate::sema) mod call_site;
mod candidates;
pub(in crate::sema) mod chosen_call;
mod construction;
mod misspelt;
mod odr_use;
mod operator_call;
pub(in crate::sema) mod overload_resolution;
