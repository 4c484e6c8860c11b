//! The quiz items of a chapter.

use verify::quiz::Answered;

/// The items of one chapter, with their answers.
#[derive(Debug, Clone)]
pub(crate) struct Quiz {
    /// The chapter's folder: `ch04-memory`.
    pub(crate) chapter: String,
    /// Its page, from the project's root.
    pub(crate) page: String,
    /// The items by id, in the order of their file; without an answer where that is a problem.
    pub(crate) items: Vec<(String, Option<Answered>)>,
}
