//! Expressions: identifiers, operators, member access and subscripts.

mod assignment;
mod comparison;
mod conditional;
pub(in crate::sema) mod expression;
pub(in crate::sema) mod id_expression;
mod member_pointers;
pub(in crate::sema) mod operators;
pub(in crate::sema) mod packed_half;
mod type_information;
