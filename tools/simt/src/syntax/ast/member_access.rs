//! Which members of a class are not public, and whom it calls a friend.

use super::super::name::Name;
use super::Item;
use crate::diagnostic::Span;
use std::collections::{HashMap, HashSet};

/// Who may name a member besides its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Private,
    Protected,
}

/// What a class says of access to its members.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemberAccess {
    /// What is not public, by the place and the text of its name: a macro may declare several members
    /// at one place.
    pub(crate) hidden: HashMap<(Span, Name), Access>,
    /// Every word in its friend declarations.
    pub(crate) friends: HashSet<Name>,
}

impl Item {
    /// Where a class declares a type, and its name.
    pub(crate) fn declared_type(&self) -> Option<(Span, Name)> {
        match self {
            Item::Struct(inner) => Some((inner.span, inner.name.last())),
            Item::Enum(inner) => Some((inner.values.first()?.1, inner.name.last())),
            Item::Alias(inner) => Some((inner.ty.span, inner.name.last())),
            _ => None,
        }
    }
}
