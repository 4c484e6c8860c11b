//! Runs the kernel of an item, with its edits, on the simulator and through the cache.

use super::{Placed, Show, Subject};
use crate::claims::{Missing, Readings};
use crate::toml_file::At;
use kernel_file::Sizes;
use kernel_file::suggest::suggestion;
use kernel_file::verdict::{BackendName, Verdict};
use kernel_file::{KernelFile, TextError};
use std::collections::BTreeMap;

/// What a run gave.
pub(super) struct Ran {
    /// The file, edited and at its point.
    pub(super) file: KernelFile,
    /// The simulator's verdict.
    pub(super) verdict: Verdict,
}

/// Runs what an item of `chapter` is about.
pub(super) fn run(
    readings: &Readings<'_>,
    chapter: &str,
    subject: &Subject,
) -> Result<Ran, TextError> {
    let at = subject.file.at;
    let wrong = |message: String| TextError::new(at, message);
    let mut file = edited(readings, chapter, subject)?;
    if !file.directives.varies.is_empty() || !subject.point.is_empty() {
        let point = file
            .choose(&subject.point)
            .map_err(|message| wrong(format!("{message}; write `at = \"name=value\"`")))?;
        file = file.at(&point);
    }
    let n = subject.n.or(file.directives.page);
    let n =
        n.ok_or_else(|| wrong("the file has no `//@ page`: give a size with `n`".to_owned()))?;
    let ask =
        |file: &KernelFile| readings.verifier().verify_file(file, BackendName::Sim, Sizes::One(n));
    // A file that teaches a defect is run as any other. Where it has no reference, its findings are
    // all that there is.
    let plain = KernelFile {
        directives: kernel_file::directive::Directives { catches: None, ..file.directives.clone() },
        ..file.clone()
    };
    let verdict = ask(&plain);
    let no_reference = verdict.runs.is_empty()
        && verdict.problems.iter().any(|problem| problem.code == "reference");
    let verdict = if no_reference { ask(&file) } else { verdict };
    Ok(Ran { file, verdict })
}

/// The file with the item's replacements.
pub(super) fn edited(
    readings: &Readings<'_>,
    chapter: &str,
    subject: &Subject,
) -> Result<KernelFile, TextError> {
    let at = subject.file.at;
    let file = readings.kernel(chapter, &subject.file.value).map_err(|missing| {
        let (Missing::NotRecorded(why) | Missing::Stale(why) | Missing::Wrong(why)) = missing;
        TextError::new(at, why)
    })?;
    if subject.edits.is_empty() {
        return Ok(file);
    }
    let mut text = file.text.clone();
    for edit in &subject.edits {
        let Placed { at, value: find } = &edit.find;
        let message = match text.matches(find.as_str()).count() {
            1 => {
                text = text.replacen(find.as_str(), &edit.replace, 1);
                continue;
            }
            0 => format!("`{}` does not hold this text{}", file.relative, nearest(&text, find)),
            times => format!(
                "`{}` holds this text {times} times: add a neighbouring line",
                file.relative
            ),
        };
        return Err(TextError::new(*at, message));
    }
    let parsed = KernelFile::parse(&file.relative, text).map_err(|problems| {
        let first = problems.into_iter().next().map_or(String::new(), |p| p.message);
        TextError::new(subject.edits[0].find.at, format!("after the edit: {first}"))
    })?;
    Ok(KernelFile { path: file.path, ..parsed })
}

/// The line of the file that was perhaps meant.
fn nearest(text: &str, find: &str) -> String {
    let first = find.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    suggestion(first.trim(), text.lines().map(str::trim).filter(|line| !line.is_empty()))
}

impl Ran {
    /// The counters by their words, and `n`.
    pub(super) fn numbers(&self, at: At) -> Result<BTreeMap<String, f64>, TextError> {
        let problem = self.verdict.all_problems().next();
        let Some(run) = self.verdict.runs.last().filter(|run| !run.counters.is_empty()) else {
            let why = problem.map_or(self.verdict.reason.as_str(), |p| p.message.as_str());
            let message =
                format!("the simulator counted nothing in `{}`: {why}", self.file.relative);
            return Err(TextError::new(at, message));
        };
        let counters = run.counters.iter().filter_map(|c| Some((c.word(), c.value?)));
        let mut all: BTreeMap<String, f64> = counters.collect();
        all.insert("n".to_owned(), run.n as f64);
        all.extend(self.file.point.values().iter().map(|(name, v)| (name.clone(), *v as f64)));
        Ok(all)
    }
}

/// The lines to show, and the number of the first one in its file. A mark `//~ race` would give the
/// answer away, so it is left out.
pub(super) fn lines(file: &KernelFile, show: &Show) -> Result<(String, u32), TextError> {
    let lines: Vec<&str> = file.text.lines().collect();
    let missing = |wanted: &Placed<String>, where_: &str| {
        let name = &file.relative;
        let hint = nearest(&file.text, &wanted.value);
        TextError::new(wanted.at, format!("no line{where_} of `{name}` holds this text{hint}"))
    };
    let code = file.code_line as usize - 1;
    let holds = |wanted: &Placed<String>, line: &str| line.contains(wanted.value.trim_end());
    let first = (code..lines.len()).find(|i| holds(&show.from, lines[*i]));
    let first = first.ok_or_else(|| missing(&show.from, " of the code"))?;
    let last = (first + 1..lines.len()).find(|i| holds(&show.to, lines[*i]));
    let last = last.or_else(|| holds(&show.to, lines[first]).then_some(first));
    let last = last.ok_or_else(|| missing(&show.to, &format!(" after line {}", first + 1)))?;
    let unmarked = |line: &&str| line.split("//~").next().unwrap_or_default().trim_end().to_owned();
    let shown: Vec<String> = lines[first..=last].iter().map(unmarked).collect();
    Ok((shown.join("\n"), first as u32 + 1))
}
