//! Whatever compiles as a whole program runs, or ends within its budgets.
#![no_main]

#[path = "../program.rs"]
mod program;

libfuzzer_sys::fuzz_target!(|data: &[u8]| program::program(data));
