//! The symbol table, and the declarations at namespace scope.

mod cross_file_overloads;
pub(in crate::sema) mod declarations;
pub(in crate::sema) mod emitted;
pub(in crate::sema) mod external;
mod kernel_specifiers;
mod local_redeclarations;
pub(in crate::sema) mod namespace_redeclarations;
pub(in crate::sema) mod namespace_variables;

pub(in crate::sema) mod symbol_table;
