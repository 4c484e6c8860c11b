//! Splits the arguments of a page's directive or of a claim's source: words between blanks, quoted
//! where they contain blanks, then `name=value` pairs, which choose among alternatives.

/// A choice of values by name: one point of a `//@ vary`, one row of an experiment.
pub type Choice = Vec<(String, f64)>;

/// Splits at blanks; a quoted text is one word.
///
/// # Errors
/// If a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => {
                quoted.split_once('"').ok_or_else(|| format!("unclosed quote in `{text}`"))?
            }
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    Ok(words)
}

/// The words before the first `name=value` pair, and the pairs.
///
/// # Errors
/// If a value is not a number, or a word follows the pairs.
pub fn split_choice(words: &[String]) -> Result<(Vec<String>, Choice), String> {
    let is_pair = |word: &&String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let plain: Vec<String> = words.iter().take_while(|word| !is_pair(word)).cloned().collect();
    let mut choice = Choice::new();
    for word in &words[plain.len()..] {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let value = value.parse().map_err(|_| format!("`{word}` is not of the form `name=4`"))?;
        choice.push((name.to_owned(), value));
    }
    Ok((plain, choice))
}

/// A choice as messages show it: `stride=4 block=256`.
pub fn choice_text(choice: &[(String, f64)]) -> String {
    choice.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_blanks_and_pairs_come_last() {
        let all = words("value pinned \"pinned, to device\"  gbps bytes=1e8").unwrap();
        let (plain, choice) = split_choice(&all).unwrap();
        assert_eq!(plain, ["value", "pinned", "pinned, to device", "gbps"]);
        assert_eq!(choice_text(&choice), "bytes=100000000");
        assert!(words("a \"b").is_err());
        assert!(split_choice(&words("a=1 b").unwrap()).is_err());
        assert!(split_choice(&words("a=x").unwrap()).is_err());
    }
}
