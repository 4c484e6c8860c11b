//! compute-sanitizer on the edited asynchronous kernels, beside the simulator: the table of the appendix.
//!
//! `recorded/compute_sanitizer.txt` was recorded on a GPU, where each version was a program of its own. Its first
//! line says with what. Then a line per version: a letter for each of memcheck, racecheck, synccheck and initcheck
//! (y: it found something, n: nothing, h: the kernel never ended, f: the tool failed), one for the run without a
//! tool (e: an error of CUDA), a tab, and the version's name. What the simulator finds is what
//! [`super::edits`] checks: everything but what is marked as missed.

use crate::edits::versions;
use crate::support::{cases, package};
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
    alarms: usize,
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
    for case in cases("edits") {
        for version in versions(&case) {
            let Some(letters) = recorded.get(&*version.name) else { continue };
            let found = usize::from(letters[..4].contains('y'));
            for row in [&mut all, rows.entry(case.folder.clone()).or_default()] {
                if version.classes.is_empty() {
                    row.right += 1;
                    row.alarms += found;
                } else {
                    row.wrong += 1;
                    row.ours += usize::from(!version.missed);
                    row.theirs += found;
                    row.hung += usize::from(found == 0 && letters.ends_with('h'));
                }
            }
        }
    }
    assert!(all.wrong + all.right >= RECORDED, "{} and {} are recorded", all.wrong, all.right);
    let mut out = format!("Recorded with {head}.\n\n");
    out += "| kernels | wrong | simt finds | sanitizer finds | endless | right | simt reports \
            | sanitizer reports |\n";
    out += "| --- | --: | --: | --: | --: | --: | --: | --: |\n";
    for (name, row) in rows.iter().map(|(name, row)| (name.as_str(), row)).chain([("all", &all)]) {
        let Row { wrong, ours, theirs, hung, right, alarms } = row;
        let _ = writeln!(
            out,
            "| {name} | {wrong} | {ours} | {theirs} | {hung} | {right} | 0 | {alarms} |"
        );
    }
    out
}

#[test]
fn the_table_of_the_page_is_what_was_recorded() {
    let page = package().join("../../chapters/appendix/findings.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (before, rest) = text.split_once(BEGIN).expect("the page has the first mark");
    let (_, after) = rest.split_once(END).expect("the page has the second mark");
    expect_test::expect_file![page]
        .assert_eq(&format!("{before}{BEGIN}\n{}\n{END}{after}", part()));
}
