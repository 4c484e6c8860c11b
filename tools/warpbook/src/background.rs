//! The sizes that a page does not wait for.
//!
//! A page is built with each kernel at its `//@ page` size. Meanwhile this thread runs every kernel
//! at all its `//@ test` sizes on every back end that is present. Verdicts are cached, so after a
//! change only what changed is run. A change during a round ends it, and starts the next.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;
use verify::{Availability, BackendName, Project, Sizes, Status, Verifier, Workers};

/// The thread's handle.
pub(crate) struct Background {
    /// How many changes there were; a round that sees it move is overtaken.
    changes: Arc<AtomicU64>,
    wake: Sender<()>,
}

/// What a round found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// That hold.
    kernels: usize,
    seconds: f64,
    /// Kernel files, relative to the root, each with a rendered problem.
    failures: BTreeSet<(String, String)>,
}

impl Background {
    /// Starts the thread. It waits for [`Background::check`], and calls `report` after each round
    /// that was not overtaken by another change.
    pub(crate) fn start(
        project: &Project,
        workers: Arc<Workers>,
        report: impl Fn(Findings) + Send + 'static,
    ) -> Background {
        let (wake, woken) = mpsc::channel();
        let changes = Arc::new(AtomicU64::new(0));
        let (project, counted) = (project.clone(), changes.clone());
        std::thread::spawn(move || {
            for () in woken {
                let before = counted.load(Ordering::Relaxed);
                let overtaken = || counted.load(Ordering::Relaxed) != before;
                if let Some(findings) = round(&project, &workers, overtaken) {
                    report(findings);
                }
            }
        });
        Background { changes, wake }
    }

    /// Something changed: look at everything again.
    pub(crate) fn check(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        // The thread ends only with the process.
        let _ = self.wake.send(());
    }
}

/// One round over all kernels; `None` if it was overtaken.
fn round(
    project: &Project,
    workers: &Arc<Workers>,
    overtaken: impl Fn() -> bool,
) -> Option<Findings> {
    let started = Instant::now();
    let mut findings = Findings::default();
    let opened = Verifier::open(project)
        .map(|verifier| verifier.with_workers(Some(Arc::clone(workers))))
        .and_then(|verifier| Ok((verifier, project.kernel_files()?)));
    let (verifier, files) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            findings.failures.insert((String::new(), crate::complaint::text(&error)));
            return Some(findings);
        }
    };
    let present =
        |name: &BackendName| matches!(verifier.availability(*name), Availability::Present { .. });
    for file in &files {
        let mut holds = true;
        for backend in BackendName::ALL.into_iter().filter(present) {
            if overtaken() {
                return None;
            }
            // What is wrong at the page size is in the page already.
            let shown = backend != BackendName::Gpu
                && verifier.verify(file, backend, Sizes::Page).status == Status::Failed;
            if shown {
                holds = false;
                continue;
            }
            let verdict = verifier.verify(file, backend, Sizes::Tests);
            if verdict.status == Status::Failed {
                holds = false;
                let name = project.relative(file);
                let problems = verdict.all_problems();
                findings.failures.extend(problems.map(|p| (name.clone(), p.rendered.clone())));
            }
        }
        findings.kernels += usize::from(holds);
    }
    findings.seconds = started.elapsed().as_secs_f64();
    Some(findings)
}

impl Findings {
    /// Whether it has the same failures, which the reader has seen already.
    pub(crate) fn same_failures(&self, other: &Findings) -> bool {
        self.failures == other.failures
    }

    /// What was found in these files is no longer known: they changed.
    pub(crate) fn forget(&mut self, files: impl Iterator<Item = String>) {
        for changed in files {
            self.failures.retain(|(file, _)| *file != changed);
        }
    }

    /// What the page of this chapter (its folder, relative to the root) says of them.
    pub(crate) fn html(&self, chapter: &str) -> String {
        let mut html = String::new();
        for (file, problem) in &self.failures {
            if file.strip_prefix(chapter).is_some_and(|rest| rest.starts_with('/')) {
                let problem = problem.replace('&', "&amp;").replace('<', "&lt;");
                html.push_str("<div class=\"cuda-problem\" role=\"alert\"><p>At a test size:</p>");
                html.push_str(&format!(
                    "<pre class=\"cuda-terminal\"><samp>{problem}</samp></pre></div>\n"
                ));
            }
        }
        html
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Findings { kernels, seconds, failures } = self;
        if failures.is_empty() {
            return write!(f, "{kernels} kernels hold at all their test sizes ({seconds:.1} s).");
        }
        for (_, failure) in failures {
            writeln!(f, "{}", failure.trim_end())?;
        }
        write!(f, "{} problem(s) at the test sizes ({seconds:.1} s).", failures.len())
    }
}
