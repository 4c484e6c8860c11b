//! `warpbook run`: [`cuda_sim::run`] with the headers of the book and its other back ends.

use crate::Outcome;
use crate::complaint::Complaint;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cuda_sim::kernels::by_line;
use cuda_sim::lines::Line;
use cuda_sim::run::{self, KernelFiles};
use std::path::Path;
use verify::backend::sim::Sim;
use verify::backend::{self, Backend};
use verify::project::absolute;
use verify::{Availability, BackendName, KernelFile, Problem, Project, Verdict};

/// Run a program, or one kernel file with its counters, and print what is found
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    run: run::Arguments,
    /// The simulator, NVIDIA's compiler (compiles only), or the GPU [default: sim]
    #[arg(long, value_parser = backend_name())]
    backend: Option<BackendName>,
}

/// `sim`, `nvrtc` or `gpu`.
fn backend_name() -> impl TypedValueParser<Value = BackendName> {
    let named = |word: String| BackendName::ALL.into_iter().find(|name| name.word() == word);
    PossibleValuesParser::new(BackendName::ALL.map(BackendName::word))
        .try_map(move |word| named(word).ok_or("unknown back end"))
}

pub(super) fn execute(arguments: &Arguments) -> Result<Outcome> {
    run::execute(&arguments.run, &OfBook { backend: arguments.backend })
}

/// Kernel files in a book or anywhere, on any back end.
struct OfBook {
    backend: Option<BackendName>,
}

impl OfBook {
    fn name(&self) -> BackendName {
        self.backend.unwrap_or(BackendName::Sim)
    }
}

impl KernelFiles for OfBook {
    fn read(&self, path: &Path) -> Result<KernelFile, Vec<Problem>> {
        let path = absolute(path).map_err(|error| {
            let name = path.to_string_lossy();
            vec![Problem::new(&name, "", (0, 0), "file", format!("{error:#}"))]
        })?;
        project_of(&path).read(&path)
    }

    fn verdict(&self, file: &KernelFile, n: u64, arguments: &run::Arguments) -> Result<Verdict> {
        let project = project_of(&file.path);
        let backend = backend(self.name(), arguments, &project)?;
        for need in &file.directives.needs {
            if let Err(reason) = backend.meets(need) {
                let name = backend.name();
                return Err(Complaint::error(
                    format!("{} cannot run on {name} here: {reason}", file.relative),
                    "`--backend sim` runs every kernel",
                ));
            }
        }
        Ok(backend.run(file, &project, &[n]))
    }

    fn lines(&self, file: &KernelFile, n: u64, arguments: &run::Arguments) -> Result<Vec<Line>> {
        by_line(file, &project_of(&file.path).unit(file), n, arguments)
    }

    fn backend(&self) -> &str {
        self.name().word()
    }

    fn options(&self) -> Vec<String> {
        self.backend.iter().map(|name| format!("--backend={}", name.word())).collect()
    }
}

/// The project whose headers the file may include; outside of one, its own folder.
fn project_of(file: &Path) -> Project {
    let folder = file.parent().unwrap_or(Path::new(""));
    Project::find(folder).unwrap_or_else(|_| Project { root: folder.to_path_buf() })
}

/// The back end that was asked for; an error with its remedy if it is not here.
fn backend(
    name: BackendName,
    arguments: &run::Arguments,
    project: &Project,
) -> Result<Box<dyn Backend>> {
    if name == BackendName::Sim {
        return Ok(Box::new(Sim::with(arguments.threads(), arguments.checks())));
    }
    let word = name.word();
    if let Some(option) = arguments.first_for_simulator() {
        return Err(Complaint::error(
            format!("`{option}` is an option of the simulator, and this is `--backend {word}`"),
            format!("leave out `{option}`, or use `--backend sim`"),
        ));
    }
    let found = backend::all(project).into_iter().find(|backend| backend.name() == name);
    let found = found.with_context(|| format!("this build has no back end `{word}`"))?;
    match found.probe() {
        Availability::Present { .. } => Ok(found),
        Availability::Absent { reason, remedy } => {
            Err(Complaint::error(format!("the back end `{word}` is not here: {reason}"), remedy))
        }
    }
}
