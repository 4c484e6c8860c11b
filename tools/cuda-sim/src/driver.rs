//! A compiler driver in place of `nvcc`: objects, executables and dependency files, so that a build
//! that calls `nvcc` runs unchanged.
//!
//! `-c` checks a source and writes an object: where the source is, with its macros and folders of
//! headers. Linking compiles all of them as one program, and writes a script that runs it on the
//! simulator. `-ptx`, `-cubin` and `-fatbin` write the image of a module, which a program of the driver
//! API loads: its source. Other options are honoured, ignored or refused as `run` does ([`crate::nvcc`]).

mod archive;
pub(crate) mod arguments;
mod cmake;
mod libraries;
mod object;

use crate::baseline::Baseline;
use crate::complaint::Complaint;
use crate::program::{self, Options, Part};
use crate::{Outcome, say, targets};
use anyhow::{Context, Result};
pub use arguments::is_source;
use arguments::{Action, Request, is_shared_library};
pub use cmake::BOTH;
use object::Object;
pub(crate) use object::make_executable;
use simt::{Checks, Severity, Sources};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The subcommand that stands in for `nvcc`.
pub const NAME: &str = "nvcc";

/// The subcommand that stands before a command of the host's compiler.
pub const LAUNCH: &str = "launch";

/// The variable by which `nvcc` of a folder of [`crate::new`] knows that folder.
pub(crate) const TOOLKIT: &str = "CUDA_SIM_TOOLKIT";

/// The subcommand that an executable calls.
pub const LINKED: &str = "linked";

/// What `main` of a checked source is called, so that every source can be checked alone.
const NO_MAIN: &str = "#define main cuda_sim_main\n";

/// The words of a command line that are meant for this driver: behind the subcommand, or all of them
/// if the command is called `nvcc` (by a link of that name).
pub fn words(all: &[OsString]) -> Option<&[OsString]> {
    let (command, words) = all.split_first()?;
    if Path::new(command).file_stem() == Some(OsStr::new(NAME)) {
        return Some(words);
    }
    let (subcommand, words) = words.split_first()?;
    (subcommand == NAME).then_some(words)
}

/// Does what the words ask for.
///
/// # Errors
/// If an option is refused, or a file cannot be read or written.
pub fn execute(words: &[OsString]) -> Result<Outcome> {
    obey(&Request::parse(words)?)
}

/// `launch g++ -c main.cpp`: does for the simulator what the command would do for the host. A command
/// that neither compiles a source nor links objects of this driver is run as it is.
///
/// # Errors
/// If it cannot be run, or a file cannot be read or written.
pub fn launch(words: &[OsString]) -> Result<Outcome> {
    let Some((command, rest)) = words.split_first() else {
        return Err(Complaint::error("no command is named", "launch g++ -c main.cpp"));
    };
    let request = Request::of_host_compiler(rest).ok();
    let is_ours = |request: &Request| match request.action {
        Action::Compile | Action::Dependencies => {
            request.inputs.iter().all(|input| is_source(input))
        }
        Action::Link | Action::Library => {
            let is_built = |input: &PathBuf| matches!(built(input), Ok(Some(_)));
            request.inputs.iter().any(|input| archive::is_one(input) || is_built(input))
                || !request.libraries().is_empty()
        }
        _ => false,
    };
    if let Some(request) = request.filter(is_ours) {
        return obey(&request);
    }
    let status = Command::new(command).args(rest).status().map_err(|error| {
        let message = format!("`{}` does not start: {error}", command.display());
        Complaint::error(
            message,
            "name the host's compiler behind `launch`: launch g++ -c main.cpp",
        )
    })?;
    Ok(Outcome::Code(status.code().map_or(1, |code| code as u8)))
}

fn obey(request: &Request) -> Result<Outcome> {
    request.say_ignored();
    if request.verbose {
        cmake::verbose(request.output.as_deref().unwrap_or(Path::new("a.out")))?;
    }
    match request.action {
        Action::Version => {
            let version = env!("CARGO_PKG_VERSION");
            // CMake knows the compiler by these words.
            say!("nvcc: NVIDIA (R) Cuda compiler driver");
            say!("In its place: cuda-sim {version}, CUDA C++ on a simulator");
            say!("Cuda compilation tools, release 13.0, V13.0.0");
            Ok(Outcome::Kept)
        }
        Action::Compile | Action::Image(_) => compile(request),
        Action::Dependencies => dependencies(request),
        Action::Link | Action::Run => link(request),
        Action::Library => library(request),
        Action::DeviceLink => device_link(request),
    }
}

/// `-c`, `-ptx`: an object or an image per source.
fn compile(request: &Request) -> Result<Outcome> {
    if request.output.is_some() && request.inputs.len() > 1 {
        let message = "`-o` names one file, and there are several sources";
        return Err(Complaint::error(message, "compile each source in a command of its own"));
    }
    one_source(request, request.rules_file())?;
    for input in &request.inputs {
        let part = request.part(input)?;
        let output = request.object(input);
        if request.dry {
            say!("compile {} to {}", input.display(), output.display());
            continue;
        }
        let sources = checked(&part)?;
        write_rules(request, &output, &output, &sources)?;
        let image = matches!(request.action, Action::Image(_));
        let image = image.then(|| simt_host::module_image(&sources));
        if !compiles(sources, image.is_none(), |_| true) {
            return Ok(Outcome::Broken);
        }
        match image {
            Some(image) => write(&output, &image)?,
            None => write_object(&output, vec![part])?,
        }
    }
    Ok(Outcome::Kept)
}

/// `-MD`: the rules of what is compiled in the same command, in the file of `-MF` or one that is called
/// after an object.
fn write_rules(request: &Request, output: &Path, object: &Path, sources: &Sources) -> Result<()> {
    let Some(file) = &request.dependency_file else { return Ok(()) };
    write(file.as_deref().unwrap_or(&object.with_extension("d")), &rules(request, output, sources))
}

/// A file that is named for rules has those of one source.
fn one_source(request: &Request, file: Option<&Path>) -> Result<()> {
    match request.inputs.iter().filter(|input| request.is_source(input)).count() {
        0 | 1 => Ok(()),
        _ if file.is_none() => Ok(()),
        _ => Err(Complaint::error(
            "one file is named for rules, and there are several sources",
            "write the rules of each source in its own command",
        )),
    }
}

/// `-M`: the rules that `make` includes, in the file of `-MF` or `-o`, or on the standard output.
fn dependencies(request: &Request) -> Result<Outcome> {
    let file = request.rules_file().or(request.output.as_deref());
    one_source(request, file)?;
    for input in &request.inputs {
        let sources = checked(&request.part(input)?)?;
        let text = rules(request, &request.object(input), &sources);
        match file {
            Some(file) => write(file, &text)?,
            None => say!("{}", text.trim_end()),
        }
    }
    Ok(Outcome::Kept)
}

/// An executable of sources and objects.
fn link(request: &Request) -> Result<Outcome> {
    let (mut parts, members) = parts_of(request)?;
    let output = request.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    if request.dry {
        let names: Vec<String> = parts.iter().map(|part| part.file.display().to_string()).collect();
        say!("link {} to {}", names.join(" "), output.display());
        return Ok(Outcome::Kept);
    }
    request.say_missing_libraries();
    one_source(request, request.rules_file())?;
    let is_source = |input: &&PathBuf| request.is_source(input);
    let compiled: Vec<&PathBuf> = request.inputs.iter().filter(is_source).collect();
    if !members.is_empty() {
        let members: Vec<&Part> = members.iter().collect();
        // `main` is needed, too.
        if !parts.iter().any(targets::has_main) {
            parts.extend(
                members.iter().find(|part| targets::has_main(part)).map(|part| (*part).clone()),
            );
        }
        parts = targets::linked(&parts, &members)?.parts;
    }
    let Some(sources) = program::load_parts(&parts, "", &[])? else {
        let message = format!("no source of `{}` has a `main`", output.display());
        return Err(Complaint::error(message, "name the source or object that has it, too"));
    };
    // What is wrong with the source of an object was said when it was compiled.
    let built = |file: &str| {
        let of_file = |part: &&Part| part.file.to_str() == Some(file);
        let is_here = |part: &Part| compiled.iter().any(|source| part.is(source));
        parts.iter().find(of_file).is_some_and(|part| !is_here(part))
    };
    if !compiles(sources, false, |file| !compiled.is_empty() && !built(file)) {
        for library in request.inputs.iter().filter(|input| is_foreign(input)) {
            crate::tell!("note: `{}` is of another compiler, and gives nothing", library.display());
        }
        return Ok(Outcome::Broken);
    }
    for source in compiled.iter().filter(|_| request.dependency_file.is_some()) {
        let object = if compiled.len() == 1 { output.clone() } else { request.object(source) };
        write_rules(request, &output, &object, &checked(&request.part(source)?)?)?;
    }
    object::write_executable(&output, parts)?;
    match request.action {
        Action::Run => run(&output, &request.run_arguments),
        _ => Ok(Outcome::Kept),
    }
}

/// The sources and objects of a command, and the members of its libraries, of which a program takes
/// what it needs.
fn parts_of(request: &Request) -> Result<(Vec<Part>, Vec<Part>)> {
    let (mut parts, mut members) = (Vec::new(), Vec::new());
    for input in &request.inputs {
        match (request.is_source(input), archive::is_one(input)) {
            (true, _) => parts.push(request.part(input)?),
            (_, true) => members.extend(archive::read(input)?),
            _ if is_foreign(input) => {}
            _ => parts.extend(Object::read(input)?.parts),
        }
    }
    for library in request.libraries() {
        members.extend(archive::read(&library)?);
    }
    Ok((parts, members))
}

/// Whether a file is a shared library of the system, as CMake names those of a package. A program needs
/// nothing of it, or fails to link.
fn is_foreign(input: &Path) -> bool {
    is_shared_library(input) && input.exists() && !archive::is_one(input)
}

/// `-lib`, `-shared`: a library of sources and objects, whose members are linked into a program. Both
/// are archives: no program is machine code that could load one.
fn library(request: &Request) -> Result<Outcome> {
    let (parts, members) = parts_of(request)?;
    for part in parts.iter().filter(|part| request.inputs.iter().any(|input| part.is(input))) {
        if !compiles(checked(part)?, true, |_| true) {
            return Ok(Outcome::Broken);
        }
    }
    let output = request.output.clone().unwrap_or_else(|| PathBuf::from("a.a"));
    archive::write(&output, parts.into_iter().chain(members))?;
    Ok(Outcome::Kept)
}

/// `-dlink`: device code is linked with the rest, so this is an object with nothing in it.
fn device_link(request: &Request) -> Result<Outcome> {
    parts_of(request)?;
    let output = request.output.clone().unwrap_or_else(|| PathBuf::from("a_dlink.o"));
    write_object(&output, Vec::new())?;
    Ok(Outcome::Kept)
}

/// Writes an object.
pub(crate) fn write_object(path: &Path, parts: Vec<Part>) -> Result<()> {
    write(path, &Object::new(parts).text()?)
}

/// The parts of an object or an executable that this driver made; `None` if the file is something
/// else.
pub(crate) fn built(path: &Path) -> Result<Option<Vec<Part>>> {
    Object::of_any(path).map(|object| object.map(|object| object.parts))
}

/// Runs the program of an executable that [`link`] wrote, with its arguments.
///
/// # Errors
/// If the executable or one of its sources cannot be read.
pub fn run(executable: &Path, arguments: &[OsString]) -> Result<Outcome> {
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let parts = Object::of_executable(executable)?.parts;
    if let Some(gone) = parts.iter().find(|part| !part.file.exists()) {
        let message = format!("`{}` is not read: it is gone", gone.file.display());
        let help = "an executable is run from its sources: keep them, or build it again";
        return Err(Complaint::error(message, help));
    }
    let Some(sources) = program::load_parts(&parts, "", &[])? else {
        let message = format!("no source of `{}` has a `main` any more", executable.display());
        return Err(Complaint::error(message, "build it again"));
    };
    let variable = "CUDA_SIM_ERROR_EXITCODE";
    let error_code = match std::env::var(variable) {
        Ok(code) => Some(code.parse().ok().filter(|code| *code > 0).with_context(|| {
            format!("the variable {variable} is `{code}`, and an exit code is 1 to 255")
        })?),
        Err(_) => None,
    };
    let options = Options {
        error_code,
        arguments: arguments.iter().collect(),
        checks: Checks::All,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        time_limit: None,
        baseline: Baseline::default(),
        werror: false,
        leak_check: false,
        by_line: false,
        quiet: false,
        redirect: false,
        built: true,
    };
    Ok(program::execute(sources, executable, &options)?.outcome)
}

/// One source, as it is checked: without a `main` of its own, and so without what only that calls,
/// which other sources may define.
fn checked(part: &Part) -> Result<Sources> {
    let part = Part {
        before: format!("{}{NO_MAIN}", part.before),
        after: format!("#undef main\n{}", part.after),
        ..part.clone()
    };
    program::sources_of(&[part], "", "int main() { return 0; }\n", &[])
}

/// Compiles, and prints what is wrong; of the warnings those in files for which `warns` says so. A
/// function that is `undefined` may be in another object: only linking knows.
fn compiles(sources: Sources, undefined: bool, warns: impl Fn(&str) -> bool) -> bool {
    let (mut diagnostics, sources) = match simt_host::compile(sources) {
        Ok(program) => (program.module.diagnostics, program.module.sources),
        Err(failure) => (failure.diagnostics, failure.sources),
    };
    // The renamed `main` may end without a `return`, too.
    let of_main = |message: &str| message.starts_with("`cuda_sim_main` does not return");
    diagnostics.retain(|diagnostic| {
        !undefined || diagnostic.code != "undefined" && !of_main(&diagnostic.message)
    });
    diagnostics.retain(|diagnostic| {
        diagnostic.severity == Severity::Error || warns(sources.name(diagnostic.span.file))
    });
    // As a compiler names them, so that an editor finds them from where the build runs.
    let sources = sources.with_presumed_names();
    let mut said = BTreeSet::new();
    for diagnostic in &diagnostics {
        let text = diagnostic.render(&sources);
        // Each instance of a template has the same.
        if !said.contains(&text) {
            crate::tell!("{text}");
            said.insert(text);
        }
    }
    diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
}

/// `output : source header header`, a line for each file, as CMake's `FindCUDA` reads them. With `-MP` a
/// header that is gone is no error of make.
fn rules(request: &Request, output: &Path, sources: &Sources) -> String {
    let escaped = |name: &str| name.replace(' ', "\\ ").replace('#', "\\#").replace('$', "$$");
    let target = request.target.as_deref().unwrap_or(output).display().to_string();
    let files = sources.files().iter().skip(1).map(|(name, _)| escaped(name));
    let files: Vec<String> = files.collect();
    let phony = files.iter().skip(1).filter(|_| request.phony);
    let phony: String = phony.map(|file| format!("\n{file}:\n")).collect();
    format!("{} : {}\n{phony}", escaped(&target), files.join(" \\\n    "))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|error| {
        let message = format!("`{}` is not written: {error}", path.display());
        Complaint::error(message, "name a file in a folder that exists")
    })
}
