//! The integration tests of the crate that need no back end but the simulator, one module per subject.

mod check;
mod claims;
mod coverage;
mod findings;
mod hacks;
mod mutants;
mod properties;
mod quiz;
mod recorded;
mod results;
mod trace;
mod variables;
