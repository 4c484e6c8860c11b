//! Expressions: identifiers, operators, member access and subscripts.

mod assignment;
pub(in crate::sema) mod expression;
pub(in crate::sema) mod id_expression;
pub(in crate::sema) mod operators;
pub(in crate::sema) mod packed_half;
