//! A source listing: numbered lines, colours, and marks at the lines that a finding names.
//!
//! The style sheet draws numbers and notes from `data-n` and `data-note`, so that they are never
//! copied with the code. `nohighlight` keeps mdBook's highlighter away from code that is coloured
//! already.
//!
//! The functions that compute the expected results belong to the file and not to the lesson: they are
//! folded in their place, unless one of their lines is marked.

use super::{highlight, html};
use std::ops::Range;

/// A line to mark, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Line of the file, from 1.
    pub(crate) line: u32,
    /// What happened there, shown under the line.
    pub(crate) note: String,
}

/// The listing of `code`, whose first line is `first_line` of its file. A line has one mark at most.
pub(crate) fn html(code: &str, first_line: u32, marks: &[Mark]) -> String {
    let lines = highlight::lines(code);
    let number = |i: usize| first_line + i as u32;
    let source = |range: Range<usize>| -> String {
        let mut out = String::from("<pre class=\"cuda-source\"><code class=\"nohighlight\">");
        for i in range {
            let mark = marks.iter().find(|mark| mark.line == number(i));
            let (class, note) = match mark {
                None => ("cuda-line", String::new()),
                Some(mark) => {
                    let note = format!(" data-note=\"{}\"", html::escape(&mark.note));
                    ("cuda-line cuda-marked", note)
                }
            };
            out.push_str(&format!(
                "<span class=\"{class}\" data-n=\"{}\"{note}>{}</span>\n",
                number(i),
                lines[i].trim_end()
            ));
        }
        out.push_str("</code></pre>\n");
        out
    };
    let plain: Vec<&str> = code.lines().collect();
    let blank = |i: &usize| plain.get(*i).is_none_or(|line| line.trim().is_empty());
    let mut out = String::new();
    let mut at = 0;
    for fold in expectations(code) {
        if marks.iter().any(|mark| fold.clone().any(|i| number(i) == mark.line)) {
            continue;
        }
        let end = (at..fold.start).rev().find(|i| !blank(i)).map_or(at, |i| i + 1);
        if end > at {
            out.push_str(&source(at..end));
        }
        out.push_str(&format!(
            "<details class=\"cuda-expected\"><summary>What must come out</summary>\n{}</details>\n",
            source(fold.clone())
        ));
        at = (fold.end..lines.len()).find(|i| !blank(i)).unwrap_or(lines.len());
    }
    if at < lines.len() || out.is_empty() {
        out.push_str(&source(at..lines.len()));
    }
    out
}

/// The lines of the functions that compute expected results, each with the comment above it, from 0.
/// Adjacent functions are one range.
fn expectations(code: &str) -> Vec<Range<usize>> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut i = 0;
    while i < lines.len() {
        if !(lines[i].starts_with("__host__ __device__") && lines[i].contains(" expected")) {
            i += 1;
            continue;
        }
        let above = lines[..i].iter().rev().take_while(|line| line.starts_with("//")).count();
        let Some(end) = end_of_function(&lines, i) else { break };
        let start = i - above;
        match found.last_mut() {
            Some(last) if lines[last.end..start].iter().all(|l| l.trim().is_empty()) => {
                last.end = end;
            }
            _ => found.push(start..end),
        }
        i = end;
    }
    found
}

/// The line after the bracket that closes the function which begins at `start`; `None` where there
/// is no such bracket.
fn end_of_function(lines: &[&str], start: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (i, line) in lines.iter().enumerate().skip(start) {
        for c in line.split("//").next().unwrap_or_default().chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => return Some(i + 1),
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    None
}

/// A fence of the prose: short, so without numbers.
pub(crate) fn plain(code: &str) -> String {
    format!(
        "<pre class=\"cuda-source cuda-plain\"><code class=\"nohighlight\">{}\n</code></pre>\n",
        highlight::lines(code).join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "__global__ void k() {\n}\n\n// The sum.\n\
                       __host__ __device__ int expected_a(\n    int i) {\n    return i; // }\n}\n\n\
                       __host__ __device__ int expected_b(int i) { return i; }\n";

    #[test]
    fn expected_results_are_folded_in_their_place() {
        assert_eq!(expectations(TWO), vec![3..10]);
        let html = html(TWO, 5, &[]);
        assert_eq!(html.matches("<pre").count(), 2, "{html}");
        let numbers: Vec<usize> =
            (5..15).filter(|n| html.contains(&format!("data-n=\"{n}\""))).collect();
        assert_eq!(
            numbers,
            [5, 6, 8, 9, 10, 11, 12, 13, 14],
            "only the empty line between is gone"
        );
        assert!(html.ends_with("</details>\n"), "{html}");
    }

    #[test]
    fn a_mark_is_never_folded_away_and_an_open_bracket_folds_nothing() {
        let mark = Mark { line: 8, note: "here".to_string() };
        assert!(!html(TWO, 1, &[mark]).contains("<details"));
        assert!(expectations("__host__ __device__ int expected(int i) {\n").is_empty());
        assert_eq!(html("", 1, &[]).matches("<pre").count(), 1);
    }

    #[test]
    fn notes_follow_their_line() {
        let marks = [Mark { line: 11, note: "read by <thread 3>".to_string() }];
        assert_eq!(
            html("a;\nb;\n", 10, &marks),
            "<pre class=\"cuda-source\"><code class=\"nohighlight\">\
             <span class=\"cuda-line\" data-n=\"10\">a;</span>\n\
             <span class=\"cuda-line cuda-marked\" data-n=\"11\" \
             data-note=\"read by &lt;thread 3&gt;\">b;</span>\n</code></pre>\n"
        );
    }
}
