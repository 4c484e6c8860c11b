//! One page: its directives and fences become HTML, whatever is wrong becomes a panel in place.
//!
//! Building and serving go the same way. What is wrong is both shown where it is and handed back;
//! whether it ends the build is the caller's choice.

use crate::directive::{self, Directive, FencedBlock, Found};
use crate::facts::{CheckedFence, Facts, Kernel};
use crate::html::{escape, one_line};
use crate::verdicts::Badge;
use crate::{
    claims, counters, coverage, device, experiment, fence, figure, finding, glance, ladder,
    measured, profile, provenance, question, sweep,
};
use std::collections::BTreeSet;
use std::ops::Range;
use verify::suggest::suggestion_or_list;
use verify::verdict::Problem;
use verify::words::Choice;

/// What a page is made of.
pub(crate) struct Page<'a> {
    /// Its file relative to the project's root.
    pub(crate) file: &'a str,
    /// Its Markdown.
    pub(crate) text: &'a str,
    /// Stale results are problems.
    pub(crate) strict: bool,
}

/// What else stands on a page, by the kernels' paths.
struct Beside {
    /// Files with a sweep of their own.
    swept: Vec<String>,
    /// Files whose figure is shown.
    shown: Vec<String>,
}

impl Page<'_> {
    /// What it asks for, so far as that is understood.
    pub(crate) fn directives(&self) -> Vec<Directive> {
        directive::find(self.text).into_iter().filter_map(|found| found.directive.ok()).collect()
    }

    /// The page with everything expanded, and what is wrong with it.
    pub(crate) fn expand(&self, facts: &Facts) -> (String, Vec<Problem>) {
        let mut problems: Vec<Problem> = facts.problems.clone();
        problems.extend(facts.kernels.iter().flat_map(Kernel::failures).cloned());
        let glances = facts.glances.iter().flat_map(|(_, _, of)| &of.kernels);
        problems.extend(glances.flat_map(Kernel::failures).cloned());
        problems.extend(facts.fence_problems.iter().cloned());
        problems.extend(facts.fences.iter().flat_map(CheckedFence::problems).cloned());
        problems.extend(self.unproven(facts));
        if self.strict {
            problems.extend(stale(facts));
            problems.extend(facts.book.missing.iter().cloned());
        }
        let mut pieces: Vec<(Range<usize>, String)> = Vec::new();
        let all = directive::find(self.text);
        let sweep = |found: &Found| match &found.directive {
            Ok(Directive::Sweep { path, .. }) => Some(path.clone()),
            _ => None,
        };
        let figure = |found: &Found| match &found.directive {
            Ok(Directive::Kernel { path } | Directive::Finding { path }) => Some(path.clone()),
            _ => None,
        };
        let beside = Beside {
            swept: all.iter().filter_map(sweep).collect(),
            shown: all.iter().filter_map(figure).collect(),
        };
        for found in all {
            let html = match found.directive.clone().and_then(|d| self.render(&d, facts, &beside)) {
                Ok(html) => one_line(&html),
                Err(message) => {
                    let at = (found.line, found.column);
                    let problem = Problem::new(self.file, self.text, at, "directive", message);
                    let html = self.in_place(&found, &problem);
                    problems.push(problem);
                    html
                }
            };
            pieces.push((found.range, html));
        }
        for block in directive::fenced_blocks(self.text) {
            pieces.extend(self.fence(&block, facts));
        }
        if !facts.problems.is_empty() {
            let panel = finding::panel(&facts.problems.iter().collect::<Vec<_>>());
            pieces.push((0..0, format!("{}\n\n", one_line(&panel))));
        }
        pieces.sort_by_key(|(range, _)| range.start);
        (spliced(self.text, &pieces), problems)
    }

    /// A fence with its verdict, or with what is wrong with it.
    fn fence(&self, block: &FencedBlock, facts: &Facts) -> Option<(Range<usize>, String)> {
        let whole = &self.text[block.range.clone()];
        let end = block.range.start + whole.trim_end().len();
        let range = block.range.start..end;
        if let Some(fence) = facts.fences.iter().find(|fence| fence.line == block.line) {
            return Some((range, one_line(&fence::html(fence))));
        }
        let wrong: Vec<&Problem> =
            facts.fence_problems.iter().filter(|problem| problem.line == block.line).collect();
        if wrong.is_empty() {
            return None;
        }
        // The fence stays as it is; what is wrong with it stands before it, at its indentation.
        let line = self.text[..block.range.start].rsplit('\n').next().unwrap_or_default();
        let indent = " ".repeat(line.chars().count());
        let panel = one_line(&finding::panel(&wrong));
        Some((block.range.start..block.range.start, format!("{panel}\n\n{indent}")))
    }

    /// The HTML of a directive, or what is wrong with it.
    fn render(
        &self,
        directive: &Directive,
        facts: &Facts,
        beside: &Beside,
    ) -> Result<String, String> {
        let kernel = |path: &String| kernel(facts, path);
        match directive {
            Directive::Kernel { path } => {
                Ok(figure::html(kernel(path)?, facts, beside.swept.contains(path)))
            }
            Directive::Glance { folder, path, lanes, without } => {
                let known = |(f, p, _): &&(String, String, Facts)| f == folder && p == path;
                let found = facts.glances.iter().find(known).map(|(_, _, of)| of);
                let of = found.ok_or_else(|| format!("nothing is known of `{path}`"))?;
                glance::html(self::kernel(of, path)?, of, folder, lanes, *without)
            }
            Directive::Ladder { .. } if facts.rungs().next().is_none() => {
                Err("there is no kernel file `kernels/*.cu` beside this page".to_string())
            }
            Directive::Ladder { patterns } => ladder::html(facts, patterns),
            Directive::Counters { paths } => {
                let kernels: Vec<&Kernel> = paths.iter().map(kernel).collect::<Result<_, _>>()?;
                Ok(counters::side_by_side(&kernels))
            }
            Directive::Finding { path } => {
                let kernel = kernel(path)?;
                match kernel.catch {
                    Some(_) => Ok(figure::defect(kernel, facts)),
                    None => Err(format!("`{path}` teaches no defect: it has no `//@ catch`")),
                }
            }
            Directive::Measured { path, n, quantity, choice } => {
                measured_inline(kernel(path)?, facts, *n, quantity, choice)
            }
            Directive::Counter { path, name, choice } => {
                counter_inline(kernel(path)?, name, choice)
            }
            Directive::Claim { id } => match facts.claims.iter().find(|c| c.claim.id == *id) {
                Some(judged) => Ok(claims::html(judged)),
                None => {
                    let known = facts.claims.iter().map(|c| c.claim.id.as_str());
                    let hint = suggestion_or_list(id, known);
                    Err(format!("no claim `{id}` in this chapter's `claims.toml`{hint}"))
                }
            },
            Directive::Claims => Ok(claims::all(&facts.claims, &|page| self.link(page))),
            Directive::Coverage => Ok(coverage::html(facts, &|page| self.link(page))),
            Directive::Provenance => Ok(provenance::html(facts, &|page| self.link(page))),
            Directive::Question { id } => {
                let here = facts.asking.iter().find(|page| page.file == self.file);
                let here = here.ok_or_else(|| format!("nobody knows the question `{id}`"))?;
                question::place(id, here, &facts.asking, &|page| self.link(page))
            }
            Directive::Progress => Ok(question::list(&facts.asking, &|page| self.link(page))),
            Directive::Device => Ok(device::html(facts)),
            Directive::Picture(picture) => picture.html(facts, &beside.shown),
            Directive::Sweep { path, quantities } => sweep::html(kernel(path)?, facts, quantities),
            Directive::Experiment { name } => experiment::html(facts, name),
            Directive::Value { name, row, quantity, choice } => {
                experiment::value(facts, name, row, quantity, choice)
            }
            Directive::Hardware { path, metric, choice } => {
                profile::inline(kernel(path)?, facts, metric, choice)
            }
            Directive::Sass { path } => profile::sass(kernel(path)?, facts),
        }
    }

    /// The address of a page of the book, given from the project's root, as this page links to it.
    fn link(&self, to: &str) -> String {
        let folder: Vec<&str> = self.file.split('/').collect();
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

    /// Claims of this page's chapter that the data contradict; where strict, also those whose
    /// numbers are missing.
    fn unproven<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = Problem> + 'a {
        let folder = |file: &str| file.rsplit_once('/').map_or(String::new(), |f| f.0.to_string());
        let own = facts.claims.iter().filter(move |c| folder(&c.page) == folder(self.file));
        own.filter(|c| self.strict || c.is_measured()).flat_map(|c| c.problems.clone())
    }

    /// The problem where the directive stood: a panel, or a few words in the running text.
    fn in_place(&self, found: &Found, problem: &Problem) -> String {
        let paragraph = found.directive.as_ref().map_or_else(
            |_| {
                self.text[..found.range.start]
                    .rsplit('\n')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .is_empty()
            },
            Directive::is_block,
        );
        if paragraph {
            return format!("\n\n{}\n\n", one_line(&finding::panel(&[problem])));
        }
        format!(
            "<span class=\"cuda-badge cuda-failed\">✗ {}</span>",
            without_markdown(&escape(&problem.message))
        )
    }
}

/// `text` with each range replaced. The ranges are in order and do not overlap.
fn spliced(text: &str, pieces: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len() * 4);
    let mut at = 0;
    for (range, html) in pieces {
        out.push_str(&text[at..range.start]);
        out.push_str(html);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The kernel that a page calls `path`.
pub(crate) fn kernel<'a>(facts: &'a Facts, path: &str) -> Result<&'a Kernel, String> {
    facts.kernels.iter().find(|kernel| kernel.path == path).ok_or_else(|| {
        let known = facts.kernels.iter().map(|kernel| kernel.path.as_str());
        if facts.kernels.is_empty() {
            return format!("no kernel file `{path}`: there is no `kernels/*.cu` beside this page");
        }
        format!("no kernel file `{path}` beside this page{}", suggestion_or_list(path, known))
    })
}

fn measured_inline(
    kernel: &Kernel,
    facts: &Facts,
    n: u64,
    quantity: &str,
    choice: &Choice,
) -> Result<String, String> {
    if !measured::QUANTITIES.contains(&quantity) {
        let known = measured::QUANTITIES.into_iter();
        return Err(format!(
            "unknown quantity `{quantity}`{}",
            suggestion_or_list(quantity, known)
        ));
    }
    let point = kernel.choose(choice)?;
    let Some(measured) = facts.measured(kernel).next() else {
        return Ok(Badge::NotMeasured.html(""));
    };
    let Some(m) = measured.result.measurement(n, &point) else {
        // Once its source has changed, what was recorded need not fit what the page asks for.
        if measured.stale {
            return Ok(Badge::Stale.html(""));
        }
        let at_points = measured.result.points.values().flat_map(|sizes| sizes.keys());
        let sizes: BTreeSet<&u64> = measured.result.sizes.keys().chain(at_points).collect();
        let sizes: Vec<String> = sizes.into_iter().map(u64::to_string).collect();
        return Err(format!(
            "`{}` was not measured at {n}; there is {}",
            kernel.path,
            sizes.join(", ")
        ));
    };
    measured::inline(&measured, n, m, quantity).ok_or_else(|| {
        format!(
            "`{quantity}` of `{}` was not recorded: there was nothing to hold it against",
            kernel.path
        )
    })
}

fn counter_inline(kernel: &Kernel, name: &str, choice: &Choice) -> Result<String, String> {
    let point = kernel.choose(choice)?;
    let counters = kernel.counters_at(&point);
    // Why a kernel that fails counted nothing stands at its figure; once is enough.
    if counters.is_empty() && !kernel.failures().is_empty() {
        return Ok(Badge::NotCounted.html(""));
    }
    if counters.is_empty() {
        return Err(format!("the simulator counted nothing in `{}`", kernel.path));
    }
    let found = counters.iter().find(|c| c.word() == name || c.metric == name);
    match found {
        Some(counter) => Ok(counters::inline(counter, kernel.page_size())),
        None => {
            let words: Vec<String> = counters.iter().map(|c| c.word()).collect();
            let known = words.iter().map(String::as_str);
            Err(format!("unknown counter `{name}`{}", suggestion_or_list(name, known)))
        }
    }
}

/// Results whose source has changed since, as problems.
fn stale(facts: &Facts) -> Vec<Problem> {
    let of = |recording: &crate::facts::Recording| {
        let file = recording.file.clone();
        recording.stale.iter().chain(&recording.stale_experiments).map(move |stem| {
            let message = format!(
                "the results of `{stem}` are stale: its source has changed since they were recorded; \
                 record them again"
            );
            Problem::new(&file, "", (0, 0), "stale", message)
        }).collect::<Vec<_>>()
    };
    facts.recordings.iter().flat_map(of).collect()
}

/// Text that Markdown must not read once more.
fn without_markdown(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for c in html.chars() {
        if "*_`[]|\\~".contains(c) {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}
