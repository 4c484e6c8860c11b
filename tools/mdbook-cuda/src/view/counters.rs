//! `{{#counters FILE FILE…}}`: the simulator's counters of several kernels, side by side;
//! `{{#counter FILE NAME}}`: one of them in the running text.

use super::part::badge::Badge;
use super::part::html::escape;
use super::part::{counter_table, number};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::Counter as CounterValue;
use kernel_file::words::Choice;

#[derive(Debug)]
struct Counters {
    paths: Vec<String>,
}

#[derive(Debug)]
struct Counter {
    path: String,
    name: String,
    choice: Choice,
}

/// Reads `{{#counters FILE FILE…}}`.
pub(super) fn counters(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()? {
        paths if paths.is_empty() => Err(arguments.wrong()),
        paths => Ok(Box::new(Counters { paths })),
    }
}

/// Reads `{{#counter FILE NAME}}`.
pub(super) fn counter(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (plain, choice) = arguments.with_choice()?;
    let [path, name] = plain.as_slice() else { return Err(arguments.wrong()) };
    Ok(Box::new(Counter { path: path.clone(), name: name.clone(), choice }))
}

impl Directive for Counters {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernels = self.paths.iter().map(|path| page.kernel(path));
        Ok(side_by_side(&kernels.collect::<Result<Vec<_>, _>>()?))
    }
}

impl Directive for Counter {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernel = page.kernel(&self.path)?;
        let counters = kernel.counters_at(&kernel.choose(&self.choice)?);
        // A kernel that fails counted nothing, and its figure says why; once is enough.
        if counters.is_empty() && !kernel.failures().is_empty() {
            return Ok(Badge::NotCounted.html(""));
        }
        if counters.is_empty() {
            return Err(format!("the simulator counted nothing in `{}`", kernel.path));
        }
        let name = &self.name;
        match counters.iter().find(|c| c.word() == *name || c.metric == *name) {
            Some(counter) => Ok(inline(counter, kernel.counted_size())),
            None => {
                let words: Vec<String> = counters.iter().map(CounterValue::word).collect();
                let hint = suggestion_or_list(name, words.iter().map(String::as_str));
                Err(format!("unknown counter `{name}`{hint}"))
            }
        }
    }
}

/// The counters of several kernels, a column per kernel.
pub(crate) fn side_by_side(kernels: &[&Kernel]) -> String {
    let Some(first) = kernels.first() else { return String::new() };
    let of = |kernel: &Kernel, name: &str| {
        kernel.counters().iter().find(|c| c.name == name).and_then(|c| c.value)
    };
    let size = match first.counted_size() {
        Some(n) if kernels.iter().all(|k| k.counted_size() == Some(n)) => {
            format!(" at <i>n</i> = {}", number::size(n))
        }
        _ => String::new(),
    };
    let mut head = String::from("<th scope=\"col\">counter</th>");
    for kernel in kernels {
        // Kernels whose page sizes differ each show their own.
        let own = match kernel.counted_size() {
            Some(n) if size.is_empty() => format!(" <small><i>n</i> = {}</small>", number::size(n)),
            _ => String::new(),
        };
        head.push_str(&format!(
            "<th scope=\"col\" class=\"cuda-num\"><code>{}</code>{own}</th>",
            escape(kernel.stem())
        ));
    }
    let mut rows = String::new();
    for counter in first.counters() {
        let values: Vec<Option<f64>> = kernels.iter().map(|k| of(k, &counter.name)).collect();
        if values.iter().all(|v| v.is_none_or(|v| v == 0.0)) {
            continue;
        }
        rows.push_str(&format!("<tr>{}", counter_table::name_cell(counter, "")));
        for v in values {
            rows.push_str(&format!(
                "<td class=\"cuda-num\">{}</td>",
                counter_table::value(v, &counter.unit)
            ));
        }
        rows.push_str("</tr>\n");
    }
    let caption = format!("<caption>What the simulator counts{size}</caption>");
    format!(
        "<div class=\"cuda-counters\">\n{}</div>\n",
        counter_table::table(&caption, &head, &rows)
    )
}

/// One counter in the running text.
fn inline(counter: &CounterValue, n: Option<u64>) -> String {
    let at = n.map_or_else(String::new, |n| format!(", at n = {}", number::count(n)));
    format!(
        "<span class=\"cuda-value\" title=\"{}{at}, from the simulator\">{}</span>",
        escape(if counter.metric.is_empty() { &counter.name } else { &counter.metric }),
        counter_table::value(counter.value, &counter.unit)
    )
}
