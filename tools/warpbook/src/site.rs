//! The book as a folder of pages, built in process.
//!
//! mdBook would start the preprocessor as a command (that is what `book.toml` says, for those who
//! run `mdbook` itself). Here it is a library: registering it under the same name replaces the
//! command and keeps its place among the preprocessors. The pages are the same.

use crate::background::Findings;
use crate::log;
use crate::module;
use crate::place::remove;
use anyhow::{Context, Result, bail};
use mdbook_cuda::{Cuda, boundary, settings};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify::{Project, Workers};
use walkdir::WalkDir;

/// What the site is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose<'a> {
    /// To be kept: anything that is wrong fails the build, and where `strict`, so do results that
    /// are stale or missing.
    Keep {
        /// Results too.
        strict: bool,
    },
    /// To be read while it is being written: what is wrong is printed and shown in its page.
    Serve {
        /// What its pages know this build by.
        stamp: &'a str,
        /// What the background found since the build before.
        findings: &'a Findings,
        /// The GPU that its pages may use.
        gpu: Option<&'a str>,
    },
}

/// Builds the project's book into the folder `into`, which is made anew. Returns the folder with
/// the pages.
pub(crate) fn build(
    project: &Project,
    workers: &Arc<Workers>,
    into: &Path,
    purpose: Purpose<'_>,
) -> Result<PathBuf> {
    remove(into)?;
    log::begin_build();
    let path = project.root.join("book.toml");
    let mut config = Config::from_disk(&path).with_context(|| project.relative(&path))?;
    config.update_from_env()?;
    refuse_outside(project, &config, matches!(purpose, Purpose::Serve { .. }))?;
    config.build.build_dir = into.to_path_buf();
    let module = module::choose(project)?;
    let old_module = module.as_ref().is_some_and(|module| module.fault.is_some());
    let strict = matches!(purpose, Purpose::Keep { strict: true });
    let options = mdbook_cuda::Options { strict, old_module };
    let cuda = Cuda::new(options).with_workers(Arc::clone(workers));
    let cuda = match purpose {
        Purpose::Keep { .. } => cuda,
        Purpose::Serve { .. } => {
            // The page for a missing address finds its style sheets from here.
            config.set("output.html.site-url", "/")?;
            cuda.keep_going(|problem| cuda_sim::tell!("{}\n", problem.rendered.trim_end()))
        }
    };
    let mut book = MDBook::load_with_config(&project.root, config)?;
    book.with_preprocessor(cuda);
    book.build()?;
    let pages = book.build_dir_for("html");
    if let Some(module) = module {
        // mdBook has copied the committed one.
        module::copy(&project.root.join(module.folder), &pages.join("lab"))?;
    }
    if let Purpose::Serve { stamp, findings, gpu } = purpose {
        for page in self::pages(&pages) {
            let html = fs::read_to_string(&page)?;
            let script = crate::server::reload_script(stamp);
            let mut html = html.replacen("</body>", &format!("{script}</body>"), 1);
            if let Some(name) = gpu {
                // No more than a name: the secret is for who asks from the page.
                let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', " ");
                let note = format!("<meta name=\"warpbook-gpu\" content=\"{name}\">");
                html = html.replacen("</head>", &format!("{note}\n</head>"), 1);
            }
            let folder = page.strip_prefix(&pages)?.parent().unwrap_or(Path::new(""));
            if folder != Path::new("") {
                let chapter = project.relative(&project.src().join(folder));
                let found = findings.html(&chapter);
                html = html.replacen("<main>", &format!("<main>\n{found}"), 1);
            }
            fs::write(&page, html).with_context(|| format!("writing {}", page.display()))?;
        }
    }
    Ok(pages)
}

/// Refuses a book with paths that lead out of its folder, before mdBook follows them, and one that names
/// files that are not there. A page that includes such a file is not refused while it is being written
/// (`serving`).
///
/// # Errors
/// If there is one; each is named.
pub(crate) fn refuse_outside(project: &Project, config: &Config, serving: bool) -> Result<()> {
    let mut problems = boundary::check(&project.root, config);
    problems.retain(|problem| match problem.code.as_str() {
        // mdBook names it, and shows the directive.
        boundary::MISSING => !serving,
        // mdBook writes an empty page.
        boundary::NO_PAGE => !config.build.create_missing,
        _ => true,
    });
    problems.extend(settings::check(&project.root, config));
    if problems.is_empty() {
        return Ok(());
    }
    let all: Vec<&str> = problems.iter().map(|p| p.rendered.trim_end()).collect();
    bail!("the book cannot be built\n\n{}", all.join("\n\n"));
}

/// Every page of a built site.
pub(crate) fn pages(site: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(site).sort_by_file_name().into_iter().filter_map(Result::ok);
    let pages = files.filter(|file| file.path().extension().is_some_and(|end| end == "html"));
    pages.map(|page| page.into_path()).collect()
}
