//! Lines and columns of a text by an index, so that thousands of places cost no more than one pass.

use simt::diagnostic::Index;

/// The places of a text. Lines and columns count from 1, columns in characters.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    index: Index,
}

impl<'a> Places<'a> {
    /// Reads the text once.
    pub fn new(text: &'a str) -> Places<'a> {
        Places { text, index: Index::new(text) }
    }

    /// Line and column of a byte; of the end for a byte behind it.
    pub fn of(&self, at: usize) -> (u32, u32) {
        self.index.of(self.text, at)
    }

    /// A line of the text by its number, without its end.
    pub fn line(&self, number: u32) -> Option<&'a str> {
        self.index.line(self.text, number)
    }
}
