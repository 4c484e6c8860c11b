//! A `cuda` fence of the prose: its code, its promise, and the verdicts.

use super::part::badge::Badge;
use super::part::html::escape;
use super::part::{lab, listing, problem};
use crate::facts::distinct;
use kernel_file::token::tokens;
use kernel_file::verdict::{Status, Verdict};
use verify::fence::{Fence, Promise};

/// The fence as the page shows it, with one verdict per back end; none where it is ignored.
pub(crate) fn html(fence: &Fence, verdicts: &[Verdict]) -> String {
    if fence.is_program() {
        return program(fence, verdicts);
    }
    if fence.promise == Promise::Run
        && let Ok(file) = fence.kernel_file()
    {
        return kernel(fence, file.directives.page, verdicts);
    }
    let mut out = format!("<div class=\"cuda-fence\">\n{}", listing::plain(&fence.code));
    if let Promise::Ignore(reason) = &fence.promise {
        out.push_str(&line(&format!("not checked: {}", escape(reason)), &[]));
    } else {
        out.push_str(&line(&promise(&fence.promise), verdicts));
    }
    let failed = verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
    let problems = distinct(failed.flat_map(Verdict::all_problems));
    if !problems.is_empty() {
        out.push_str(&problem::panel(&problems));
    }
    // The finding that a fence teaches follows in full.
    if let Promise::Fault(_) = fence.promise {
        let caught = verdicts.iter().filter(|v| v.status == Status::Passed);
        for finding in distinct(caught.flat_map(Verdict::all_problems)) {
            out.push_str(&problem::terminal(finding));
        }
    }
    out.push_str("</div>\n");
    out
}

/// A kernel file: a figure that the lab can run and step through.
fn kernel(fence: &Fence, page: Option<u64>, verdicts: &[Verdict]) -> String {
    let name = program_name(&fence.code);
    let mut out = figure("fence", &name, &fence.code);
    out.push_str(&line(&promise(&fence.promise), verdicts));
    let failed = verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
    let problems = distinct(failed.flat_map(Verdict::all_problems));
    if !problems.is_empty() {
        out.push_str(&problem::panel(&problems));
    }
    // Two pages may have a kernel of this name; the lab keeps the edits of each.
    let file = std::path::Path::new(&fence.file).with_file_name(format!("{name}.cu"));
    out.push_str(&lab::fence(&file.to_string_lossy().replace('\\', "/"), &fence.code, page));
    out.push_str("</figure>\n");
    out
}

/// The opening of a figure, and its listing.
fn figure(kind: &str, name: &str, code: &str) -> String {
    format!(
        "<figure class=\"cuda-kernel\" id=\"{kind}-{name}\">\n<figcaption class=\"cuda-title\">\
         <code>{name}.cu</code></figcaption>\n{}",
        listing::html(code, 1, &[])
    )
}

/// A complete program: a figure that the lab can run, and what it printed.
fn program(fence: &Fence, verdicts: &[Verdict]) -> String {
    let name = program_name(&fence.code);
    let mut out = figure("program", &name, &fence.code);
    let sim: Vec<Verdict> =
        verdicts.iter().filter(|v| v.status != Status::Skipped).cloned().collect();
    out.push_str(&line("a complete program; it ends with exit code 0", &sim));
    for verdict in &sim {
        let problems: Vec<_> = verdict.all_problems().collect();
        if !problems.is_empty() {
            out.push_str(&problem::panel(&problems));
        } else if !verdict.reason.is_empty() {
            let printed = escape(verdict.reason.trim_end());
            out.push_str(&format!(
                "<p class=\"cuda-caption\">It prints:</p>\n<pre class=\"cuda-terminal\"><samp>{printed}</samp></pre>\n"
            ));
        }
    }
    out.push_str(&lab::program(&format!("{name}.cu"), &fence.code));
    out.push_str("</figure>\n");
    out
}

/// The name of the program's first kernel, which names its figure.
fn program_name(code: &str) -> String {
    let all = tokens(code);
    let kernel = all.iter().position(|t| t.text == "__global__");
    let name =
        kernel.and_then(|at| all[at..].iter().position(|t| t.text == "(").map(|p| at + p - 1));
    name.map_or("main", |at| all[at].text).to_owned()
}

fn line(promise: &str, verdicts: &[Verdict]) -> String {
    let badges: Vec<String> = verdicts
        .iter()
        .map(|verdict| {
            let badge = Badge::of(verdict, false).html(verdict.backend.word());
            let reason = match verdict.status {
                Status::Skipped => format!(" <small>{}</small>", escape(&verdict.reason)),
                _ => String::new(),
            };
            format!("{badge}{reason}")
        })
        .collect();
    format!("<p class=\"cuda-promise\">{promise} {}</p>\n", badges.join(" "))
}

fn promise(promise: &Promise) -> String {
    match promise {
        Promise::Compile => "compiles".to_string(),
        Promise::Refuse => "must not compile".to_string(),
        Promise::Run => "runs, and gives what it promises".to_string(),
        Promise::Fault(class) => format!("must be caught for a finding of class {}", class.name()),
        Promise::Ignore(reason) => escape(reason),
    }
}
