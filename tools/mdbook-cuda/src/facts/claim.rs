//! A claim, judged by the recorded data.

use kernel_file::verdict::Problem;
use verify::claims::{Claim, Ground, Judgement, State};

/// A claim, and what the data say of it.
#[derive(Debug, Clone)]
pub(crate) struct JudgedClaim {
    pub(crate) claim: Claim,
    /// One per machine; at least one.
    pub(crate) judgements: Vec<Judgement>,
    /// The page of its chapter, from the project's root: `chapters/ch05-reduction/README.md`.
    pub(crate) page: String,
    /// What is wrong with it, as `check` reports it.
    pub(crate) problems: Vec<Problem>,
}

impl JudgedClaim {
    /// Whether all of its numbers are recorded and up to date.
    pub(crate) fn is_measured(&self) -> bool {
        let missing = |j: &Judgement| matches!(j.state, State::NotMeasured(_) | State::Stale(_));
        !self.judgements.iter().any(missing)
    }

    /// Whether it rests on a printed text.
    pub(crate) fn is_quoted(&self) -> bool {
        matches!(self.claim.ground, Ground::Datasheet { .. })
    }
}
