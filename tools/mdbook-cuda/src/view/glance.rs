//! `{{#glance [FOLDER/]kernels/FILE.cu line=22 without=23}}`: a compact figure of a kernel of this
//! folder or another one, for a page that has no room for the whole figure.
//!
//! It shows the source, the measurement at the largest size, and the lanes of one warp at one line.
//! The lab opens at it like at any kernel's figure. `without` names a line that one key deletes
//! there, to show what happens then. That link needs scripts and stays hidden without them: the prose
//! around it gives the answer.

use super::part::badge::Badge;
use super::part::html::{escape, slug};
use super::part::warp::Warp;
use super::part::{heading, lab, ladder_panel, lanes, problem};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel, Needs, WarpRequest};
use kernel_file::suggest::suggestion_or_list;
use std::fmt::Write;
use std::path::Path;

/// The key that deletes the line.
const KEY: &str = "d";

#[derive(Debug)]
struct Glance {
    /// The folder of the kernel's page; empty for this page's own.
    folder: String,
    /// The kernel from there, and the warp that is shown.
    warp: WarpRequest,
    /// The line to delete.
    without: Option<u32>,
}

/// Reads `{{#glance FILE [line=12] [without=14]}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (options, files): (Vec<&String>, Vec<&String>) =
        arguments.words.iter().partition(|word| word.contains('='));
    let [file] = files.as_slice() else { return Err(arguments.wrong()) };
    let (folder, path) = match file.find("kernels/") {
        Some(0) => ("", file.as_str()),
        Some(at) => (file[..at].strip_suffix('/').ok_or_else(|| arguments.wrong())?, &file[at..]),
        None => return Err(arguments.wrong()),
    };
    let mut warp = WarpRequest { path: path.to_string(), ..WarpRequest::default() };
    let mut without = None;
    for option in options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let line: u32 = value
            .parse()
            .map_err(|_| format!("`{option}` is not a line number: write `{}`", arguments.form))?;
        match name {
            "line" => warp.numbers.push((name.to_string(), line.into())),
            "without" => without = Some(line),
            _ => {
                let hint = suggestion_or_list(name, ["line", "without"].into_iter());
                return Err(format!("unknown option `{name}`{hint}; write `{}`", arguments.form));
            }
        }
    }
    Ok(Box::new(Glance { folder: folder.to_string(), warp, without }))
}

impl Directive for Glance {
    fn needs(&self) -> Needs {
        let elsewhere = vec![(self.folder.clone(), self.warp.clone())];
        Needs { elsewhere, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let path = &self.warp.path;
        let is_it = |(f, p, _): &&(String, String, Facts)| *f == self.folder && p == path;
        let found = page.facts.elsewhere.iter().find(is_it).map(|(_, _, facts)| facts);
        let facts = found.ok_or_else(|| format!("nothing was gathered for `{path}`"))?;
        let page = Context { figures: vec![path], ..Context::new(page.file, facts, &[]) };
        let missing = |_| {
            let address = Path::new(&self.folder).join(path);
            format!(
                "no kernel file `{}`: it is looked for beside this page, and then from the folder \
                 of `SUMMARY.md`",
                address.display()
            )
        };
        self.figure(page.kernel(path).map_err(missing)?, &page)
    }
}

impl Glance {
    /// The figure of a kernel; `page` holds the facts of its folder.
    fn figure(&self, kernel: &Kernel, page: &Context<'_>) -> Result<String, String> {
        let address = page.link(&kernel.file.relative);
        let mut out = heading::html(kernel, "cuda-kernel cuda-glance", &address);
        let failures = kernel.failures();
        if !failures.is_empty() {
            out.push_str(&problem::panel(&failures));
        }
        let _ = write!(
            out,
            "{}<div class=\"cuda-columns\">\n<div>\n{}</div>\n<div>\n{}{}</div>\n</div>\n",
            problem::listing_of(kernel, &failures),
            measured(kernel, page.facts),
            lanes::draw(&Warp::of(page, &self.warp)?)?.html,
            self.without.map_or(Ok(String::new()), |line| without(kernel, line))?,
        );
        out.push_str(&lab::data(kernel, page.facts, page.facts.before(kernel)));
        out.push_str("</figure>\n");
        Ok(out)
    }
}

/// The link that opens the lab with a line deleted.
fn without(kernel: &Kernel, line: u32) -> Result<String, String> {
    let text = kernel
        .code_at(line)
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| format!("`{}` has no line {line} to delete", kernel.path))?;
    Ok(format!(
        "<p class=\"cuda-without\" hidden><a class=\"cuda-to-lab\" href=\"#{}\" \
         data-lab=\"without={line}\" aria-keyshortcuts=\"{KEY}\">Delete line {line}, \
         <code>{}</code>, and run it: press <kbd>{KEY}</kbd></a></p>\n",
        slug(kernel.stem()),
        escape(text.trim())
    ))
}

/// The bar chart of the first recording.
fn measured(kernel: &Kernel, facts: &Facts) -> String {
    let id = format!("glance-{}", slug(kernel.stem()));
    let measured = facts.measured(kernel).next().and_then(|measured| {
        let plot = ladder_panel::alone(kernel, measured.recording, &id)?;
        let stale = if measured.stale { Badge::Stale.html("") } else { String::new() };
        let machine = &measured.recording.results.machine;
        Some(format!(
            "<div class=\"cuda-clock\">{plot}<p class=\"cuda-provenance\">Measured on an {}, {}. \
             {stale}</p></div>\n",
            escape(measured.recording.gpu()),
            escape(&machine.date)
        ))
    });
    measured.unwrap_or_else(|| {
        format!("<p class=\"cuda-provenance\">On a GPU: {}</p>\n", Badge::NotMeasured.html(""))
    })
}
