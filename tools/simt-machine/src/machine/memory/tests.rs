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

fn variable(name: &str, size: u32, value: u8) -> Object {
    Object {
        name: name.to_owned(),
        element: Element { name: "char".to_owned(), size: 1 },
        scalar: false,
        size,
        offset: 0,
        dynamic: false,
        initial: vec![value; size as usize],
        constant: false,
        managed: false,
        span: Span::default(),
    }
}

#[test]
fn variables_of_a_module_stand_behind_those_of_others() {
    let (first, second) = ([variable("a", 4, 1)], [variable("a", 8, 2), variable("b", 4, 3)]);
    let mut memory = Memory::new();
    memory.prepare(&first, 100);
    memory.add_variables(&second);
    memory.globals[0].upload(&[9; 4]);
    let both = [&first[..], &second].concat();
    // Neither module makes them anew.
    for objects in [&first[..], &both] {
        memory.prepare(objects, 100);
        let words: Vec<u32> = memory.globals.iter().map(|v| v.words[0].load(Relaxed)).collect();
        assert_eq!(words, [0x0909_0909, 0x0202_0202, 0x0303_0303]);
    }
    memory.release_variables(1..3, Span::default());
    for objects in [&first[..], &both] {
        memory.prepare(objects, 100);
        let left: Vec<usize> = memory.globals.iter().map(|v| v.bytes).collect();
        assert_eq!(left, [4, 0, 0]);
    }
    memory.prepare(&second, 100);
    assert_eq!(memory.globals.len(), 2);
}
