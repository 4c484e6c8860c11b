//! Small enough for Miri, which interprets:
//! `cargo +nightly miri test -p simt-machine --lib -- machine::simd machine::memory`.

use super::*;

#[test]
fn words_are_copied_from_anywhere() {
    let words: Vec<AtomicU32> = (0..40).map(|i| AtomicU32::new(1000 + i)).collect();
    for wide in [None, Wide::detect()] {
        for at in [0, 1, 2, 3, 5, 8] {
            let mut to = [0; 32];
            copy(wide, &words, at, &mut to);
            assert_eq!(to, std::array::from_fn(|i| 1000 + (at + i) as u32), "from {at} on");
        }
        let mut few = [7; 16];
        copy(wide, &words, 32, few.first_chunk_mut::<8>().unwrap());
        assert_eq!(few, std::array::from_fn(|i| if i < 8 { 1032 + i as u32 } else { 7 }));
    }
}

#[test]
#[should_panic(expected = "range end index 41 out of range for slice of length 40")]
fn no_word_beyond_the_end_is_copied() {
    let words: Vec<AtomicU32> = (0..40).map(AtomicU32::new).collect();
    copy(Wide::detect(), &words, 9, &mut [0; 32]);
}

/// Stores meanwhile, as blocks on other threads do: each word is one of those that stood there.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no threads")]
fn words_may_change_while_they_are_copied() {
    let words: Vec<AtomicU32> = (0..8).map(|_| AtomicU32::new(0)).collect();
    let rounds = if cfg!(miri) { 20 } else { 20_000 };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for i in 0..rounds {
                words.iter().for_each(|w| w.store(i << 16 | i, Relaxed));
            }
        });
        for _ in 0..rounds {
            let mut seen = [0; 8];
            copy(Wide::detect(), &words, 0, &mut seen);
            assert!(seen.iter().all(|w| w >> 16 == w & 0xFFFF), "{seen:x?}");
        }
    });
}

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
