//! The integration tests of the crate, one module per subject.

mod hardware;
mod labelled;
mod micro;
mod properties;
mod run;
mod soup;
mod support;
