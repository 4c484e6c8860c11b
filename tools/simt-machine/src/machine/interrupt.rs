//! A cancellation token: another thread asks a running launch, or a host program, to stop.
//!
//! Cancellation is cooperative: the interpreters check the token now and then, so they stop at a point
//! where their state is consistent.

use std::sync::{Arc, OnceLock};

/// A cancellation token. Clones are the same token. A new one is not cancelled.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<OnceLock<String>>);

impl Interrupt {
    /// Asks to stop, and says why. The first reason stays.
    pub fn request(&self, reason: impl Into<String>) {
        let _ = self.0.set(reason.into());
    }

    /// The reason, if a stop was requested.
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}
