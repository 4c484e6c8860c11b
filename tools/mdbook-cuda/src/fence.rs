//! A `cuda` fence of the prose: its code, and under it whether it keeps its promise.

use crate::facts::CheckedFence;
use crate::html::escape;
use crate::verdicts::Badge;
use crate::{finding, listing};
use verify::fence::Promise;
use verify::verdict::{Problem, Status, Verdict};

/// The fence as the page shows it.
pub(crate) fn html(fence: &CheckedFence) -> String {
    let mut out = format!("<div class=\"cuda-fence\">\n{}", listing::plain(&fence.code));
    if let Promise::Ignore(reason) = &fence.promise {
        out.push_str(&line(&format!("not checked: {}", escape(reason)), &[]));
    } else {
        out.push_str(&line(&promise(&fence.promise), &fence.verdicts));
    }
    let problems = fence.problems();
    if !problems.is_empty() {
        out.push_str(&finding::panel(&problems));
    }
    // What a fence teaches is said in full under it.
    if let Promise::Fault(_) = fence.promise {
        let caught = fence.verdicts.iter().filter(|v| v.status == Status::Passed);
        for finding in finding::distinct(caught.flat_map(Verdict::all_problems)) {
            out.push_str(&finding::terminal(finding));
        }
    }
    out.push_str("</div>\n");
    out
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

impl CheckedFence {
    /// What breaks the promise, told once.
    pub(crate) fn problems(&self) -> Vec<&Problem> {
        let failed = self.verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
        finding::distinct(failed.flat_map(Verdict::all_problems))
    }
}
