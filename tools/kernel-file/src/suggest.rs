//! "Did you mean ...?": the nearest known word, by edit distance.

/// The candidate nearest to `word`, if one is near.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|c| (distance(word, c), c))
        .filter(|(d, c)| *d <= (c.len().min(word.len()) / 3).max(1))
        .min()
        .map(|(_, c)| c)
}

/// `; did you mean `word`?` for the candidate nearest to `word`, or nothing if none is near.
pub fn suggestion<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(word, candidates);
    near.map_or_else(String::new, |c| format!("; did you mean `{c}`?"))
}

/// [`suggestion`], or the list of all candidates if none is near.
pub fn suggestion_or_list<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let near = suggestion(word, candidates.clone());
    if !near.is_empty() {
        return near;
    }
    let all: Vec<String> = candidates.map(|c| format!("`{c}`")).collect();
    match all.as_slice() {
        [] => String::new(),
        [one] => format!("; expected {one}"),
        all => format!("; expected one of {}", all.join(", ")),
    }
}

/// The optimal string alignment distance of the first 64 characters.
fn distance(a: &str, b: &str) -> usize {
    let start = |text: &str| text.chars().take(64).collect::<String>();
    strsim::osa_distance(&start(a), &start(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let words = ["input", "output", "launch"];
        assert_eq!(suggestion("inptu", words.into_iter()), "; did you mean `input`?");
        assert_eq!(suggestion("lunch", words.into_iter()), "; did you mean `launch`?");
        assert_eq!(suggestion("zebra", words.into_iter()), "");
        assert_eq!(
            suggestion_or_list("zebra", words.into_iter()),
            "; expected one of `input`, `output`, `launch`"
        );
        assert_eq!(suggestion_or_list("zebra", ["input"].into_iter()), "; expected `input`");
        assert_eq!(suggestion_or_list("zebra", [].into_iter()), "");
    }
}
