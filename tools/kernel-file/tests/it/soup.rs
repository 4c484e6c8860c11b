//! Random text that parsers find hard: their own keywords and punctuation in any order.

use kernel_file::directive::WORDS;
use proptest::prelude::*;

/// Pieces that the parsers look for, mixed with arbitrary characters.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        proptest::sample::select(WORDS.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(vec![
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
        ])
        .prop_map(str::to_owned),
        ".{0,8}",
    ];
    proptest::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.join(" "))
}
