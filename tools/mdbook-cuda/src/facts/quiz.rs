//! The quiz items of a chapter.

use verify::quiz::Answered;

/// The items of one chapter, with their answers.
#[derive(Debug, Clone)]
pub(crate) struct Quiz {
    /// The chapter's folder: `ch04-memory`.
    pub(crate) chapter: String,
    /// Its page, from the project's root.
    pub(crate) page: String,
    /// Whether the file could be read. If not, its problems are known.
    pub(crate) is_read: bool,
    /// The items by id, in the order of their file; without an answer where that is a problem.
    /// None if the file cannot be read.
    pub(crate) items: Vec<(String, Option<Answered>)>,
}
