//! A finding as a terminal shows it: what, where, and what it conflicts with.

use crate::diagnostic::{Sources, header, note, snippet};
use crate::observe::{Class, Finding, Site};
use std::fmt::Write;

impl Finding {
    /// The class of its defect.
    pub fn class(&self) -> Class {
        self.code.class()
    }

    /// The finding as a terminal shows it, both sides with their lines.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = header(self.severity, self.code.name(), &self.message);
        let mark = if self.second.is_some() { "(1) " } else { "" };
        snippet(&mut out, sources, self.first.span, &format!("{mark}{}", words(&self.first)));
        if let Some(second) = &self.second {
            let declared = second.what == "declaration";
            let (what, words) = match declared {
                true => ("it is declared", "declaration".to_owned()),
                false => ("the other side is", words(second)),
            };
            let _ = writeln!(out, "note: (2) {what} here");
            snippet(&mut out, sources, second.span, &format!("(2) {words}"));
        }
        if self.count > 1 {
            let times = self.count;
            note(&mut out, "note", &format!("this happened {times} times; one of them is shown"));
        }
        if let Some(help) = &self.help {
            note(&mut out, "help", help);
        }
        out
    }
}

fn words(site: &Site) -> String {
    let value = site.value.as_ref().map(|v| format!(" of {v}")).unwrap_or_default();
    let ([bx, by, bz], [tx, ty, tz]) = (site.block, site.thread);
    format!("{}{value} by block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz})", site.what)
}
