//! The list of rows of the notes is complete, and each row is treated where it says.

use std::collections::BTreeMap;
use std::path::PathBuf;
use verify::{Project, coverage};

#[test]
fn the_list_is_whole() {
    let project = Project::find(&package()).unwrap();
    let rows = coverage::rows(&project).unwrap();
    let mut notes: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for row in &rows {
        let (note, number) = row.id.split_once('.').unwrap();
        notes.entry(note).or_default().push(number.parse().unwrap());
    }
    let counts = [("000", 52), ("001", 20), ("002", 35), ("003", 33), ("004", 9)];
    for (note, count) in counts {
        assert_eq!(notes[note], (1..=count).collect::<Vec<u32>>(), "note {note}");
    }
    assert_eq!(rows.len(), 149);
}

#[test]
fn every_row_is_treated_under_its_heading() {
    let project = Project::find(&package()).unwrap();
    let rows = coverage::rows(&project).unwrap();
    let chapters = project.chapters().unwrap();
    let problems = chapters.iter().flat_map(|c| coverage::problems(&project, &rows, &c.name));
    let all: Vec<String> = problems.map(|problem| problem.rendered).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let set = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    set.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
