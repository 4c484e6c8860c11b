//! Random text that parsers find hard: their own keywords and punctuation in any order.

use kernel_file::directive::WORDS;
use proptest::prelude::*;

/// What the parsers look for.
const PIECES: [&str; 42] = [
    "n",
    "(",
    ")",
    "[",
    "]",
    "=",
    ",",
    ":",
    "^",
    "+",
    "-",
    "/",
    "%",
    "<<",
    "512",
    "2^24",
    "99999999999999999999",
    "int",
    "float",
    "lcg256",
    "poison",
    "grid",
    "block",
    "shared",
    "sm_80",
    "race",
    "(2026-11-21)",
    "//@ ",
    "//! ",
    "//~ ",
    "\n",
    "```cuda,run\n",
    "é",
    "\t",
    "__global__",
    "expected(",
    "{",
    "}",
    "\"",
    "/*",
    "#include \"",
    " ",
];

/// Pieces that the parsers look for, mixed with arbitrary characters.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        proptest::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(PIECES.to_vec()).prop_map(str::to_owned),
        ".{0,8}",
    ];
    proptest::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.join(" "))
}

/// One of the texts with a few edits: parts are left out, repeated, or exchanged for words that the
/// parsers look for, and bits are flipped. The seed says which.
pub(crate) fn changed(texts: &[&str], seed: u64) -> String {
    let mut state = seed;
    // SplitMix64.
    let mut below = |bound: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    };
    let mut text = texts[below(texts.len())].as_bytes().to_vec();
    for _ in 0..1 + below(6) {
        let start = below(text.len() + 1);
        let end = (start + below(40)).min(text.len());
        let word =
            if below(4) == 0 { WORDS[below(WORDS.len())] } else { PIECES[below(PIECES.len())] };
        match below(6) {
            0 => drop(text.drain(start..end)),
            1 => {
                let part = text[start..end].repeat(1 + below(4));
                drop(text.splice(start..start, part));
            }
            2 => drop(text.splice(start..end, word.bytes())),
            3 => drop(text.splice(start..start, word.bytes())),
            4 => {
                let from = below(text.len() + 1);
                let part = text[from..(from + below(60)).min(text.len())].to_vec();
                drop(text.splice(start..end, part));
            }
            _ => text[start..end].iter_mut().take(2).for_each(|byte| *byte ^= 1 << below(8)),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}
