//! No text, however broken, makes a reader of pages panic.

use proptest::prelude::*;
use verify::directive::WORDS;
use verify::fence;

/// Text made of the pieces that the parsers look for, and of anything else.
fn soup() -> impl Strategy<Value = String> {
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

proptest! {
    #[test]
    fn pages_never_panic(text in soup()) {
        for fence in fence::fences("x.md", &text).0 {
            let _ = fence.kernel_file();
            prop_assert!(fence.padded().ends_with(&fence.code));
        }
    }
}
