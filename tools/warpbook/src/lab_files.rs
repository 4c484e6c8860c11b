//! The lab's files and style sheets, for another book: `warpbook lab --into src/lab`.
//!
//! They are copied from the repository that this program was built from. The style sheets, in the order
//! of its `book.toml`, become one, `cuda.css`, without the one for this book's own pages.

use crate::complaint::Complaint;
use crate::module;
use anyhow::{Context, Result, ensure};
use mdbook_driver::config::Config;
use std::fs;
use std::path::{Path, PathBuf};
use verify::Project;

/// The style sheet of this book's own pages.
const OURS_ALONE: &str = "reading.css";

/// Copies everything into a folder, which is created if it does not exist. Returns how many files.
pub(crate) fn put(into: &Path) -> Result<usize> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lab = home.join("chapters/lab");
    if !lab.is_dir() {
        return Err(Complaint::error(
            format!("`{}`, from which this program was built, is gone", home.display()),
            "build it again from a repository that stays where it is",
        ));
    }
    fs::create_dir_all(into).with_context(|| format!("making {}", into.display()))?;
    let mut count = 0;
    for entry in fs::read_dir(&lab)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file()) else { continue };
        fs::copy(&path, into.join(name)).with_context(|| format!("copying {}", path.display()))?;
        count += 1;
    }
    if let Some(module) = module::choose(&Project { root: home.clone() })? {
        module::copy(&home.join(module.folder), into)?;
        if let Some(fault) = module.fault {
            let home = home.canonicalize().unwrap_or_else(|_| home.clone());
            cuda_sim::tell!(
                "warning: {fault}\nhelp: it works; for a new one run `warpbook lab` in `{}`, and then \
                 `warpbook lab --into FOLDER` here, where FOLDER is the folder `lab` of the pages",
                home.display()
            );
        }
    }
    let mut sheets = String::new();
    for sheet in sheet_paths(&home)? {
        let text = fs::read_to_string(&sheet).with_context(|| sheet.display().to_string())?;
        sheets.push_str(&text);
    }
    let sheet = into.join("cuda.css");
    fs::write(&sheet, sheets).with_context(|| format!("writing {}", sheet.display()))?;
    Ok(count + 1)
}

/// The style sheets of this book, in their order.
fn sheet_paths(home: &Path) -> Result<Vec<PathBuf>> {
    let config = Config::from_disk(home.join("book.toml"))?;
    let sheets: Vec<PathBuf> = config.get("output.html.additional-css")?.unwrap_or_default();
    ensure!(!sheets.is_empty(), "the book's `book.toml` names no style sheets");
    Ok(sheets.into_iter().filter(|s| !s.ends_with(OURS_ALONE)).map(|s| home.join(s)).collect())
}
