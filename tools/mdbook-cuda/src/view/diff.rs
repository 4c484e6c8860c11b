//! `{{#diff OLD NEW}}`: the unified difference of two kernel files, of their code without the
//! reference, with one line of context.
//!
//! A *change* is a run of removed and added lines. Changes are numbered from 1, and
//! `{{#diff OLD NEW 2-3}}` shows some of them only.

use super::part::html::escape;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::Needs;
use similar::{ChangeTag, TextDiff};
use std::ops::RangeInclusive;

#[derive(Debug)]
struct Diff {
    old: String,
    new: String,
    /// The changes that are shown; `None` for all.
    changes: Option<RangeInclusive<usize>>,
}

/// Reads `{{#diff OLD NEW [2-3]}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let plain = arguments.plain()?;
    let (old, new, changes) = match plain.as_slice() {
        [old, new] => (old, new, None),
        [old, new, changes] => {
            let (first, last) = changes.split_once('-').unwrap_or((changes, changes));
            let number = |text: &str| text.parse().map_err(|_| arguments.wrong());
            (old, new, Some(number(first)?..=number(last)?))
        }
        _ => return Err(arguments.wrong()),
    };
    Ok(Box::new(Diff { old: old.clone(), new: new.clone(), changes }))
}

impl Directive for Diff {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let (old, new) = (page.kernel(&self.old)?, page.kernel(&self.new)?);
        let text = unified(
            (&self.old, &old.file.code),
            (&self.new, &new.file.code),
            self.changes.clone(),
        )?;
        Ok(format!("<pre><code class=\"language-diff\">{}</code></pre>\n", escape(&text)))
    }
}

/// Unchanged lines before and after a change.
const CONTEXT: usize = 1;

/// Unchanged lines between two changes up to which they are shown as one hunk.
const GAP: usize = 4;

/// One line of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line<'a> {
    tag: ChangeTag,
    text: &'a str,
    /// The number of its change; of an unchanged line, of the change before it.
    change: usize,
}

/// The difference as text, with the names of the two files in front.
///
/// # Errors
/// If the files do not differ, or do not have the changes that are asked for.
fn unified(
    (old_name, old): (&str, &str),
    (new_name, new): (&str, &str),
    shown: Option<RangeInclusive<usize>>,
) -> Result<String, String> {
    let (old, new) = (without_reference(old), without_reference(new));
    let lines = lines(&old, &new);
    let count = lines.last().map_or(0, |line| line.change);
    let shown = shown.unwrap_or(1..=count);
    if count == 0 {
        return Err(format!("`{old_name}` and `{new_name}` do not differ"));
    }
    if *shown.start() == 0 || shown.end() > &count || shown.is_empty() {
        return Err(format!(
            "there are changes 1 to {count}, not {}-{}",
            shown.start(),
            shown.end()
        ));
    }
    let mut out = format!("--- {old_name}\n+++ {new_name}\n");
    let mut end = 0;
    for hunk in hunks(&lines, &shown) {
        if end > 0 {
            out.push_str("@@\n");
        }
        end = hunk.end;
        for line in &lines[hunk] {
            out.push_str(&format!("{}{}\n", line.tag, line.text));
        }
    }
    Ok(out)
}

/// The ranges of lines that are shown.
fn hunks(lines: &[Line<'_>], shown: &RangeInclusive<usize>) -> Vec<std::ops::Range<usize>> {
    let changed = |line: &Line<'_>| line.tag != ChangeTag::Equal && shown.contains(&line.change);
    let mut hunks: Vec<std::ops::Range<usize>> = Vec::new();
    for at in lines.iter().enumerate().filter(|(_, line)| changed(line)).map(|(at, _)| at) {
        match hunks.last_mut() {
            Some(last) if at <= last.end + GAP => last.end = at + 1,
            _ => hunks.push(at..at + 1),
        }
    }
    let context = |at: &usize| lines[*at].tag == ChangeTag::Equal && !lines[*at].text.is_empty();
    for hunk in &mut hunks {
        hunk.start -=
            (hunk.start.saturating_sub(CONTEXT)..hunk.start).rev().take_while(context).count();
        hunk.end += (hunk.end..lines.len().min(hunk.end + CONTEXT)).take_while(context).count();
    }
    hunks
}

fn lines<'a>(old: &'a str, new: &'a str) -> Vec<Line<'a>> {
    let mut all: Vec<Line<'a>> = Vec::new();
    for change in TextDiff::from_lines(old, new).iter_all_changes() {
        let (tag, text) = (change.tag(), change.value().trim_end_matches('\n'));
        let before = all.last().map_or((ChangeTag::Equal, 0), |line| (line.tag, line.change));
        let begins = tag != ChangeTag::Equal && before.0 == ChangeTag::Equal;
        all.push(Line { tag, text, change: before.1 + usize::from(begins) });
    }
    all
}

/// The code without the functions that say what is expected.
fn without_reference(code: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in code.lines() {
        inside |= line.starts_with("__host__ __device__") && line.contains(" expected");
        if !inside {
            out.push_str(line);
            out.push('\n');
        }
        inside &= !line.starts_with('}') && !line.ends_with('}');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "void f() {\n    a;\n    b;\n    c;\n    d;\n    e;\n    f;\n    g;\n    h;\n}\n\n\
                       __host__ __device__ int expected(int i) {\n    return 1;\n}\n";

    fn shown(changes: Option<RangeInclusive<usize>>) -> Result<String, String> {
        let new = OLD.replace("    a;", "    x;\n    y;").replace("    h;\n", "").replace('1', "2");
        unified(("1_a.cu", OLD), ("2_b.cu", &new), changes)
    }

    #[test]
    fn changes_have_a_line_of_context_and_the_reference_is_left_out() {
        assert_eq!(
            shown(None).unwrap(),
            "--- 1_a.cu\n+++ 2_b.cu\n void f() {\n-    a;\n+    x;\n+    y;\n     b;\n@@\n     g;\n\
             -    h;\n }\n"
        );
        let second = "--- 1_a.cu\n+++ 2_b.cu\n     g;\n-    h;\n }\n";
        assert_eq!(shown(Some(2..=2)).unwrap(), second);
    }

    #[test]
    fn what_does_not_differ_or_is_no_change_is_an_error() {
        let same = unified(("a", OLD), ("b", OLD), None).unwrap_err();
        assert_eq!(same, "`a` and `b` do not differ");
        let message = shown(Some(2..=3)).unwrap_err();
        assert_eq!(message, "there are changes 1 to 2, not 2-3");
    }
}
