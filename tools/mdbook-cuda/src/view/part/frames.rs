//! One diagram for several values of an option: `{{#sectors kernels/6_stride.cu stride=8,1,2}}`.
//!
//! Every frame is drawn when the book is built, so a page computes and loads nothing. It shows the
//! first value that the author lists. The others are in `<script>` elements of a type that no browser
//! runs and no search indexes; `lab/figures.js` shows them as a slider moves, which has the values in
//! order. Below, each frame is described in words: for paper, and for a reader without scripts.

use super::diagram::Drawn;
use super::html::escape;
use super::number::parse_size;
use std::fmt::Write;

/// The figure: the frame that is shown, then the others.
pub(crate) fn html(name: &str, frames: &[(String, Drawn)]) -> String {
    let Some(((first, shown), _)) = frames.split_first() else { return String::new() };
    let (name, first) = (escape(name), escape(first));
    let order = by_size(frames.iter().map(|(value, _)| value.as_str()));
    let place = |frame: usize| order.iter().position(|&at| at == frame).unwrap_or(frame);
    let mut out = format!(
        "<div class=\"cuda-frames\">\n<p class=\"cuda-slider\" hidden><label><span>{name}</span> \
         <input type=\"range\" min=\"0\" max=\"{}\" step=\"1\" value=\"{}\" autocomplete=\"off\" \
         aria-valuetext=\"{name} = {first}\"></label> <output>{first}</output></p>\n\
         <div class=\"cuda-frame\" data-at=\"{}\" data-value=\"{first}\">\n{}</div>\n",
        frames.len() - 1,
        place(0),
        place(0),
        shown.html
    );
    for (i, (value, drawn)) in frames.iter().enumerate().skip(1) {
        let (at, value) = (place(i), escape(value));
        let _ = writeln!(
            out,
            "<script type=\"text/html\" data-at=\"{at}\" data-value=\"{value}\">{}</script>",
            drawn.html
        );
    }
    out.push_str("<details><summary>All values in words</summary>\n<dl>\n");
    for &i in &order {
        let (value, drawn) = &frames[i];
        let value = escape(value);
        let _ = writeln!(out, "<dt>{name} = {value}</dt><dd>{}</dd>", drawn.sentence);
    }
    out.push_str("</dl></details>\n</div>\n");
    out
}

/// The order of the values on the slider: numbers by size, others as they are listed.
fn by_size<'a>(values: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let number = |value: &str| parse_size(value).map(|n| n as f64).or(value.parse().ok());
    let numbers: Vec<Option<f64>> = values.map(number).collect();
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    if let Some(numbers) = numbers.into_iter().collect::<Option<Vec<f64>>>() {
        order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_shown_and_the_slider_goes_by_size() {
        assert_eq!(by_size(["8", "2^1", "9.5"].into_iter()), [1, 0, 2]);
        assert_eq!(by_size(["b", "1", "a"].into_iter()), [0, 1, 2]);
        let drawn =
            |text: &str| Drawn { html: text.to_string(), sentence: format!("It is {text}.") };
        let html = html("stride", &[("8".into(), drawn("wide")), ("1".into(), drawn("narrow"))]);
        assert!(html.contains("value=\"1\" autocomplete"), "{html}");
        assert!(html.contains("<div class=\"cuda-frame\" data-at=\"1\" data-value=\"8\">\nwide"));
        assert!(html.contains("data-at=\"0\" data-value=\"1\">narrow</script>"));
        assert!(html.find("It is narrow.") < html.find("It is wide."), "{html}");
    }
}
