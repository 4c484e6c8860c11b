//! The simulator against a recording: every hash must be equal, and nothing may be found.

use crate::recording::{Item, OTHERS, Recorded, Recording, hash, hash_of_lines, lines, text};
use crate::{parallel, simulator};
use std::collections::BTreeSet;

/// Where the simulator and the recording part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The generator no longer makes the program that was recorded.
    Generator,
    /// There is no recorded output.
    NotRecorded(String),
    /// The simulator does not compile it.
    Refused(Vec<String>),
    /// The simulator finds something wrong in it.
    Finding(String),
    /// A line of output: a kernel, or a statement of one. `None`: there is no such line.
    Line {
        /// The kernel's name, with the number of the statement in a trace.
        name: String,
        /// What the GPU computed.
        recorded: Option<String>,
        /// What the simulator computed.
        simulated: Option<String>,
    },
}

/// How many kernels were compared, and all differences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Lines of the recording.
    pub lines: usize,
    /// Every difference, in the order of the recording.
    pub differences: Vec<(Item, Difference)>,
}

/// Runs every program of the recording on the simulator, on this many threads.
pub fn check(recording: &Recording, threads: usize) -> Comparison {
    let found = parallel::map(&recording.programs, threads, |program| compare(recording, program));
    let mut comparison = Comparison::default();
    for (program, differences) in recording.programs.iter().zip(found) {
        comparison.lines += match &program.output {
            Ok(lines) if lines.iter().any(|(name, _)| name == OTHERS) => recording.batch.kernels,
            Ok(lines) => lines.len(),
            Err(_) => 0,
        };
        comparison.differences.extend(differences.into_iter().map(|d| (program.item, d)));
    }
    comparison
}

fn compare(recording: &Recording, program: &Recorded) -> Vec<Difference> {
    let text = text(&recording.batch, program.item, recording.trace);
    if hash(&text) != program.text_hash {
        return vec![Difference::Generator];
    }
    let recorded = match &program.output {
        Ok(lines) => lines,
        Err(problem) => return vec![Difference::NotRecorded(problem.clone())],
    };
    let simulated = match simulator::run(&format!("file {}", program.item), &text) {
        Ok(simulated) => simulated,
        Err(errors) => return vec![Difference::Refused(errors)],
    };
    let mut out: Vec<Difference> =
        simulated.findings.into_iter().map(Difference::Finding).collect();
    let mut simulated = lines(&simulated.output);
    for (name, value) in recorded {
        if name == OTHERS {
            let mine = hash_of_lines(&std::mem::take(&mut simulated));
            simulated.push((OTHERS.to_owned(), mine));
        }
        let mine = simulated.iter().position(|(other, _)| other == name);
        let mine = mine.map(|at| simulated.remove(at).1);
        if mine.as_ref() != Some(value) {
            out.push(Difference::Line {
                name: name.clone(),
                recorded: Some(value.clone()),
                simulated: mine,
            });
        }
    }
    out.extend(simulated.into_iter().map(|(name, value)| Difference::Line {
        name,
        recorded: None,
        simulated: Some(value),
    }));
    out
}

/// The differences that are known: a line each, as [`named`] writes it; comments give the reasons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Known {
    lines: BTreeSet<String>,
}

impl Known {
    /// Reads the list.
    pub fn read(text: &str) -> Known {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Known { lines: lines.map(str::to_owned).collect() }
    }

    /// The differences that are not in the list, and what is in the list and is no difference.
    pub fn compare(&self, comparison: &Comparison) -> (Vec<String>, Vec<String>) {
        let named: Vec<_> =
            comparison.differences.iter().map(|(item, d)| (named(*item, d), item, d)).collect();
        let new = named.iter().filter(|(name, ..)| !self.lines.contains(name));
        let new = new.map(|(_, item, d)| format!("file {item}: {d}")).collect();
        let is_there = |line: &&String| named.iter().any(|(name, ..)| name == *line);
        (new, self.lines.iter().filter(|line| !is_there(line)).cloned().collect())
    }
}

/// The first line of a difference without the hashes: `file 23: c18`.
fn named(item: Item, difference: &Difference) -> String {
    let text = format!("file {item}: {difference}");
    let text = text.split(": recorded ").next().unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        match self {
            Difference::Generator => {
                write!(f, "the generator has changed since the recording: record anew")
            }
            Difference::NotRecorded(why) => write!(f, "nothing was recorded: {why}"),
            Difference::Refused(errors) => {
                write!(f, "the simulator refuses it: {}", errors.join("\n"))
            }
            Difference::Finding(text) => write!(f, "a finding: {text}"),
            Difference::Line { name, recorded, simulated } => {
                write!(f, "{name}: recorded {}, simulated {}", shown(recorded), shown(simulated))
            }
        }
    }
}
