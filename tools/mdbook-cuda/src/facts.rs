//! Facts: what is known about a page's kernels, fences, claims and recordings.
//!
//! Plain data. [`crate::gather`] fills it once per page, and the views render it. Nothing here runs
//! anything or knows HTML, so a test can hand the views whatever a back end might report.

mod claim;
mod counted;
mod device;
mod exercise;
mod kernel;
mod question;
mod quiz;
mod recording;
mod roofline;
mod warp;

pub(crate) use claim::JudgedClaim;
pub(crate) use counted::{Counted, is_as_written};
pub(crate) use device::Device;
pub(crate) use exercise::ExerciseFact;
pub(crate) use kernel::{Kernel, distinct};
pub(crate) use question::{PageQuestions, Question};
pub(crate) use quiz::Quiz;
pub(crate) use recording::{Measured, Recording};
pub(crate) use roofline::{Roofline, RooflinePoint};
pub(crate) use warp::{BlockAccess, BlockTrace, WarpAddress, WarpRequest, WarpTrace};

use kernel_file::directive::Role;
use kernel_file::fill::ElementType;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::{Problem, Verdict};
use std::collections::BTreeSet;
use verify::coverage::Row;

/// What the directives of a page need to be known before they are rendered.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Needs {
    /// The kernels beside the page.
    pub(crate) kernels: bool,
    /// The chapter's claims; with `book`, those of every chapter.
    pub(crate) claims: bool,
    /// What the whole book holds.
    pub(crate) book: bool,
    /// The questions of every page.
    pub(crate) questions: bool,
    /// The exercises of the chapter; with `book`, those of every chapter.
    pub(crate) exercises: bool,
    /// The quiz items of the chapter; with `book`, those of every chapter.
    pub(crate) quiz: bool,
    /// The reader's own GPU, while the book is served.
    pub(crate) own_device: bool,
    /// Warps to trace, of the kernels beside the page.
    pub(crate) warps: Vec<WarpRequest>,
    /// Blocks to trace, of the kernels beside the page.
    pub(crate) blocks: Vec<WarpRequest>,
    /// Rooflines: the kernels of each.
    pub(crate) rooflines: Vec<Vec<String>>,
    /// Single kernels of other folders, each with a warp to trace.
    pub(crate) elsewhere: Vec<(String, WarpRequest)>,
}

impl Needs {
    /// The kernels beside the page, and nothing else.
    pub(crate) fn kernels() -> Needs {
        Needs { kernels: true, ..Needs::default() }
    }

    /// Adds what another directive needs.
    pub(crate) fn add(&mut self, other: Needs) {
        self.kernels |= other.kernels;
        self.claims |= other.claims;
        self.book |= other.book;
        self.questions |= other.questions;
        self.exercises |= other.exercises;
        self.quiz |= other.quiz;
        self.own_device |= other.own_device;
        self.warps.extend(other.warps);
        self.blocks.extend(other.blocks);
        self.rooflines.extend(other.rooflines);
        self.elsewhere.extend(other.elsewhere);
    }
}

/// A roofline, or why it cannot be drawn; `None` where none of its kernels was measured.
pub(crate) type RooflineFact = Result<Option<Roofline>, String>;

/// What is known about a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The verdicts on each fence of the page, in the page's order: one verdict per back end, none
    /// for a fence that is ignored or not understood.
    pub(crate) fences: Vec<Vec<Verdict>>,
    /// The kernel files beside the page in reading order; the defective ones are last.
    pub(crate) kernels: Vec<Kernel>,
    /// The names of the chapter's host experiments.
    pub(crate) experiments: Vec<String>,
    /// The chapter's recordings: one per machine, or that of the machine for which the page is
    /// rendered.
    pub(crate) recordings: Vec<Recording>,
    /// The recordings of the other machines, where the page is rendered for one.
    pub(crate) other_recordings: Vec<Recording>,
    /// Results files, claims and lists that cannot be read.
    pub(crate) problems: Vec<Problem>,
    /// The warps that the page's diagrams show.
    pub(crate) warps: Vec<(WarpRequest, Result<WarpTrace, String>)>,
    /// The blocks that the page's diagrams show.
    pub(crate) blocks: Vec<(WarpRequest, Result<BlockTrace, String>)>,
    /// The page's rooflines, by their kernels.
    pub(crate) rooflines: Vec<(Vec<String>, RooflineFact)>,
    /// Kernels of other folders, by folder and path as the page writes them.
    pub(crate) elsewhere: Vec<(String, String, Facts)>,
    /// The questions of the book's pages, for a page that asks or lists them.
    pub(crate) questions: Vec<PageQuestions>,
    /// The chapter's exercises; for a page that lists all exercises, the book's.
    pub(crate) exercises: Vec<ExerciseFact>,
    /// The chapter's quiz items; for a page that lists all of them, the book's.
    pub(crate) quizzes: Vec<Quiz>,
    /// The chapter's claims; for a page that lists all claims, the book's.
    pub(crate) claims: Vec<JudgedClaim>,
    /// What the whole book holds, for a page that shows it.
    pub(crate) book: BookFacts,
}

/// What the whole book holds, for the pages of the appendix.
#[derive(Debug, Clone, Default)]
pub(crate) struct BookFacts {
    /// The rows of the notes.
    pub(crate) rows: Vec<Row>,
    /// The rows that are not treated where they should be.
    pub(crate) missing: Vec<Problem>,
    /// Every recording, by its chapter's folder.
    pub(crate) recordings: Vec<(String, Recording)>,
    /// The reader's GPU, while the book is served.
    pub(crate) own_device: Option<Device>,
}

impl Facts {
    /// The kernel that a page calls `path`.
    pub(crate) fn kernel(&self, path: &str) -> Result<&Kernel, String> {
        self.kernels.iter().find(|kernel| kernel.path == path).ok_or_else(|| {
            let paths = self.kernels.iter().map(|kernel| kernel.path.as_str());
            if self.kernels.is_empty() {
                return format!(
                    "no kernel file `{path}`: there is no `kernels/*.cu` beside this page"
                );
            }
            format!("no kernel file `{path}` beside this page{}", suggestion_or_list(path, paths))
        })
    }

    /// The rungs of the ladder: every kernel that teaches no defect.
    pub(crate) fn rungs(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter().filter(|kernel| kernel.defect().is_none())
    }

    /// The traced warp, where it was requested.
    pub(crate) fn warp(&self, request: &WarpRequest) -> Result<&WarpTrace, String> {
        match self.warps.iter().find(|(traced, _)| traced == request) {
            Some((_, trace)) => trace.as_ref().map_err(Clone::clone),
            None => Err(format!("no warp of `{}` was traced", request.path)),
        }
    }

    /// The traced block, where it was requested.
    pub(crate) fn block(&self, request: &WarpRequest) -> Result<&BlockTrace, String> {
        match self.blocks.iter().find(|(traced, _)| traced == request) {
            Some((_, trace)) => trace.as_ref().map_err(Clone::clone),
            None => Err(format!("no block of `{}` was traced", request.path)),
        }
    }

    /// The rung before this one, whatever it varies, if the two belong to one ladder.
    pub(crate) fn before(&self, kernel: &Kernel) -> Option<&Kernel> {
        let at = self.rungs().position(|rung| rung.path == kernel.path)?;
        self.rungs().nth(at.checked_sub(1)?).filter(|rung| is_of_one_ladder(rung, kernel))
    }

    /// What the recordings of all machines hold of `kernel`, by the name of the GPU.
    pub(crate) fn measured_anywhere<'a>(&'a self, kernel: &Kernel) -> Vec<Measured<'a>> {
        let all = self.recordings.iter().chain(&self.other_recordings);
        let mut found: Vec<_> = all.filter_map(|recording| recording.of(kernel.stem())).collect();
        found.sort_by_key(|measured| measured.recording.gpu());
        found
    }

    /// What each machine's recording holds of `kernel`.
    pub(crate) fn measured<'a>(&'a self, kernel: &'a Kernel) -> impl Iterator<Item = Measured<'a>> {
        self.recordings.iter().filter_map(|recording| recording.of(kernel.stem()))
    }

    /// An error where the chapter has no such experiment.
    pub(crate) fn require_experiment(&self, name: &str) -> Result<(), String> {
        if self.experiments.iter().any(|experiment| experiment == name) {
            return Ok(());
        }
        if self.experiments.is_empty() {
            return Err(format!("no experiment `{name}`: there is no `src/experiments/{name}.rs`"));
        }
        let names = self.experiments.iter().map(String::as_str);
        Err(format!("no experiment `{name}` in this chapter{}", suggestion_or_list(name, names)))
    }
}

/// Whether the counters of two neighbours compare like with like: both have the same arrays, or
/// launch kernels of the same names. Other neighbours begin a new subject.
fn is_of_one_ladder(one: &Kernel, other: &Kernel) -> bool {
    arrays(one) == arrays(other) || launched(one) == launched(other)
}

/// The arrays that are read or compared, by name.
fn arrays(kernel: &Kernel) -> Vec<(&str, ElementType)> {
    let arrays = &kernel.file.directives.arrays;
    let compared = arrays.iter().filter(|array| array.role != Role::Scratch);
    let mut named: Vec<_> = compared.map(|array| (array.name.as_str(), array.element)).collect();
    named.sort_by_key(|(name, _)| *name);
    named
}

/// The names of the kernels that are launched.
fn launched(kernel: &Kernel) -> BTreeSet<&str> {
    kernel.file.directives.launches.iter().map(|launch| launch.kernel.as_str()).collect()
}
