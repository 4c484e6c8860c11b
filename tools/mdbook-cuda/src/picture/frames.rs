//! One picture for several values of an argument: `{{#sectors kernels/6_stride.cu stride=1,2,8}}`.
//!
//! Every frame is drawn when the book is built, by the same simulator as all else, so a page
//! computes and loads nothing. It shows the first; the others lie beside it in `<script>`s of a type
//! that nobody runs or searches, and `lab/figures.js` puts them in its place as a slider moves. What each frame
//! says stands below in words: for paper, and for a reader without scripts.

use super::Drawn;
use crate::html::escape;
use std::fmt::Write;

/// The figure: the frames in the order in which the author lists them.
pub(super) fn html(name: &str, frames: &[(String, Drawn)]) -> String {
    let Some(((first, shown), others)) = frames.split_first() else { return String::new() };
    let (name, first) = (escape(name), escape(first));
    let mut out = format!(
        "<div class=\"cuda-frames\">\n<p class=\"cuda-slider\" hidden><label><span>{name}</span> \
         <input type=\"range\" min=\"0\" max=\"{}\" step=\"1\" value=\"0\" \
         aria-valuetext=\"{name} = {first}\"></label> <output>{first}</output></p>\n\
         <div class=\"cuda-frame\" data-value=\"{first}\">\n{}</div>\n",
        others.len(),
        shown.html
    );
    for (value, drawn) in others {
        let value = escape(value);
        let _ = writeln!(
            out,
            "<script type=\"text/html\" data-value=\"{value}\">{}</script>",
            drawn.html
        );
    }
    out.push_str("<details><summary>All values in words</summary>\n<dl>\n");
    for (value, drawn) in frames {
        let value = escape(value);
        let _ = writeln!(out, "<dt>{name} = {value}</dt><dd>{}</dd>", drawn.sentence);
    }
    out.push_str("</dl></details>\n</div>\n");
    out
}
