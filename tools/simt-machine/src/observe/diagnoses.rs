//! The diagnoses, one per file: what is wrong with an event, and the words for it.

pub(crate) mod barriers;
pub mod bounds;
pub(crate) mod initialisation;
