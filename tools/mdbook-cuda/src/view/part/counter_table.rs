//! Tables of the simulator's counters.
//!
//! Nine rungs with every counter would hide what matters, so a table shows the counters that differ
//! from the previous rung and folds the rest.

use super::html::{escape, with_code};
use super::number;
use crate::facts::{Counted, Facts, Kernel, is_as_written};
use kernel_file::verdict::Counter;

/// A table of a kernel's counters, beside those of the previous rung.
pub(crate) struct Table<'a> {
    kernel: &'a Kernel,
    facts: &'a Facts,
    /// The previous rung, where it was counted at the same size.
    previous: Option<&'a Kernel>,
}

impl<'a> Table<'a> {
    /// Of this kernel, beside the rung `before` where the two can be compared.
    pub(crate) fn of(
        kernel: &'a Kernel,
        facts: &'a Facts,
        before: Option<&'a Kernel>,
    ) -> Table<'a> {
        let previous = before.filter(|rung| kernel.points.is_empty() && kernel.compares(rung));
        Table { kernel, facts, previous }
    }

    /// The rung that it is compared with.
    pub(crate) fn previous(&self) -> Option<&'a Kernel> {
        self.previous
    }

    fn old(&self, counter: &Counter) -> Option<f64> {
        self.previous?.counters().iter().find(|c| c.name == counter.name)?.value
    }

    /// The heads of the columns after the first.
    pub(crate) fn heads(&self) -> String {
        let mut head = String::new();
        if let Some(previous) = self.previous {
            let label = escape(previous.stem());
            head.push_str(&format!(
                "<th scope=\"col\" class=\"cuda-num\"><code>{label}</code></th>"
            ));
        }
        head.push_str("<th scope=\"col\" class=\"cuda-num\">here</th>");
        if self.previous.is_some() {
            head.push_str("<th scope=\"col\" class=\"cuda-num\">change</th>");
        }
        head
    }

    /// A counter's row.
    pub(crate) fn row(&self, counter: &Counter) -> String {
        let unit = &counter.unit;
        let point = self.kernel.points.first().cloned().unwrap_or_default();
        let note = note(counter, &self.facts.counted(self.kernel, &point, counter));
        let mut out = format!("<tr>{}", name_cell(counter, &note));
        let old = self.previous.map(|_| self.old(counter));
        if let Some(old) = old {
            out.push_str(&format!("<td class=\"cuda-num\">{}</td>", value(old, unit)));
        }
        out.push_str(&format!("<td class=\"cuda-num\"><b>{}</b></td>", value(counter.value, unit)));
        if let Some(old) = old {
            let change = match (old, counter.value) {
                (Some(old), Some(new)) if unit == "%" => number::points(old, new),
                (Some(old), Some(new)) => number::change(old, new),
                (None, Some(_)) => "new".to_string(),
                (Some(_), None) => "gone".to_string(),
                (None, None) => "=".to_string(),
            };
            out.push_str(&format!("<td class=\"cuda-num\">{change}</td>"));
        }
        out.push_str("</tr>\n");
        out
    }

    /// Every counter; those that are zero, or the same as in the previous rung, are folded.
    pub(crate) fn all(&self) -> String {
        let Some(n) = self.kernel.counted_size() else { return String::new() };
        let zero = |value: Option<f64>| value.is_none_or(|v| v == 0.0);
        let (shown, folded): (Vec<&Counter>, Vec<&Counter>) =
            self.kernel.counters().iter().partition(|counter| match self.previous {
                Some(_) => {
                    let old = self.old(counter);
                    counter.value != old && !(zero(counter.value) && zero(old))
                }
                None => !zero(counter.value),
            });
        let rows = |counters: &[&Counter]| -> String {
            counters.iter().map(|counter| self.row(counter)).collect()
        };
        let beside = self.previous.map_or_else(String::new, |previous| {
            format!(", beside <code>{}</code>", escape(previous.stem()))
        });
        let caption =
            format!("What the simulator counts at <i>n</i> = {}{beside}", number::size(n));
        let head = format!("<th scope=\"col\">counter</th>{}", self.heads());
        let mut out = String::from("<div class=\"cuda-counters\">\n");
        if shown.is_empty() {
            let nothing = format!("<p class=\"cuda-caption\">{caption}: no counter differs.</p>\n");
            out.push_str(&nothing);
        } else {
            out.push_str(&table(&format!("<caption>{caption}</caption>"), &head, &rows(&shown)));
        }
        if !folded.is_empty() {
            let what = if self.previous.is_some() { "the same" } else { "zero" };
            out.push_str(&format!(
                "<details><summary>{} more, {what}</summary>\n{}</details>\n",
                folded.len(),
                table("", &head, &rows(&folded))
            ));
        }
        out.push_str("</div>\n");
        out
    }
}

/// What stands under a counter's name: the profiler's metric where the profiler counted the same, else
/// the profiler's own count, and why.
fn note(counter: &Counter, counted: &Counted<'_>) -> String {
    let text = |v: Option<f64>| value(v, &counter.unit);
    match counted {
        Counted::Same => format!("<small><code>{}</code></small>", breakable(&counter.metric)),
        Counted::Other { gpu, value, .. } if is_as_written(counter) => format!(
            "<small>in the source; {} in the compiled code on the {}</small>",
            text(Some(*value)),
            escape(gpu)
        ),
        // They differ in digits that are not shown.
        Counted::Other { value, why: None, .. } if text(Some(*value)) == text(counter.value) => {
            String::new()
        }
        Counted::Other { gpu, value, why } => format!(
            "<small>{} on the {}{}</small>",
            text(Some(*value)),
            escape(gpu),
            why.map_or_else(String::new, |why| format!(": {}", with_code(why)))
        ),
        Counted::NotRecorded | Counted::NoMetric if is_as_written(counter) => {
            "<small>in the source</small>".to_string()
        }
        Counted::NotRecorded | Counted::NoMetric => String::new(),
    }
}

pub(crate) fn table(caption: &str, head: &str, rows: &str) -> String {
    format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\">{caption}<thead><tr>{head}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// A metric's name, with places where a narrow column may break it.
fn breakable(metric: &str) -> String {
    escape(metric).replace("_pipe", "<wbr>_pipe").replace('.', "<wbr>.")
}

/// The counter's name in the colour of its memory space, with a note under it.
pub(crate) fn name_cell(counter: &Counter, note: &str) -> String {
    let unit = match counter.unit.as_str() {
        "" | "%" => String::new(),
        unit => format!(" <i class=\"cuda-unit\">{}</i>", escape(unit)),
    };
    format!(
        "<th scope=\"row\" title=\"{}\"><span class=\"cuda-space-{}\">{}</span>{unit}{note}</th>",
        escape(&counter.meaning),
        space(counter),
        escape(&counter.name),
    )
}

/// The memory space of a counter, for its colour.
fn space(counter: &Counter) -> &'static str {
    let spaces = ["global", "shared", "local", "constant"];
    let of = |text: &str| spaces.into_iter().find(|space| text.contains(space));
    of(&counter.name).or_else(|| of(&counter.metric)).unwrap_or("none")
}

/// A counter's value in its unit.
pub(crate) fn value(value: Option<f64>, unit: &str) -> String {
    match (value, unit) {
        (None, _) => "–".to_string(),
        (Some(value), "%") => format!("{} %", number::significant(value)),
        // A derived ratio (`sectors/request`) keeps three digits; its unit is in its name.
        (Some(value), _) => number::counter(value),
    }
}
