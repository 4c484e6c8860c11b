//! `warpbook exercise`: lists the exercises, hands one out, and checks what the reader made of it.
//!
//! The reader's files are in a folder of their own ([`shelf`]). A check is
//! [`kernel_file::exercise`]'s, so the terminal says what a page says; [`show`] prints it.

mod all;
mod shelf;
mod show;

use crate::Outcome;
use crate::command::Root;
use crate::complaint::Complaint;
use crate::progress::say;
use crate::report;
use crate::watch::Watcher;
use anyhow::Result;
use clap::ValueEnum;
use kernel_file::exercise::{Checked, Checker};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::{Exercise, Header};
use shelf::Shelf;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use verify::backend::{self, Backend};
use verify::{Availability, BackendName, KernelFile, PlacedExercise, Project, Status};

/// Where a reader's files are.
const FOLDER: &str = "exercises";

/// List the exercises, get one, and check your answer
#[derive(Debug, clap::Args)]
#[command(after_help = "Without a name it lists all exercises. With one it writes your file, or \
                        checks it where it is there.")]
pub(super) struct Arguments {
    /// Chapter and number, as 6.2
    #[arg(value_name = "EXERCISE")]
    which: Option<String>,
    /// Where your files are
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,
    /// Check your file, and fail if there is none
    #[arg(long)]
    check: bool,
    /// Check whenever you save
    #[arg(long, conflicts_with_all = ["check", "hint", "solution"])]
    watch: bool,
    /// Print the next hint
    #[arg(long, conflicts_with_all = ["check", "solution"])]
    hint: bool,
    /// Print the solution
    #[arg(long, conflicts_with = "check")]
    solution: bool,
    /// Check with the inputs of this seed again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run every solution, a line for each, instead of your files
    #[arg(long, conflicts_with_all = ["which", "check", "watch", "hint", "solution"])]
    all: bool,
    /// Run it on the GPU as well, if it passes; with `--all`, there alone
    #[arg(long, default_value = "sim")]
    backend: Where,
}

/// Where an answer runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Where {
    Sim,
    Gpu,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    if arguments.all {
        return all::run(&project, arguments.backend, arguments.seed.unwrap_or(1));
    }
    let shelf = Shelf::open(&arguments.folder, &project.src())?;
    let all = project.exercises()?;
    let Some(which) = &arguments.which else {
        return list(&project, &shelf, &all, &arguments.command(root));
    };
    let Some(found) = all.iter().find(|placed| placed.number == *which) else {
        let numbers = all.iter().map(|placed| placed.number.as_str());
        return Err(Complaint::error(
            format!("there is no exercise `{which}`{}", suggestion_or_list(which, numbers)),
            "`warpbook exercise` lists them",
        ));
    };
    let (exercise, headers) = match project.exercise(&found.path) {
        Ok(read) => read,
        Err(problems) => {
            report::problems(problems.iter());
            return Ok(Outcome::Broken);
        }
    };
    let command = arguments.command(root);
    let task = Task {
        number: &found.number,
        command: format!("{command} {}", found.number),
        exercise,
        headers,
        project: &project,
        shelf: &shelf,
    };
    if arguments.hint {
        return task.hint();
    }
    if arguments.solution {
        show::solution(&task.exercise);
        return Ok(Outcome::Kept);
    }
    let own = task.own();
    if !own.exists() {
        if arguments.check {
            return Err(Complaint::error(
                format!("there is no `{}` yet", own.display()),
                format!("`{}` writes it", task.command),
            ));
        }
        shelf.write_new(&own, &task.exercise.starter())?;
        show::handed_out(&task.exercise, task.number, &task.command, &own);
        return match arguments.watch {
            true => task.watch(arguments),
            false => Ok(Outcome::Kept),
        };
    }
    match arguments.watch {
        true => task.watch(arguments),
        false => task.check(arguments),
    }
}

impl Arguments {
    /// The command with the folders that were given, as the reader types it for the next step.
    fn command(&self, root: &Root) -> String {
        let mut command = "warpbook exercise".to_owned();
        let mut given = |option: &str, folder: &Path| {
            let folder = folder.display().to_string();
            let quote = if folder.contains([' ', '"', '$', '\\']) { "'" } else { "" };
            command += &format!(" {option} {quote}{folder}{quote}");
        };
        if let Some(folder) = &root.root {
            given("--root", folder);
        }
        if self.folder != Path::new(FOLDER) {
            given("--folder", &self.folder);
        }
        command
    }
}

fn list(
    project: &Project,
    shelf: &Shelf,
    all: &[PlacedExercise],
    command: &str,
) -> Result<Outcome> {
    if all.is_empty() {
        say!("This book has no exercises: no `exercises/*.cu` in its chapters.");
        return Ok(Outcome::Kept);
    }
    let mut outcome = Outcome::Kept;
    let mut solved = 0;
    let mut next = None;
    for PlacedExercise { number, path } in all {
        match project.exercise(path) {
            Ok((exercise, _)) => {
                let done = shelf.progress().solved(exercise.relative());
                solved += usize::from(done);
                next = next.or((!done).then_some(number));
                show::listed(&exercise, number, done);
            }
            Err(problems) => {
                report::problems(problems.iter());
                outcome = Outcome::Broken;
            }
        }
    }
    say!("\n{solved} of {} solved.", all.len());
    if let Some(number) = next {
        say!("Next: {command} {number}");
    }
    Ok(outcome)
}

/// The exercise that was asked for.
struct Task<'a> {
    number: &'a str,
    /// How the reader calls it: with the folders that were given.
    command: String,
    exercise: Exercise,
    headers: Vec<Header>,
    project: &'a Project,
    shelf: &'a Shelf,
}

impl Task<'_> {
    /// The reader's file.
    fn own(&self) -> PathBuf {
        let stem = &self.exercise.solution.stem;
        let name = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
        self.shelf.folder().join(format!("{}_{name}.cu", self.number))
    }

    fn hint(&self) -> Result<Outcome> {
        let mut progress = self.shelf.progress();
        let seen = progress.hints(self.exercise.relative());
        let hints = &self.exercise.hints;
        match hints.get(seen) {
            Some(hint) => {
                say!("Hint {} of {}:\n\n{hint}", seen + 1, hints.len());
                progress.hint_seen(self.exercise.relative());
                self.shelf.keep(&progress)?;
            }
            None => {
                for (hint, at) in hints.iter().zip(1..) {
                    say!("Hint {at} of {}:\n\n{hint}\n", hints.len());
                }
                say!("These are all. `{} --solution` prints the solution.", self.command);
            }
        }
        Ok(Outcome::Kept)
    }

    fn check(&self, arguments: &Arguments) -> Result<Outcome> {
        let checker = match Checker::new(&self.exercise, self.headers.clone()) {
            Ok(checker) => checker,
            Err(problems) => {
                report::problems(problems.iter());
                return Ok(Outcome::Broken);
            }
        };
        let own = self.own();
        let text = read(&own)?;
        let name = own.display().to_string();
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        let checked = checker.check(&name, &text, seed);
        say!("{} {}: {}", self.number, self.exercise.title, name);
        show::checked(&checked, &self.command);
        if checked.failure.is_some() {
            return Ok(Outcome::Broken);
        }
        if arguments.backend == Where::Gpu && self.on_gpu(&name, text)? == Outcome::Broken {
            return Ok(Outcome::Broken);
        }
        self.solved(&checked)?;
        Ok(Outcome::Kept)
    }

    fn solved(&self, checked: &Checked) -> Result<()> {
        debug_assert!(checked.failure.is_none(), "only a right answer is kept");
        let mut progress = self.shelf.progress();
        progress.set_solved(self.exercise.relative());
        self.shelf.keep(&progress)?;
        say!("\nSolved. Why it works:\n\n{}", self.exercise.why);
        Ok(())
    }

    /// Runs a right answer on the device, at the test sizes.
    fn on_gpu(&self, name: &str, text: String) -> Result<Outcome> {
        let found = gpu(self.project)?;
        if self.exercise.is_program {
            let done = all::program_on_gpu(self.project, &self.exercise, &text);
            return match done {
                Ok(words) => {
                    say!("  gpu  {words}");
                    Ok(Outcome::Kept)
                }
                Err(why) => {
                    say!("  gpu  {why:#}");
                    Ok(Outcome::Broken)
                }
            };
        }
        let file = match KernelFile::parse(name, text) {
            Ok(file) => KernelFile { path: self.exercise.solution.path.clone(), ..file },
            Err(problems) => {
                report::problems(problems.iter());
                return Ok(Outcome::Broken);
            }
        };
        let verdict = found.run(&file, self.project, &file.directives.test);
        report::verdict(&verdict);
        Ok(if verdict.status == Status::Failed { Outcome::Broken } else { Outcome::Kept })
    }

    /// Checks now and whenever the file changes, until it is interrupted.
    fn watch(&self, arguments: &Arguments) -> Result<Outcome> {
        let mut watcher = Watcher::new(vec![self.own()]);
        loop {
            // A file that is being replaced is there again a moment later.
            if let Err(error) = self.check(arguments) {
                crate::complaint::print(&error);
            }
            say!("\nWaiting for a change (Ctrl+C ends it) ...");
            watcher.wait();
        }
    }
}

/// The back end of the GPU, if there is one.
fn gpu(project: &Project) -> Result<Box<dyn Backend>> {
    let found = backend::all(project).into_iter().find(|b| b.name() == BackendName::Gpu);
    let Some(found) = found else {
        return Err(Complaint::error("this build runs nothing on a GPU", "leave out `--backend`"));
    };
    if let Availability::Absent { reason, remedy } = found.probe() {
        return Err(Complaint::error(format!("there is no GPU here: {reason}"), remedy));
    }
    Ok(found)
}

fn read(own: &Path) -> Result<String> {
    source_files::read_text(own).map_err(|error| {
        Complaint::error(
            format!("cannot read `{}`: {error}", own.display()),
            "move it away to get the starter again",
        )
    })
}

/// Another seed each time: the clock's.
fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // Short enough to be typed again.
    since.map_or(1, |since| since.as_micros() as u64 % 1_000_000)
}
