//! NVRTC, NVIDIA's run-time compiler, as a back end.
//!
//! NVRTC needs no GPU. If its library is found ([`locate`]), every kernel is compiled to machine code
//! for real architectures, and the assembler reports registers, shared memory and spills. The same compiler makes the code that the `gpu` back end runs.
//!
//! It compiles to machine code (CUBIN), not PTX: the driver then translates nothing, so the measured
//! code is the reported one, and a newer NVRTC works with an older driver of the same major version.
//!
//! With a driver, NVRTC caches its output on disk, and a cached compile has an empty log. The log is
//! needed here, so the cache is switched off; and a successful compile without resource usage in its
//! log is an error.
//!
//! A kernel file is compiled unchanged. Host code belongs under `#ifndef __CUDACC_RTC__`, since
//! NVRTC refuses host functions.

mod api;
pub mod locate;
pub mod log;

use crate::backend::Backend;
use crate::project::Project;
use api::{Api, Output};
use kernel_file::KernelFile;
use kernel_file::directive::Need;
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, BackendName, Problem, Resources, Verdict};
use locate::Candidate;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The architectures of every verdict: the oldest that the book uses, and that of its recordings.
pub const VERDICT_ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90a"];

/// The architectures of `check`.
pub const ALL_ARCHITECTURES: [&str; 7] =
    ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"];

/// The options of every compile, besides the architecture and the header folders.
pub const FLAGS: [&str; 1] = ["--std=c++17"];

/// Switches the disk cache off. Not part of a measurement's key: the code is the same.
const NO_CACHE: &str = "--no-cache";

/// The static shared memory that a block can have on any architecture.
const MOST_STATIC_SHARED: u32 = 48 * 1024;

/// The compiler, loaded.
pub struct Nvrtc {
    api: Api,
    candidate: Candidate,
    version: String,
    architectures: Vec<u32>,
}

/// A place that was tried, and why it was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// Where the place was named.
    pub origin: String,
    /// The folder, or a bare name for the loader's path.
    pub place: String,
    /// `no libnvrtc there`, or what the loader said.
    pub why: String,
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.origin, self.place, self.why)
    }
}

/// Machine code for one architecture.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// For the driver.
    pub cubin: Vec<u8>,
    /// The symbol of each kernel that was asked for, in their order.
    pub symbols: Vec<String>,
    /// The resource usage of each kernel in the text.
    pub resources: Vec<Resources>,
}

impl Nvrtc {
    /// The first that loads, of the places that [`locate`] lists.
    ///
    /// # Errors
    /// If none does: what was tried.
    pub fn find(project: Option<&Path>) -> Result<Nvrtc, Vec<Tried>> {
        let mut tried: Vec<Tried> = project.and_then(unasked).into_iter().collect();
        let own = project.filter(|project| locate::is_home(project));
        for candidate in locate::candidates(own, |name| std::env::var_os(name)) {
            let origin = candidate.origin.clone();
            let place = candidate
                .root
                .as_ref()
                .or(candidate.library.as_ref())
                .map_or(String::new(), |p| p.display().to_string());
            match Nvrtc::load(candidate) {
                Ok(found) => return Ok(found),
                Err(why) => tried.push(Tried { origin, place, why }),
            }
        }
        Err(tried)
    }

    fn load(candidate: Candidate) -> Result<Nvrtc, String> {
        let api = Api::load(&candidate)?;
        let (major, minor) = api.version()?;
        let architectures = api.architectures()?;
        let version = candidate.full_version().unwrap_or_else(|| format!("{major}.{minor}"));
        if major < 12 {
            return Err(format!("version {version} is too old: 12.0 is needed, 13.0 is best"));
        }
        Ok(Nvrtc { api, candidate, version, architectures })
    }

    /// `NVRTC 13.0.88`.
    pub fn identity(&self) -> String {
        format!("NVRTC {}", self.version)
    }

    /// Where it was found, in words.
    pub fn place(&self) -> String {
        let library =
            self.candidate.library.as_ref().map_or_else(String::new, |l| l.display().to_string());
        format!("{library}, named by {}", self.candidate.origin)
    }

    /// Whether it compiles for `sm_90a`, say.
    pub fn supports(&self, architecture: &str) -> bool {
        number(architecture).is_some_and(|n| self.architectures.contains(&n))
    }

    /// The options of a compile: what a measurement's key holds is these without the folders.
    fn options(&self, architecture: &str) -> Vec<String> {
        let mut options: Vec<String> = FLAGS.iter().map(|f| (*f).to_owned()).collect();
        options.push(format!("-arch={architecture}"));
        options.extend(["-Xptxas".to_owned(), "-v".to_owned()]);
        options
            .extend(self.candidate.includes.iter().map(|folder| format!("-I{}", folder.display())));
        options
    }

    /// Compiles without the cache, by an option that NVRTC has had as long as it has had a cache.
    fn compile_anew(
        &self,
        unit: &Unit,
        architecture: &str,
        kernels: &[String],
        extra: &[&str],
    ) -> Result<Output, String> {
        let mut options = self.options(architecture);
        options.extend(extra.iter().map(|option| (*option).to_owned()));
        options.push(NO_CACHE.to_owned());
        match self.api.compile(unit, &options, kernels) {
            // `unrecognized option --no-cache found`: an older one, which keeps nothing.
            Err(refusal) if refusal.contains(NO_CACHE) => {
                options.pop();
                self.api.compile(unit, &options, kernels)
            }
            output => output,
        }
    }

    /// Compiles a unit and finds the symbols of `kernels`.
    ///
    /// # Errors
    /// Every error of the compiler, at its place in the text.
    pub fn compile(
        &self,
        unit: &Unit,
        architecture: &str,
        kernels: &[String],
    ) -> Result<Compiled, Vec<Problem>> {
        self.compile_with(unit, architecture, kernels, &[])
    }

    /// The same with further options.
    pub(crate) fn compile_with(
        &self,
        unit: &Unit,
        architecture: &str,
        kernels: &[String],
        extra: &[&str],
    ) -> Result<Compiled, Vec<Problem>> {
        let whole = |message: String| vec![problem(unit, &unit.name, (0, 0), message)];
        let who = format!("{} for {architecture}", self.identity());
        let output = self
            .compile_anew(unit, architecture, kernels, extra)
            .map_err(|e| whole(format!("{who}: {e}")))?;
        let Some(cubin) = output.cubin else {
            let problems = problems(unit, &output.log, &who);
            return Err(match problems.is_empty() {
                true => whole(format!("{who} says: {}", output.log.trim())),
                false => problems,
            });
        };
        let asked = |symbol: &str| {
            let at = output.symbols.iter().position(|s| s == symbol);
            at.map_or_else(|| log::plain_name(symbol), |at| kernels[at].clone())
        };
        let mut resources = log::resources(&output.log, asked);
        let order = |r: &Resources| kernels.iter().position(|k| *k == r.kernel);
        resources.sort_by_key(|r| order(r).unwrap_or(usize::MAX));
        if let Some(what) = untold(kernels, &resources, &output.log) {
            let message = format!(
                "{who} compiles this, and its log does not tell {what}: a defect of ours, \
                 or of a log that is written in another way"
            );
            let problem = Problem::new(unit.path_of(&unit.name), "", (0, 0), "internal", message);
            return Err(vec![problem]);
        }
        if let Some(greedy) = resources.iter().find(|r| r.shared > MOST_STATIC_SHARED) {
            return Err(whole(format!(
                "`{}` declares {} bytes of shared memory, and a block has {MOST_STATIC_SHARED}; \
                 for more, declare it `extern` and ask for it with `shared =` at the launch",
                greedy.kernel, greedy.shared
            )));
        }
        Ok(Compiled { cubin, symbols: output.symbols, resources })
    }
}

/// What is missing in the log of a successful compile. The assembler writes one even for a text
/// without kernels.
fn untold(kernels: &[String], resources: &[Resources], log: &str) -> Option<String> {
    let silent = kernels.iter().find(|k| !resources.iter().any(|r| r.kernel == **k));
    match silent {
        Some(kernel) => Some(format!("what `{kernel}` takes")),
        None if !log.contains("ptxas") => Some("anything".to_owned()),
        None => None,
    }
}

/// The errors of a log as problems.
fn problems(unit: &Unit, log: &str, who: &str) -> Vec<Problem> {
    let errors = log::messages(log).into_iter().filter(|m| m.severity == log::Severity::Error);
    let mut found = Vec::new();
    for error in errors {
        // Its own list of the kernels' names: the launch names something that is not there.
        if error.file == "__nv_name_map" {
            if let Some(kernel) = missing_kernel(&error.text) {
                let message =
                    format!("a launch names the kernel `{kernel}`, which the file does not define");
                found.push(Problem {
                    code: NO_SUCH_KERNEL.to_owned(),
                    ..problem(unit, &unit.name, (0, 0), message)
                });
            }
            continue;
        }
        let place = (error.line, error.column);
        found.push(problem(unit, &error.file, place, format!("{} ({who})", error.text)));
    }
    found
}

/// A problem in the unit's file or in one of its headers.
fn problem(unit: &Unit, file: &str, place: (u32, u32), message: String) -> Problem {
    let file = if file.is_empty() { &unit.name } else { file };
    let header = unit.headers.iter().find(|h| h.name == file);
    let text = header.map_or(unit.text.as_str(), |h| h.text.as_str());
    Problem::new(unit.path_of(file), text, place, "compile", message)
}

/// The code of a problem that belongs to a launch, whose line only the file knows.
const NO_SUCH_KERNEL: &str = "launch";

/// Puts a launch of nothing at the launch's line.
pub(crate) fn at_its_launch(file: &KernelFile, problem: Problem) -> Problem {
    let quoted = |kernel: &str| problem.message.contains(&format!("`{kernel}`"));
    let launch = file.directives.launches.iter().find(|l| quoted(&l.kernel));
    match launch {
        Some(launch) if problem.code == NO_SUCH_KERNEL && problem.line == 0 => {
            file.problem((launch.line, 0), NO_SUCH_KERNEL, problem.message)
        }
        _ => problem,
    }
}

/// From `identifier "kk" is undefined`.
fn missing_kernel(text: &str) -> Option<&str> {
    text.strip_prefix("identifier \"")?.split_once("\" is undefined").map(|(name, _)| name)
}

/// 90 for `sm_90a`.
pub fn number(architecture: &str) -> Option<u32> {
    architecture
        .strip_prefix("sm_")?
        .trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .ok()
}

/// The back end: compiles, and runs nothing.
pub struct NvrtcBackend(Result<Arc<Nvrtc>, Vec<Tried>>);

impl NvrtcBackend {
    /// Looks for the compiler.
    pub fn new(project: Option<&Path>) -> NvrtcBackend {
        NvrtcBackend(Nvrtc::find(project).map(Arc::new))
    }

    /// The compiler, for the `gpu` back end.
    pub fn compiler(&self) -> Option<Arc<Nvrtc>> {
        self.0.as_ref().ok().cloned()
    }

    /// The places that were tried.
    pub fn tried(&self) -> &[Tried] {
        self.0.as_ref().err().map_or(&[], Vec::as_slice)
    }

    /// Compiles for each of `architectures` that this compiler knows; every problem once.
    pub fn compile_for(
        &self,
        unit: &Unit,
        architectures: &[&str],
        kernels: &[String],
    ) -> (Vec<Resources>, Vec<Problem>) {
        let (mut resources, mut problems) = (Vec::new(), Vec::<Problem>::new());
        let Ok(nvrtc) = &self.0 else { return (resources, problems) };
        for architecture in architectures.iter().filter(|a| nvrtc.supports(a)) {
            match nvrtc.compile(unit, architecture, kernels) {
                Ok(compiled) => resources.extend(compiled.resources),
                Err(found) => {
                    let seen: Vec<_> = problems.iter().map(|p| (p.line, p.column)).collect();
                    problems
                        .extend(found.into_iter().filter(|p| !seen.contains(&(p.line, p.column))));
                }
            }
        }
        (resources, problems)
    }
}

/// The architectures of `all` that have what is needed.
pub fn meeting<'a>(all: &[&'a str], needs: &[Need]) -> Vec<&'a str> {
    let enough = |architecture: &&&str| {
        needs.iter().all(|need| match need {
            Need::ComputeCapability(least) => number(architecture).is_some_and(|n| n >= *least),
        })
    };
    all.iter().filter(enough).copied().collect()
}

/// The kernels that a file launches, each once.
pub fn launched(file: &KernelFile) -> Vec<String> {
    let mut kernels: Vec<String> = Vec::new();
    for launch in &file.directives.launches {
        if !kernels.contains(&launch.kernel) {
            kernels.push(launch.kernel.clone());
        }
    }
    kernels
}

impl Backend for NvrtcBackend {
    fn name(&self) -> BackendName {
        BackendName::Nvrtc
    }

    fn probe(&self) -> Availability {
        match &self.0 {
            Ok(nvrtc) => Availability::Present { identity: nvrtc.identity() },
            Err(_) => Availability::Absent {
                reason: "no NVRTC library found".to_owned(),
                remedy: "install a CUDA toolkit, or NVIDIA's wheels in a virtual environment \
                         `.venv` (nvidia-cuda-nvrtc, -runtime, -crt and -cccl), or name the folder \
                         by WARPBOOK_CUDA"
                    .to_owned(),
            },
        }
    }

    fn meets(&self, need: &Need) -> Result<(), String> {
        match meeting(&ALL_ARCHITECTURES, std::slice::from_ref(need)).is_empty() {
            false => Ok(()),
            true => Err(format!("no architecture that NVRTC is asked for has {need:?}")),
        }
    }

    fn run(&self, file: &KernelFile, project: &Project, _sizes: &[u64]) -> Verdict {
        let identity = self.0.as_ref().map(|n| n.identity()).unwrap_or_default();
        let mut architectures = meeting(&VERDICT_ARCHITECTURES, &file.directives.needs);
        if architectures.is_empty() {
            architectures = meeting(&ALL_ARCHITECTURES, &file.directives.needs);
        }
        let unit = project.unit(file);
        let (resources, problems) = self.compile_for(&unit, &architectures, &launched(file));
        let problems: Vec<Problem> = problems.into_iter().map(|p| at_its_launch(file, p)).collect();
        let verdict = match problems.is_empty() {
            true => Verdict::new(BackendName::Nvrtc, &identity),
            false => Verdict::failed(BackendName::Nvrtc, &identity, problems),
        };
        Verdict { resources, ..verdict }
    }

    fn compile(&self, unit: &Unit) -> Vec<Problem> {
        self.compile_for(unit, &VERDICT_ARCHITECTURES, &[]).1
    }
}

/// A library in the folder of another author's book is that author's code: it is loaded only if the
/// reader names it. In this project's own folder this program itself was built.
fn unasked(project: &Path) -> Option<Tried> {
    let place = project.join(".venv");
    (place.is_dir() && !locate::is_home(project)).then(|| Tried {
        origin: "the book's .venv".to_owned(),
        place: place.display().to_string(),
        why: "a library of a book is not loaded unasked; `WARPBOOK_CUDA=.venv` loads it".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // What needs the compiler is tested in tests/hardware.rs, which says so where it is absent.

    #[test]
    fn numbers_of_architectures() {
        assert_eq!(number("sm_90a"), Some(90));
        assert_eq!(number("sm_120"), Some(120));
        assert_eq!(number("x"), None);
    }

    #[test]
    fn a_log_that_says_nothing_is_noticed() {
        let log = include_str!("nvrtc/logs/success.txt");
        let resources = log::resources(log, log::plain_name);
        let kernels = ["plain".to_owned(), "mangled".to_owned()];
        assert_eq!(untold(&kernels, &resources, log), None);
        assert_eq!(untold(&[], &[], "ptxas info    : 0 bytes gmem"), None);
        assert_eq!(untold(&kernels, &[], "").as_deref(), Some("what `plain` takes"));
        assert_eq!(untold(&kernels, &resources[..1], log).as_deref(), Some("what `plain` takes"));
        assert_eq!(untold(&[], &[], "").as_deref(), Some("anything"));
    }

    #[test]
    fn a_book_s_own_library_is_not_loaded_unasked() {
        let book = tempfile::tempdir().unwrap();
        assert!(unasked(book.path()).is_none());
        std::fs::create_dir(book.path().join(".venv")).unwrap();
        assert!(unasked(book.path()).unwrap().why.contains("WARPBOOK_CUDA=.venv"));
    }
}
