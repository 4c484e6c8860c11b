//! Conversions: standard, user-defined and explicit.

pub(in crate::sema) mod cast;
pub(in crate::sema) mod standard_conversion;
pub(in crate::sema) mod user_conversion;
