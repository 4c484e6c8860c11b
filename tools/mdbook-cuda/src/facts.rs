//! What is known about a chapter's kernels, gathered once for its page.
//!
//! The renderers see only these values. They neither run nor read anything, so a test can hand them
//! whatever a back end might say.

use crate::claims::JudgedClaim;
use crate::device::Device;
use crate::finding;
use crate::picture::{Material, Picture};
use crate::question::Asking;
use verify::Point;
use verify::coverage::Row;
use verify::fence::Promise;
use verify::results::{KernelResult, Results};
use verify::verdict::{BackendName, Problem, Status, Verdict};

/// A page's kernels, verdicts, fences and recordings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// Its `cuda` fences.
    pub(crate) fences: Vec<CheckedFence>,
    /// What is wrong with its fences before any of them is checked.
    pub(crate) fence_problems: Vec<Problem>,
    /// Its kernel files in reading order; the defective ones are last.
    pub(crate) kernels: Vec<Kernel>,
    /// Its host experiments, by name.
    pub(crate) experiments: Vec<String>,
    /// What was recorded, one entry a machine, by the results file's stem.
    pub(crate) recordings: Vec<Recording>,
    /// Results files, claims and lists that cannot be read.
    pub(crate) problems: Vec<Problem>,
    /// What the pictures of the page are drawn from.
    pub(crate) pictures: Vec<(Picture, Result<Material, String>)>,
    /// What is known of a kernel that is shown at a glance, by the folder and the path that the page
    /// writes.
    pub(crate) glances: Vec<(String, String, Facts)>,
    /// What the book's pages ask, for a page that asks or lists it.
    pub(crate) asking: Vec<Asking>,
    /// The chapter's claims; for a page that lists them, the book's.
    pub(crate) claims: Vec<JudgedClaim>,
    /// What the whole book holds, for a page that asks for it.
    pub(crate) book: BookFacts,
}

/// What the whole book holds, for the pages of the appendix.
#[derive(Debug, Clone, Default)]
pub(crate) struct BookFacts {
    /// The rows of the notes.
    pub(crate) rows: Vec<Row>,
    /// The rows that are not treated where they should be.
    pub(crate) missing: Vec<Problem>,
    /// Every recording, by chapter's folder.
    pub(crate) recordings: Vec<(String, Recording)>,
    /// The reader's GPU, while the book is served.
    pub(crate) own: Option<Device>,
}

/// One kernel file and what every back end says of it.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    /// Path as the page writes it: `kernels/1_neighbored.cu`.
    pub(crate) path: String,
    /// Path relative to the project's root, as problems name it.
    pub(crate) relative: String,
    /// `1_neighbored`.
    pub(crate) stem: String,
    /// All of the file.
    pub(crate) text: String,
    /// What it includes: name and text of each.
    pub(crate) headers: Vec<(String, String)>,
    /// The size of the page.
    pub(crate) page: Option<u64>,
    /// The essay, Markdown.
    pub(crate) essay: String,
    /// The directive lines as they stand in the file.
    pub(crate) directives: String,
    /// The source below them.
    pub(crate) code: String,
    /// The file's line on which `code` starts, from 1.
    pub(crate) code_line: u32,
    /// What a defective kernel must be caught for.
    pub(crate) catch: Option<String>,
    /// Its points, where it varies something; else none.
    pub(crate) points: Vec<Point>,
    /// One verdict a back end, in their order.
    pub(crate) verdicts: Vec<Verdict>,
}

/// A fence of the page, and what the back ends say of it.
#[derive(Debug, Clone)]
pub(crate) struct CheckedFence {
    /// Line of its opening, from 1.
    pub(crate) line: u32,
    /// What it holds.
    pub(crate) code: String,
    /// What it promises.
    pub(crate) promise: Promise,
    /// One verdict a back end that was asked; none where it is ignored.
    pub(crate) verdicts: Vec<Verdict>,
}

/// One machine's results.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    /// The file, relative to the project's root.
    pub(crate) file: String,
    /// What it holds.
    pub(crate) results: Results,
    /// Stems whose source has changed since they were measured.
    pub(crate) stale: Vec<String>,
    /// Experiments whose source has.
    pub(crate) stale_experiments: Vec<String>,
}

/// What a recording says of one kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) result: &'a KernelResult,
    pub(crate) stale: bool,
}

impl Facts {
    /// The rungs of the ladder: every kernel that teaches no defect.
    pub(crate) fn rungs(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter().filter(|kernel| kernel.catch.is_none())
    }

    /// The rung before this one, with which its counters are compared.
    pub(crate) fn previous(&self, kernel: &Kernel) -> Option<&Kernel> {
        if kernel.catch.is_some() {
            return None;
        }
        let at = self.rungs().position(|rung| rung.path == kernel.path)?;
        // The counters of one point among several stand for nothing.
        self.rungs().nth(at.checked_sub(1)?).filter(|rung| rung.points.is_empty())
    }

    /// What a picture is drawn from, where that had to be found out.
    pub(crate) fn material(&self, picture: &Picture) -> Option<Result<&Material, String>> {
        let (_, found) = self.pictures.iter().find(|(known, _)| known == picture)?;
        Some(found.as_ref().map_err(Clone::clone))
    }

    /// What each machine's recording says of `kernel`.
    pub(crate) fn measured<'a>(&'a self, kernel: &'a Kernel) -> impl Iterator<Item = Measured<'a>> {
        self.recordings.iter().filter_map(|recording| recording.of(&kernel.stem))
    }
}

impl Recording {
    /// What it says of the kernel with this stem.
    pub(crate) fn of(&self, stem: &str) -> Option<Measured<'_>> {
        let result = self.results.kernels.get(stem)?;
        Some(Measured { recording: self, result, stale: self.stale.iter().any(|s| s == stem) })
    }

    /// `H200`: the maker's name says nothing on a page where all are NVIDIA's.
    pub(crate) fn gpu(&self) -> &str {
        let gpu = self.results.machine.gpu.as_str();
        gpu.strip_prefix("NVIDIA ").unwrap_or(gpu)
    }
}

impl Kernel {
    /// `1_neighbored.cu`.
    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The stem as a label: `1 neighbored`.
    pub(crate) fn label(&self) -> String {
        self.stem.replace('_', " ")
    }

    /// Whether the file asks to be timed.
    pub(crate) fn is_timed(&self) -> bool {
        self.directives.lines().any(|line| line.trim_start().starts_with("//@ measure"))
    }

    /// What this back end says.
    pub(crate) fn verdict(&self, backend: BackendName) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.backend == backend)
    }

    /// The simulator's counters at the page's size; of several points, at the first.
    pub(crate) fn counters(&self) -> &[verify::verdict::Counter] {
        match self.points.first() {
            Some(point) => self.counters_at(point),
            None => self.page_run().map_or(&[], |run| &run.counters),
        }
    }

    /// The size that the simulator's counters belong to.
    pub(crate) fn page_size(&self) -> Option<u64> {
        self.page_run().map(|run| run.n)
    }

    /// The simulator's counters at a point, at the page's size; none where it counted nothing.
    pub(crate) fn counters_at(&self, point: &Point) -> &[verify::verdict::Counter] {
        let runs = self.verdict(BackendName::Sim).map_or(&[][..], |verdict| &verdict.runs);
        let found = runs.iter().rev().find(|r| r.point == *point && !r.counters.is_empty());
        found.map_or(&[], |run| &run.counters)
    }

    /// The one point that a choice names; the empty one where nothing varies.
    pub(crate) fn choose(&self, choice: &[(String, f64)]) -> Result<Point, String> {
        if self.points.is_empty() && choice.is_empty() {
            return Ok(Point::default());
        }
        let is = |point: &Point, name: &str, value: f64| {
            point.get(name).is_some_and(|v| (v as f64 - value).abs() < 0.5)
        };
        let fits = |point: &&Point| choice.iter().all(|(name, value)| is(point, name, *value));
        let found: Vec<&Point> = self.points.iter().filter(fits).collect();
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            _ if self.points.is_empty() => Err(format!("`{}` has no variables", self.path)),
            several => {
                let known: Vec<String> = self.points.iter().map(|p| format!("`{p}`")).collect();
                let what =
                    if several.is_empty() { "has no such point" } else { "has several points" };
                Err(format!("`{}` {what}: choose one of {}", self.path, known.join(", ")))
            }
        }
    }

    fn page_run(&self) -> Option<&verify::verdict::SizeRun> {
        self.verdict(BackendName::Sim)?.runs.iter().rev().find(|run| !run.counters.is_empty())
    }

    /// Everything that a back end holds against it. A defect that was caught is not held against it.
    ///
    /// Several sizes and back ends often say the same; it is told once.
    pub(crate) fn failures(&self) -> Vec<&Problem> {
        let failed = self.verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
        finding::distinct(failed.flat_map(Verdict::all_problems))
    }

    /// What the simulator found in a defective kernel.
    pub(crate) fn findings(&self) -> Vec<&Problem> {
        finding::distinct(
            self.verdict(BackendName::Sim).into_iter().flat_map(Verdict::all_problems),
        )
    }
}
