//! The integration tests of the crate, one module per subject.

mod accuracy;
mod clusters;
mod compile;
mod contraction;
mod corpus;
mod declared;
mod execution;
mod findings;
mod goto;
mod groups;
mod half;
mod heap;
mod history;
mod kernels;
mod math;
mod matrices;
mod memory;
mod oracle;
mod ptx;
mod races;
mod robustness;
mod semantics;
mod support;
mod threads;
mod trace;
mod vectors;
