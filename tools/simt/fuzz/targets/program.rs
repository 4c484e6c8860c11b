//! Whatever compiles as a whole program runs, or ends within its budgets. It begins with the programs
//! of the tests: `cargo +nightly fuzz run program corpus/program ../tests/programs`.
#![no_main]

#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|data: &[u8]| entry::program(data));
