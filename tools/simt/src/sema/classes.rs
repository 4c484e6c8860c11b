//! Classes: layout, members, special member functions, virtual dispatch, lambdas.

mod access;
pub(in crate::sema) mod bit_fields;
pub(in crate::sema) mod class;
mod inherited_constructors;
pub(in crate::sema) mod lambda;
pub(in crate::sema) mod made_elsewhere;
mod member_declarations;
pub(in crate::sema) mod outside;
mod overriding;
pub(in crate::sema) mod special_members;
pub(in crate::sema) mod virtual_dispatch;
