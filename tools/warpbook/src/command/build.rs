//! `warpbook build`: the book as a folder of pages, `target/book`.

use crate::command::{Root, verify_child};
use crate::place::Fresh;
use crate::progress::{Progress, say};
use crate::site::{self, Purpose};
use crate::{Outcome, complaint, links, log};
use anyhow::Result;
use std::path::Path;
use std::time::Instant;
use verify::{KernelFile, Project, all_results};

/// Build the book into target/book
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Accept no stale or missing results, no warnings and no dead links
    #[arg(long)]
    strict: bool,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    let strict = arguments.strict;
    let place = project.root.join("target/book");
    let started = Instant::now();
    let mut progress = Progress::new();
    let wait =
        || cuda_sim::tell!("Another `warpbook build` of this book runs; this one waits for it.");
    let fresh = Fresh::begin(&place, wait)?;
    progress.step("building and verifying the book ...");
    let pages = match site::build(
        &project,
        &verify_child::workers(&project)?,
        fresh.folder(),
        Purpose::Keep { strict },
    ) {
        Ok(pages) => pages,
        Err(error) => {
            progress.clear();
            complaint::print(&error);
            return Ok(Outcome::Broken);
        }
    };
    if log::errors() > 0 {
        progress.clear();
        cuda_sim::tell!("The book is not replaced: see the errors above.");
        return Ok(Outcome::Broken);
    }
    if strict {
        progress.step("checking links ...");
        let broken = links::check(&pages, &project)?;
        progress.clear();
        for link in &broken {
            cuda_sim::tell!("error: {link}");
        }
        if broken.len() == links::MOST {
            cuda_sim::tell!(
                "There may be more: links are checked until {} are broken.",
                links::MOST
            );
        }
        let unmeasured = unmeasured(&project)?;
        for (kernel, n) in &unmeasured {
            cuda_sim::tell!(
                "error: {kernel} promises a measurement at n = {n} and is not measured there"
            );
        }
        if !unmeasured.is_empty() {
            cuda_sim::tell!(
                "help: `warpbook record` on a machine with a GPU; without one, leave out the line \
                 `//@ measure` until it is recorded, or build without `--strict`"
            );
        }
        let unlisted = unlisted(&project, &pages)?;
        for page in &unlisted {
            cuda_sim::tell!("error: {page} is in no line of `SUMMARY.md`");
        }
        let warnings = log::warnings();
        if warnings > 0 {
            cuda_sim::tell!("error: --strict accepts no warnings, and there were {warnings}");
        }
        if !(broken.is_empty() && unmeasured.is_empty() && unlisted.is_empty()) || warnings > 0 {
            return Ok(Outcome::Broken);
        }
    }
    progress.clear();
    fresh.publish()?;
    let seconds = started.elapsed().as_secs_f64();
    // As one would name it from here.
    let here = std::env::current_dir().unwrap_or_default();
    let shown = place.strip_prefix(here).unwrap_or(&place).display();
    say!("The book is in {shown} (built in {seconds:.1} s).");
    Ok(Outcome::Kept)
}

/// The chapters' pages that the built book does not have.
fn unlisted(project: &Project, built: &Path) -> Result<Vec<String>> {
    let is_built = |chapter: &str, page: &Path| {
        let page = page.file_stem().unwrap_or_default();
        let page = if page == "README" { "index".as_ref() } else { page };
        built.join(chapter).join(page).with_extension("html").is_file()
    };
    let mut unlisted = Vec::new();
    for chapter in project.chapters()? {
        let pages = chapter.pages().into_iter().filter(|page| !is_built(&chapter.name, page));
        unlisted.extend(pages.map(|page| project.relative(&page)));
    }
    Ok(unlisted)
}

/// The kernel files that say `//@ measure`, with each size that no results file has at every
/// point.
fn unmeasured(project: &Project) -> Result<Vec<(String, u64)>> {
    let mut unmeasured = Vec::new();
    for chapter in project.chapters()? {
        let results = all_results(&chapter)?;
        let is_there = |file: &KernelFile, n: u64| {
            let mut kernels = results.iter().filter_map(|(_, all)| all.kernels.get(&file.stem));
            let points = file.points();
            kernels.any(|kernel| points.iter().all(|p| kernel.measurement(n, p).is_some()))
        };
        for path in &chapter.kernels {
            // One that does not parse has failed the build already, if a page shows it.
            let Ok(file) = project.read(path) else { continue };
            if file.directives.catches.is_some() {
                continue;
            }
            let missing = file.directives.measure.iter().filter(|n| !is_there(&file, **n));
            unmeasured.extend(missing.map(|n| (file.relative.clone(), *n)));
        }
    }
    Ok(unmeasured)
}
