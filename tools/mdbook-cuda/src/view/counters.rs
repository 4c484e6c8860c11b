//! `{{#counters FILE FILE…}}`: the simulator's counters of several kernels, side by side;
//! `{{#counter FILE NAME}}`: one of them in the running text.

use super::part::badge::Badge;
use super::part::html::escape;
use super::part::{counter_table, fold, number};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Counted, Kernel, Needs, is_as_written};
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
        let point = kernel.choose(&self.choice)?;
        let counters = kernel.counters_at(&point);
        // A kernel that fails counted nothing, and its figure says why; once is enough.
        if counters.is_empty() && !kernel.failures().is_empty() {
            return Ok(Badge::NotCounted.html(""));
        }
        if counters.is_empty() {
            return Err(format!("the simulator counted nothing in `{}`", kernel.path));
        }
        let name = &self.name;
        match counters.iter().find(|c| c.word() == *name || c.metric == *name) {
            Some(counter) => Ok(inline(
                counter,
                &page.facts.counted(kernel, &point, counter),
                kernel.counted_size(),
            )),
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
    let (mut rows, mut same) = (String::new(), String::new());
    for counter in first.counters() {
        let values: Vec<Option<f64>> = kernels.iter().map(|k| of(k, &counter.name)).collect();
        if values.iter().all(|v| v.is_none_or(|v| v == 0.0)) {
            continue;
        }
        let to = if values.iter().all(|v| *v == values[0]) { &mut same } else { &mut rows };
        to.push_str(&format!("<tr>{}", counter_table::name_cell(counter, "")));
        for v in values {
            to.push_str(&format!(
                "<td class=\"cuda-num\">{}</td>",
                counter_table::value(v, &counter.unit)
            ));
        }
        to.push_str("</tr>\n");
    }
    // Where nothing differs, all of it is shown.
    if rows.is_empty() {
        std::mem::swap(&mut rows, &mut same);
    }
    let caption = format!(
        "<caption>What the simulator counts{size}; instructions and branches of the source as \
         written</caption>"
    );
    let mut out = counter_table::table(&caption, &head, &rows);
    if !same.is_empty() {
        let what = format!("{} more, the same", same.matches("<tr>").count());
        out.push_str(&fold::numbers(&what, &counter_table::table("", &head, &same)));
    }
    format!("<div class=\"cuda-counters\">\n{out}</div>\n")
}

/// One counter in the running text; what the hardware counted is said beside it.
fn inline(counter: &CounterValue, counted: &Counted<'_>, n: Option<u64>) -> String {
    let at = n.map_or_else(String::new, |n| format!(", at n = {}", number::count(n)));
    let from = match counted {
        Counted::Same => format!("{}, from the simulator", counter.metric),
        Counted::Other { gpu, value, why } => format!(
            "{} of the source as written, from the simulator; {} on the {gpu}{}",
            counter.name,
            counter_table::value(Some(*value), &counter.unit),
            match why {
                Some(why) => format!(": {why}"),
                None if is_as_written(counter) => ", in the compiled code".to_owned(),
                None => String::new(),
            }
        ),
        Counted::NotRecorded if is_as_written(counter) => {
            format!("{} of the source as written, from the simulator", counter.name)
        }
        Counted::NotRecorded | Counted::NoMetric => format!("{}, from the simulator", counter.name),
    };
    format!(
        "<span class=\"cuda-value\" title=\"{}{at}\">{}</span>",
        escape(&from),
        counter_table::value(counter.value, &counter.unit)
    )
}
