//! The few shapes that every figure is drawn with.
//!
//! A drawing is 360 units wide, the width of a phone, and grows to no more than 460: its letters
//! are as large there as the text around it. It says what a shape *is* by its class; the colour of
//! that is the style sheet's business, so that a drawing follows the theme and the printer.

use crate::html::escape;
use std::fmt::Write;

/// The width of every drawing.
pub(crate) const WIDTH: f64 = 360.0;

/// A drawing under way.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    body: String,
}

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
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

    /// Many boxes of one kind and size, as one shape.
    pub(crate) fn boxes(&mut self, class: &str, at: &[(f64, f64)], width: f64, height: f64) {
        if at.is_empty() {
            return;
        }
        let (w, h) = (short(width), short(height));
        let path: String =
            at.iter().map(|(x, y)| format!("M{} {}h{w}v{h}h-{w}z", short(*x), short(*y))).collect();
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\" />");
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
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\" />");
    }

    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>{}</text>",
            short(at.0),
            short(at.1),
            escape(text)
        );
    }

    /// The drawing, so and so high, with what it shows in words. `id` must be unique on the page.
    pub(crate) fn finish(self, height: f64, id: &str, title: &str, description: &str) -> String {
        format!(
            "<svg class=\"cuda-drawing\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n{}</svg>\n",
            short(height),
            escape(title),
            escape(description),
            self.body
        )
    }
}

/// A coordinate with at most one decimal.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// What a colour means, in a key.
pub(crate) fn key(class: &str, words: &str) -> String {
    format!("<span class=\"cuda-keyed\"><span class=\"cuda-key {class}\"></span>{words}</span> ")
}

/// The 32 lanes of a warp: those that work, and those that do not.
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

/// `all 32 lanes`, `lanes 0 to 15`, `lanes 0, 2, 4, …, 30`.
pub(crate) fn lanes_in_words(lanes: u32) -> String {
    let all: Vec<u32> = (0..32).filter(|lane| lanes >> lane & 1 == 1).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return "no lane".to_string();
    };
    if all.len() == 32 {
        return "all 32 lanes".to_string();
    }
    if all.len() == 1 {
        return format!("lane {first}");
    }
    let step = all[1] - first;
    let even = all.windows(2).all(|pair| pair[1] - pair[0] == step);
    let runs = all.iter().enumerate().filter(|(i, l)| *i == 0 || all[i - 1] + 1 != **l).count();
    if even && step == 1 {
        format!("lanes {first} to {last}")
    } else if even && all.len() > 3 {
        format!("lanes {}, {}, {}, …, {last}", all[0], all[1], all[2])
    } else if runs > 4 {
        format!("{} lanes", all.len())
    } else {
        let mut parts: Vec<String> = Vec::new();
        let mut start = all[0];
        for (i, lane) in all.iter().enumerate() {
            if all.get(i + 1) != Some(&(lane + 1)) {
                parts.push(if start == *lane {
                    lane.to_string()
                } else {
                    format!("{start} to {lane}")
                });
                start = all.get(i + 1).copied().unwrap_or_default();
            }
        }
        format!("lanes {}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_said_as_one_would_say_them() {
        for (lanes, words) in [
            (u32::MAX, "all 32 lanes"),
            (0, "no lane"),
            (1 << 7, "lane 7"),
            (0xFFFF, "lanes 0 to 15"),
            (0x5555_5555, "lanes 0, 2, 4, …, 30"),
            (0x0101_0101, "lanes 0, 8, 16, …, 24"),
            (0x0001_0001, "lanes 0, 16"),
            (0xFF00_00FF, "lanes 0 to 7, 24 to 31"),
            (0b1011_0011_0101_0111_0001, "11 lanes"),
        ] {
            assert_eq!(lanes_in_words(lanes), words, "{lanes:b}");
        }
    }

    #[test]
    fn a_warp_is_32_cells() {
        let svg = warp(0xFF, "cuda-on");
        assert_eq!(svg.matches("h9v10").count(), 32);
        assert!(svg.contains("lanes 0 to 7"));
        assert!(!warp(u32::MAX, "cuda-on").contains("cuda-idle"));
    }
}
