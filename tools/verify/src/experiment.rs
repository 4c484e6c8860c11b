//! Host experiments: a chapter's code that measures transfers, launches, latencies, overlap.
//!
//! Kernel files are timed by [`crate::record`]. What only a host program can show is an experiment: a
//! function in `src/experiments/NAME.rs` of the chapter, which gets a [`Lab`] and adds rows to it.
//! The chapter's test executable runs it as a quick test that only must not fail, or in full for
//! `record`, which keeps the rows in `results/`.
//!
//! An experiment does its own timing and passes samples; median and spread are computed here. It
//! asserts nothing: that is what claims are for.

use crate::backend::gpu::device;
use crate::backend::nvrtc::Nvrtc;
use crate::measure::spread;
use crate::project::Project;
use crate::results::{ExperimentResult, Row, Span, Spread, token_hash};
use anyhow::{Context as _, Result, ensure};
use cudarc::driver::{CudaContext, CudaModule};
use cudarc::nvrtc::Ptx;
use std::path::Path;
use std::sync::Arc;

/// One experiment of a chapter; [`crate::experiments!`] makes it.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The name of its file, without `.rs`.
    pub name: &'static str,
    /// Its title on the page.
    pub title: &'static str,
    /// The text of its file.
    pub source: &'static str,
    /// The texts of the chapter's kernel files that it runs.
    pub kernels: &'static [&'static str],
    /// The measurement.
    pub run: fn(&mut Lab) -> Result<()>,
}

/// A chapter's experiments, in reading order: each with the kernel files that it runs.
///
/// Goes into `src/experiments.rs`, after a `mod` for each experiment, and defines `ALL`. The title
/// of an experiment is the first line of its file: `//! # Title`.
#[macro_export]
macro_rules! experiments {
    ($($name:ident: [$($kernel:literal),* $(,)?]),+ $(,)?) => {
        /// This chapter's host experiments, in reading order.
        pub const ALL: &[$crate::experiment::Experiment] = &[$({
            const SOURCE: &str =
                include_str!(concat!("experiments/", stringify!($name), ".rs"));
            $crate::experiment::Experiment {
                name: stringify!($name),
                title: $crate::experiment::title(SOURCE),
                source: SOURCE,
                kernels: &[$(include_str!(concat!("../kernels/", $kernel, ".cu"))),*],
                run: $name::run,
            }
        }),+];
    };
}

/// The title of an experiment: the heading in the first line of its file.
///
/// # Panics
/// At compile time, if the file does not begin with `//! # `.
pub const fn title(source: &str) -> &str {
    let (start, rest) = source.split_at(START.len());
    let mut at = 0;
    while at < START.len() {
        assert!(start.as_bytes()[at] == START.as_bytes()[at], "begin the file with `//! # Title`");
        at += 1;
    }
    let mut end = 0;
    while end < rest.len() && rest.as_bytes()[end] != b'\n' {
        end += 1;
    }
    rest.split_at(end).0
}

const START: &str = "//! # ";

/// Checks that the driver and the compiler are installed. Call it before anything of cudarc, which
/// panics without them.
///
/// # Errors
/// If one of them is missing.
pub fn ensure_libraries() -> Result<()> {
    // SAFETY: loading a library runs its initialisers; these two are NVIDIA's own.
    let (driver, compiler) = unsafe {
        (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present())
    };
    ensure!(driver, "no CUDA driver (libcuda) found: this needs a machine with an NVIDIA GPU");
    ensure!(
        compiler,
        "no NVRTC library found: install a CUDA toolkit, or put NVIDIA's wheel on the loader's path"
    );
    Ok(())
}

/// The context of an experiment: the device, a compiler, and the rows that it records.
///
/// The recordings' keys contain the tokens of the experiments' files, and so this name: renaming it
/// would make all recordings stale.
pub struct Lab {
    project: Project,
    context: Arc<CudaContext>,
    compiler: Nvrtc,
    architecture: String,
    quick: bool,
    result: ExperimentResult,
}

impl Lab {
    fn open(project: &Project, quick: bool) -> Result<Lab> {
        let compiler = Nvrtc::find(Some(&project.root)).map_err(|tried| {
            let tried: Vec<String> = tried.iter().map(ToString::to_string).collect();
            anyhow::anyhow!("no NVRTC to compile with; looked at:\n  {}", tried.join("\n  "))
        })?;
        // Asked first: cudarc panics where there is no driver.
        let info = device::probe()
            .map_err(|absence| anyhow::anyhow!("{}; {}", absence.reason, absence.remedy))?;
        let context = CudaContext::new(0).context("no CUDA device")?;
        let result = ExperimentResult::default();
        let (project, architecture) = (project.clone(), info.architecture());
        Ok(Lab { project, context, compiler, architecture, quick, result })
    }

    /// The primary context of device 0.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// Whether this is a test: a few samples of small sizes are enough.
    pub fn quick(&self) -> bool {
        self.quick
    }

    /// Compiles CUDA C++ for the device, and loads it. A kernel is found by its name if it is
    /// `extern "C"`.
    ///
    /// # Errors
    /// If it does not compile; the message is the compiler's.
    pub fn compile(&self, source: &str) -> Result<Arc<CudaModule>> {
        let unit = self.project.unit_of("experiment.cu", None, source.to_owned());
        let compiled =
            self.compiler.compile(&unit, &self.architecture, &[]).map_err(|problems| {
                let first = problems.first().map_or("", |p| p.rendered.as_str());
                anyhow::anyhow!("the kernel does not compile:\n{first}")
            })?;
        Ok(self.context.load_module(Ptx::from_binary(compiled.cubin))?)
    }

    /// Adds a row for one case; `name` distinguishes it from the others.
    pub fn row(&mut self, name: impl Into<String>) -> RowWriter<'_> {
        self.result.rows.push(Row { name: name.into(), ..Row::default() });
        RowWriter { lab: self }
    }

    /// Adds an interval, in microseconds, to the timeline.
    pub fn span(
        &mut self,
        lane: impl Into<String>,
        what: impl Into<String>,
        start_us: f64,
        end_us: f64,
    ) {
        let (lane, what) = (lane.into(), what.into());
        self.result.spans.push(Span { lane, what, start_us, end_us });
    }
}

/// Adds values to the row of [`Lab::row`].
pub struct RowWriter<'a> {
    lab: &'a mut Lab,
}

impl RowWriter<'_> {
    fn last(&mut self) -> &mut Row {
        let rows = &mut self.lab.result.rows;
        if rows.is_empty() {
            rows.push(Row::default());
        }
        let last = rows.len() - 1;
        &mut rows[last]
    }

    /// Its position on an axis; a plot is drawn over the first one.
    #[expect(
        clippy::return_self_not_must_use,
        reason = "a row is kept by the context, not returned"
    )]
    pub fn x(mut self, axis: &str, value: f64) -> Self {
        self.last().x.insert(axis.to_owned(), value);
        self
    }

    /// Adds a quantity that was measured many times.
    #[expect(
        clippy::return_self_not_must_use,
        reason = "a row is kept by the context, not returned"
    )]
    pub fn samples(mut self, quantity: &str, samples: &[f64]) -> Self {
        let spread = spread(samples.to_vec());
        self.last().values.insert(quantity.to_owned(), spread);
        self
    }

    /// Adds a quantity that is known or was measured once.
    #[expect(
        clippy::return_self_not_must_use,
        reason = "a row is kept by the context, not returned"
    )]
    pub fn value(mut self, quantity: &str, value: f64) -> Self {
        let spread = Spread { median: value, p10: value, p90: value, samples: 1 };
        self.last().values.insert(quantity.to_owned(), spread);
        self
    }
}

/// Runs an experiment of the chapter in `dir`.
///
/// # Errors
/// If it fails, records no row or something other than a number, or includes a kernel that is not a
/// file of the chapter.
pub fn run(
    experiment: &Experiment,
    project: &Project,
    dir: &Path,
    quick: bool,
) -> Result<ExperimentResult> {
    let sources = sources(experiment, dir)?;
    let mut lab = Lab::open(project, quick)?;
    (experiment.run)(&mut lab).with_context(|| format!("the experiment `{}`", experiment.name))?;
    let mut result = lab.result;
    ensure!(!result.rows.is_empty(), "the experiment `{}` recorded no row", experiment.name);
    for row in &result.rows {
        for (quantity, seen) in &row.values {
            ensure!(
                seen.median.is_finite(),
                "the experiment `{}`, row `{}`: `{quantity}` is not a number",
                experiment.name,
                row.name
            );
        }
    }
    result.title = experiment.title.to_owned();
    result.sources = sources.into_iter().collect();
    Ok(result)
}

/// The files of an experiment with the hashes of their tokens.
fn sources(experiment: &Experiment, dir: &Path) -> Result<Vec<(String, String)>> {
    let own = format!("src/experiments/{}.rs", experiment.name);
    let mut all = vec![(own, token_hash(experiment.source))];
    for text in experiment.kernels {
        let entries = std::fs::read_dir(dir.join("kernels")).context("no `kernels` folder")?;
        let found = entries.flatten().find(|entry| {
            std::fs::read_to_string(entry.path()).is_ok_and(|content| content == *text)
        });
        let found = found.with_context(|| {
            format!(
                "the experiment `{}` includes a text that is not a file of `kernels/`",
                experiment.name
            )
        })?;
        let name = found.file_name().to_string_lossy().into_owned();
        all.push((format!("kernels/{name}"), token_hash(text)));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn the_title_is_the_first_heading() {
        assert_eq!(title("//! # Copies, twice\n//!\n//! More.\n"), "Copies, twice");
        assert_eq!(title("//! # é"), "é");
        assert!(std::panic::catch_unwind(|| title("//! Copies of something\n")).is_err());
    }
}
