//! Runs a back end on a kernel file or a fence, through the cache.
//!
//! Only this module makes `Skipped` verdicts: for an absent back end, a `//@ skip`, a device that
//! lacks something. A back end that panics becomes a failed verdict, so that a server keeps running.

use crate::backend::{self, Backend, program};
use crate::cache::{self, Cache};
use crate::fence::{Fence, Promise};
use crate::mutate;
use crate::project::Project;
use crate::worker::{DIED, FileText, Request, Workers};
use anyhow::Result;
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, BackendName, Problem, Status, Verdict};
use kernel_file::{KernelFile, Sizes};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// The back ends of this machine, probed.
pub struct Verifier {
    project: Project,
    backends: Vec<Probed>,
    cache: Option<Cache>,
    workers: Option<Arc<Workers>>,
    unbuilt: Availability,
}

struct Probed {
    backend: Box<dyn Backend>,
    availability: Availability,
}

/// Codes of the simulator's problems that make a device hang or fault: what does not end, threads that
/// wait for others in vain, and errors that are sticky in CUDA.
const LOSES_A_DEVICE: [&str; 8] =
    ["endless", "steps", "deadlock", "barrier", "sync-mask", "bounds", "trap", "fault"];

impl Verifier {
    /// Probes the back ends. Verdicts are kept in the project's folder, if it is a book's.
    ///
    /// # Errors
    /// If the project's folder does not exist.
    pub fn open(project: &Project) -> Result<Verifier> {
        let verifier = Verifier::with_backends(project, backend::all(project))?;
        let is_book = project.root.join("book.toml").is_file();
        let cache = is_book.then(|| Cache::new(project.root.join("target/verify")));
        Ok(Verifier { cache, ..verifier })
    }

    /// What a child process needs ([`crate::worker`]): no device, and no cache but its parent's.
    ///
    /// # Errors
    /// If the project's folder does not exist.
    pub fn in_child(project: &Project) -> Result<Verifier> {
        let mut all = backend::all(project);
        all.retain(|backend| backend.name() != BackendName::Gpu);
        Verifier::with_backends(project, all)
    }

    /// The same, with children that do the work.
    #[must_use]
    pub fn with_workers(self, workers: Option<Arc<Workers>>) -> Verifier {
        Verifier { workers, ..self }
    }

    fn with_backends(project: &Project, all: Vec<Box<dyn Backend>>) -> Result<Verifier> {
        anyhow::ensure!(project.root.is_dir(), "`{}` is not a folder", project.root.display());
        let probed = all.into_iter().map(|backend| {
            let availability = backend.probe();
            Probed { backend, availability }
        });
        Ok(Verifier {
            project: project.clone(),
            backends: probed.collect(),
            cache: None,
            workers: None,
            unbuilt: Availability::Absent {
                reason: "not in this build".to_owned(),
                remedy: "build with this back end".to_owned(),
            },
        })
    }

    /// The project that it was opened for.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Whether a back end can be used on this computer.
    pub fn availability(&self, name: BackendName) -> &Availability {
        self.probed(name).map_or(&self.unbuilt, |p| &p.availability)
    }

    /// The back end's verdict about a file. A file that does not parse fails.
    pub fn verify(&self, path: &Path, name: BackendName, sizes: Sizes) -> Verdict {
        match self.project.read(path) {
            Ok(file) => self.verify_file(&file, name, sizes),
            Err(problems) => Verdict::failed(name, "", problems),
        }
    }

    /// The back end's verdict about a parsed file.
    pub fn verify_file(&self, file: &KernelFile, name: BackendName, sizes: Sizes) -> Verdict {
        if let Some(verdict) = self.left_out(file, name) {
            return verdict;
        }
        if name == BackendName::Gpu
            && let Some(verdict) = self.too_dangerous(file, sizes)
        {
            return verdict;
        }
        self.run(file, name, sizes)
    }

    /// A kernel that does not end, or that accesses memory out of bounds, makes the device unusable
    /// for the whole process. If the simulator found that, the kernel is not launched.
    fn too_dangerous(&self, file: &KernelFile, sizes: Sizes) -> Option<Verdict> {
        let caught = self.verify_file(file, BackendName::Sim, sizes);
        let problems: Vec<Problem> = caught
            .all_problems()
            .filter(|problem| LOSES_A_DEVICE.contains(&problem.code.as_str()))
            .map(|problem| Problem {
                message: format!("not launched on the device: {}", problem.message),
                ..problem.clone()
            })
            .collect();
        let identity = self.present(BackendName::Gpu).ok()?.1;
        (!problems.is_empty()).then(|| Verdict::failed(BackendName::Gpu, identity, problems))
    }

    /// Whether a skip has expired: the back end passes the file. The simulator may be skipped for a
    /// construct that it does not support, or for a kernel that takes too many instructions, never
    /// for a finding.
    pub fn runs_after_all(&self, file: &KernelFile, name: BackendName) -> bool {
        if self.absence(name).is_some() {
            return false;
        }
        let verdict = self.run(file, name, Sizes::Tests);
        match name {
            BackendName::Sim => {
                !verdict.all_problems().any(|p| ["unsupported", "endless"].contains(&&*p.code))
            }
            _ => verdict.status == Status::Passed,
        }
    }

    /// The back end's verdict about a fence. What is wrong with it as a whole is at its line of the page.
    pub fn verify_fence(&self, fence: &Fence, name: BackendName) -> Verdict {
        let mut verdict = self.judge_fence(fence, name);
        let of_runs = verdict.runs.iter_mut().flat_map(|run| &mut run.problems);
        verdict.problems.iter_mut().chain(of_runs).for_each(|problem| fence.place(problem));
        verdict
    }

    fn judge_fence(&self, fence: &Fence, name: BackendName) -> Verdict {
        let (probed, identity) = match self.present(name) {
            Ok(present) => present,
            Err(reason) => return Verdict::skipped(name, "", reason),
        };
        if let Promise::Ignore(reason) = &fence.promise {
            return Verdict::skipped(name, identity, reason);
        }
        let runs = matches!(fence.promise, Promise::Run | Promise::Fault(_));
        let folder = self.project.root.join(&fence.file);
        let unit = self.project.unit_of(&fence.file, folder.parent(), fence.padded());
        if fence.is_program() {
            return match name {
                BackendName::Sim => self.cached(&unit, probed, identity, "program", || {
                    self.asked(&unit, probed, || Request::fence(fence, name))
                        .unwrap_or_else(|| program::run(&unit))
                }),
                _ => Verdict::skipped(name, identity, program::ONLY_THE_SIMULATOR),
            };
        }
        if runs && name != BackendName::Nvrtc {
            return match fence.kernel_file() {
                Ok(file) => self.verify_file(&file, name, Sizes::Page),
                Err(problems) => Verdict::failed(name, identity, problems),
            };
        }
        if name == BackendName::Gpu {
            return Verdict::skipped(name, identity, "a fence that is only compiled");
        }
        let question = format!("fence {:?}", fence.promise);
        self.cached(&unit, probed, identity, &question, || {
            if let Some(verdict) = self.asked(&unit, probed, || Request::fence(fence, name)) {
                return verdict;
            }
            let problems = fence.judge(probed.backend.compile(&unit));
            let status = if problems.is_empty() { Status::Passed } else { Status::Failed };
            Verdict { status, problems, ..Verdict::new(name, identity) }
        })
    }

    /// Whether the file's own expectation rejects a wrong kernel (see [`crate::mutate`]).
    pub fn verify_mutation(&self, file: &KernelFile) -> Verdict {
        let name = BackendName::Sim;
        let (probed, identity) = match self.present(name) {
            Ok(present) => present,
            Err(reason) => return Verdict::skipped(name, "", reason),
        };
        let unit = self.project.unit(file);
        self.cached(&unit, probed, identity, "mutation", || {
            let request = || Request::Mutation { file: FileText::new(file) };
            self.asked(&unit, probed, request)
                .unwrap_or_else(|| mutate::judge(probed.backend.as_ref(), file, &self.project))
        })
    }

    /// [`Verifier::verify_mutation`], in this process and not cached.
    pub(crate) fn mutate_here(&self, file: &KernelFile) -> Verdict {
        match self.probed(BackendName::Sim) {
            Some(probed) => mutate::judge(probed.backend.as_ref(), file, &self.project),
            None => Verdict::skipped(BackendName::Sim, "", "not in this build"),
        }
    }

    /// Runs a file in this process, not cached.
    pub(crate) fn run_here(&self, file: &KernelFile, name: BackendName, sizes: &[u64]) -> Verdict {
        match self.present(name) {
            Ok((probed, _)) => probed.backend.run(file, &self.project, sizes),
            Err(reason) => Verdict::skipped(name, "", reason),
        }
    }

    /// The verdict of a child process; `None` where this process does the work. A device is this
    /// process's: it takes time to open.
    fn asked(
        &self,
        unit: &Unit,
        probed: &Probed,
        request: impl FnOnce() -> Request,
    ) -> Option<Verdict> {
        let name = probed.backend.name();
        let workers = self.workers.as_ref().filter(|_| name != BackendName::Gpu)?;
        Some(workers.ask(&request()).unwrap_or_else(|why| {
            let problem = Problem::new(&unit.name, &unit.text, (0, 0), DIED, why);
            Verdict::failed(name, "", vec![problem])
        }))
    }

    /// Why the back end cannot be used, if it cannot.
    pub fn absence(&self, name: BackendName) -> Option<&str> {
        self.present(name).err()
    }

    /// Why the file is not run on the back end, if it is not.
    pub(crate) fn left_out(&self, file: &KernelFile, name: BackendName) -> Option<Verdict> {
        let (probed, identity) = match self.present(name) {
            Ok(present) => present,
            Err(reason) => return Some(Verdict::skipped(name, "", reason)),
        };
        let reason = if let Some(skip) = file.directives.skips.iter().find(|s| s.backend == name) {
            skip.reason.clone()
        } else if file.directives.catches.is_some() && name == BackendName::Gpu {
            "defective on purpose: its behaviour on a device proves nothing".to_owned()
        } else {
            file.directives.needs.iter().find_map(|need| probed.backend.meets(need).err())?
        };
        Some(Verdict::skipped(name, identity, reason))
    }

    /// Runs the file, or takes the verdict from the cache. Only for a back end that is present.
    fn run(&self, file: &KernelFile, name: BackendName, sizes: Sizes) -> Verdict {
        let (probed, identity) = match self.present(name) {
            Ok(present) => present,
            Err(reason) => return Verdict::skipped(name, "", reason),
        };
        let unit = self.project.unit(file);
        let mut points = sizes.by_point(file);
        if name == BackendName::Nvrtc {
            // It runs nothing: the text is the same at every point.
            points.truncate(1);
        }
        let runs = points.into_iter().map(|(point, sizes)| {
            // A fence's promise names the class outside of its text.
            let question = format!("run {sizes:?} {point} {:?}", file.directives.catches);
            self.cached(&unit, probed, identity, &question, || {
                let file = file.at(&point);
                let request = || Request::Run {
                    file: FileText::new(&file),
                    backend: name,
                    point: file.point.clone(),
                    sizes: sizes.clone(),
                };
                self.asked(&unit, probed, request)
                    .unwrap_or_else(|| probed.backend.run(&file, &self.project, &sizes))
            })
        });
        runs.reduce(Verdict::and).unwrap_or_else(|| Verdict::new(name, identity))
    }

    fn cached(
        &self,
        unit: &Unit,
        probed: &Probed,
        identity: &str,
        question: &str,
        compute: impl FnOnce() -> Verdict,
    ) -> Verdict {
        let name = probed.backend.name();
        let key = cache::key(unit, name, identity, question);
        if let Some(verdict) = self.cache.as_ref().and_then(|cache| cache.load(&key)) {
            return verdict;
        }
        match catch_unwind(AssertUnwindSafe(compute)) {
            Ok(verdict) => {
                // A device may fail for reasons that are gone tomorrow, and so may a process die.
                let died = verdict.problems.iter().any(|problem| problem.code == DIED);
                let lasts = !(died || name == BackendName::Gpu && verdict.status == Status::Failed);
                if let Some(cache) = self.cache.as_ref().filter(|_| lasts) {
                    cache.store(&key, &verdict);
                }
                verdict
            }
            Err(payload) => {
                let message = format!(
                    "the back end `{name}` failed on this file; this is a bug in `warpbook`: {}",
                    panic_message(payload.as_ref())
                );
                let problem = Problem::new(&unit.name, &unit.text, (0, 0), "internal", message);
                Verdict::failed(name, identity, vec![problem])
            }
        }
    }

    fn probed(&self, name: BackendName) -> Option<&Probed> {
        self.backends.iter().find(|p| p.backend.name() == name)
    }

    /// The back end and its identity, or why it is absent.
    fn present(&self, name: BackendName) -> Result<(&Probed, &str), &str> {
        let probed = self.probed(name).ok_or("not in this build")?;
        match &probed.availability {
            Availability::Present { identity } => Ok((probed, identity)),
            Availability::Absent { reason, .. } => Err(reason),
        }
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
