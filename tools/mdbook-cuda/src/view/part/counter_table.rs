//! Tables of the simulator's counters.
//!
//! Nine rungs with every counter would hide what matters, so a figure shows the counters that differ
//! from the previous rung and folds the rest.

use super::html::escape;
use super::number;
use crate::facts::Kernel;
use kernel_file::verdict::Counter;

/// The table in a kernel's figure, with the change from the previous rung.
pub(crate) fn beside_previous(kernel: &Kernel, previous: Option<&Kernel>) -> String {
    let counters = kernel.counters();
    let Some(n) = kernel.counted_size() else { return String::new() };
    // Counters at different sizes cannot be compared.
    let previous = previous.filter(|p| p.counted_size() == Some(n));
    let old = |counter: &Counter| -> Option<f64> {
        previous?.counters().iter().find(|c| c.name == counter.name)?.value
    };
    let zero = |value: Option<f64>| value.is_none_or(|v| v == 0.0);
    let (shown, folded): (Vec<&Counter>, Vec<&Counter>) =
        counters.iter().partition(|counter| match previous {
            Some(_) => {
                counter.value != old(counter) && !(zero(counter.value) && zero(old(counter)))
            }
            None => !zero(counter.value),
        });
    let rows = |counters: &[&Counter]| -> String {
        counters.iter().map(|counter| row(counter, previous.map(|_| old(counter)))).collect()
    };
    let caption = match previous {
        Some(previous) => format!(
            "What the simulator counts at <i>n</i> = {}, beside <code>{}</code>",
            number::size(n),
            escape(previous.stem())
        ),
        None => format!("What the simulator counts at <i>n</i> = {}", number::size(n)),
    };
    let head = head(previous.map(|p| p.stem()));
    let mut out = String::from("<div class=\"cuda-counters\">\n");
    if shown.is_empty() {
        out.push_str(&format!("<p class=\"cuda-caption\">{caption}: no counter differs.</p>\n"));
    } else {
        out.push_str(&table(&format!("<caption>{caption}</caption>"), &head, &rows(&shown)));
    }
    if !folded.is_empty() {
        let what = if previous.is_some() { "the same" } else { "zero" };
        out.push_str(&format!(
            "<details><summary>{} more, {what}</summary>\n{}</details>\n",
            folded.len(),
            table("", &head, &rows(&folded))
        ));
    }
    out.push_str("</div>\n");
    out
}

fn head(previous: Option<&str>) -> String {
    let mut head = String::from("<th scope=\"col\">counter</th>");
    if let Some(previous) = previous {
        let label = escape(previous);
        head.push_str(&format!("<th scope=\"col\" class=\"cuda-num\"><code>{label}</code></th>"));
    }
    head.push_str("<th scope=\"col\" class=\"cuda-num\">here</th>");
    if previous.is_some() {
        head.push_str("<th scope=\"col\" class=\"cuda-num\">change</th>");
    }
    head
}

pub(crate) fn table(caption: &str, head: &str, rows: &str) -> String {
    format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\">{caption}<thead><tr>{head}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// A row; `old` is the value of the previous rung, where there is one.
fn row(counter: &Counter, old: Option<Option<f64>>) -> String {
    let metric = match counter.metric.as_str() {
        "" => String::new(),
        metric => format!("<small><code>{}</code></small>", breakable(metric)),
    };
    let mut out = format!("<tr>{}", name_cell(counter, &metric));
    if let Some(old) = old {
        out.push_str(&format!("<td class=\"cuda-num\">{}</td>", value(old, &counter.unit)));
    }
    out.push_str(&format!(
        "<td class=\"cuda-num\"><b>{}</b></td>",
        value(counter.value, &counter.unit)
    ));
    if let Some(old) = old {
        let change = match (old, counter.value) {
            (Some(old), Some(new)) if counter.unit == "%" => number::points(old, new),
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

/// A metric's name, with places where a narrow column may break it.
fn breakable(metric: &str) -> String {
    escape(metric).replace("_pipe", "<wbr>_pipe").replace('.', "<wbr>.")
}

/// The counter's name in the colour of its memory space, with the profiler's metric under it.
pub(crate) fn name_cell(counter: &Counter, metric: &str) -> String {
    let unit = match counter.unit.as_str() {
        "" | "%" => String::new(),
        unit => format!(" <i class=\"cuda-unit\">{}</i>", escape(unit)),
    };
    format!(
        "<th scope=\"row\" title=\"{}\"><span class=\"cuda-space-{}\">{}</span>{unit}{metric}</th>",
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
