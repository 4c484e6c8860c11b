//! Any text parses or is refused. `run` checks it, too, and launches its kernels.
#![no_main]

#[path = "../kernels.rs"]
mod kernels;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kernels::parse(data));
