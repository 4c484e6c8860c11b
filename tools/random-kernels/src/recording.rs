//! What a GPU computed: a text file, which names the device, the compiler, and each program by the hash
//! of its text. If the generator changes, the hashes do too, and the recording must be made anew.

use crate::generate::{Batch, Kind};
use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// One program of a batch: a file of kernels, or one kernel of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The file's number.
    pub file: usize,
    /// The kernel's number, if it is alone.
    pub only: Option<usize>,
}

/// The name of the line that stands for all lines of a program that are not in the recording.
pub const OTHERS: &str = "others";

/// What a GPU computed for some programs of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What the programs are generated from.
    pub batch: Batch,
    /// Whether the programs say what each statement gave.
    pub trace: bool,
    /// The GPU's name.
    pub device: String,
    /// The compiler's name and version.
    pub compiler: String,
    /// The programs that were run.
    pub programs: Vec<Recorded>,
}

/// One program and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Which program.
    pub item: Item,
    /// The beginning of the SHA-256 of its text.
    pub text_hash: String,
    /// A line per kernel, its name and its hash; or why there is none.
    pub output: Result<Vec<(String, String)>, String>,
}

/// The text of a program, as it is compiled.
pub(crate) fn text(batch: &Batch, item: Item, trace: bool) -> String {
    let define = if trace { "#define TRACE\n" } else { "" };
    format!("{define}{}", batch.program(item.file, item.only))
}

/// The beginning of the SHA-256 of a text, in hexadecimal.
pub(crate) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// One hash of lines.
pub(crate) fn hash_of_lines(lines: &[(String, String)]) -> String {
    hash(&lines.iter().map(|(name, value)| format!("{name} {value}\n")).collect::<String>())
}

/// The lines that a program printed.
pub(crate) fn lines(output: &str) -> Vec<(String, String)> {
    output
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

impl Recording {
    /// The file's text.
    pub fn write(&self) -> String {
        let Batch { kind, seed, kernels } = self.batch;
        let kind = match kind {
            Kind::Kernels => String::new(),
            kind => format!("kind {}\n", kind.name()),
        };
        let mut out = format!(
            "{kind}seed {seed}\nkernels {kernels}\ntrace {}\ndevice {}\ncompiler {}\n",
            self.trace, self.device, self.compiler
        );
        for program in &self.programs {
            let _ = writeln!(out, "file {} {}", program.item, program.text_hash);
            match &program.output {
                Ok(lines) => {
                    for (name, value) in lines {
                        let _ = writeln!(out, "{name} {value}");
                    }
                }
                Err(problem) => {
                    let _ = writeln!(out, "problem {problem}");
                }
            }
        }
        out
    }

    /// The same, smaller: only the lines of these kernels (`12/3`), and one hash of all others per program.
    pub fn condense(&mut self, kept: &[Item]) {
        for program in &mut self.programs {
            let Ok(lines) = &mut program.output else { continue };
            let is_kept = |name: &str| {
                kept.iter().any(|item| item.file == program.item.file && item.is_kernel(name))
            };
            let (mut named, others): (Vec<_>, Vec<_>) =
                std::mem::take(lines).into_iter().partition(|(name, _)| is_kept(name));
            named.push((OTHERS.to_owned(), hash_of_lines(&others)));
            *lines = named;
        }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// If it is no recording; the message names the line.
    pub fn read(text: &str) -> Result<Recording> {
        let mut recording = Recording {
            batch: Batch { kind: Kind::default(), seed: 0, kernels: 0 },
            trace: false,
            device: String::new(),
            compiler: String::new(),
            programs: Vec::new(),
        };
        for (at, line) in text.lines().enumerate() {
            recording
                .read_line(line)
                .with_context(|| format!("line {} of the recording: `{line}`", at + 1))?;
        }
        if recording.programs.is_empty() {
            bail!("the recording holds no program: record anew");
        }
        Ok(recording)
    }

    fn read_line(&mut self, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').context("a line is a name and a value")?;
        match (word, self.programs.last_mut()) {
            ("kind", None) => {
                let kinds = [Kind::Kernels, Kind::Instructions, Kind::Tiles];
                let kind = kinds.into_iter().find(|kind| kind.name() == rest);
                self.batch.kind = kind.context("no such kind of programs")?;
            }
            ("seed", None) => self.batch.seed = rest.parse()?,
            ("kernels", None) => self.batch.kernels = rest.parse()?,
            ("trace", None) => self.trace = rest.parse()?,
            ("device", None) => rest.clone_into(&mut self.device),
            ("compiler", None) => rest.clone_into(&mut self.compiler),
            ("file", _) => {
                let (item, text_hash) = rest.split_once(' ').context("a hash is missing")?;
                let item = item.parse()?;
                let (text_hash, output) = (text_hash.to_owned(), Ok(Vec::new()));
                self.programs.push(Recorded { item, text_hash, output });
            }
            ("problem", Some(program)) => program.output = Err(rest.to_owned()),
            (name, Some(Recorded { output: Ok(lines), .. })) => {
                lines.push((name.to_owned(), rest.to_owned()));
            }
            _ => bail!("no `file` line stands before it"),
        }
        Ok(())
    }
}

impl Item {
    /// Whether a line with this name is of its kernel: `k3`, `c3`, `k3.17`.
    fn is_kernel(self, name: &str) -> bool {
        let number = name.split('.').next().and_then(|name| name.get(1..));
        number.and_then(|number| number.parse().ok()) == self.only
    }
}

impl std::str::FromStr for Item {
    type Err = anyhow::Error;

    /// `12`, or `12/3` for kernel 3 of file 12.
    fn from_str(text: &str) -> Result<Item> {
        let (file, only) = match text.split_once('/') {
            Some((file, only)) => (file, Some(only.parse()?)),
            None => (text, None),
        };
        Ok(Item { file: file.parse()?, only })
    }
}

impl std::fmt::Display for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.only {
            Some(only) => write!(f, "{}/{only}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}
