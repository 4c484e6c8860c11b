//! Declarations at namespace scope.

pub(in crate::sema) mod namespace_variables;
