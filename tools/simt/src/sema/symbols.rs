//! The symbol table, and the declarations at namespace scope.

mod declarations;
mod elsewhere;
pub(in crate::sema) mod emitted;
pub(in crate::sema) mod external;
pub(in crate::sema) mod namespace_variables;
pub(in crate::sema) mod symbol_table;
