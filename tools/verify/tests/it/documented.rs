//! The appendix on directives lists every directive of a kernel file.

use kernel_file::directive::WORDS;
use std::path::Path;

#[test]
fn every_directive_of_a_kernel_file_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../chapters/appendix/directives.md");
    let page = std::fs::read_to_string(path).unwrap();
    let documented = |word: &&str| {
        page.contains(&format!("| `//@ {word}")) || page.contains(&format!("| ``//@ {word}"))
    };
    let missing: Vec<&str> = WORDS.iter().copied().filter(|word| !documented(word)).collect();
    assert!(missing.is_empty(), "chapters/appendix/directives.md says nothing of {missing:?}");
}
