//! The book's folder: the one with `book.toml`, its chapters, and their kernel files.
//!
//! There are no lists: a chapter is a folder `chapters/ch*`, a kernel is a file
//! `kernels/*.cu` in it. The reading order is the number that a name begins with; the defective files
//! (`bad_*`) come last.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The book's project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The folder with `book.toml`, absolute.
    pub root: PathBuf,
}

/// One chapter's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Its path, absolute.
    pub dir: PathBuf,
    /// Its folder's name: `ch05-reduction`.
    pub name: String,
    /// Its kernel files in reading order.
    pub kernels: Vec<PathBuf>,
}

impl Project {
    /// The project that holds `from`: the nearest folder above it (or itself) with a `book.toml`.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(from: &Path) -> Result<Project> {
        let start = std::path::absolute(from)
            .with_context(|| format!("`{}` is not a path", from.display()))?;
        match start.ancestors().find(|dir| dir.join("book.toml").is_file()) {
            Some(root) => Ok(Project { root: root.to_path_buf() }),
            None => bail!(
                "no `book.toml` in `{}` or above it; run this from inside the book's folder",
                start.display()
            ),
        }
    }

    /// The chapters in order.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn chapters(&self) -> Result<Vec<Chapter>> {
        let dir = self.root.join("chapters");
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        let mut chapters = Vec::new();
        for path in entries(&dir)? {
            let name = file_name(&path);
            if name.starts_with("ch") && path.is_dir() {
                chapters.push(Chapter::open(&path)?);
            }
        }
        chapters.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(chapters)
    }

    /// Every chapter's kernel files, in reading order.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn kernel_files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.chapters()?.into_iter().flat_map(|c| c.kernels).collect())
    }

    /// A path as messages show it: from the root, with forward slashes.
    pub fn relative(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.root).unwrap_or(path);
        shown.to_string_lossy().replace('\\', "/")
    }
}

impl Chapter {
    /// The chapter in `dir`.
    ///
    /// # Errors
    /// If its `kernels/` cannot be read (having none is not an error).
    pub fn open(dir: &Path) -> Result<Chapter> {
        let kernels = dir.join("kernels");
        let mut files = if kernels.is_dir() { entries(&kernels)? } else { Vec::new() };
        files.retain(|f| f.extension().is_some_and(|e| e == "cu"));
        files.sort_by_cached_key(|f| reading_order(&file_name(f)));
        Ok(Chapter { dir: dir.to_path_buf(), name: file_name(dir), kernels: files })
    }
}

/// Sorts `2_b` before `10_a`, a name without a number behind those with one, and `bad_*` last.
fn reading_order(name: &str) -> (bool, u64, String) {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    (name.starts_with("bad_"), digits.parse().unwrap_or(u64::MAX), name.to_owned())
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read the folder `{}`", dir.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).with_context(cannot)? {
        paths.push(entry.with_context(cannot)?.path());
    }
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_come_in_reading_order() {
        let folder = tempfile::tempdir().unwrap();
        let kernels = folder.path().join("chapters/ch01-x/kernels");
        std::fs::create_dir_all(&kernels).unwrap();
        std::fs::write(folder.path().join("book.toml"), "").unwrap();
        for name in ["10_z.cu", "2_b.cu", "bad_a.cu", "extra.cu", "notes.txt"] {
            std::fs::write(kernels.join(name), "").unwrap();
        }
        let project = Project::find(&kernels).unwrap();
        let names: Vec<String> =
            project.kernel_files().unwrap().iter().map(|f| file_name(f)).collect();
        assert_eq!(names, ["2_b.cu", "10_z.cu", "extra.cu", "bad_a.cu"]);
        assert_eq!(project.relative(&kernels.join("2_b.cu")), "chapters/ch01-x/kernels/2_b.cu");
    }

    #[test]
    fn outside_a_book_the_error_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = Project::find(folder.path()).unwrap_err().to_string();
        assert!(error.contains("run this from inside the book's folder"), "{error}");
    }
}
