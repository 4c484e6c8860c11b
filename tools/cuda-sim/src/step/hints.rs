//! What to write in place of a command, a line or a name that is not understood.

use super::commands::COMMANDS;
use super::session::{Line, Session};
use kernel_file::suggest::{suggestion, suggestion_or_list};

/// Commands of gdb and cuda-gdb that are called otherwise here.
const OF_GDB: [(&[&str], &str); 7] = [
    (&["next", "n", "nexti", "ni"], "`step` goes to the next line of this warp"),
    (&["run", "r"], "`start` goes to the first step, `continue` to the next breakpoint"),
    (&["finish", "fin", "until", "u", "advance"], "set a breakpoint, and `continue` to it"),
    (
        &["backtrace", "bt", "frame", "f", "up", "down"],
        "`where` and `info warps` say where this is",
    ),
    (&["x", "display", "output", "inspect"], "`print NAME[FROM..TO]` shows elements of an array"),
    (&["tbreak", "hbreak", "rwatch", "awatch"], "there are `break` and `watch`"),
    (&["cuda"], "`block N`, `warp N`, `thread N` and `lane N` choose what is shown"),
];

/// The error for a command that there is not.
pub(super) fn no_command(word: &str) -> String {
    let names = COMMANDS.iter().flat_map(|(names, _)| names.iter().copied());
    // `x/4x`, `p/x`: gdb's formats.
    let plain = word.split('/').next().unwrap_or(word);
    let known = OF_GDB.iter().find(|(names, _)| names.contains(&plain));
    let help = match (known, suggestion(word, names.filter(|name| name.len() > 2))) {
        (Some((_, help)), _) => format!("; {help}"),
        (None, _) if word != plain && is_command(plain) => format!("; write `{plain}` alone"),
        (None, near) if near.is_empty() => "; `help` lists them".to_owned(),
        (None, near) => near,
    };
    format!("there is no command `{word}`{help}")
}

fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|(names, _)| names.contains(&word))
}

impl Session<'_> {
    /// The error for a line at which this block has no instruction.
    pub(super) fn no_instruction(&self, at: Line) -> String {
        let lines = self.lines_of(at.file);
        if at.line == 0 || at.line as usize > lines {
            return self.no_line(at);
        }
        let own = (0..self.len()).filter_map(|step| self.line(step));
        let own: Vec<u32> = own.filter(|own| own.file == at.file).map(|own| own.line).collect();
        let near = own.iter().min_by_key(|line| (line.abs_diff(at.line), **line));
        let near = near.map_or_else(String::new, |line| format!("; the nearest is at line {line}"));
        format!("this block has no instruction at {}{near}", self.name(at))
    }

    /// The error for a line that the file does not have.
    pub(super) fn no_line(&self, at: Line) -> String {
        let name = self.recorded.history.sources().name(at.file);
        format!("there is no line {}: `{name}` has {}", at.line, self.lines_of(at.file))
    }

    pub(super) fn lines_of(&self, file: u32) -> usize {
        let files = self.recorded.history.sources().files();
        files.get(file as usize).map_or(0, |(_, text)| text.lines().count())
    }

    /// The error for a word where a line is expected.
    pub(super) fn no_number(&self, word: &str) -> String {
        let here = (0..self.len()).find_map(|step| self.line(step));
        let example = here.map_or("12".to_owned(), |line| self.name(line));
        format!("a line is expected, as `{example}`, and this is `{word}`; `list` shows the source")
    }

    /// The error for a file that is none of the sources.
    pub(super) fn no_file(&self, name: &str) -> String {
        let sources = self.recorded.history.sources();
        let own = (0..self.len()).filter_map(|step| self.line(step)).map(|line| line.file);
        let own: std::collections::BTreeSet<u32> = own.collect();
        let names = own.iter().map(|file| sources.name(*file));
        format!("there is no file `{name}`{}", suggestion_or_list(name, names))
    }

    /// The error for a name that `print` does not know, with or without an index.
    pub(super) fn no_variable(&self, name: &str) -> String {
        let end = name.find(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
        let variable = name[..end.unwrap_or(name.len())].trim();
        if ["threadIdx", "blockIdx", "blockDim", "gridDim"].contains(&variable) {
            return format!(
                "`{variable}` is not recorded: `thread N` and `block N` choose one, and the first line \
                 has the launch"
            );
        }
        if end.is_some() {
            return format!(
                "`{name}` is an expression; `print` shows a variable, or `NAME[INDEX]`"
            );
        }
        let history = &self.recorded.history;
        let names = history.variables().iter().map(|variable| variable.name.as_str());
        let near = suggestion(name, names.filter(|known| *known != name));
        let help = match near.is_empty() {
            true => "; `info locals` and `info shared` list them",
            false => &near,
        };
        format!("no variable `{name}` is in scope here{help}")
    }

    /// An error if nothing has this name: a stop at it would never be met.
    pub(super) fn must_be_known(&self, name: &str) -> Result<(), String> {
        let history = &self.recorded.history;
        let is_variable = || history.variables().iter().any(|variable| variable.name == name);
        if history.arrays(name).next().is_some() || is_variable() {
            return Ok(());
        }
        let names = history.variables().iter().map(|variable| variable.name.as_str());
        Err(format!("nothing is called `{name}` in this block{}", suggestion(name, names)))
    }
}
