//! Any text of an `asm` statement runs or is refused.
#![no_main]

#[path = "../kernels.rs"]
mod kernels;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kernels::ptx(data));
