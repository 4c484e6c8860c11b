//! What a checked run of a kernel reports, as a question about it names it.

use kernel_file::directive::Defect;
use kernel_file::verdict::{Problem, Verdict};

/// What a checked run reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the results are right.
    Passes,
    /// A finding of this class, or a wrong result.
    Defect(Defect),
    /// The text is not CUDA C++.
    NotCompiled,
    /// The launch is refused.
    NotLaunched,
    /// It runs for ever.
    Endless,
}

/// Problems that say nothing about the kernel: the simulator, or the file, is not up to it.
const NO_ANSWER: [&str; 8] = [
    "unsupported",
    "reference",
    "directive",
    "internal",
    "file",
    "memory",
    "limit",
    crate::worker::DIED,
];

impl Outcome {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Outcome> + Clone {
        let others = [Outcome::NotCompiled, Outcome::NotLaunched, Outcome::Endless];
        [Outcome::Passes].into_iter().chain(Defect::all().map(Outcome::Defect)).chain(others)
    }

    /// As `quiz.toml` spells it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Passes => "passes",
            Outcome::Defect(Defect::WrongResult) => "wrong result",
            Outcome::Defect(defect) => defect.name(),
            Outcome::NotCompiled => "does not compile",
            Outcome::NotLaunched => "launch fails",
            Outcome::Endless => "does not end",
        }
    }

    /// As a reader sees it, Markdown.
    pub fn text(self) -> String {
        match self {
            Outcome::Passes => "It passes.".to_owned(),
            Outcome::Defect(Defect::WrongResult) => "No finding, but a wrong result.".to_owned(),
            Outcome::Defect(defect) => format!("A finding: `{}`.", defect.name()),
            Outcome::NotCompiled => "It does not compile.".to_owned(),
            Outcome::NotLaunched => "The launch fails.".to_owned(),
            Outcome::Endless => "It does not end.".to_owned(),
        }
    }

    /// What the verdict says.
    ///
    /// # Errors
    /// If it says nothing about the kernel.
    pub(crate) fn of(verdict: &Verdict) -> Result<Outcome, String> {
        if let Some(problem) = verdict.all_problems().find(|p| NO_ANSWER.contains(&p.code.as_str()))
        {
            return Err(format!("the simulator cannot say: {}", problem.message));
        }
        let Some(run) = verdict.runs.last() else {
            return match verdict.problems.first() {
                Some(_) => Ok(Outcome::NotCompiled),
                None => Err(format!("it was not run: {}", verdict.reason)),
            };
        };
        let Some(first) = run.problems.first() else { return Ok(Outcome::Passes) };
        let defect = |problem: &Problem| Defect::all().find(|d| d.name() == problem.code);
        match (run.problems.iter().find_map(defect), first.code.as_str()) {
            (Some(defect), _) => Ok(Outcome::Defect(defect)),
            (None, "launch") => Ok(Outcome::NotLaunched),
            (None, "endless" | "steps") => Ok(Outcome::Endless),
            _ => Err(format!("no option stands for what it reports: {}", first.message)),
        }
    }
}
