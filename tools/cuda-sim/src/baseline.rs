//! A baseline: a JSON report from before, whose findings are known.
//!
//! A finding is known if one with the same code was in the same file at a line with the same text, so
//! that lines may move. Each known finding excuses one. A file is the same however its path is
//! written: a path in a report begins at the folder in which the report was made, which is the current
//! one, or that of the report, or one above it.

use crate::finding::Standing;
use crate::results::Results;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// What makes two findings the same: file, code, and the text of the line.
type Identity = (PathBuf, String, String);

/// The known findings that have excused none yet.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    left: BTreeMap<Identity, usize>,
}

impl Baseline {
    /// Reads the baseline in `path`.
    ///
    /// # Errors
    /// If it cannot be read, is no report, or one of another version.
    pub(crate) fn read(path: &Path) -> Result<Baseline> {
        let help = "make it again: `check --format json --report FILE`";
        let known = Results::read(path, "a baseline", help)?;
        let mut left = BTreeMap::new();
        let suppressed = |standing: &Standing| matches!(standing, Standing::Suppressed(_));
        for finding in known.findings().filter(|finding| !suppressed(&finding.standing)) {
            let (_, code, source) = identity("", &finding.code, &finding.source);
            *left.entry((located(&finding.file, path), code, source)).or_default() += 1;
        }
        Ok(Baseline { left })
    }

    /// Whether a finding is known. It is used up.
    pub(crate) fn excuses(&mut self, file: &str, code: &str, source: &str) -> bool {
        let count = self.left.get_mut(&identity(file, code, source)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }

    /// Marks the findings that are known.
    pub(crate) fn apply(&mut self, results: &mut Results) {
        for finding in results.findings_mut().filter(|f| f.standing == Standing::New) {
            if self.excuses(&finding.file, &finding.code, &finding.source) {
                finding.standing = Standing::Known;
            }
        }
    }

    /// What was not found any more in these files, a line each.
    pub(crate) fn gone(&self, files: &BTreeSet<PathBuf>) -> Vec<String> {
        let here = |file: &Path| files.contains(file) || !file.exists();
        let gone = self.left.iter().filter(|((file, ..), count)| **count > 0 && here(file));
        let line = |((file, code, source), _): (&Identity, &usize)| {
            format!("{}: {code} at `{source}`", file.display())
        };
        gone.map(line).collect()
    }
}

fn identity(file: &str, code: &str, source: &str) -> Identity {
    (normal(Path::new(file)), code.to_owned(), source.to_owned())
}

/// A path of the report: from the current folder, if the file is there, else from the nearest folder
/// above the report where it is.
fn located(file: &str, report: &Path) -> PathBuf {
    let here = normal(Path::new(file));
    if here.exists() {
        return here;
    }
    let report = std::path::absolute(report).unwrap_or_else(|_| report.to_path_buf());
    let above = report.ancestors().skip(1).map(|folder| folder.join(file));
    above.into_iter().find(|path| path.exists()).map_or(here, |path| normal(&path))
}

/// The path as it is written shortest: relative to the current folder if it lies below.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let Ok(absolute) = std::path::absolute(path) else { return path.to_path_buf() };
    let mut normal = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    let here = std::env::current_dir().unwrap_or_default();
    normal.strip_prefix(here).map(Path::to_path_buf).unwrap_or(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_spelling() {
        let here = std::env::current_dir().unwrap();
        for path in ["a/b.cu", "./a/b.cu", "a/../a/./b.cu", &here.join("a/b.cu").to_string_lossy()]
        {
            assert_eq!(normal(Path::new(path)), Path::new("a/b.cu"), "{path}");
        }
    }
}
