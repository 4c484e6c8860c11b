//! Which lines of a long listing are shown first: those that the page chooses, or that differ from the
//! rung before, or the kernel function.
//!
//! A page with twenty listings of a hundred lines hides its lesson, which is the difference between
//! two neighbours. The other lines are in the page, and one click shows them.

use similar::{ChangeTag, TextDiff};
use std::ops::Range;

/// A listing with more lines than this is shown in part.
const LONG: usize = 30;

/// The same where the rung before is known: what changed is what the reader looks for.
const LONG_AFTER_A_RUNG: usize = 18;

/// The most lines that are shown of a kernel function which is itself long.
const FIRST: usize = 24;

/// Unchanged lines on both sides of a changed one.
const CONTEXT: usize = 1;

/// Lines that are left out in fewer than so many are shown.
const GAP: usize = 4;

/// What is shown of a listing at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// For each line, whether it is shown.
    pub(crate) shown: Vec<bool>,
    /// What that is: `what differs from 4_unroll2`.
    pub(crate) what: String,
}

/// The rung before a kernel: its name and its code.
pub(crate) type Before<'a> = Option<(&'a str, &'a str)>;

/// The excerpt of `code`; `None` where all of it is shown. The lines of `always` are part of it, and
/// those of `apart` do not count: they are folded in another way.
pub(crate) fn of(
    code: &str,
    before: Before<'_>,
    always: &[usize],
    apart: &[bool],
) -> Option<Excerpt> {
    let lines: Vec<&str> = code.lines().collect();
    let counts = |shown: &[bool]| {
        let all = shown.iter().enumerate();
        all.filter(|(i, shown)| **shown && !apart.get(*i).is_some_and(|apart| *apart)).count()
    };
    let all = counts(&vec![true; lines.len()]);
    let difference = before.filter(|_| all > LONG_AFTER_A_RUNG).and_then(|(name, old)| {
        let shown = complete(changed(old, code, &lines), &lines, always);
        let what = format!("what differs from <code>{}</code>", super::html::escape(name));
        (1..=LONG).contains(&counts(&shown)).then_some(Excerpt { shown, what })
    });
    let function = || {
        let (shown, whole) = kernel_function(&lines).filter(|_| all > LONG)?;
        let what = if whole { "the kernel function" } else { "how the kernel function begins" };
        Some(Excerpt { shown: complete(shown, &lines, always), what: what.to_string() })
    };
    let found = difference.or_else(function)?;
    let hides = counts(&found.shown.iter().map(|shown| !shown).collect::<Vec<_>>()) > 0;
    hides.then_some(found)
}

/// The excerpt of the lines that a page chooses, counted from 0; `None` where that is all of `code`. Its
/// first line has the number `first_line`.
pub(crate) fn chosen(
    code: &str,
    chosen: Range<usize>,
    first_line: u32,
    always: &[usize],
) -> Option<Excerpt> {
    let lines: Vec<&str> = code.lines().collect();
    let what = format!(
        "lines {} to {}",
        first_line as usize + chosen.start,
        first_line as usize + chosen.end - 1
    );
    let mut shown = vec![false; lines.len()];
    shown[chosen].fill(true);
    let shown = complete(shown, &lines, always);
    shown.contains(&false).then_some(Excerpt { shown, what })
}

/// The lines that are new since `old`, each with its context, and those beside a deleted line.
fn changed(old: &str, code: &str, lines: &[&str]) -> Vec<bool> {
    let mut shown = vec![false; lines.len()];
    let mut at = 0;
    let mut reveal = |from: usize, to: usize| {
        let end = to.min(lines.len());
        shown[from.saturating_sub(CONTEXT)..end].iter_mut().for_each(|shown| *shown = true);
    };
    for change in TextDiff::from_lines(old, code).iter_all_changes() {
        let is_blank = change.value().trim().is_empty();
        match change.tag() {
            ChangeTag::Equal => at += 1,
            ChangeTag::Insert => {
                if !is_blank {
                    reveal(at, at + 1 + CONTEXT);
                }
                at += 1;
            }
            ChangeTag::Delete if is_blank => {}
            ChangeTag::Delete => reveal(at, at + CONTEXT),
        }
    }
    shown
}

/// The last `__global__` function, or its beginning, and whether that is all of it.
fn kernel_function(lines: &[&str]) -> Option<(Vec<bool>, bool)> {
    let start = lines.iter().rposition(|line| line.contains("__global__"))?;
    let end = lines[start..].iter().position(|line| line.starts_with('}'))? + start + 1;
    let (end, whole) = if end - start > LONG { (start + FIRST, false) } else { (end, true) };
    let mut shown = vec![false; lines.len()];
    shown[start..end].fill(true);
    Some((shown, whole))
}

/// With the lines that are always shown, and without gaps of a few lines.
fn complete(mut shown: Vec<bool>, lines: &[&str], always: &[usize]) -> Vec<bool> {
    for line in always.iter().filter(|line| **line < lines.len()) {
        let end = lines.len().min(line + 1 + CONTEXT);
        shown[line.saturating_sub(CONTEXT)..end].fill(true);
    }
    let mut i = 0;
    while i < shown.len() {
        let end = shown[i..].iter().position(|s| *s != shown[i]).map_or(shown.len(), |n| i + n);
        let empty = lines[i..end].iter().all(|line| line.trim().is_empty());
        if !shown[i] && (end - i < GAP || empty) {
            shown[i..end].fill(true);
        }
        i = end;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel of `n` numbered lines between its brackets.
    fn code(n: usize) -> String {
        let body: String = (0..n).map(|i| format!("    line{i};\n")).collect();
        format!("#define A 1\n\n__global__ void f() {{\n{body}}}\n")
    }

    fn shown(excerpt: &Excerpt) -> Vec<usize> {
        excerpt.shown.iter().enumerate().filter(|(_, shown)| **shown).map(|(i, _)| i).collect()
    }

    #[test]
    fn a_short_listing_is_shown_whole() {
        assert_eq!(of(&code(20), None, &[], &[]), None);
        assert_eq!(of(&code(10), Some(("1_a", &code(9))), &[], &[]), None, "even after a rung");
        assert!(of(&code(20), Some(("1_a", &code(19))), &[], &[]).is_some());
        let folded = vec![true; 30];
        assert_eq!(of(&code(40), None, &[], &folded), None, "what is folded does not count");
    }

    #[test]
    fn what_differs_from_the_rung_before_is_shown() {
        let old = code(40);
        let new = old.replace("line20;", "other;").replace("    line30;\n", "");
        let excerpt = of(&new, Some(("1_a", &old)), &[], &[]).unwrap();
        assert_eq!(excerpt.what, "what differs from <code>1_a</code>");
        assert_eq!(shown(&excerpt), [22, 23, 24, 32, 33], "context, and both sides of a deletion");
        let marked = of(&new, Some(("1_a", &old)), &[10], &[]).unwrap();
        assert_eq!(shown(&marked)[..3], [9, 10, 11], "a marked line is always shown");
    }

    #[test]
    fn a_page_chooses_the_lines_of_a_long_listing() {
        let excerpt = chosen(&code(40), 20..25, 11, &[]).unwrap();
        assert_eq!(excerpt.what, "lines 31 to 35");
        assert_eq!(shown(&excerpt), [20, 21, 22, 23, 24]);
        assert_eq!(chosen("a\nb\n", 0..2, 1, &[]), None, "all of it");
    }

    #[test]
    fn without_a_rung_like_it_the_kernel_function_is_shown() {
        let text = format!("{}{}", "int helper;\n".repeat(30), code(10));
        let excerpt = of(&text, Some(("1_a", "int x;\n")), &[], &[]).unwrap();
        assert_eq!((excerpt.what.as_str(), shown(&excerpt)[0]), ("the kernel function", 32));
        let long = of(&code(80), None, &[], &[]).unwrap();
        assert_eq!(long.what, "how the kernel function begins");
        assert_eq!(shown(&long).len(), FIRST + 2, "and the two lines before, which are few");
        assert_eq!(of(&"int x;\n".repeat(99), None, &[], &[]), None, "there is nothing to choose");
    }
}
