//! Function calls: name lookup, overload resolution, and the built-in functions.

pub(in crate::sema) mod builtins;
pub(in crate::sema) mod call;
pub(in crate::sema) mod overload_resolution;
