//! `__launch_bounds__` and `__cluster_dims__`.

use super::Expr;

/// What a kernel's declaration says about its launches.
#[derive(Debug, Clone, Default)]
pub(crate) struct LaunchBounds {
    /// `__launch_bounds__`: threads per block.
    pub(crate) threads: Option<Expr>,
    /// `__cluster_dims__`: up to three extents.
    pub(crate) cluster: Vec<Expr>,
}

impl LaunchBounds {
    /// These, and what only later ones say.
    pub(crate) fn or(self, later: LaunchBounds) -> LaunchBounds {
        let cluster = if self.cluster.is_empty() { later.cluster } else { self.cluster };
        LaunchBounds { threads: self.threads.or(later.threads), cluster }
    }
}
