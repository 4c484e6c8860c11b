//! The book as a folder of pages, built in process.
//!
//! mdBook would start the preprocessor as a command (that is what `book.toml` says, for those who
//! run `mdbook` itself). Here it is a library: registering it under the same name replaces the
//! command and keeps its place among the preprocessors. The pages are the same.

use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use std::fs;
use std::path::{Path, PathBuf};
use verify::Project;
use walkdir::WalkDir;

/// How the site is built.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// For a site that is served: pages that reload, and a page with an error says so instead of
    /// failing the build.
    pub(crate) served_as: Option<String>,
}

/// Builds the project's book into the folder `into`, which is made anew.
/// Returns the folder with the pages.
pub(crate) fn build(project: &Project, into: &Path, options: &Options) -> Result<PathBuf> {
    remove(into)?;
    let path = project.root.join("book.toml");
    let mut config = Config::from_disk(&path).with_context(|| project.relative(&path))?;
    config.update_from_env()?;
    config.build.build_dir = into.to_path_buf();
    if options.served_as.is_some() {
        // The page for a missing address finds its style sheets from here.
        config.set("output.html.site-url", "/")?;
    }
    let book = MDBook::load_with_config(&project.root, config)?;
    book.build()?;
    let pages = book.build_dir_for("html");
    if let Some(stamp) = &options.served_as {
        add_to_pages(&pages, &crate::server::reload_script(stamp))?;
    }
    Ok(pages)
}

/// Puts a freshly built folder in the place of an older one.
pub(crate) fn replace(place: &Path, fresh: &Path) -> Result<()> {
    let old = place.with_extension("old");
    remove(&old)?;
    let context = || format!("moving {} to {}", fresh.display(), place.display());
    if place.exists() {
        fs::rename(place, &old).with_context(context)?;
    }
    fs::rename(fresh, place).with_context(context)?;
    remove(&old)
}

/// Removes a folder, if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Every page of a built site.
pub(crate) fn pages(site: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(site).sort_by_file_name().into_iter().filter_map(Result::ok);
    let pages = files.filter(|file| file.path().extension().is_some_and(|end| end == "html"));
    pages.map(|page| page.into_path()).collect()
}

fn add_to_pages(site: &Path, addition: &str) -> Result<()> {
    for page in pages(site) {
        let mut html = fs::read_to_string(&page)?;
        if let Some(end) = html.rfind("</body>") {
            html.insert_str(end, addition);
            fs::write(&page, html).with_context(|| format!("writing {}", page.display()))?;
        }
    }
    Ok(())
}
