//! The verdicts on a kernel as a table with their reasons, and the compiler's resource usage.
//!
//! A tooltip does not reach paper, so every reason is in the text.

use super::badge::Badge;
use super::html::{escape, with_code};
use super::number;
use crate::facts::{Facts, Kernel};
use kernel_file::plan::Plan;
use kernel_file::verdict::{BackendName, Resources, Status, Verdict};

/// One row per back end: the badge, and what was tested or why not.
pub(crate) fn table(kernel: &Kernel) -> String {
    let mut out = String::from("<dl class=\"cuda-verdicts\">\n");
    for verdict in &kernel.verdicts {
        out.push_str(&format!(
            "<dt>{}</dt><dd>{}</dd>\n",
            Badge::of(verdict, kernel.defect().is_some()).html(verdict.backend.word()),
            detail(verdict, kernel),
        ));
    }
    out.push_str("</dl>\n");
    out
}

/// What a verdict rests on, in one line.
fn detail(verdict: &Verdict, kernel: &Kernel) -> String {
    if verdict.status == Status::Skipped {
        return escape(&verdict.reason);
    }
    // A file with variables is run at the same size at every point.
    let mut sizes: Vec<u64> = Vec::new();
    verdict.runs.iter().for_each(|run| {
        if !sizes.contains(&run.n) {
            sizes.push(run.n)
        }
    });
    let tested = match sizes.as_slice() {
        [] => String::new(),
        [n] => format!(" at <i>n</i> = {}", number::size(*n)),
        many => {
            let list: Vec<String> = many.iter().map(|n| number::size(*n)).collect();
            format!(" at {} sizes: {}", many.len(), list.join(", "))
        }
    };
    let mut points: Vec<&verify::Point> = verdict.runs.iter().map(|run| &run.point).collect();
    points.sort();
    points.dedup();
    let tested = match points.len() {
        0 | 1 => tested,
        many => format!("{tested}, for {many} values of what varies"),
    };
    let tested = match kernel.file.directives.test.len() {
        0 => tested,
        _ if verdict.backend != BackendName::Sim => tested,
        _ if kernel.tested.is_empty() => {
            format!("{tested}; the test sizes follow in the background")
        }
        1 => format!("{tested}, and at its test size"),
        many => format!("{tested}, and at its {many} test sizes"),
    };
    let said = match (verdict.status, verdict.backend, kernel.defect()) {
        (Status::Failed, ..) => match verdict.all_problems().next() {
            Some(problem) => format!("{}{tested}", with_code(&problem.message)),
            None => format!("failed{tested}"),
        },
        (_, BackendName::Sim, Some(class)) => format!("the {} is found{tested}", escape(class)),
        (_, BackendName::Nvrtc, _) => format!("compiles{}", architectures(&verdict.resources)),
        (_, BackendName::Sim, None) => format!("right, and nothing found{tested}"),
        (_, BackendName::Gpu, _) => format!("right{tested}"),
    };
    if verdict.identity.is_empty() {
        said
    } else {
        format!("{said} <small>{}</small>", escape(&verdict.identity))
    }
}

fn architectures(resources: &[Resources]) -> String {
    let mut names: Vec<&str> = resources.iter().map(|r| r.arch.as_str()).collect();
    names.dedup();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" for {}", escape(one)),
        many => format!(" for {} architectures", many.len()),
    }
}

/// The rows that the compiler reports: one per architecture and kernel.
fn compiled(kernel: &Kernel) -> Vec<&Resources> {
    let found: Vec<&Resources> = kernel.verdicts.iter().flat_map(|v| &v.resources).collect();
    let from_nvrtc = |r: &&&Resources| {
        kernel.verdict(BackendName::Nvrtc).is_some_and(|v| v.resources.contains(r))
    };
    // The device's verdict repeats its own architecture: the compiler's rows are enough.
    let compiled: Vec<&Resources> = found.iter().filter(from_nvrtc).copied().collect();
    if compiled.is_empty() { found } else { compiled }
}

/// `Registers and shared memory: 14 to 16 registers per thread, 128 B per block, no spills`.
///
/// Where no compiler was found, they are those of the first recording (`recorded`).
pub(crate) fn resource_summary(kernel: &Kernel, facts: &Facts) -> String {
    let what = "Registers and shared memory";
    let compiled = compiled(kernel);
    if !compiled.is_empty() {
        return format!("{what}: {}", summary(&compiled, kernel));
    }
    let recorded = facts.measured(kernel).find(|m| !m.stale && !m.result.resources.is_empty());
    match recorded {
        Some(measured) => {
            let rows: Vec<&Resources> = measured.result.resources.iter().collect();
            let gpu = escape(measured.recording.gpu());
            format!("{what}: {}, as recorded on an {gpu}", summary(&rows, kernel))
        }
        None => format!("{what}: not compiled here, so not known"),
    }
}

/// Registers, shared memory and spills as the compiler reports them, a row per architecture and
/// kernel.
pub(crate) fn resources(kernel: &Kernel) -> String {
    let rows = compiled(kernel);
    if rows.is_empty() {
        return String::new();
    }
    let several = rows.iter().any(|r| r.kernel != rows[0].kernel);
    let mut out = format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><caption>Registers and shared memory: {}\
         </caption><thead><tr><th scope=\"col\">architecture</th>",
        summary(&rows, kernel)
    );
    if several {
        out.push_str("<th scope=\"col\">kernel</th>");
    }
    out.push_str(
        "<th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-registers\">registers</span></th>\
         <th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-shared\">shared</span></th>\
         <th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-local\">stack</span></th>\
         <th scope=\"col\" class=\"cuda-num\"><span class=\"cuda-space-local\">spills</span></th></tr></thead><tbody>\n",
    );
    for row in rows {
        out.push_str(&format!("<tr><th scope=\"row\">{}</th>", escape(&row.arch)));
        if several {
            out.push_str(&format!("<td><code>{}</code></td>", escape(&row.kernel)));
        }
        out.push_str(&format!(
            "<td class=\"cuda-num\">{}</td><td class=\"cuda-num\">{} B</td>\
             <td class=\"cuda-num\">{} B</td><td class=\"cuda-num\">{}</td></tr>\n",
            row.registers,
            number::count(row.shared.into()),
            number::count(row.stack.into()),
            spills(row),
        ));
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn spills(row: &Resources) -> String {
    match row.spill_stores + row.spill_loads {
        0 => "none".to_string(),
        _ => format!(
            "{} B out, {} B in",
            number::count(row.spill_stores.into()),
            number::count(row.spill_loads.into())
        ),
    }
}

/// `16 to 18 registers per thread, 2,048 B per block, no spills`.
///
/// The compiler reports static shared memory; what the launches at the page's size add is said with it.
fn summary(rows: &[&Resources], kernel: &Kernel) -> String {
    let range = |values: Vec<u32>| {
        let (low, high) = (values.iter().min().copied(), values.iter().max().copied());
        match (low.unwrap_or(0), high.unwrap_or(0)) {
            (low, high) if low == high => number::count(low.into()),
            (low, high) => {
                format!("{} to {}", number::count(low.into()), number::count(high.into()))
            }
        }
    };
    let registers = range(rows.iter().map(|r| r.registers).collect());
    let shared = range(rows.iter().map(|r| r.shared).collect());
    let stores = range(rows.iter().map(|r| r.spill_stores).collect());
    let loads = range(rows.iter().map(|r| r.spill_loads).collect());
    let spilled = rows.iter().any(|r| r.spill_stores + r.spill_loads > 0);
    let spills = match spilled {
        true => format!("{stores} B of spill stores and {loads} B of spill loads per thread"),
        false => "no spills".to_string(),
    };
    let dynamic = dynamic(kernel);
    let shared = match dynamic.iter().any(|bytes| *bytes > 0) {
        true => format!("{shared} B of static and {} B of dynamic shared memory", range(dynamic)),
        false => format!("{shared} B"),
    };
    format!("{registers} registers per thread, {shared} per block, {spills}")
}

/// The dynamic shared memory of each launch at the page's size.
fn dynamic(kernel: &Kernel) -> Vec<u32> {
    let plan = kernel.file.directives.page.and_then(|n| Plan::new(&kernel.file, n).ok());
    plan.map_or_else(Vec::new, |plan| plan.launches.iter().map(|launch| launch.shared).collect())
}

/// Registers per thread on the architecture that was measured, else on the newest: for the ladder.
pub(crate) fn registers(kernel: &Kernel, recorded: Option<&[Resources]>) -> Option<u32> {
    let compiled = kernel.verdict(BackendName::Nvrtc).map(|v| v.resources.as_slice());
    let rows = recorded.filter(|rows| !rows.is_empty()).or(compiled)?;
    let last = rows.last()?;
    rows.iter().filter(|row| row.arch == last.arch).map(|row| row.registers).max()
}
