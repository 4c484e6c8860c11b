//! Asks a back end about a kernel file, through the cache.
//!
//! Whatever keeps a back end from running a file (it is absent, the file skips it, the device
//! lacks something) becomes a `Skipped` verdict here and nowhere else.

use crate::backend::{self, Backend};
use crate::kernel_file::KernelFile;
use crate::project::Project;
use crate::verdict::{Availability, BackendName, Verdict};
use anyhow::Result;
use std::path::Path;

/// Which sizes of a kernel file are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// `//@ page`.
    Page,
    /// `//@ test`.
    Tests,
    /// This one.
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
}

/// The back ends of this machine, probed.
pub struct Verifier {
    project: Project,
    backends: Vec<(Box<dyn Backend>, Availability)>,
    unbuilt: Availability,
}

impl Verifier {
    /// Probes the back ends.
    ///
    /// # Errors
    /// None yet that a reader can cause; the signature leaves room for a cache that cannot be made.
    pub fn open(project: &Project) -> Result<Verifier> {
        let probed = backend::all(project).into_iter().map(|b| {
            let availability = b.probe();
            (b, availability)
        });
        Ok(Verifier {
            project: project.clone(),
            backends: probed.collect(),
            unbuilt: Availability::Absent {
                reason: "not in this build".to_owned(),
                remedy: "build the command with this back end".to_owned(),
            },
        })
    }

    /// The project that it was opened for.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Whether a back end can be used here.
    pub fn availability(&self, name: BackendName) -> &Availability {
        self.backend(name).map_or(&self.unbuilt, |(_, availability)| availability)
    }

    /// What the back end says of the file. A file that does not parse is a failed verdict.
    pub fn verify(&self, path: &Path, name: BackendName, sizes: Sizes) -> Verdict {
        match KernelFile::read(&self.project, path) {
            Ok(file) => self.verify_file(&file, name, sizes),
            Err(problems) => Verdict::failed(name, "", problems),
        }
    }

    /// The same for a file that was read already.
    pub fn verify_file(&self, file: &KernelFile, name: BackendName, sizes: Sizes) -> Verdict {
        let (backend, identity) = match self.backend(name) {
            Some((backend, Availability::Present { identity })) => (backend, identity),
            Some((_, Availability::Absent { reason, .. })) => {
                return Verdict::skipped(name, "", reason);
            }
            None => return Verdict::skipped(name, "", "not in this build"),
        };
        if let Some(skip) = file.directives.skips.iter().find(|s| s.backend == name) {
            return Verdict::skipped(name, identity, &skip.reason);
        }
        for need in &file.directives.needs {
            if let Err(reason) = backend.meets(need) {
                return Verdict::skipped(name, identity, reason);
            }
        }
        backend.run(file, &self.project, &sizes.of(file))
    }

    fn backend(&self, name: BackendName) -> Option<&(Box<dyn Backend>, Availability)> {
        self.backends.iter().find(|(b, _)| b.name() == name)
    }
}
