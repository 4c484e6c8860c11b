//! A source listing: numbered lines, colours, and marks at the lines that a finding names.
//!
//! The style sheet draws numbers and notes from `data-n` and `data-note`, so that they are never
//! copied with the code. `nohighlight` keeps mdBook's highlighter away from code that is coloured
//! already.
//!
//! The functions that compute the expected results belong to the file and not to the lesson: they are
//! folded in their place, unless one of their lines is marked.

use super::{excerpt, highlight, html, words};
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
    Listing::new(code, first_line, marks).html(None)
}

/// The same, with only a part of a long listing shown at first: the lines `chosen`, counted from 0, or
/// what differs from the rung before, or the kernel function.
pub(crate) fn in_part(
    code: &str,
    first_line: u32,
    marks: &[Mark],
    before: excerpt::Before<'_>,
    chosen: Option<Range<usize>>,
) -> String {
    let folds = expectations(code);
    let apart: Vec<bool> =
        (0..code.lines().count()).map(|i| folds.iter().any(|fold| fold.contains(&i))).collect();
    let always: Vec<usize> = marks
        .iter()
        .filter_map(|mark| mark.line.checked_sub(first_line))
        .map(|i| i as usize)
        .collect();
    let excerpt = match chosen {
        Some(lines) => excerpt::chosen(code, lines, first_line, &always),
        None => excerpt::of(code, before, &always, &apart),
    };
    let listing = Listing::new(code, first_line, marks);
    match excerpt {
        None => listing.html(None),
        Some(excerpt) => {
            let count = listing.lines.len();
            let all = match first_line {
                1 => format!("All {count} lines"),
                // Above the first one stand the essay and the directives.
                first => format!("All lines, {first} to {}", first as usize + count - 1),
            };
            format!(
                "<details class=\"cuda-whole\"><summary>Shown: {}. {all}</summary></details>\n{}",
                excerpt.what,
                listing.html(Some(&excerpt.shown))
            )
        }
    }
}

/// A listing while it is written.
struct Listing<'a> {
    code: &'a str,
    /// The lines in colour.
    lines: Vec<String>,
    first_line: u32,
    marks: &'a [Mark],
}

impl<'a> Listing<'a> {
    fn new(code: &'a str, first_line: u32, marks: &'a [Mark]) -> Listing<'a> {
        Listing { code, lines: highlight::lines(code), first_line, marks }
    }

    /// The number of a line in its file.
    fn number(&self, i: usize) -> u32 {
        self.first_line + i as u32
    }

    /// All of it; the lines that are not `shown` are hidden until the reader asks for the whole.
    fn html(&self, shown: Option<&[bool]>) -> String {
        let plain: Vec<&str> = self.code.lines().collect();
        let blank = |i: &usize| plain.get(*i).is_none_or(|line| line.trim().is_empty());
        let mut out = String::new();
        let mut at = 0;
        for fold in expectations(self.code) {
            let is_marked = |i: usize| self.marks.iter().any(|mark| mark.line == self.number(i));
            if fold.clone().any(is_marked) {
                continue;
            }
            let end = (at..fold.start).rev().find(|i| !blank(i)).map_or(at, |i| i + 1);
            if end > at {
                out.push_str(&self.block(at..end, shown));
            }
            out.push_str(&format!(
                "<details class=\"cuda-expected\"><summary>Expected result</summary>\n{}</details>\n",
                self.block(fold.clone(), None)
            ));
            at = (fold.end..self.lines.len()).find(|i| !blank(i)).unwrap_or(self.lines.len());
        }
        if at < self.lines.len() || out.is_empty() {
            out.push_str(&self.block(at..self.lines.len(), shown));
        }
        out
    }

    /// Adjacent lines as one block.
    fn block(&self, range: Range<usize>, shown: Option<&[bool]>) -> String {
        let is_shown = |i: usize| shown.is_none_or(|shown| shown.get(i) != Some(&false));
        let hidden = range.clone().all(|i| !is_shown(i)) && !range.is_empty();
        let class = if hidden { "cuda-source cuda-same" } else { "cuda-source" };
        let mut out = format!("<pre class=\"{class}\"><code class=\"nohighlight\">");
        let mut i = range.start;
        while i < range.end {
            let end = (i..range.end).find(|k| is_shown(*k) != is_shown(i)).unwrap_or(range.end);
            let lines: String = (i..end).map(|k| self.line(k)).collect();
            if is_shown(i) || hidden {
                out.push_str(&lines);
            } else {
                out.push_str(&format!(
                    "<span class=\"cuda-gap\" data-gap=\"⋯ {}\">\n</span>\
                     <span class=\"cuda-same\">{lines}</span>",
                    words::plural((end - i) as u64, "line")
                ));
            }
            i = end;
        }
        out.push_str("</code></pre>\n");
        out
    }

    /// One line, with its number and its mark.
    fn line(&self, i: usize) -> String {
        let number = self.number(i);
        let (class, note) = match self.marks.iter().find(|mark| mark.line == number) {
            None => ("cuda-line", String::new()),
            Some(mark) => {
                let note = format!(" data-note=\"{}\"", html::escape(&mark.note));
                ("cuda-line cuda-marked", note)
            }
        };
        format!(
            "<span class=\"{class}\" data-n=\"{number}\"{note}>{}</span>\n",
            self.lines[i].trim_end()
        )
    }
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
    fn a_long_listing_is_shown_in_part_and_holds_every_line() {
        let code = format!("int a;\n{}__global__ void f() {{\n    a;\n}}\n", "int b;\n".repeat(40));
        let html = in_part(&code, 1, &[], None, None);
        let gap =
            "<span class=\"cuda-gap\" data-gap=\"⋯ 41 lines\">\n</span><span class=\"cuda-same\">";
        assert!(html.contains("Shown: the kernel function. All 44 lines"), "{html}");
        assert!(html.contains(gap), "{html}");
        assert_eq!(html.matches("data-n=").count(), 44);
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
