//! Whatever compiles as a whole program runs, or ends within its budgets.
#![no_main]

#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|data: &[u8]| entry::program(data));
