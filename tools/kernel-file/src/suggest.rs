//! "Did you mean ...?"

/// `; did you mean `word`?` for the candidate nearest to `word`, or nothing where none is near.
pub fn suggestion<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    candidates
        .map(|c| (distance(word, c), c))
        .filter(|(d, c)| *d <= 1 + c.len().min(word.len()) / 3)
        .min()
        .map_or_else(String::new, |(_, c)| format!("; did you mean `{c}`?"))
}

/// The same, or else the list of what there is.
pub fn suggestion_or_list<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let near = suggestion(word, candidates.clone());
    if !near.is_empty() {
        return near;
    }
    let all: Vec<String> = candidates.map(|c| format!("`{c}`")).collect();
    format!("; there is {}", all.join(", "))
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len()][b.len()]
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
            "; there is `input`, `output`, `launch`"
        );
    }
}
