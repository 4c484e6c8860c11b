//! compute-sanitizer on the edited asynchronous kernels, beside the simulator: the table of the appendix.
//!
//! `recorded/compute_sanitizer.txt` was recorded on a GPU, where each version was a program of its own. Its first
//! line says with what. Then a line per version: a letter for each of memcheck, racecheck, synccheck and initcheck
//! (y: it found something, n: nothing, h: the kernel never ended, f: the tool failed), one for the run without a
//! tool (e: an error of CUDA), a tab, and the version's name. What the simulator finds and reports is counted in
//! the runs of [`super::edits`].

use crate::edits::{judged_versions, only};
use crate::support::package;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const BEGIN: &str =
    "<!-- Written by `UPDATE_EXPECT=1 cargo test -p kernel-file --test it sanitizer`. -->\n";
const END: &str = "<!-- Up to here. -->\n";
/// Of the versions, so many were recorded at the least.
const RECORDED: usize = 250;

#[derive(Default, Clone, Copy)]
struct Row {
    wrong: usize,
    ours: usize,
    theirs: usize,
    /// Never ended on the GPU, and no tool found why.
    hung: usize,
    right: usize,
    /// Right versions of which the simulator reports something.
    our_alarms: usize,
    their_alarms: usize,
}

impl Row {
    /// Adds a version: whether it is right, whether the simulator found something, and the letters.
    fn add(&mut self, is_right: bool, ours: bool, letters: &str) {
        let theirs = letters[..4].contains('y');
        if is_right {
            self.right += 1;
            self.our_alarms += usize::from(ours);
            self.their_alarms += usize::from(theirs);
        } else {
            self.wrong += 1;
            self.ours += usize::from(ours);
            self.theirs += usize::from(theirs);
            self.hung += usize::from(!theirs && letters.ends_with('h'));
        }
    }
}

/// The part of the page, of what was recorded and still is a version.
fn part() -> String {
    let path = package().join("tests/recorded/compute_sanitizer.txt");
    let text = std::fs::read_to_string(path).expect("the recording");
    let (head, lines) = text.split_once('\n').expect("a first line");
    let recorded: BTreeMap<&str, &str> = lines
        .lines()
        .map(|line| line.split_once('\t').expect("letters, a tab, a name"))
        .map(|(letters, name)| (name, letters))
        .collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut all = Row::default();
    for judged in judged_versions() {
        let Some(letters) = recorded.get(&*judged.version.name) else { continue };
        let is_right = judged.version.classes.is_empty();
        let ours = if is_right { judged.said().is_some() } else { judged.is_caught() };
        for row in [&mut all, rows.entry(judged.folder.clone()).or_default()] {
            row.add(is_right, ours, letters);
        }
    }
    assert!(all.wrong + all.right >= RECORDED, "{} and {} are recorded", all.wrong, all.right);
    let mut out = format!("Recorded with {head}.\n\n");
    out += "| kernels | wrong | simt finds | sanitizer finds | endless | right | simt reports \
            | sanitizer reports |\n";
    out += "| --- | --: | --: | --: | --: | --: | --: | --: |\n";
    for (name, row) in rows.iter().map(|(name, row)| (name.as_str(), row)).chain([("all", &all)]) {
        let Row { wrong, ours, theirs, hung, right, our_alarms, their_alarms } = row;
        let _ = writeln!(
            out,
            "| {name} | {wrong} | {ours} | {theirs} | {hung} | {right} | {our_alarms} \
             | {their_alarms} |"
        );
    }
    out
}

#[test]
fn an_alarm_about_a_right_version_is_counted() {
    let mut row = Row::default();
    row.add(true, true, "nnnnn");
    row.add(true, false, "nynnn");
    row.add(false, true, "nnnnh");
    row.add(false, false, "nnnnn");
    assert_eq!((row.right, row.our_alarms, row.their_alarms), (2, 1, 1));
    assert_eq!((row.wrong, row.ours, row.theirs, row.hung), (2, 1, 0, 1));
}

#[test]
#[cfg_attr(
    target_arch = "wasm32",
    ignore = "a minute in one thread; natively it runs in every push"
)]
fn the_table_of_the_page_is_what_was_recorded_and_found() {
    if !only().is_empty() {
        return;
    }
    let page = package().join("../../chapters/appendix/findings.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (before, rest) = text.split_once(BEGIN).expect("the page has the first mark");
    let (_, after) = rest.split_once(END).expect("the page has the second mark");
    expect_test::expect_file![page]
        .assert_eq(&format!("{before}{BEGIN}\n{}\n{END}{after}", part()));
}
