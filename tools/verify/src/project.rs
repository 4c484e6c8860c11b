//! The book's folder: the one with `book.toml`, its chapters, and their kernel files.
//!
//! There are no lists: a chapter is a folder `ch*` in the folder that `book.toml` calls `src`, a kernel
//! is a file `kernels/*.cu` in it. Another book may have its kernel files anywhere in `src`. The reading order is the number that a name begins with; the defective files
//! (`bad_*`) come last.

use crate::include::file_text;
use crate::page::braces;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use toml::de::DeTable;
use walkdir::{DirEntry, WalkDir};

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
    /// Its exercises in reading order.
    pub exercises: Vec<PathBuf>,
}

impl Project {
    /// The project that holds `from`: the nearest folder above it (or itself) with a `book.toml`.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(from: &Path) -> Result<Project> {
        let start = absolute(from)?;
        match start.ancestors().find(|dir| dir.join("book.toml").is_file()) {
            Some(root) => Ok(Project { root: root.to_path_buf() }),
            None => bail!(
                "no `book.toml` in `{}` or above it; run this from inside the book's folder",
                start.display()
            ),
        }
    }

    /// The folder of the pages.
    pub fn src(&self) -> PathBuf {
        if !self.root.join("book.toml").is_file() {
            return self.root.join("chapters");
        }
        self.root.join(self.setting(&["book", "src"]).as_deref().unwrap_or("src"))
    }

    /// A text of `book.toml`: `["book", "src"]` is the key `src` of the table `book`.
    pub(crate) fn setting(&self, keys: &[&str]) -> Option<String> {
        let text = file_text(self.root.join("book.toml")).ok()?;
        let table = DeTable::parse(&text).ok()?;
        let (last, tables) = keys.split_last()?;
        let mut table = table.get_ref();
        for key in tables {
            table = table.get(*key)?.get_ref().as_table()?;
        }
        Some(table.get(*last)?.get_ref().as_str()?.to_owned())
    }

    /// The chapters in order.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn chapters(&self) -> Result<Vec<Chapter>> {
        let dir = self.src();
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

    /// The exercises, chapter by chapter.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn exercises(&self) -> Result<Vec<PlacedExercise>> {
        Ok(self.chapters()?.iter().flat_map(Chapter::placed_exercises).collect())
    }

    /// Every chapter's kernel files, in reading order, and then those elsewhere among the pages.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn kernel_files(&self) -> Result<Vec<PathBuf>> {
        let chapters = self.chapters()?;
        let mut files = self.loose_kernel_files(&self.src(), &chapters);
        files.splice(0..0, chapters.into_iter().flat_map(|chapter| chapter.kernels));
        Ok(files)
    }

    /// The kernel files in a folder that belong to none of these chapters.
    fn loose_kernel_files(&self, folder: &Path, chapters: &[Chapter]) -> Vec<PathBuf> {
        self.sources(folder, chapters, is_kernel_file)
    }

    /// The `.cu` files in a folder that belong to none of these chapters and have such a text.
    pub(crate) fn sources(
        &self,
        folder: &Path,
        chapters: &[Chapter],
        wanted: impl Fn(&str) -> bool,
    ) -> Vec<PathBuf> {
        let is_scratch = |entry: &DirEntry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() > 0 && (name.starts_with('.') || name == "target")
        };
        let entries = WalkDir::new(folder).into_iter().filter_entry(|entry| !is_scratch(entry));
        let mut files: Vec<PathBuf> = entries.flatten().map(DirEntry::into_path).collect();
        files.retain(|file| {
            file.extension().is_some_and(|e| e == "cu")
                && !chapters.iter().any(|chapter| file.starts_with(&chapter.dir))
                && self.text(file).is_ok_and(|text| wanted(&text))
        });
        files.sort_by_cached_key(|f| {
            (f.parent().map(Path::to_path_buf), reading_order(&file_name(f)))
        });
        files
    }

    /// The pages that no chapter has as its own: those outside of chapters, and in folders below one.
    pub(crate) fn other_pages(&self, chapters: &[Chapter]) -> Vec<PathBuf> {
        let entries = WalkDir::new(self.src()).sort_by_file_name().into_iter().flatten();
        let mut pages: Vec<PathBuf> = entries.map(DirEntry::into_path).collect();
        pages.retain(|page| {
            page.extension().is_some_and(|e| e == "md")
                && !chapters.iter().any(|chapter| page.parent() == Some(&chapter.dir))
        });
        pages
    }

    /// A path as messages show it: from the root, with forward slashes.
    pub fn relative(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.root).unwrap_or(path);
        shown.to_string_lossy().replace('\\', "/")
    }
}

/// An exercise in its place in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedExercise {
    /// Chapter and number: `6.2`.
    pub number: String,
    /// Its path, absolute.
    pub path: PathBuf,
}

impl Chapter {
    /// The chapter's exercises with their numbers, which the names of folder and file begin with.
    pub fn placed_exercises(&self) -> Vec<PlacedExercise> {
        let chapter = leading_number(self.name.trim_start_matches("ch")).unwrap_or(0);
        let placed = |(path, place): (&PathBuf, u64)| {
            let number = leading_number(&file_name(path)).unwrap_or(place);
            PlacedExercise { number: format!("{chapter}.{number}"), path: path.clone() }
        };
        self.exercises.iter().zip(1..).map(placed).collect()
    }

    /// Its pages: `README.md`, and then the other Markdown files of its folder, by name.
    pub fn pages(&self) -> Vec<PathBuf> {
        let mut pages = files_in(&self.dir, "md");
        pages.sort_by_key(|page| page.file_name().is_none_or(|name| name != "README.md"));
        pages
    }

    /// The page with the directive `name` about `about` (`claim`, `many-blocks`); `None` if there is
    /// none.
    pub fn page_with(&self, name: &str, about: &str) -> Option<PathBuf> {
        let holds = |page: &PathBuf| {
            let text = file_text(page).unwrap_or_default();
            braces(&text).iter().filter_map(|braces| braces.text).any(|text| {
                let mut words = text.split_whitespace();
                words.next() == Some(name) && words.any(|word| word == about)
            })
        };
        self.pages().into_iter().find(holds)
    }

    /// The chapter in `dir`.
    ///
    /// # Errors
    /// If its `kernels/` or `exercises/` cannot be read (having none is not an error).
    pub fn open(dir: &Path) -> Result<Chapter> {
        let kernels = cuda_files(&dir.join("kernels"))?;
        let exercises = cuda_files(&dir.join("exercises"))?;
        Ok(Chapter { dir: dir.to_path_buf(), name: file_name(dir), kernels, exercises })
    }
}

/// The `.cu` files of a folder in reading order; none if it does not exist.
fn cuda_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = if folder.is_dir() { entries(folder)? } else { Vec::new() };
    files.retain(|f| f.extension().is_some_and(|e| e == "cu"));
    files.sort_by_cached_key(|f| reading_order(&file_name(f)));
    Ok(files)
}

/// Whether a text says how to launch it.
pub(crate) fn is_kernel_file(text: &str) -> bool {
    text.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("//@");
        rest.is_some_and(|rest| rest.trim_start().starts_with("launch"))
    })
}

/// A path as a project's paths are: from the root of the machine, without detours.
///
/// # Errors
/// If it is empty.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(path);
    let whole = whole.with_context(|| format!("`{}` is not a path", path.display()))?;
    Ok(source_files::tidy(&whole))
}

/// Sorts `2_b` before `10_a`, a name without a number behind those with one, and `bad_*` last.
fn reading_order(name: &str) -> (bool, u64, String) {
    (name.starts_with("bad_"), leading_number(name).unwrap_or(u64::MAX), name.to_owned())
}

/// The number that a name begins with.
fn leading_number(name: &str) -> Option<u64> {
    let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
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

/// The files of a folder with this extension, by name; none if it cannot be read.
pub(crate) fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    files.retain(|f| f.is_file() && f.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_come_in_reading_order() {
        let folder = tempfile::tempdir().unwrap();
        let kernels = folder.path().join("chapters/ch01-x/kernels");
        std::fs::create_dir_all(&kernels).unwrap();
        std::fs::write(folder.path().join("book.toml"), "[book]\nsrc = 'chapters'\n").unwrap();
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
    fn a_chapter_may_have_several_pages() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("README.md", "`{{#claim b}}` {{#claim a}}"),
            ("banks.md", "{{#claim b}}\n\n{{#quiz x y}}"),
            ("atomics.md", ""),
            ("notes.txt", "{{#claim c}}"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let chapter = Chapter::open(folder.path()).unwrap();
        let names: Vec<String> = chapter.pages().iter().map(|page| file_name(page)).collect();
        assert_eq!(names, ["README.md", "atomics.md", "banks.md"]);
        let with = |name: &str, about: &str| chapter.page_with(name, about).map(|p| file_name(&p));
        assert_eq!(with("claim", "a").as_deref(), Some("README.md"));
        assert_eq!(with("claim", "b").as_deref(), Some("banks.md"), "code asks for nothing");
        assert_eq!(with("quiz", "y").as_deref(), Some("banks.md"));
        assert_eq!(with("claim", "c"), None);
    }

    #[test]
    fn outside_a_book_the_error_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = Project::find(folder.path()).unwrap_err().to_string();
        assert!(error.contains("run this from inside the book's folder"), "{error}");
    }
}
