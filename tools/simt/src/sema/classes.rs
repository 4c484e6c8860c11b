//! Classes: layout, members, special member functions, virtual dispatch, lambdas.

mod access;
mod assignment;
pub(in crate::sema) mod bit_fields;
pub(in crate::sema) mod class;
pub(in crate::sema) mod cross_side_virtual_calls;
pub(in crate::sema) mod defaulted;
pub(crate) mod definition_specifiers;
mod dynamic_cast;
mod early_members;
mod inherited_constructors;
pub(in crate::sema) mod lambda;
mod member_declarations;
pub(in crate::sema) mod outside;
mod overriding;
pub(in crate::sema) mod special_members;
pub(in crate::sema) mod virtual_dispatch;
