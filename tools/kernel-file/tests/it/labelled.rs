//! Recall and precision of the checks, on kernels that are known to be right or wrong.
//!
//! Each file under `labelled/<class>/` is one kernel in the style of the public suites.
//!
//! - A file without `//@ catch` is right: no finding of any class at any size.
//! - A file with `//@ catch CLASS` is wrong: at one of its sizes at least, a warning or an error of
//!   this class is found at a line marked `//~ CLASS`.
//! - A file that includes `twins.cuh` is two kernels, a right one and a wrong one.
//! - `async.cuh` has the instructions of asynchronous copies, for the folder `async`. What is missing
//!   there may be found as a race, or as a wait without end.
//! - A file under `benign-race` writes one value twice: a race by the standard, harmless on
//!   hardware. It has a note of the class `race`, and nothing more severe.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use crate::support::{Case, cases, findings, package, run, settings};
use kernel_file::Header;
use kernel_file::simulator::{Program, Ran};
use simt::{Finding, Model, Outcome, Severity};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const RECALL: f64 = 0.95;
const PRECISION: f64 = 0.99;
/// Labelled kernels of a class, at the least.
const KERNELS: usize = 30;
/// Warp-instructions per run, at most: some of the wrong kernels never end.
const STEPS: u64 = 4_000_000;
/// The folder of the kernels with a note.
const BENIGN: &str = "benign-race";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Right,
    Wrong,
    Benign,
}

/// One version of one file.
struct Labelled<'a> {
    case: &'a Case,
    label: Label,
    headers: Vec<Header>,
}

impl Labelled<'_> {
    fn compile(&self, model: Model, threads: usize) -> Program<'_> {
        self.case.compile(&self.headers, settings(model, threads, STEPS))
    }

    fn place(&self) -> String {
        format!("{}/{} ({:?})", self.case.folder, self.case.file.stem, self.label)
    }
}

/// Every version of every file.
fn labelled(cases: &[Case]) -> Vec<Labelled<'_>> {
    let twins = std::fs::read_to_string(package().join("tests/labelled/twins.cuh")).unwrap();
    let header = |name: &str, text: String| Header {
        name: name.to_owned(),
        relative: name.to_owned(),
        text,
    };
    let instructions = std::fs::read_to_string(package().join("tests/labelled/async.cuh")).unwrap();
    let version = |fixed: bool| {
        let text = if fixed { format!("#define FIXED\n{twins}") } else { twins.clone() };
        vec![header("twins.cuh", text), header("async.cuh", instructions.clone())]
    };
    let mut all = Vec::new();
    for case in cases {
        let wrong = case.file.directives.catches.is_some();
        if case.file.text.contains("#include \"twins.cuh\"") {
            assert!(wrong, "{}: twins need `//@ catch`", case.path.display());
            all.push(Labelled { case, label: Label::Right, headers: version(true) });
            all.push(Labelled { case, label: Label::Wrong, headers: version(false) });
        } else {
            let label = match (wrong, &*case.folder) {
                (true, _) => Label::Wrong,
                (false, BENIGN) => Label::Benign,
                (false, _) => Label::Right,
            };
            all.push(Labelled { case, label, headers: vec![] });
        }
    }
    all
}

/// Whether a finding is the promised one: of the class, and at a marked line.
fn promised(case: &Case, program: &Program, finding: &Finding) -> bool {
    let sources = &program.module.sources;
    let sites = [Some(&finding.first), finding.second.as_ref()];
    let marked = |line: u32| {
        case.file.marks.iter().any(|(l, c)| *l == line && c.name() == finding.class().name())
    };
    finding.severity >= Severity::Warning
        && case.file.directives.catches.is_some_and(|c| c.name() == finding.class().name())
        && sites.into_iter().flatten().any(|site| marked(sources.position(site.span).line))
}

/// What all sizes of one kernel found.
#[derive(Default)]
struct Found {
    /// The promised defect.
    caught: bool,
    /// A note of the class `race`.
    noted: bool,
    /// Everything else that is not a note, rendered.
    alarms: String,
}

impl Found {
    fn add(&mut self, labelled: &Labelled, program: &Program, n: u64, ran: &Ran) {
        for finding in findings(ran) {
            self.caught |= promised(labelled.case, program, finding);
            self.noted |= finding.severity == Severity::Note && finding.class().name() == "race";
            if finding.severity >= Severity::Warning {
                let text = finding.render(&program.module.sources);
                let _ = write!(self.alarms, "n = {n}\n{text}");
            }
        }
        for report in &ran.reports {
            if labelled.label != Label::Wrong && report.outcome != Outcome::Completed {
                let _ = writeln!(self.alarms, "n = {n}: {:?}", report.outcome);
            }
        }
    }
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    caught: usize,
    alarms: usize,
}

impl Score {
    fn recall(&self) -> f64 {
        self.caught as f64 / self.wrong.max(1) as f64
    }

    fn precision(&self) -> f64 {
        self.caught as f64 / (self.caught + self.alarms).max(1) as f64
    }
}

#[test]
fn recall_and_precision() {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut amiss = String::new();
    let cases = cases("labelled");
    for labelled in labelled(&cases) {
        // The findings do not depend on the number of threads.
        let (one, many) = (labelled.compile(Model::Volta, 1), labelled.compile(Model::Volta, 3));
        let mut found = Found::default();
        for n in labelled.case.sizes() {
            let ran = run(&one, n);
            let same = run(&many, n);
            assert!(findings(&ran).eq(findings(&same)), "{}", labelled.place());
            found.add(&labelled, &one, n, &ran);
        }
        let complaint = match labelled.label {
            Label::Wrong if !found.caught => "missed",
            Label::Right if !found.alarms.is_empty() => "false alarm",
            Label::Benign if !found.noted || !found.alarms.is_empty() => "not just a note",
            _ => "",
        };
        if !complaint.is_empty() {
            let _ = writeln!(amiss, "{complaint}: {}\n{}", labelled.place(), found.alarms);
        }
        let score = scores.entry(&labelled.case.folder).or_default();
        match labelled.label {
            Label::Wrong => {
                score.wrong += 1;
                score.caught += usize::from(found.caught);
            }
            Label::Right => {
                score.right += 1;
                score.alarms += usize::from(!found.alarms.is_empty());
            }
            Label::Benign => assert!(complaint.is_empty(), "{amiss}"),
        }
    }
    println!("{amiss}");
    println!("class           right  wrong  caught  false alarms  recall  precision");
    scores.remove(BENIGN);
    for (class, s) in &scores {
        println!(
            "{class:<15} {:>5}  {:>5}  {:>6}  {:>12}  {:>5.1} %  {:>7.1} %",
            s.right,
            s.wrong,
            s.caught,
            s.alarms,
            s.recall() * 100.0,
            s.precision() * 100.0
        );
        assert!(s.right + s.wrong >= KERNELS, "{class}: {} kernels", s.right + s.wrong);
        assert!(s.right >= KERNELS / 2 && s.wrong >= KERNELS / 2, "{class}: half and half");
        assert!(s.recall() >= RECALL, "{class}: recall {}\n{amiss}", s.recall());
        assert!(s.precision() >= PRECISION, "{class}: precision {}\n{amiss}", s.precision());
    }
    assert_eq!(scores.len(), 8, "a class is missing");
}

/// What is right is right under any schedule, and what is wrong stays wrong.
#[test]
#[cfg_attr(
    target_arch = "wasm32",
    ignore = "half a minute in one thread; natively it runs in every push"
)]
fn the_schedule_does_not_matter() {
    let mut amiss = String::new();
    let cases = cases("labelled");
    for labelled in labelled(&cases) {
        for seed in 0..4 {
            let program = labelled.compile(Model::Adversarial(seed), 1);
            let mut worst = None;
            for n in labelled.case.sizes() {
                worst = worst.max(findings(&run(&program, n)).map(|f| f.severity).max());
            }
            if (worst >= Some(Severity::Warning)) != (labelled.label == Label::Wrong) {
                let _ = writeln!(amiss, "{}, seed {seed}: {worst:?}", labelled.place());
            }
        }
    }
    assert!(amiss.is_empty(), "{amiss}");
}
