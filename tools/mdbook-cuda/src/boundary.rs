//! The files that a book may read and write: those of its own folder.
//!
//! mdBook joins every path of `book.toml`, of `SUMMARY.md` and of `{{#include}}` to a folder and uses
//! what comes out. An absolute path or one with `..` then names any file of the computer: a style
//! sheet is overwritten by itself, a page is written beside the book, a private file is published. So
//! a book with such a path is refused by name before anything is read or written. A symbolic link
//! counts as what it leads to.
//!
//! Not done: a book that names a command (`[preprocessor.x]`, `[output.x]`) runs it, as mdBook does.

use crate::settings::line_of;
use kernel_file::Places;
use kernel_file::verdict::Problem;
use mdbook_preprocessor::config::{Config, HtmlConfig};
use mdbook_summary::{Summary, SummaryItem, parse_summary};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// The code of a problem that ends every build: a file that is not the book's would be touched.
pub const OUTSIDE: &str = "outside";

/// The code of an `{{#include}}` that leads to no file: its page shows the text of the directive.
pub const MISSING: &str = "include";

/// The code of a line of `SUMMARY.md` that leads to no file: mdBook writes an empty page, or fails where
/// `create-missing` is off.
pub const NO_PAGE: &str = "page";

/// A page or an included file may be as long as this, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The book is refused after so many problems: the others are not looked for.
const MOST_PROBLEMS: usize = 100;

/// What a page may have with all that it includes. mdBook looks for a free name for each heading among
/// those of the same words, and reads a file as often as it is included.
const MOST_EXPANDED: Weight = Weight { bytes: MOST_BYTES, headings: 5000, read: 16 * MOST_BYTES };

/// How deep files include each other: mdBook's own limit.
const MOST_NESTED: usize = 10;

/// What mdBook's `links` replaces, as it finds it. The escape comes first, so that an escaped directive
/// is not taken for one.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\\\{\{#.*\}\}|\{\{\s*#([a-zA-Z0-9_]+)\s+([^}]+)\}\}").expect("it is well-formed")
});

/// What is wrong with the paths of a book.
pub fn check(root: &Path, config: &Config) -> Vec<Problem> {
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    let mut boundary = Boundary { root, problems: Vec::new(), included: BTreeMap::new() };
    boundary.settings(config);
    let src = boundary.root.join(&config.book.src);
    if boundary.problems.is_empty() {
        boundary.links(&src);
    }
    if boundary.problems.is_empty() {
        boundary.pages(&src);
    }
    boundary.problems
}

struct Boundary {
    /// Without symbolic links.
    root: PathBuf,
    problems: Vec<Problem>,
    /// Files whose own includes were looked at, with what they have with these; `None` while that is done.
    included: BTreeMap<PathBuf, Option<Weight>>,
}

/// What a file has, with what it includes.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    bytes: u64,
    headings: u64,
    /// Bytes that are read for it.
    read: u64,
}

impl Weight {
    fn of(text: &str) -> Weight {
        let mut headings = 0;
        let mut before = "";
        for line in text.lines().map(str::trim) {
            let rest = line.trim_start_matches('#');
            let marked = rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '));
            let underlines = |c| !line.is_empty() && line.bytes().all(|byte| byte == c);
            let underlined = !before.is_empty() && (underlines(b'=') || underlines(b'-'));
            headings += u64::from(marked || underlined);
            before = line;
        }
        let bytes = text.len() as u64;
        Weight { bytes, headings, read: bytes }
    }

    fn and(self, other: Weight) -> Weight {
        Weight {
            bytes: self.bytes.saturating_add(other.bytes),
            headings: self.headings.saturating_add(other.headings),
            read: self.read.saturating_add(other.read),
        }
    }

    fn exceeds(self, most: Weight) -> bool {
        self.bytes > most.bytes || self.headings > most.headings || self.read > most.read
    }
}

impl Boundary {
    /// The paths that `book.toml` names.
    fn settings(&mut self, config: &Config) {
        let html: HtmlConfig = config.html_config().unwrap_or_default();
        let mut named: Vec<(&str, &Path)> = vec![
            ("src", &config.book.src),
            ("build-dir", &config.build.build_dir),
            ("input-404", Path::new(html.input_404.as_deref().unwrap_or_default())),
        ];
        named.extend(config.build.extra_watch_dirs.iter().map(|p| ("extra-watch-dirs", &**p)));
        named.extend(html.theme.iter().map(|path| ("theme", &**path)));
        named.extend(html.additional_css.iter().map(|path| ("additional-css", &**path)));
        named.extend(html.additional_js.iter().map(|path| ("additional-js", &**path)));
        let text = std::fs::read_to_string(self.root.join("book.toml")).unwrap_or_default();
        for (key, path) in &named {
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            if let Some(why) = self.outside(path) {
                let line = line_of(&text, &[key, &path.to_string_lossy()]);
                let what = format!("`{key}`: `{}` {why}", path.display());
                self.refuse("book.toml", &text, line, what, "name a path inside the book's folder");
            }
        }
        // mdBook takes the slash that a key begins with for the folder of the pages.
        for key in html.redirect.keys() {
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            let path = Path::new(key.trim_start_matches('/'));
            if leaves(path) {
                let line = line_of(&text, &[key]);
                let what = format!("`redirect`: `{key}` is not inside the built book");
                self.refuse("book.toml", &text, line, what, "name a page of the built book");
            }
        }
    }

    /// Symbolic links in a folder that is copied as it is, and names that mdBook cannot copy.
    fn links(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            if metadata.is_dir() {
                self.links(&path);
            }
            // What a link leads to; a link that leads nowhere is named by mdBook.
            if path.metadata().is_ok_and(|real| !real.is_file() && !real.is_dir()) {
                let shown = self.shown(&path);
                let what = format!("`{shown}`: it is not a regular file");
                self.refuse(&shown, "", 0, what, "remove it: mdBook would wait for its end");
                continue;
            }
            if path.file_name().is_some_and(|name| name.to_str().is_none()) {
                let shown = self.shown(&path);
                let message = format!("the name of `{shown}` is not UTF-8; rename it");
                self.problems.push(Problem::new(&shown, "", (0, 0), "file-name", message));
            }
            if !metadata.is_symlink() {
                continue;
            }
            // One that leads nowhere is named by mdBook.
            let Ok(target) = path.canonicalize() else { continue };
            let shown = self.shown(&path);
            if !target.starts_with(&self.root) {
                let what = format!("`{shown}` is a link to `{}`, outside", target.display());
                self.refuse(&shown, "", 0, what, "copy the file into the book");
            } else if path.starts_with(&target) {
                let what = format!("`{shown}` is a link to a folder that contains it");
                self.refuse(&shown, "", 0, what, "remove the link");
            }
        }
    }

    /// The pages of `SUMMARY.md`, and what they include.
    fn pages(&mut self, src: &Path) {
        let path = src.join("SUMMARY.md");
        let file = self.shown(&path);
        // mdBook says what is wrong with a list that cannot be read.
        if path.exists() && !self.regular(&path) {
            self.refuse(&file, "", 0, format!("`{file}` is not a file"), "make it one");
        }
        let Ok(text) = verify::include::file_text(&path) else { return };
        let Ok(summary) = parse_summary(&text) else { return };
        let pages = locations(&summary);
        if pages.is_empty() {
            let message = format!("`{file}` lists no page, so there is no book to build");
            self.problems.push(Problem::new(&file, &text, (0, 0), "summary", message));
        }
        for page in &pages {
            if self.problems.len() >= MOST_PROBLEMS {
                return;
            }
            let path = src.join(page);
            let inside = "name a file in the folder of `SUMMARY.md`";
            let fault = if leaves(page) {
                Some(("is not inside the book".to_owned(), inside))
            } else if path.exists() && !self.regular(&path) {
                Some(("is not a file of the book".to_owned(), inside))
            } else if is_too_long(&path) {
                Some((format!("has more than {MOST_BYTES} bytes"), "make several pages of it"))
            } else {
                None
            };
            if let Some((what, remedy)) = fault {
                let line = line_of(&text, &[&page.to_string_lossy()]);
                let what = format!("the page `{}` {what}", page.display());
                self.refuse(&file, &text, line, what, remedy);
                continue;
            }
            if !path.exists() {
                let name = page.display();
                let line = line_of(&text, &[&page.to_string_lossy()]);
                let message = format!("there is no page `{name}`");
                let mut problem = Problem::new(&file, &text, (line, 0), NO_PAGE, message);
                problem.rendered = format!(
                    "{}\nhelp: write it, or correct its path, which begins in the folder of \
                     `SUMMARY.md`",
                    problem.rendered.trim_end()
                );
                self.problems.push(problem);
                continue;
            }
            let weight = self.includes(&path, 0);
            // A page that includes nothing is held to its own limits where it is rendered, alone.
            let includes_nothing = path.metadata().is_ok_and(|file| file.len() == weight.read);
            if !includes_nothing && weight.exceeds(MOST_EXPANDED) {
                let Weight { bytes, headings, read } = MOST_EXPANDED;
                let what = format!(
                    "has more than {bytes} bytes or {headings} headings with what it includes, or \
                     {read} bytes are read for it"
                );
                let line = line_of(&text, &[&page.to_string_lossy()]);
                let what = format!("the page `{}` {what}", page.display());
                self.refuse(&file, &text, line, what, "make several pages of it");
            }
        }
    }

    /// The files that a page or an included file includes. Returns what it has with these.
    fn includes(&mut self, path: &Path, depth: usize) -> Weight {
        match self.included.get(path) {
            Some(Some(known)) => return *known,
            Some(None) => {
                let shown = self.shown(path);
                let what = format!("`{shown}` includes itself");
                self.refuse(
                    &shown,
                    "",
                    0,
                    what,
                    "take out the `{{#include}}` that leads back to it",
                );
                return Weight::default();
            }
            None => {}
        }
        if depth > MOST_NESTED {
            // Not looked at, and so not noted either: another page may include it less deep.
            let shown = self.shown(path);
            let what = format!("`{shown}` is included more than {MOST_NESTED} deep");
            self.refuse(&shown, "", 0, what, "include it in a page");
            return Weight::default();
        }
        self.included.insert(path.to_path_buf(), None);
        let Ok(text) = std::fs::read_to_string(path) else {
            self.included.insert(path.to_path_buf(), Some(Weight::default()));
            return Weight::default();
        };
        let mut weight = Weight::of(&text);
        let folder = path.parent().unwrap_or(&self.root).to_path_buf();
        let file = self.shown(path);
        let places = Places::new(&text);
        for link in LINK.captures_iter(&text) {
            if self.problems.len() >= MOST_PROBLEMS {
                return weight;
            }
            let (Some(all), Some(name), Some(words)) = (link.get(0), link.get(1), link.get(2))
            else {
                continue;
            };
            let with_lines = matches!(name.as_str(), "include" | "rustdoc_include");
            if !with_lines && !matches!(name.as_str(), "playground" | "playpen") {
                continue;
            }
            let Some(first) = words.as_str().split_whitespace().next() else { continue };
            let named = if with_lines { first.split(':').next().unwrap_or(first) } else { first };
            let target = folder.join(named);
            let line = places.of(all.start()).0;
            if !target.exists() {
                let message = format!("there is no file `{named}` to include");
                self.problems.push(Problem::new(&file, &text, (line, 0), MISSING, message));
            } else if !self.regular(&target) {
                let what = format!("`{named}` is not a file inside the book's folder");
                self.refuse(&file, &text, line, what, "copy what is to be shown into the book");
            } else if is_too_long(&target) {
                let what = format!("`{named}` has more than {MOST_BYTES} bytes");
                self.refuse(&file, &text, line, what, "include a part of it, as a file of its own");
            } else {
                let more = self.includes(&target, depth + 1);
                weight = weight.and(match is_whole(&first[named.len()..]) {
                    true => more,
                    // How much is shown is not known: it may be any part.
                    false => Weight { read: more.read, ..Weight::default() },
                });
            }
        }
        self.included.insert(path.to_path_buf(), Some(weight));
        weight
    }

    /// Whether a path leads to a regular file inside the book's folder.
    fn regular(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| real.starts_with(&self.root) && real.is_file())
    }

    /// Why a path of `book.toml` is not inside the book's folder.
    fn outside(&self, path: &Path) -> Option<String> {
        if leaves(path) {
            return Some("is not inside the book's folder".to_owned());
        }
        let real = self.root.join(path).canonicalize().ok()?;
        (!real.starts_with(&self.root)).then(|| format!("leads to `{}`, outside", real.display()))
    }

    fn refuse(&mut self, file: &str, text: &str, line: u32, what: String, help: &str) {
        let mut problem = Problem::new(file, text, (line, 0), OUTSIDE, what);
        problem.rendered = format!("{}\nhelp: {help}", problem.rendered.trim_end());
        self.problems.push(problem);
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }
}

/// Whether what follows the name of an included file, `:3:8` or `:anchor`, leaves nothing out.
fn is_whole(part: &str) -> bool {
    let (from, to) = part.trim_start_matches(':').split_once(':').unwrap_or(("", ""));
    part.is_empty() || part.trim_matches(':').is_empty() || from.parse() == Ok(1) && to.is_empty()
}

fn is_too_long(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() > MOST_BYTES)
}

/// Whether a path leads out of the folder that it is joined to: it is absolute, or climbs.
fn leaves(path: &Path) -> bool {
    path.components().any(|c| !matches!(c, Component::Normal(_) | Component::CurDir))
}

/// The files of the pages, in order.
fn locations(summary: &Summary) -> Vec<PathBuf> {
    let parts = [&summary.prefix_chapters, &summary.numbered_chapters, &summary.suffix_chapters];
    let mut pending: Vec<&SummaryItem> = parts.into_iter().flatten().collect();
    pending.reverse();
    let mut found = Vec::new();
    while let Some(item) = pending.pop() {
        if let SummaryItem::Link(link) = item {
            found.extend(link.location.clone());
            pending.extend(link.nested_items.iter().rev());
        }
    }
    found
}
