//! A `{{#…}}` directive of a page: what every view of the table [`crate::view::DIRECTIVES`] offers,
//! and what it is given.

use crate::facts::{Facts, Kernel, Needs};
use kernel_file::words::{Choice, split_choice};
use std::fmt;

/// A directive, read: it says what it needs to be known, and renders itself.
pub(crate) trait Directive: fmt::Debug {
    /// Whether it is part of the running text; else it is a block, and must be a paragraph of its
    /// own.
    fn is_inline(&self) -> bool {
        false
    }

    /// What must be known before it is rendered.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// The kernel whose figure it puts into the page: diagrams link to it.
    fn figure_of(&self) -> Option<&str> {
        None
    }

    /// The kernels whose sweep it puts into the page: the kernel's figure then leaves it out.
    fn sweep_of(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What it should show and nothing has recorded, which a strict build does not accept.
    fn unrecorded(&self, _page: &Context<'_>) -> Option<String> {
        None
    }

    /// Its HTML, or what is wrong with it.
    fn html(&self, page: &Context<'_>) -> Result<String, String>;
}

/// How a directive is read.
pub(crate) type Parse = fn(&Arguments<'_>) -> Result<Box<dyn Directive>, String>;

/// What a directive was written with.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    /// All of it: `measured a.cu 2^24 gbps`.
    pub(crate) text: &'a str,
    /// How it should be written.
    pub(crate) form: &'a str,
    /// The words after its name.
    pub(crate) words: &'a [String],
}

impl Arguments<'_> {
    /// The error for arguments that do not fit the form.
    pub(crate) fn wrong(&self) -> String {
        format!("wrong arguments in `{{{{#{}}}}}`: write `{}`", self.text, self.form)
    }

    /// The words of a directive that takes no `name=value` options.
    pub(crate) fn plain(&self) -> Result<Vec<String>, String> {
        match self.with_choice()? {
            (plain, choice) if choice.is_empty() => Ok(plain),
            _ => Err(self.wrong()),
        }
    }

    /// The words, and the point that the `name=value` options at the end choose.
    pub(crate) fn with_choice(&self) -> Result<(Vec<String>, Choice), String> {
        split_choice(self.words)
    }

    /// The only word.
    pub(crate) fn only(&self) -> Result<String, String> {
        match self.plain()?.as_slice() {
            [word] => Ok(word.clone()),
            _ => Err(self.wrong()),
        }
    }

    /// An error where there are any words.
    pub(crate) fn none(&self) -> Result<(), String> {
        if self.plain()?.is_empty() { Ok(()) } else { Err(self.wrong()) }
    }
}

/// The page that a directive is rendered for.
pub(crate) struct Context<'a> {
    /// The page's file, relative to the project's root.
    pub(crate) file: &'a str,
    /// What is known about it.
    pub(crate) facts: &'a Facts,
    /// The kernels whose figures are on the page.
    pub(crate) figures: Vec<&'a str>,
    /// The kernels whose sweeps are on the page.
    pub(crate) sweeps: Vec<&'a str>,
}

impl<'a> Context<'a> {
    /// For a page with these directives.
    pub(crate) fn new(
        file: &'a str,
        facts: &'a Facts,
        directives: &[&'a dyn Directive],
    ) -> Context<'a> {
        Context {
            file,
            facts,
            figures: directives.iter().filter_map(|directive| directive.figure_of()).collect(),
            sweeps: directives.iter().flat_map(|directive| directive.sweep_of()).collect(),
        }
    }

    /// The kernel that the page calls `path`.
    pub(crate) fn kernel(&self, path: &str) -> Result<&'a Kernel, String> {
        self.facts.kernel(path)
    }

    /// The address of another page, given from the project's root, as this page links to it.
    pub(crate) fn link(&self, to: &str) -> String {
        address(self.file, to)
    }
}

/// The address of the page `to` as the page `from` links to it. Both are given from the project's
/// root.
pub(crate) fn address(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.split('/').collect();
    let target: Vec<&str> = to.split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let same = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(folder.len() - same);
    let page = target[same..].join("/");
    let page = match page.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.html"),
        None => page.strip_suffix(".md").map_or(page.clone(), |page| format!("{page}.html")),
    };
    format!("{up}{page}")
}
