//! Property tests: no text makes the parser of a page's fences panic.

#[path = "../../../kernel-file/tests/it/soup.rs"]
mod soup;

use proptest::prelude::*;
use soup::soup;
use verify::fence;

proptest! {
    #[test]
    fn pages_never_panic(text in soup()) {
        for fence in fence::fences("x.md", &text).0 {
            let _ = fence.kernel_file();
            prop_assert!(fence.padded().ends_with(&fence.code));
        }
    }
}
