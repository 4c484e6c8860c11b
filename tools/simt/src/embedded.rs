//! Texts of headers, as the executable holds them. A page's module is downloaded: there they are
//! without indentation and without the comments that fill a line. The lines stay, so the number of
//! each is that of the file.
//!
//! The headers have no comments of the kind `/* */` and no strings of several lines.

/// The text of a header: `embedded!(include_str!("headers/name"))`.
#[doc(hidden)]
#[cfg(not(target_arch = "wasm32"))]
#[macro_export]
macro_rules! embedded {
    ($text:expr) => {
        $text
    };
}
#[doc(hidden)]
#[cfg(target_arch = "wasm32")]
#[macro_export]
macro_rules! embedded {
    ($text:expr) => {{
        const WHOLE: &str = $text;
        const SHORT: [u8; $crate::shortened(WHOLE, [0; 0]).1] =
            $crate::shortened(WHOLE, [0; $crate::shortened(WHOLE, [0; 0]).1]).0;
        match core::str::from_utf8(&SHORT) {
            Ok(text) => text,
            Err(_) => panic!("whole lines of UTF-8 are UTF-8"),
        }
    }};
}

/// The text without indentation and full-line comments, as far as the array holds it, and its length.
#[cfg(any(target_arch = "wasm32", test))]
#[doc(hidden)]
pub const fn shortened<const N: usize>(text: &str, mut short: [u8; N]) -> ([u8; N], usize) {
    let text = text.as_bytes();
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        while from < text.len() && (text[from] == b' ' || text[from] == b'\t') {
            from += 1;
        }
        let comment = from + 1 < text.len() && text[from] == b'/' && text[from + 1] == b'/';
        while from < text.len() {
            let end = text[from] == b'\n';
            if !comment || end {
                if to < N {
                    short[to] = text[from];
                }
                to += 1;
            }
            from += 1;
            if end {
                break;
            }
        }
    }
    (short, to)
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_short_text_has_the_same_lines() {
        let text = "// What it is.\n#pragma once\n\n    int a; // a\n\t// b\n  int b; \\\n    c;";
        let (short, length) = shortened(text, [0; 64]);
        let said = "\n#pragma once\n\nint a; // a\n\nint b; \\\nc;";
        assert_eq!(std::str::from_utf8(&short[..length]), Ok(said));
    }
}
