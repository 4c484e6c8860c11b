//! `step FILE.cu`: a debugger for one block of one launch, in lines that a script can write, too.
//!
//! The block is recorded first ([`simt::History`], which the stepper of the book's pages shows as well),
//! so that every command goes backwards as easily as forwards. [`session`] has the commands, [`element`] what
//! their names lead to, [`show`] the texts, [`hints`] what to write in place of what is not understood.
//!
//! Not done: several blocks at once; the host's code.

mod commands;
mod element;
mod hints;
mod parts;
mod session;
mod show;

use crate::complaint::{self, Complaint};
use crate::kernels::Simulated;
use crate::program::{self, Part};
use crate::run::several::{self, Kind};
use crate::run::{size, tidy_path};
use crate::{Outcome, say};
use anyhow::{Context, Result};
use clap::value_parser;
use kernel_file::simulator::Program;
use kernel_file::{KernelFile, Plan, Sizes};
use session::Session;
use simt::{Checks, Config, Dim3, History, Record};
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Step through one block of a launch, forwards and backwards
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A kernel file, or the files of a program
    #[arg(value_name = "FILE.cu", required = true, value_parser = tidy_path())]
    files: Vec<PathBuf>,
    /// The number of the launch, from 0
    #[arg(long, value_name = "N", default_value = "0")]
    launch: u64,
    /// The number of the block in the grid, from 0, x fastest
    #[arg(long, value_name = "N", default_value = "0")]
    block: u32,
    /// Instructions of the block's warps that are recorded
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = value_parser!(u32).range(1..))]
    steps: u32,
    /// The size of a kernel file, as 1000 or 2^24 [default: its `//@ page`]
    #[arg(short, long, value_name = "N", value_parser = size, allow_negative_numbers = true)]
    n: Option<u64>,
    /// Read the commands from this file; else from standard input
    #[arg(short = 'x', long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Also search this folder for headers
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Define a macro for a program
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// A program's own arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<String>,
}

/// A block that was recorded.
struct Recorded {
    history: History,
    kernel: String,
    grid: Dim3,
    threads: Dim3,
    launch: u64,
    block: u32,
}

/// What the text before each command is.
const PROMPT: &str = "(step) ";

/// Records the block, and obeys commands until they end.
///
/// # Errors
/// If a file cannot be read or compiled, or the launch or block is not there.
pub fn execute(arguments: &Arguments) -> Result<Outcome> {
    let record = |launch, block| arguments.record(launch, block);
    let mut session = Session::new(record(arguments.launch, arguments.block)?, &record);
    say!("{}", session.greeting());
    let mut input: Box<dyn BufRead> = match &arguments.script {
        Some(path) => {
            let text = source_files::read_text(path).map_err(|reason| {
                let message = format!("`{}` is not read: {reason}", path.display());
                Complaint::error(message, "name a text file with a command per line")
            })?;
            Box::new(std::io::Cursor::new(text))
        }
        None => Box::new(std::io::stdin().lock()),
    };
    let types = arguments.script.is_none() && std::io::stdin().is_terminal();
    let mut all_understood = true;
    let mut line = String::new();
    loop {
        if types {
            let mut out = std::io::stdout().lock();
            write!(out, "{PROMPT}")
                .and_then(|()| out.flush())
                .context("writing to the terminal")?;
        }
        line.clear();
        if input.read_line(&mut line).context("reading a command")? == 0 {
            break;
        }
        let command = line.trim();
        if !types && !command.is_empty() {
            say!("{PROMPT}{command}");
        }
        match session.obey(command) {
            Ok(None) => break,
            Ok(Some(text)) if text.is_empty() => {}
            Ok(Some(text)) => say!("{}", text.trim_end()),
            Err(problem) => {
                say!("error: {problem}");
                all_understood = false;
            }
        }
    }
    // Who types a wrong command sees it; a script has to fail.
    Ok(if types || all_understood { Outcome::Kept } else { Outcome::Broken })
}

/// Who steps through the first launch does not name it by 1.
const FROM_ZERO: &str = "the first launch has the number 0";

/// How many there are, and which numbers they have.
fn numbered(count: u64) -> String {
    match count {
        0 => "none".to_owned(),
        1 => "one, with the number 0".to_owned(),
        count => format!("{count}, with the numbers 0 to {}", count - 1),
    }
}

impl Arguments {
    fn record(&self, launch: u64, block: u32) -> Result<Recorded> {
        let first = &self.files[0];
        if !first.exists() {
            return Err(complaint::missing(first, "name a kernel file, or the files of a program"));
        }
        if first.is_dir() {
            let message = format!("`{}` is a folder", first.display());
            return Err(Complaint::error(
                message,
                "name one kernel file, or the files of a program",
            ));
        }
        let record = Record { block, steps: self.steps as usize };
        let kind = several::kind(&Part::plain(first))?;
        self.refuse_useless(kind == Kind::Kernel)?;
        let recorded = match kind {
            Kind::Kernel => self.of_kernel_file(first, launch, record)?,
            _ => self.of_program(launch, record)?,
        };
        if recorded.history.is_empty() {
            let blocks = recorded.grid.count();
            let numbered = numbered(blocks);
            let message =
                format!("there is no block {block}: `{}` has {numbered}", recorded.kernel);
            return Err(Complaint::error(
                message,
                "the first block has the number 0, and x counts fastest",
            ));
        }
        Ok(recorded)
    }

    /// An error for an option that what is stepped through does not have.
    fn refuse_useless(&self, is_kernel_file: bool) -> Result<()> {
        if !is_kernel_file && self.n.is_some() {
            return Err(Complaint::error(
                "`-n` is for kernel files, and this is a program with `main`",
                "put a program's own arguments after `--`",
            ));
        }
        let given = [("-D", !self.define.is_empty()), ("--", !self.arguments.is_empty())];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if is_kernel_file => Err(Complaint::error(
                format!("`{option}` is for programs, and this is a kernel file"),
                "`-n 1000` is its size",
            )),
            _ => Ok(()),
        }
    }

    fn of_kernel_file(&self, path: &Path, launch: u64, record: Record) -> Result<Recorded> {
        let failed = |problems: Vec<kernel_file::Problem>| {
            let texts: Vec<&str> = problems.iter().map(|p| p.rendered.trim_end()).collect();
            let help = format!("see `cuda-sim run {}`", path.display());
            Complaint::error(texts.join("\n"), help)
        };
        let file = crate::kernels::read(path).map_err(failed)?;
        let file: KernelFile = match file.points().first() {
            Some(point) => file.at(point),
            None => file,
        };
        let page = || Sizes::Page.of(&file).first().or(file.directives.test.first()).copied();
        let n = self.n.or_else(page).with_context(|| {
            format!("{} does not say at which size to run it: give one with -n", file.relative)
        })?;
        let simulated = Simulated { include: self.include.clone() };
        let unit = simulated.unit(&file);
        let settings = crate::kernels::settings(Checks::Bare, None);
        let program = Program::compile(&file, &unit, settings).map_err(failed)?;
        let plan = Plan::new(&file, n).map_err(failed)?;
        let number = usize::try_from(launch).unwrap_or(usize::MAX);
        let planned = plan.launches.get(number).cloned().ok_or_else(|| {
            let numbered = numbered(plan.launches.len() as u64);
            let message =
                format!("there is no launch {launch}: `{}` has {numbered}", file.relative);
            Complaint::error(message, FROM_ZERO)
        })?;
        let watch = |config| Config { record: Some(record), ends_with_recording: true, ..config };
        let report = program.watch(plan, number, watch).map_err(failed)?;
        let extent = |[x, y, z]: [u32; 3]| Dim3 { x, y, z };
        Ok(Recorded {
            history: report.history.unwrap_or_default(),
            kernel: planned.kernel,
            grid: extent(planned.grid),
            threads: extent(planned.block),
            launch,
            block: record.block,
        })
    }

    fn of_program(&self, launch: u64, record: Record) -> Result<Recorded> {
        let macros: String = self.define.iter().map(|define| crate::run::define(define)).collect();
        let name = self.files[0].display();
        let Some(sources) = program::load(&self.files, &macros, &self.include)? else {
            several::must_be_kernel_file(&self.files[0])?;
            let message = format!("`{name}` has no `main`");
            return Err(Complaint::error(message, several::RULE));
        };
        let report = program::record(sources, &self.files[0], &self.arguments, launch, record)?;
        let launched = report.launched;
        let last = report.launches.into_iter().last().filter(|last| last.report.history.is_some());
        let Some(last) = last else {
            let numbered = numbered(launched);
            let message = format!("there is no launch {launch}: `{name}` has {numbered}");
            return Err(Complaint::error(message, FROM_ZERO));
        };
        let [grid, threads] = last.shape;
        Ok(Recorded {
            history: last.report.history.unwrap_or_default(),
            kernel: last.kernel,
            grid,
            threads,
            launch,
            block: record.block,
        })
    }
}
