//! The SVG of every chart and diagram.
//!
//! A drawing is 360 units wide, the width of a phone, and grows to 460 at most, so that its letters
//! are as large as the text around it. A shape has a class that says what it is; the style sheet
//! gives it a colour, so that a drawing follows the theme and the printer.

use super::html::escape;
use super::words::lanes_in_words;
use std::fmt::Write;

/// The width of every drawing but the wide ones.
pub(crate) const WIDTH: f64 = 360.0;

/// The width of a wide drawing.
pub(crate) const WIDE: f64 = 720.0;

/// The most letters of a title's line.
const TITLE: usize = 52;

/// The height of a line of a title.
const TITLE_LINE: f64 = 16.0;

/// The height of a bar of a chart.
const BAR: f64 = 14.0;

/// The height of a bar that shows the share of a limit.
pub(crate) const TRACK: f64 = 16.0;

/// A drawing under construction.
#[derive(Debug)]
pub(crate) struct Drawing {
    class: &'static str,
    width: f64,
    body: String,
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing::new("cuda-drawing")
    }
}

/// Which part of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    /// An empty drawing with these classes.
    pub(crate) fn new(class: &'static str) -> Drawing {
        Drawing { class, width: WIDTH, body: String::new() }
    }

    /// An empty drawing as wide as the column of a page; a phone scrolls it.
    pub(crate) fn wide() -> Drawing {
        Drawing { class: "cuda-drawing cuda-wide", width: WIDE, body: String::new() }
    }

    pub(crate) fn rect(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        let (x, y, width, height) = (short(x), short(y), short(width.max(0.0)), short(height));
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" />"
        );
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" />"
        );
    }

    /// A path of this data.
    pub(crate) fn path(&mut self, class: &str, data: &str) {
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{data}\" />");
    }

    /// A bar of a chart.
    pub(crate) fn bar(&mut self, class: &str, at: (f64, f64), width: f64) {
        self.rect(class, at.0, at.1, width.max(0.5), BAR);
    }

    /// How far a bar's value scatters: a line with an end mark on both sides.
    pub(crate) fn whisker(&mut self, low: f64, high: f64, y: f64) {
        let (low, high, y, top) = (short(low), short(high), short(y), short(y - 3.0));
        let data = format!("M{low} {y}H{high}M{low} {top}v6M{high} {top}v6");
        self.path("cuda-plot-whisker", &data);
    }

    /// The empty bar of a limit, as wide as the drawing; its filled part covers it.
    pub(crate) fn track(&mut self, y: f64) {
        self.rect("cuda-idle", 4.5, y + 0.5, WIDTH - 9.0, TRACK - 1.0);
    }

    /// Many boxes of one kind and size, as one shape.
    pub(crate) fn boxes(&mut self, class: &str, at: &[(f64, f64)], width: f64, height: f64) {
        if at.is_empty() {
            return;
        }
        let (w, h) = (short(width), short(height));
        let path: String =
            at.iter().map(|(x, y)| format!("M{} {}h{w}v{h}h-{w}z", short(*x), short(*y))).collect();
        self.path(class, &path);
    }

    /// Many lines of one kind, as one shape.
    pub(crate) fn lines(&mut self, class: &str, all: &[[(f64, f64); 2]]) {
        if all.is_empty() {
            return;
        }
        let path: String = all
            .iter()
            .map(|[a, b]| format!("M{} {}L{} {}", short(a.0), short(a.1), short(b.0), short(b.1)))
            .collect();
        self.path(class, &path);
    }

    /// A text. The marks around code are left out: a drawing has one face.
    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.rich_text(class, at, anchor, &escape(&text.replace('`', "")));
    }

    /// The title of a chart, in as many lines as it needs, and the height that it takes.
    pub(crate) fn title(&mut self, text: &str) -> f64 {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + word.chars().count() < TITLE => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        let mut y = TITLE_LINE;
        for line in &lines {
            self.text("cuda-plot-title", (4.0, y), Anchor::Start, line);
            y += TITLE_LINE;
        }
        y - TITLE_LINE + 10.0
    }

    /// A label, and after it a number. The marks around code are left out.
    pub(crate) fn label_and_number(&mut self, at: (f64, f64), label: &str, number: &str) {
        let label = escape(&label.replace('`', ""));
        let text = format!("{label} {}", span("cuda-plot-number", number));
        self.rich_text("cuda-plot-label", at, Anchor::Start, &text);
    }

    /// A text that holds `tspan` elements.
    pub(crate) fn rich_text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, svg: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>{svg}</text>",
            short(at.0),
            short(at.1)
        );
    }

    /// The drawing with its height, and a description in words. `id` must be unique on the page.
    pub(crate) fn finish(self, height: f64, id: &str, title: &str, description: &str) -> String {
        format!(
            "<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n{}</svg>\n",
            self.class,
            short(self.width),
            short(height),
            escape(&title.replace('`', "")),
            escape(description),
            self.body
        )
    }
}

/// A part of a text with a class of its own.
pub(crate) fn span(class: &str, text: &str) -> String {
    format!("<tspan class=\"{class}\">{}</tspan>", escape(text))
}

/// `2^24` with its exponent raised.
pub(crate) fn raised(text: &str) -> String {
    text.split_once('^').map_or_else(
        || escape(text),
        |(base, exponent)| {
            let (base, exponent) = (escape(base), escape(exponent));
            format!(
                "{base}<tspan dy=\"-4\" font-size=\"9\">{exponent}</tspan>\
                 <tspan dy=\"4\">\u{200b}</tspan>"
            )
        },
    )
}

/// A coordinate with at most one decimal.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// An entry of a key: what a colour means.
pub(crate) fn key(class: &str, words: &str) -> String {
    format!("<span class=\"cuda-keyed\"><span class=\"cuda-key {class}\"></span>{words}</span> ")
}

/// The 32 lanes of a warp, active and idle.
pub(crate) fn warp(lanes: u32, class: &str) -> String {
    let cells = |on: bool| -> String {
        (0..32)
            .filter(|lane| (lanes >> lane & 1 == 1) == on)
            .map(|lane| format!("M{} 0h9v10h-9z", lane * 10))
            .collect()
    };
    let path = |class: &str, cells: String| {
        if cells.is_empty() {
            String::new()
        } else {
            format!("<path class=\"{class}\" d=\"{cells}\" />")
        }
    };
    format!(
        "<svg class=\"cuda-warp\" viewBox=\"0 0 319 10\" role=\"img\" aria-label=\"{}\" \
         xmlns=\"http://www.w3.org/2000/svg\">{}{}</svg>",
        lanes_in_words(lanes),
        path(class, cells(true)),
        path("cuda-idle", cells(false))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_no_marks_and_powers_are_raised() {
        let mut drawing = Drawing::default();
        drawing.text("cuda-tick", (0.0, 0.0), Anchor::Start, "the library `kernels`");
        drawing.label_and_number((0.0, 9.0), "of `b`", "1");
        let svg = drawing.finish(10.0, "id", "of `a`", "");
        assert!(svg.contains(">the library kernels<") && !svg.contains('`'), "{svg}");
        assert!(raised("2^24").starts_with("2<tspan dy=\"-4\" font-size=\"9\">24</tspan>"));
        assert_eq!(raised("1,024"), "1,024");
    }

    #[test]
    fn a_warp_is_32_cells() {
        let svg = warp(0xFF, "cuda-on");
        assert_eq!(svg.matches("h9v10").count(), 32);
        assert!(svg.contains("lanes 0 to 7"));
        assert!(!warp(u32::MAX, "cuda-on").contains("cuda-idle"));
    }
}
