//! Any text of an `asm` statement parses and lowers, or is refused. Unlike `ptx` nothing runs, and no C++ is
//! compiled around it: that is some ten times as fast.
#![no_main]

#[path = "../../../simt-ptx/tests/robustness/counter.rs"]
mod counter;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(text) = str::from_utf8(data) {
        let _ = counter::compile(text);
    }
});
