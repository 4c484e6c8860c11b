//! The questions that a page asks its reader.

/// The questions of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageQuestions {
    /// The page's file, from the project's root.
    pub(crate) file: String,
    /// The same from the book's source folder: part of the key under which answers are kept.
    pub(crate) source: String,
    /// The page's name in the book.
    pub(crate) title: String,
    /// In the page's order.
    pub(crate) questions: Vec<Question>,
    /// Whether the page lists all questions of the book.
    pub(crate) lists: bool,
}

/// One question: a paragraph that holds `{{#question ID}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its name.
    pub(crate) id: String,
    /// Whether it is a prediction, written as a quotation; else it is an exercise.
    pub(crate) predicts: bool,
    /// Its paragraph as Markdown. A directive is replaced by what it shows, if that is known.
    pub(crate) markdown: String,
}

impl Question {
    /// Its kind, as the scripts name it.
    pub(crate) fn kind(&self) -> &'static str {
        if self.predicts { "prediction" } else { "exercise" }
    }
}
