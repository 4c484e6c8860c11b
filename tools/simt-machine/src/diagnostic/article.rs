//! `a` or `an` before a name in a message.

/// The text with the right article before each name in backticks: "an `int`", "a `float`", "an `f32`".
pub fn with_articles(text: &str) -> String {
    let mut parts = text.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let before = out.strip_suffix("an ").or_else(|| out.strip_suffix("a "));
        let before = before.filter(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()));
        // Behind an even number of backticks a name begins.
        let begins = out.matches('`').count().is_multiple_of(2);
        if let Some(rest) = before.filter(|_| begins && !part.is_empty()).map(str::len) {
            out.truncate(rest);
            out.push_str(if begins_with_a_vowel(part) { "an " } else { "a " });
        }
        out.push('`');
        out.push_str(part);
    }
    out
}

/// Whether a name is spoken with a vowel first. A letter alone, or before a digit, is spelled.
fn begins_with_a_vowel(name: &str) -> bool {
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
    let mut letters = name.chars();
    let Some(first) = letters.next() else { return false };
    match letters.next() {
        Some(second) if second.is_ascii_alphabetic() => {
            // `uint` and `unique_ptr` begin as "you" does.
            let you = name.starts_with("uint") || name.starts_with("uni") || name.starts_with("us");
            "aeio".contains(first) || first == 'u' && !you
        }
        _ => "aefhilmnorsx8".contains(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_articles() {
        for (given, wanted) in [
            ("end it with a `int`", "end it with an `int`"),
            ("a `float` is no `int`", "a `float` is no `int`"),
            ("an `float`", "a `float`"),
            ("a `const unsigned int`", "a `const unsigned int`"),
            ("a `unsigned int` or a `uint4`", "an `unsigned int` or a `uint4`"),
            ("a `std::unique_ptr<int>`", "a `std::unique_ptr<int>`"),
            ("a `f32`, a `u32`, a `b64`, a `s32`", "an `f32`, a `u32`, a `b64`, an `s32`"),
            ("a `S`, a `T`, a `A`", "an `S`, a `T`, an `A`"),
            ("Santa `int`", "Santa `int`"),
            ("`x = a `", "`x = a `"),
            ("this needs a `", "this needs a `"),
        ] {
            assert_eq!(with_articles(given), wanted);
        }
    }
}
