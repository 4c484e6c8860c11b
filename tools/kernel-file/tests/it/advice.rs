//! What a check says to do next.

use crate::exercise::check_add;

#[test]
fn the_next_step_fits_the_finding_and_not_only_its_class() {
    for (body, message, next) in [
        ("out[i] = in[i] + 1;", "is out of bounds", "Compare the index with the length"),
        (
            "if (i < n) out[i] = in[i] + 1; if (n > 4 && i == 0) *(long long*)(out + 1) = 0;",
            "is not a multiple of 8",
            "Find at which byte that access begins, and make it a multiple of the access's size, or \
             use a narrower access.",
        ),
        (
            "int* none = nullptr; if (i < n) out[i] = in[i] + 1; if (i == 0) out[0] = *none;",
            "a null pointer",
            "Find where that pointer was set: it must lead into an array.",
        ),
        (
            "int one; if (n > 64) one = 1; if (i < n) out[i] = in[i] + one;",
            "`one`",
            "Find the way through the kernel that assigns nothing to that variable.",
        ),
    ] {
        let failure = check_add("", body).failure.expect("the attempt is wrong");
        assert!(failure.message.contains(message), "{failure:#?}");
        assert!(failure.next.starts_with(next), "{failure:#?}");
    }
}
