//! A launch on several host threads, with the same result as on one.
//!
//! Blocks run optimistically in parallel ([`workers`]): each worker notes the words that its blocks
//! touch ([`conflict_set`]), and the words they overwrite are saved first ([`undo_log`]). If two
//! workers conflict, memory is restored and the launch runs again on one thread. Where static
//! analysis proves that blocks cannot conflict ([`independent`], [`write_set`]), neither is needed.

pub(crate) mod conflict_set;
pub(crate) mod independent;
pub(crate) mod undo_log;
pub(crate) mod workers;
pub(crate) mod write_set;
