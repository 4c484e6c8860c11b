//! Runs a back end on a kernel file or a fence, through the cache.
//!
//! Only this module makes `Skipped` verdicts: for an absent back end, a `//@ skip`, a device that
//! lacks something. A back end that panics becomes a failed verdict, so that a server keeps running.

use crate::backend::{self, Backend};
use crate::cache::{self, Cache};
use crate::fence::{Fence, Promise};
use crate::mutate;
use crate::project::Project;
use anyhow::Result;
use kernel_file::KernelFile;
use kernel_file::point::Point;
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, BackendName, Problem, Status, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The sizes of a kernel file to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// `//@ page`.
    Page,
    /// `//@ test`.
    Tests,
    /// This size.
    One(u64),
}

impl Sizes {
    /// The sizes themselves.
    pub fn of(self, file: &KernelFile) -> Vec<u64> {
        let page = file.directives.page;
        match self {
            Sizes::Page => page.into_iter().collect(),
            Sizes::Tests if file.directives.test.is_empty() => page.into_iter().collect(),
            Sizes::Tests => file.directives.test.clone(),
            Sizes::One(n) => vec![n],
        }
    }

    /// The points of a file to run, each with its sizes: the page's size at every point, the other
    /// sizes at the first point. A file that is bound to a point has only that point.
    fn by_point(self, file: &KernelFile) -> Vec<(Point, Vec<u64>)> {
        let sizes = self.of(file);
        if !file.point.is_empty() || file.directives.varies.is_empty() {
            return vec![(file.point.clone(), sizes)];
        }
        let points = file.points();
        let first = points.first().cloned().unwrap_or_default();
        let page = || Sizes::Page.of(file);
        let everywhere = points.iter().map(|point| (point.clone(), page()));
        match self {
            Sizes::Page => everywhere.collect(),
            Sizes::One(_) => vec![(first, sizes)],
            Sizes::Tests => std::iter::once((first, sizes)).chain(everywhere).collect(),
        }
    }
}

/// The back ends of this machine, probed.
pub struct Verifier {
    project: Project,
    backends: Vec<Probed>,
    cache: Cache,
    unbuilt: Availability,
}

struct Probed {
    backend: Box<dyn Backend>,
    availability: Availability,
}

/// Codes of the simulator's problems that would make a device hang or fault.
const LOSES_A_DEVICE: [&str; 3] = ["endless", "deadlock", "bounds"];

impl Verifier {
    /// Probes the back ends.
    ///
    /// # Errors
    /// If the project's folder does not exist.
    pub fn open(project: &Project) -> Result<Verifier> {
        anyhow::ensure!(project.root.is_dir(), "`{}` is not a folder", project.root.display());
        let probed = backend::all(project).into_iter().map(|backend| {
            let availability = backend.probe();
            Probed { backend, availability }
        });
        Ok(Verifier {
            project: project.clone(),
            backends: probed.collect(),
            cache: Cache::new(project.root.join("target/verify")),
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
    /// construct that it does not support, never for a finding.
    pub fn runs_after_all(&self, file: &KernelFile, name: BackendName) -> bool {
        if self.absence(name).is_some() {
            return false;
        }
        let verdict = self.run(file, name, Sizes::Tests);
        match name {
            BackendName::Sim => !verdict.all_problems().any(|p| p.code == "unsupported"),
            _ => verdict.status == Status::Passed,
        }
    }

    /// The back end's verdict about a fence.
    pub fn verify_fence(&self, fence: &Fence, name: BackendName) -> Verdict {
        let (probed, identity) = match self.present(name) {
            Ok(present) => present,
            Err(reason) => return Verdict::skipped(name, "", reason),
        };
        if let Promise::Ignore(reason) = &fence.promise {
            return Verdict::skipped(name, identity, reason);
        }
        let runs = matches!(fence.promise, Promise::Run | Promise::Fault(_));
        if runs && name != BackendName::Nvrtc {
            return match fence.kernel_file() {
                Ok(file) => self.verify_file(&file, name, Sizes::Page),
                Err(problems) => Verdict::failed(name, identity, problems),
            };
        }
        if name == BackendName::Gpu {
            return Verdict::skipped(name, identity, "a fence that is only compiled");
        }
        let folder = self.project.root.join(&fence.file);
        let unit = self.project.unit_of(&fence.file, folder.parent(), fence.padded());
        let question = format!("fence {:?}", fence.promise);
        self.cached(&unit, probed, identity, &question, || {
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
            mutate::judge(probed.backend.as_ref(), file, &self.project)
        })
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
                probed.backend.run(&file.at(&point), &self.project, &sizes)
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
        if let Some(verdict) = self.cache.load(&key) {
            return verdict;
        }
        match catch_unwind(AssertUnwindSafe(compute)) {
            Ok(verdict) => {
                // A device may fail for reasons that are gone tomorrow.
                if !(name == BackendName::Gpu && verdict.status == Status::Failed) {
                    self.cache.store(&key, &verdict);
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
