//! A source listing: numbered lines, colours, and marks at the lines that a finding names.
//!
//! Numbers and notes are drawn by the style sheet from `data-n` and `data-note`, so that they are
//! never copied with the code. `nohighlight` keeps mdBook's highlighter away from what is coloured already.

use crate::{highlight, html};

/// A line to be marked, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Line of the file, from 1.
    pub(crate) line: u32,
    /// What happened there, shown under the line.
    pub(crate) note: String,
}

/// The listing of `code`, whose first line is `first_line` of its file. A line has one mark at most.
pub(crate) fn html(code: &str, first_line: u32, marks: &[Mark]) -> String {
    let mut out = String::from("<pre class=\"cuda-source\"><code class=\"nohighlight\">");
    for (line, number) in highlight::lines(code).iter().zip(first_line..) {
        let mark = marks.iter().find(|mark| mark.line == number);
        let (class, note) = match mark {
            None => ("cuda-line", String::new()),
            Some(mark) => {
                let note = format!(" data-note=\"{}\"", html::escape(&mark.note));
                ("cuda-line cuda-marked", note)
            }
        };
        out.push_str(&format!(
            "<span class=\"{class}\" data-n=\"{number}\"{note}>{}</span>\n",
            line.trim_end()
        ));
    }
    out.push_str("</code></pre>\n");
    out
}

/// A fence in running text: short, so without numbers.
pub(crate) fn plain(code: &str) -> String {
    format!(
        "<pre class=\"cuda-source cuda-plain\"><code class=\"nohighlight\">{}\n</code></pre>\n",
        highlight::lines(code).join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_under_their_line() {
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
