//! Expressions: identifiers, operators, member access and subscripts.

mod assignment;
mod comparison;
mod conditional;
pub(in crate::sema) mod expression;
pub(in crate::sema) mod id_expression;
mod member_pointers;
mod noexcept;
pub(in crate::sema) mod operators;
pub(in crate::sema) mod packed_half;
mod type_information;

pub(in crate::sema) use comparison::defaulted as defaulted_comparison;
pub(in crate::sema) use noexcept::{is_plainly_noexcept, may_by_declaration};
