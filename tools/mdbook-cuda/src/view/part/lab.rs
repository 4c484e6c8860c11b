//! The data of a kernel for the lab, the editor and debugger that scripts make of its figure: a
//! block of JSON. A page with such figures ends with the lab's script ([`crate::scripts`]).
//!
//! ```text
//! file       the kernel file, from the project's root
//! text       its text with directives, but without those that only tests read: what runs in the
//!            page is what the book has verified
//! headers    [name, text] of each file that it includes
//! point      `n` at the page's size, and the first value of each variable
//! counters   the simulator's counters at that point, by name; null where undefined
//! metrics    the counters whose values at that point are a profiler's
//! cannot     why the simulator cannot run it; left out where it can
//! previous   the previous rung: name, counters at the same size; left out where there is none
//! measured   by machine: gpu, date, stale, sizes (point, time_us, gbps, gflops); left out
//!            where nothing is recorded
//! ```
//!
//! The page is complete without the script, and nothing is loaded before a reader opens the lab.

use crate::facts::{Counted, Facts, Kernel, Measured};
use kernel_file::verdict::{BackendName, Counter, Status};
use serde_json::{Map, Value, json};
use verify::Point;
use verify::results::Measurement;

/// The block's opening.
pub(crate) const OPENING: &str = "<script type=\"application/json\" class=\"cuda-lab\">";

/// The block of one figure, with the counters of the rung `before` where the two can be compared.
pub(crate) fn data(kernel: &Kernel, facts: &Facts, before: Option<&Kernel>) -> String {
    let mut data = json!({
        "file": kernel.file.relative, "text": kernel.file.page_text(), "headers": kernel.headers,
        "point": point(kernel.file.directives.page, kernel.points.first()),
        "counters": counters(kernel.counters()), "metrics": metrics(kernel, facts),
    });
    let skipped = kernel.verdict(BackendName::Sim).filter(|v| v.status == Status::Skipped);
    if let Some(skipped) = skipped {
        data["cannot"] = json!(skipped.reason);
    }
    if let Some(rung) = before.filter(|rung| kernel.compares(rung)) {
        let counters = counters(rung.counters());
        data["previous"] = json!({ "name": rung.file_name(), "counters": counters });
    }
    let measured: Vec<Value> = facts.measured_anywhere(kernel).iter().map(machine).collect();
    if !measured.is_empty() {
        data["measured"] = json!(measured);
    }
    format!("{OPENING}{}</script>\n", inside_html(&data))
}

/// The counters whose values are a profiler's, as it was recorded.
fn metrics<'a>(kernel: &'a Kernel, facts: &Facts) -> Vec<&'a str> {
    let point = kernel.points.first().cloned().unwrap_or_default();
    let same = |c: &&Counter| facts.counted(kernel, &point, c) == Counted::Same;
    kernel.counters().iter().filter(same).map(|counter| counter.name.as_str()).collect()
}

/// JSON that neither ends the block nor holds a directive for another preprocessor.
pub(crate) fn inside_html(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c").replace("{{", "{\\u007b")
}

/// The block of a kernel file in a page's text, which has no counters of the book's.
pub(crate) fn fence(file: &str, text: &str, page: Option<u64>) -> String {
    let data = json!({ "file": file, "text": text, "point": point(page, None) });
    format!("{OPENING}{}</script>\n", inside_html(&data))
}

/// The block of a complete program, which has no sizes and no counters of the book's.
pub(crate) fn program(file: &str, text: &str) -> String {
    format!("{OPENING}{}</script>\n", inside_html(&json!({ "file": file, "text": text })))
}

fn counters(counters: &[Counter]) -> Value {
    Value::Object(counters.iter().map(|c| (c.name.clone(), json!(c.value))).collect())
}

fn point(n: Option<u64>, point: Option<&Point>) -> Value {
    let n = n.map(|n| ("n".to_owned(), json!(n)));
    let values = point.into_iter().flat_map(Point::values);
    let values = values.map(|(name, value)| (name.clone(), json!(value)));
    Value::Object(Map::from_iter(n.into_iter().chain(values)))
}

fn machine(measured: &Measured<'_>) -> Value {
    let sizes = measured.result.sizes.iter().map(|(n, m)| size(*n, None, m));
    let points = measured.result.points.iter();
    let points = points.flat_map(|(p, sizes)| sizes.iter().map(|(n, m)| size(*n, Some(p), m)));
    json!({
        "gpu": measured.recording.gpu(), "date": measured.recording.results.machine.date,
        "stale": measured.stale, "sizes": sizes.chain(points).collect::<Vec<_>>(),
    })
}

fn size(n: u64, at: Option<&Point>, m: &Measurement) -> Value {
    let gbps = (m.bytes > 0).then_some(m.gbps);
    json!({
        "point": point(Some(n), at), "time_us": m.time_us.median, "gbps": gbps, "gflops": m.gflops,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fixture;
    use kernel_file::verdict::Verdict;

    /// The block of a kernel, beside the file before it.
    fn shown(facts: &Facts, at: usize) -> String {
        let kernel = &facts.kernels[at];
        data(kernel, facts, facts.before(kernel))
    }

    #[test]
    fn the_block_is_json_whatever_the_text_holds() {
        let mut facts = fixture::measured();
        facts.kernels[1].file.text = "a </script> <!-- {{#kernel x}} \"\\".to_owned();
        let html = shown(&facts, 1);
        let inside = html.strip_prefix(OPENING).unwrap().strip_suffix("</script>\n").unwrap();
        assert!(!inside.contains('<') && !inside.contains("{{"), "{inside}");
        let data: Value = serde_json::from_str(inside).unwrap();
        assert_eq!(data["text"], facts.kernels[1].file.text);
        assert_eq!(data["previous"]["name"], "1_neighbored.cu");
        assert_eq!(data["previous"]["counters"]["instructions"], 4096.0);
        assert_eq!(data["measured"][0]["sizes"][0]["point"]["n"], 1 << 24);
    }

    #[test]
    fn a_kernel_that_the_simulator_cannot_run_says_why() {
        let mut facts = fixture::facts();
        assert!(!shown(&facts, 0).contains("cannot"));
        facts.kernels[0].verdicts[0] = Verdict::skipped(BackendName::Sim, "", "no such unit");
        assert!(shown(&facts, 0).contains("\"cannot\":\"no such unit\""));
    }

    #[test]
    fn counters_at_another_size_are_not_compared() {
        let mut facts = fixture::facts();
        facts.kernels[0].verdicts[0].runs[0].n = 7;
        assert!(!shown(&facts, 1).contains("previous"));
    }
}
