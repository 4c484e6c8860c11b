//! The simulator's counters: beside the rung before, side by side, or one in the running text.
//!
//! A page of nine rungs with every counter would hide what matters, so a figure shows what differs
//! from the rung before and folds the rest.

use crate::facts::Kernel;
use crate::html::escape;
use crate::number;
use verify::verdict::Counter;

/// The table of one kernel's figure.
pub(crate) fn beside_previous(kernel: &Kernel, previous: Option<&Kernel>) -> String {
    let counters = kernel.counters();
    let Some(n) = kernel.page_size() else { return String::new() };
    // Counters of two sizes say nothing about two kernels.
    let previous = previous.filter(|p| p.page_size() == Some(n));
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
            escape(&previous.stem)
        ),
        None => format!("What the simulator counts at <i>n</i> = {}", number::size(n)),
    };
    let head = head(previous.map(|p| p.stem.as_str()));
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

fn table(caption: &str, head: &str, rows: &str) -> String {
    format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\">{caption}<thead><tr>{head}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// A row; `old` is the rung before's value where there is such a rung.
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

/// A metric's name, with the places where a narrow column may break it.
fn breakable(metric: &str) -> String {
    escape(metric).replace("_pipe", "<wbr>_pipe").replace('.', "<wbr>.")
}

/// The counter's name in the colour of its memory space, with the profiler's metric under it where
/// there is room for it.
fn name_cell(counter: &Counter, metric: &str) -> String {
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

/// The memory space that a counter speaks of, for its colour.
fn space(counter: &Counter) -> &'static str {
    let spaces = ["global", "shared", "local", "constant"];
    let of = |text: &str| spaces.into_iter().find(|space| text.contains(space));
    of(&counter.name).or_else(|| of(&counter.metric)).unwrap_or("none")
}

fn value(value: Option<f64>, unit: &str) -> String {
    match (value, unit) {
        (None, _) => "–".to_string(),
        (Some(value), "%") => format!("{} %", number::significant(value)),
        // A derived ratio (`sectors/request`) keeps three digits; its unit is in its name.
        (Some(value), _) => number::counter(value),
    }
}

/// Several kernels side by side: `{{#counters a.cu b.cu}}`.
pub(crate) fn side_by_side(kernels: &[&Kernel]) -> String {
    let Some(first) = kernels.first() else { return String::new() };
    let of = |kernel: &Kernel, name: &str| {
        kernel.counters().iter().find(|c| c.name == name).and_then(|c| c.value)
    };
    let size = match first.page_size() {
        Some(n) if kernels.iter().all(|k| k.page_size() == Some(n)) => {
            format!(" at <i>n</i> = {}", number::size(n))
        }
        _ => String::new(),
    };
    let mut head = String::from("<th scope=\"col\">counter</th>");
    for kernel in kernels {
        // Kernels of different page sizes may stand together; each then says its own.
        let own = match kernel.page_size() {
            Some(n) if size.is_empty() => format!(" <small><i>n</i> = {}</small>", number::size(n)),
            _ => String::new(),
        };
        head.push_str(&format!(
            "<th scope=\"col\" class=\"cuda-num\"><code>{}</code>{own}</th>",
            escape(&kernel.stem)
        ));
    }
    let mut rows = String::new();
    for counter in first.counters() {
        let values: Vec<Option<f64>> = kernels.iter().map(|k| of(k, &counter.name)).collect();
        if values.iter().all(|v| v.is_none_or(|v| v == 0.0)) {
            continue;
        }
        rows.push_str(&format!("<tr>{}", name_cell(counter, "")));
        for v in values {
            rows.push_str(&format!("<td class=\"cuda-num\">{}</td>", value(v, &counter.unit)));
        }
        rows.push_str("</tr>\n");
    }
    let caption = format!("<caption>What the simulator counts{size}</caption>");
    format!("<div class=\"cuda-counters\">\n{}</div>\n", table(&caption, &head, &rows))
}

/// One counter in the running text.
pub(crate) fn inline(counter: &Counter, n: Option<u64>) -> String {
    let at = n.map_or_else(String::new, |n| format!(", at n = {}", number::count(n)));
    format!(
        "<span class=\"cuda-value\" title=\"{}{at}, from the simulator\">{}</span>",
        escape(if counter.metric.is_empty() { &counter.name } else { &counter.metric }),
        value(counter.value, &counter.unit)
    )
}
