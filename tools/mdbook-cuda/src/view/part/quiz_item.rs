//! One quiz item as HTML: a group of radio buttons.
//!
//! What is wrong with each wrong option is hidden beside it; `lab/quiz.js` shows it at the choice. The
//! answer is folded: without scripts, and on paper, it is all that there is.

use super::html::{escape, from_markdown};
use super::listing;
use std::fmt::Write;
use verify::quiz::Answered;

/// The item. `place` keeps the ids of a chapter's page apart from those of the review.
pub(crate) fn html(item: &Answered, chapter: &str, place: &str) -> String {
    let id = format!("{place}-{chapter}-{}", item.id);
    let right = item.choices.iter().position(|choice| choice.right).unwrap_or_default();
    let mut out = format!(
        "<fieldset class=\"cuda-item\" id=\"{id}\" data-key=\"{chapter}/{}\" data-right=\"{right}\">\n\
         <legend>{}</legend>\n",
        item.id,
        inline(&item.ask)
    );
    if let Some(lines) = &item.listing {
        out.push_str(&listing::html(&lines.code, lines.first_line, &[]));
    }
    for (at, choice) in item.choices.iter().enumerate() {
        let _ = writeln!(
            out,
            "<label><input type=\"radio\" name=\"{id}\" value=\"{at}\"> <span>{}</span></label>",
            inline(&choice.text)
        );
        if !choice.right {
            let because = from_markdown(&choice.because);
            let _ = writeln!(out, "<div class=\"cuda-because\" hidden>{because}</div>");
        }
    }
    let right = item.right();
    let _ = writeln!(
        out,
        "<details class=\"cuda-answer\"><summary>Answer</summary><p><strong>{}</strong></p>\
         <div class=\"cuda-because\">{}</div></details>\n</fieldset>",
        inline(&right.text),
        from_markdown(&right.because)
    );
    out
}

/// How many there are, in words.
pub(crate) fn questions(count: usize) -> String {
    format!("{count} question{}", if count == 1 { "" } else { "s" })
}

/// A paragraph of Markdown without the paragraph; anything else as text.
fn inline(markdown: &str) -> String {
    let html = from_markdown(markdown);
    let inner = html.trim().strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>"));
    inner.filter(|inner| !inner.contains("<p>")).map_or_else(|| escape(markdown), str::to_owned)
}
