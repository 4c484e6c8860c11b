//! A source with its constants: what is compiled.
//!
//! The sources are files of `include/`, written against constants (`THREADS`, `T`) that they do not
//! define. A program defines them before the text, so one file gives every size and type.

use std::fmt::Write;

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Text.
    Word(&'static str),
    /// A number.
    Number(u32),
}

/// A file of `include/`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source {
    /// For NVRTC's messages.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What is compiled: one kernel of a file, for these constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// The kernel's text.
    pub file: Source,
    /// The kernel's name, `extern "C"`.
    pub entry: &'static str,
    /// What is defined before the text.
    pub constants: Vec<(&'static str, Value)>,
}

impl Program {
    /// The whole text.
    pub fn source(&self) -> String {
        let mut text = String::with_capacity(self.file.text.len() + 256);
        for (name, value) in &self.constants {
            let _ = match value {
                Value::Word(word) => writeln!(text, "#define {name} {word}"),
                Value::Number(number) => writeln!(text, "#define {name} {number}"),
            };
        }
        let _ = writeln!(text, "#line 1 \"{}\"", self.file.name);
        text.push_str(self.file.text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_come_first_and_lines_are_the_files() {
        let file = Source { name: "a.cuh", text: "code\n" };
        let constants = vec![("T", Value::Word("float")), ("THREADS", Value::Number(256))];
        let program = Program { file, entry: "f", constants };
        let source = "#define T float\n#define THREADS 256\n#line 1 \"a.cuh\"\ncode\n";
        assert_eq!(program.source(), source);
    }
}
