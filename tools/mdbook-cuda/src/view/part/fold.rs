//! Tables behind a fold: the chart or the sentence above them says the same in short.

/// A folded table, which is printed on paper all the same.
pub(crate) fn numbers(what: &str, table: &str) -> String {
    format!("<details class=\"cuda-numbers\"><summary>{what}</summary>\n{table}</details>\n")
}
