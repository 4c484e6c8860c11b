//! An error at a place in a text, before the text's file is known.

use crate::verdict::Problem;

/// What is wrong, and where. A [`Problem`] adds the file and shows the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1; 0 for the whole text.
    pub line: u32,
    /// Column, from 1; 0 for the whole line.
    pub column: u32,
    /// One sentence without a full stop.
    pub message: String,
}

impl TextError {
    /// An error at a line and column.
    pub fn new((line, column): (u32, u32), message: impl Into<String>) -> TextError {
        TextError { line, column, message: message.into() }
    }

    /// The error as a problem of `file`, whose content is `text`.
    pub fn problem(self, file: &str, text: &str, code: &str) -> Problem {
        Problem::new(file, text, (self.line, self.column), code, self.message)
    }
}
