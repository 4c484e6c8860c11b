//! Quiz items: multiple choice whose right answer is computed, never typed.
//!
//! A chapter's `quiz.toml` has questions of three kinds. The answer is a number, read from the
//! simulator's counters; or what a checked run of a kernel reports, perhaps of an edited one; or which
//! of several runs has the most or the least of something. The wrong options of a number are computed
//! as well. So an item cannot contradict its kernels: if they change, its answer changes, or the check
//! says which rule it breaks.
//!
//! ```text
//! quiz (here)   an item, as its file says it
//! parse         reads `quiz.toml`
//! quantity      the formula of a number
//! run           runs the kernels of an item, edited where it says so
//! answer        the options with their texts and their order, and which one is right
//! placed        each item is asked once in the pages of its chapter
//! ```

mod answer;
mod outcome;
mod parse;
mod placed;
mod quantity;
mod run;

pub use answer::{Answered, Choice, Listing};
pub use outcome::Outcome;
pub use parse::{parse, read};
pub use placed::misplaced;
pub use quantity::Quantity;

use crate::claims::{FileName, Read};
use crate::toml_file::At;
use kernel_file::words;

/// The file of a chapter's items.
pub const FILE: &str = "quiz.toml";

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its name in the chapter.
    pub id: String,
    /// The chapter's folder.
    pub chapter: String,
    /// The file that holds it, relative to the project's root, and its line.
    pub place: (String, u32),
    /// The question, Markdown.
    pub ask: String,
    /// What is asked.
    pub question: Question,
    /// The kernel that it is about, if it names one.
    pub(crate) subject: Option<Subject>,
    /// The lines of the kernel to show.
    pub(crate) show: Option<Show>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// A number.
    Number(Number),
    /// What a checked run reports.
    Outcome(Outcomes),
    /// Which of several has the most or the least.
    Extreme(Extreme),
}

/// A question about a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The numbers by name, in the order of the file.
    pub(crate) reads: Vec<(String, At, Read)>,
    pub(crate) right: Placed<Quantity>,
    pub(crate) unit: String,
    pub(crate) because: String,
    pub(crate) wrong: Vec<(Placed<Quantity>, String)>,
}

/// A question about what a run reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    pub(crate) because: String,
    pub(crate) wrong: Vec<(Placed<Outcome>, String)>,
}

/// A question about the most or the least.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// Whether it asks for the most.
    pub(crate) most: bool,
    pub(crate) of: Placed<Quantity>,
    pub(crate) among: Vec<Entry>,
}

/// One of those among which the most or the least is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) subject: Subject,
    pub(crate) says: String,
    pub(crate) because: String,
}

/// A kernel file to run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Subject {
    pub(crate) file: Placed<FileName>,
    pub(crate) edits: Vec<Edit>,
    /// The size; the page's if there is none.
    pub(crate) n: Option<u64>,
    /// The point of a file that varies.
    pub(crate) point: words::Choice,
}

/// A replacement in a kernel's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) find: Placed<String>,
    pub(crate) replace: String,
}

/// The lines of a listing to show: from one that holds a text to the next that holds another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Show {
    pub(crate) from: Placed<String>,
    pub(crate) to: Placed<String>,
}

/// A part of an item and where its file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed<T> {
    pub(crate) at: At,
    pub(crate) value: T,
}
