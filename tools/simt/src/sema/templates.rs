//! Templates: argument deduction, parameter packs, explicit and partial specialisation.

pub(in crate::sema) mod deduction;
pub(in crate::sema) mod packs;
pub(in crate::sema) mod specialisation;
