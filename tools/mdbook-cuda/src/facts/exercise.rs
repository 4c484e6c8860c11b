//! The exercises of a chapter, or of the book.

use kernel_file::{Exercise, Header, Problem};

/// An exercise, or why it cannot be read.
#[derive(Debug, Clone)]
pub(crate) struct ExerciseFact {
    /// Chapter and number: `6.2`.
    pub(crate) number: String,
    /// Its file's name: `2_pad.cu`.
    pub(crate) name: String,
    /// The page of its chapter, from the project's root.
    pub(crate) page: String,
    /// Whether that page shows it.
    pub(crate) is_shown: bool,
    /// The exercise with the headers that it includes.
    pub(crate) read: Result<(Exercise, Vec<Header>), Vec<Problem>>,
}

impl ExerciseFact {
    /// The place in its page.
    pub(crate) fn anchor(&self) -> String {
        format!("exercise-{}", self.number.replace('.', "-"))
    }
}
