//! What each of several translation units sees, after their texts became one.

use super::super::name::Name;
use std::collections::HashSet;

/// One of several translation units.
#[derive(Debug, Default)]
pub(crate) struct TranslationUnit {
    /// The files whose text it has.
    pub(crate) files: HashSet<u32>,
    /// Templates that it defines in the words of an earlier unit, from another file.
    pub(crate) repeated: HashSet<Name>,
    /// The names in its explicit instantiations.
    pub(crate) instantiated: HashSet<Name>,
}
