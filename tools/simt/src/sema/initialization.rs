//! Initialisation: copy, direct, aggregate and list initialisation.

mod anonymous_members;
pub(in crate::sema) mod braced_arguments;
pub(in crate::sema) mod initializer;
pub(in crate::sema) mod list_initialization;
mod narrowing;
