//! A program: a source of `include/` with the macros that specialise it.
//!
//! The sources use macros (`THREADS`, `T`) that they do not define. A program defines them before the
//! text, so one file serves every size and type. An `#include` of another file of the folder is
//! expanded here, because NVRTC sees no folder.

use std::fmt::Write;

/// Files that others include.
const HEADERS: [Source; 1] =
    [Source { name: "hopper.cuh", text: include_str!("../../include/hopper.cuh") }];

/// The value of a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A name or an expression.
    Token(&'static str),
    /// A number.
    Number(u32),
}

/// A file of `include/`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source {
    /// For NVRTC's messages.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Source {
    /// Its lines, with those of the files that it includes, each under its own name and number.
    fn write(self, text: &mut String) {
        let name = self.name;
        let _ = writeln!(text, "#line 1 \"{name}\"");
        for (number, line) in self.text.lines().enumerate() {
            let header = HEADERS.iter().find(|h| line == format!("#include \"{}\"", h.name));
            let _ = match header {
                None => writeln!(text, "{line}"),
                Some(header) => {
                    header.write(text);
                    writeln!(text, "#line {} \"{name}\"", number + 2)
                }
            };
        }
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// One kernel of a file, specialised by these macros.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// The kernel's text.
    pub file: Source,
    /// The kernel's name, `extern "C"`.
    pub entry: &'static str,
    /// Macros defined before the text.
    pub constants: Vec<(&'static str, Value)>,
}

impl Program {
    /// The whole text.
    pub fn source(&self) -> String {
        let mut text = String::with_capacity(self.file.text.len() + 256);
        for (name, value) in &self.constants {
            let _ = match value {
                Value::Token(word) => writeln!(text, "#define {name} {word}"),
                Value::Number(number) => writeln!(text, "#define {name} {number}"),
            };
        }
        self.file.write(&mut text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_come_first_and_lines_are_the_files() {
        let file = Source { name: "a.cuh", text: "code\n" };
        let constants = vec![("T", Value::Token("float")), ("THREADS", Value::Number(256))];
        let program = Program { file, entry: "f", constants };
        let source = "#define T float\n#define THREADS 256\n#line 1 \"a.cuh\"\ncode\n";
        assert_eq!(program.source(), source);
    }

    #[test]
    fn an_included_file_stands_in_its_place() {
        let file = Source { name: "a.cuh", text: "before\n#include \"hopper.cuh\"\nafter\n" };
        let source = Program { file, entry: "f", constants: Vec::new() }.source();
        assert!(source.starts_with("#line 1 \"a.cuh\"\nbefore\n#line 1 \"hopper.cuh\"\n"));
        assert!(source.contains("struct __align__(64) TensorMap"));
        assert!(source.ends_with("\n#line 3 \"a.cuh\"\nafter\n"));
    }
}
