//! Badges: a verdict in one coloured word.
//!
//! Colour alone does not reach every reader, so each badge carries its word.

use super::html::escape;
use crate::facts::{JudgedClaim, Kernel};
use kernel_file::verdict::{BackendName, Status, Verdict};
use verify::claims::{Judgement, Outcome, State};

/// What a badge can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Badge {
    Passed,
    Caught,
    Failed,
    Skipped,
    Absent,
    Stale,
    NotMeasured,
    NotCounted,
    /// The outcome of a claim.
    Claim(Outcome),
    /// A claim that rests on a printed text.
    Quoted,
    /// A claim that the data contradict.
    Contradicted,
}

impl Badge {
    /// The badge of a verdict. An absent back end has no identity.
    pub(crate) fn of(verdict: &Verdict, defect: bool) -> Badge {
        match verdict.status {
            Status::Passed if defect && verdict.backend == BackendName::Sim => Badge::Caught,
            Status::Passed => Badge::Passed,
            Status::Failed => Badge::Failed,
            Status::Skipped if verdict.identity.is_empty() => Badge::Absent,
            Status::Skipped => Badge::Skipped,
        }
    }

    /// Its class, its sign and its word.
    fn parts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Badge::Passed => ("passed", "✓", "passed"),
            Badge::Caught => ("passed", "✓", "caught"),
            Badge::Failed => ("failed", "✗", "failed"),
            Badge::Skipped => ("skipped", "○", "skipped"),
            Badge::Absent => ("absent", "–", "absent"),
            Badge::Stale => ("stale", "↻", "stale"),
            Badge::NotMeasured => ("absent", "–", "not measured"),
            Badge::NotCounted => ("absent", "–", "not counted"),
            Badge::Claim(Outcome::Holds) => ("passed", "✓", "holds"),
            Badge::Claim(Outcome::Refuted) => ("failed", "✗", "refuted"),
            Badge::Claim(Outcome::Depends) => ("skipped", "±", "depends"),
            Badge::Quoted => ("absent", "“", "quoted"),
            Badge::Contradicted => ("failed", "✗", "the data say otherwise"),
        }
    }

    /// The badge, after a prefix where given: `sim ✓ passed`.
    pub(crate) fn html(self, prefix: &str) -> String {
        let (class, sign, word) = self.parts();
        let prefix = match prefix {
            "" => String::new(),
            who => format!("<span class=\"cuda-who\">{}</span> ", escape(who)),
        };
        format!(
            "<span class=\"cuda-badge cuda-{class}\">{prefix}\
             <span aria-hidden=\"true\">{sign}</span> {word}</span>"
        )
    }
}

/// The badges of a kernel, one per back end, in a row.
pub(crate) fn badges(kernel: &Kernel) -> String {
    let badges = kernel
        .verdicts
        .iter()
        .map(|verdict| Badge::of(verdict, kernel.defect().is_some()).html(verdict.backend.word()));
    format!("<span class=\"cuda-badges\">{}</span>", badges.collect::<Vec<_>>().join(" "))
}

/// The outcome of a claim, and beside it what keeps it from being proven.
pub(crate) fn of_claim(judged: &JudgedClaim) -> String {
    let verdict = judged.claim.verdict;
    let agree = judged.judgements.iter().all(|judgement| judgement.verdict == verdict);
    let on =
        |judgement: &Judgement| judgement.machine.as_deref().map(short_name).unwrap_or_default();
    let mut badges: Vec<String> = match agree {
        true => vec![Badge::Claim(verdict).html("")],
        false => {
            let each = judged.judgements.iter();
            each.map(|j| Badge::Claim(j.verdict).html(&on(j))).collect()
        }
    };
    for judgement in &judged.judgements {
        let badge = match judgement.state {
            State::Confirmed => continue,
            State::Quoted => Badge::Quoted,
            State::Contradicted(_) => Badge::Contradicted,
            State::NotMeasured(_) => Badge::NotMeasured,
            State::Stale(_) => Badge::Stale,
        };
        let html = badge.html("");
        if !badges.contains(&html) {
            badges.push(html);
        }
    }
    badges.join(" ")
}

/// `H200` for `NVIDIA H200`, `H100` for `NVIDIA H100 80GB HBM3`.
fn short_name(gpu: &str) -> String {
    let name = gpu.strip_prefix("NVIDIA ").unwrap_or(gpu);
    name.split(' ').next().unwrap_or(name).to_owned()
}

/// The machines on which a claim was tested: `Tested on H200 and H100.`
pub(crate) fn tested_on(judged: &JudgedClaim) -> String {
    let tested = judged.judgements.iter().filter(|judgement| judgement.state == State::Confirmed);
    let names: Vec<String> =
        tested.filter_map(|j| Some(short_name(j.machine.as_deref()?))).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("Tested on one machine: {}.", escape(one)),
        [names @ .., last] => {
            format!("Tested on {} and {}.", escape(&names.join(", ")), escape(last))
        }
    }
}

/// After a number: a blank and the badge, where the number is stale.
pub(crate) fn if_stale(is_stale: bool) -> String {
    if is_stale { format!(" {}", Badge::Stale.html("")) } else { String::new() }
}

/// In a caption: the badge and what it means, where a recording is stale.
pub(crate) fn stale_note(is_stale: bool) -> String {
    match is_stale {
        true => format!(" {} The source has changed since.", Badge::Stale.html("")),
        false => String::new(),
    }
}
