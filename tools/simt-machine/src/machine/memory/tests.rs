//! Small enough for Miri, which interprets:
//! `cargo +nightly miri test -p simt-machine --lib -- machine::simd machine::memory`.

use super::*;

#[test]
fn an_array_that_is_filled_is_one_that_was_written() {
    for bytes in [&[][..], &[1], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7]] {
        let mut memory = Memory::new();
        let filled = memory.filled("a", "char", 1, bytes);
        let written = memory.alloc("a", "char", 1, bytes.len());
        memory.upload(written, bytes);
        assert_eq!(memory.download(filled), bytes);
        let [filled, written] = [filled, written].map(|b| &memory.buffers[b.0 as usize]);
        let held = |array: &Global| format!("{} {:?} {:?}", array.bytes, array.words, array.valid);
        assert_eq!(held(filled), held(written));
    }
}

#[test]
fn bytes_go_in_and_come_out() {
    let mut memory = Memory::new();
    let array = memory.alloc("a", "char", 1, 7);
    assert_eq!(memory.download(array), [0xCD; 7]);
    memory.upload(array, &[1, 2, 3, 4, 5]);
    assert_eq!(memory.download(array), [1, 2, 3, 4, 5, 0xCD, 0xCD]);
    memory.upload(array, &[9; 100]);
    assert_eq!(memory.download(array), [9; 7]);
    let long = memory.alloc("b", "char", 1, 4 * 77);
    memory.upload(long, &[7; 4 * 77]);
    assert_eq!(memory.download(long), [7; 4 * 77]);
}
