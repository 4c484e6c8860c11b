//! The symbol table, and the declarations at namespace scope.

mod declarations;
mod elsewhere;
pub(in crate::sema) mod emitted;
pub(in crate::sema) mod external;
mod kernel_words;
pub(in crate::sema) mod namespace_variables;
mod redeclared;
pub(in crate::sema) mod symbol_table;
pub(in crate::sema) mod variables;
