//! The integration tests of the crate, one module per subject.

mod advice;
#[cfg(not(target_arch = "wasm32"))]
mod documentation;
mod edits;
mod exercise;
mod hardware;
mod host_exercise;
mod labelled;
mod micro;
mod names;
mod properties;
mod run;
mod sanitizer;
mod soup;
mod support;
mod tensor_core;
mod writer;
