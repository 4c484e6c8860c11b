//! An error at a place in a text, before the text's file is known.

use crate::places::Places;
use crate::verdict::Problem;

/// The most problems that are told of one text.
const MOST_TOLD: usize = 100;

/// What is wrong, and where. A [`Problem`] adds the file and shows the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1; 0 for the whole text.
    pub line: u32,
    /// Column, from 1; 0 for the whole line.
    pub column: u32,
    /// One sentence without a full stop.
    pub message: String,
    /// The words that may stand there, if it is one of a list: for an editor. A page has none.
    #[cfg(not(target_arch = "wasm32"))]
    pub expected: Vec<String>,
}

impl TextError {
    /// An error at a line and column.
    pub fn new((line, column): (u32, u32), message: impl Into<String>) -> TextError {
        TextError {
            line,
            column,
            message: message.into(),
            #[cfg(not(target_arch = "wasm32"))]
            expected: Vec::new(),
        }
    }

    /// The error as a problem of `file`, whose content is `text`.
    pub fn problem(self, file: &str, text: &str, code: &str) -> Problem {
        Problem::new(file, text, (self.line, self.column), code, self.message)
    }

    /// Many of them. Behind the first hundred, one says how many more there are.
    pub fn problems(errors: Vec<TextError>, file: &str, text: &str, code: &str) -> Vec<Problem> {
        let places = Places::new(text);
        let more = errors.len().saturating_sub(MOST_TOLD);
        let told = errors.into_iter().take(MOST_TOLD).map(|error| {
            let line = places.line(error.line);
            Problem::in_line(file, line, (error.line, error.column), code, error.message)
        });
        let mut problems: Vec<Problem> = told.collect();
        if more > 0 {
            let message = format!("{more} more problems in this file");
            problems.push(Problem::new(file, "", (0, 0), code, message));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_problems_the_first_hundred_are_told_and_the_others_counted() {
        let text = "one\ntwo\n".repeat(100);
        let errors = |count: u32| (1..=count).map(|line| TextError::new((line, 2), "no")).collect();
        let told = |count| TextError::problems(errors(count), "a", &text, "x");
        assert_eq!(told(100).len(), 100);
        let all = told(130);
        assert_eq!(all.len(), 101);
        assert_eq!(all[3], Problem::new("a", &text, (4, 2), "x", "no"));
        assert_eq!(all[100].message, "30 more problems in this file");
    }
}
