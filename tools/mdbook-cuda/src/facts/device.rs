//! A GPU's properties, as its driver reports them.

use std::collections::BTreeMap;

/// A GPU.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Device {
    /// Its name, as a table is headed.
    pub(crate) name: String,
    /// `9.0`.
    pub(crate) capability: String,
    /// `580.159.04`; empty where unknown.
    pub(crate) driver: String,
    /// By the names that `record` gives them, with their units.
    pub(crate) properties: BTreeMap<String, i64>,
}
