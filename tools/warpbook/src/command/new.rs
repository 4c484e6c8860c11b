//! `warpbook new`: a kernel, an exercise, a chapter or a book to begin with. Each passes `check` as it
//! is made.
//!
//! The files are templates in the folder `new`. Nothing that exists is overwritten; only `SUMMARY.md`
//! gets a line, for a new chapter. A chapter is also a crate if the book is a Cargo workspace, as this one.

use crate::Outcome;
use crate::command::Root;
use crate::complaint::Complaint;
use crate::progress::say;
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::fs;
use std::path::{Path, PathBuf};
use verify::Project;

/// Write a kernel, an exercise, a chapter or a book to begin with
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What it is
    kind: Template,
    /// The file, or the folder of a chapter or a book; it must not exist
    path: PathBuf,
    /// The title of a chapter or a book [default: from the folder's name]
    #[arg(long)]
    title: Option<String>,
}

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// A kernel with directives: how it is launched, and what it must compute
    Kernel,
    /// An exercise: the solution, the starter, wrong and right answers, in one file
    Exercise,
    /// A folder with a page and a kernel, and a line in SUMMARY.md
    Chapter,
    /// A folder with a chapter and what the pages load
    Book,
}

/// The kernel of a new chapter. `chapter.md` shows it.
const FIRST_KERNEL: &str = "1_double_each.cu";

/// The chapter of a new book.
const FIRST_CHAPTER: &str = "ch01-first";

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let path = &arguments.path;
    let shown = path.display();
    let given = arguments.title.as_deref();
    if let (Some(_), Template::Kernel | Template::Exercise) = (given, arguments.kind) {
        return Err(Complaint::error(
            "`--title` is for a chapter or a book",
            "leave it out; the file's `//!` lines hold its title",
        ));
    }
    match arguments.kind {
        Template::Kernel => {
            cuda_sim::new::write(path, cuda_sim::new::KERNEL)?;
            say!("{shown} is written. Check it: warpbook check {shown}");
            say!(
                "A page shows it with `{{{{#kernel FILE}}}}` on a line of its own, where FILE is its path from the page."
            );
        }
        Template::Exercise => {
            // The first exercise of a chapter.
            if let Some(folder) = path.parent()
                && folder.ends_with("exercises")
                && !folder.exists()
            {
                make_folder(folder)?;
            }
            cuda_sim::new::write(path, include_str!("new/exercise.cu"))?;
            let file = path.file_name().unwrap_or_default().display();
            say!("{shown} is written. Check it: warpbook check {shown}");
            match path.parent().is_some_and(|folder| folder.ends_with("exercises")) {
                true => say!(
                    "The chapter's page shows it with `{{{{#exercise {file}}}}}` on a line of its own."
                ),
                false => say!(
                    "No page can show it there: a chapter's exercises are in its folder `exercises`."
                ),
            }
        }
        Template::Chapter => {
            let project = root.project()?;
            chapter(&project, path, given)?;
            say!("{shown} is written, and a line in SUMMARY.md. Check it: warpbook check {shown}");
        }
        Template::Book => {
            book(path, given)?;
            say!("{shown} is written. Read it: warpbook serve --root {shown}");
        }
    }
    Ok(Outcome::Kept)
}

/// Writes a chapter, and its line in the summary.
fn chapter(project: &Project, folder: &Path, title: Option<&str>) -> Result<()> {
    let folder = std::path::absolute(folder).context("finding the chapter's folder")?;
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with("ch") || !name.chars().all(plain) || name.ends_with('-') {
        return Err(Complaint::error(
            format!("`{name}` cannot name a chapter"),
            "use `ch`, a number and lower-case words, as in `ch13-scan`",
        ));
    }
    let src = project.src();
    if folder.parent() != Some(&src) {
        let inside = Path::new(&project.relative(&src)).join(name);
        return Err(Complaint::error(
            format!("`{}` is not in the folder of the pages", folder.display()),
            format!("name it `{}`", inside.display()),
        ));
    }
    make_folder(&folder)?;
    let title = title.map_or_else(|| title_of(name), str::to_owned);
    let page = include_str!("new/chapter.md").replace("TITLE", &title);
    write(&folder.join("README.md"), &page)?;
    let kernels = folder.join("kernels");
    make_folder(&kernels)?;
    cuda_sim::new::write(&kernels.join(FIRST_KERNEL), cuda_sim::new::KERNEL)?;
    let workspace = fs::read_to_string(project.root.join("Cargo.toml")).unwrap_or_default();
    if workspace.contains("[workspace]") {
        let manifest = include_str!("new/crate.toml");
        let description = title.replace('\\', "\\\\").replace('"', "\\\"");
        let manifest = manifest.replace("NAME", name).replace("TITLE", &description);
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src/lib.rs"), &format!("//! Host code of the chapter: {title}.\n"))?;
        write(
            &folder.join("tests/chapter.rs"),
            "//! Every kernel, fence, claim and recording of this chapter: see `verify::harness`.\n\n\
             verify::chapter_tests!();\n",
        )?;
        write(
            &folder.join("benches/ladder.rs"),
            "//! Every rung of this chapter, timed: see `verify::harness`.\n\n\
             verify::chapter_benches!();\n",
        )?;
    }
    add_to_summary(&src.join("SUMMARY.md"), &format!("- [{title}]({name}/README.md)"))
}

/// Adds a line behind the last chapter of the summary.
fn add_to_summary(summary: &Path, line: &str) -> Result<()> {
    let text =
        fs::read_to_string(summary).with_context(|| format!("reading `{}`", summary.display()))?;
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.trim_start().starts_with("- ["));
    lines.insert(last.map_or(lines.len(), |last| last + 1), line);
    verify::cache::write_whole(summary, (lines.join("\n") + "\n").as_bytes())
        .with_context(|| format!("writing `{}`", summary.display()))
}

/// Writes a book with one chapter, and what its pages load.
fn book(folder: &Path, title: Option<&str>) -> Result<()> {
    make_folder(folder)?;
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("A book");
    let title = title.map_or_else(|| title_of(name), str::to_owned);
    let escaped = title.replace('\\', "\\\\").replace('"', "\\\"");
    let settings = include_str!("new/book.toml").replace("TITLE", &escaped);
    write(&folder.join("book.toml"), &settings)?;
    // mdBook shows the first page at the root of the site as well, where a chapter's links would be dead.
    write(&folder.join("src/SUMMARY.md"), "# Summary\n\n[Introduction](introduction.md)\n\n")?;
    let introduction = "What is this book about, and what should its reader know?";
    write(&folder.join("src/introduction.md"), &format!("# {title}\n\n{introduction}\n"))?;
    let folder = std::path::absolute(folder).context("finding the book's folder")?;
    let chapter_folder = folder.join("src").join(FIRST_CHAPTER);
    chapter(&Project { root: folder.clone() }, &chapter_folder, None)?;
    crate::lab_files::put(&folder.join("src/lab"))?;
    Ok(())
}

/// A title from a folder's name: `ch13-prefix-sums` is "Prefix sums".
fn title_of(name: &str) -> String {
    let words = match name.split_once('-') {
        Some((number, words)) if number.starts_with("ch") => words,
        _ => name,
    };
    let words = words.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Makes a folder that must not exist, in one that does.
fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir(folder).map_err(|error| {
        let help = match error.kind() {
            std::io::ErrorKind::AlreadyExists => "choose another name, or move the folder away",
            _ => "name a folder in one that exists",
        };
        Complaint::error(format!("`{}` is not made: {error}", folder.display()), help)
    })
}

/// Writes a file, and the folder that it is in.
fn write(file: &Path, text: &str) -> Result<()> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(file, text))
        .with_context(|| format!("writing `{}`", file.display()))
}
