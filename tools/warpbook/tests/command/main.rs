//! The command as its users meet it: the built executable, run on a tiny book.
//!
//! One test binary, one module a subject. No test calls cargo or needs a GPU, so the binary also
//! runs on a machine that has neither.

#[cfg(unix)]
mod bad_input;
mod boundary;
mod build;
mod check;
mod doctor;
mod exercise;
mod foreign;
mod gpu;
mod headers;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod megabyte;
mod new;
mod preprocess;
mod record;
mod run;
mod serve;
#[cfg(unix)]
mod stopped;
#[cfg(unix)]
mod survives;
mod tiny;
