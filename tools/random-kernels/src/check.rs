//! The simulator against a recording: every hash must be equal, and nothing may be found.

use crate::recording::{Item, Recorded, Recording, hash, lines, text};
use crate::{parallel, simulator};

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
        comparison.lines += program.output.as_ref().map_or(0, Vec::len);
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
