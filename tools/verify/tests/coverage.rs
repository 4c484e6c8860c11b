//! The list of rows that the book itself grew from.

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
        assert!(row.chapter.starts_with("ch"), "{} names no chapter", row.id);
    }
    let counts = [("000", 52), ("001", 20), ("002", 35), ("003", 33), ("004", 9)];
    for (note, count) in counts {
        assert_eq!(notes[note], (1..=count).collect::<Vec<u32>>(), "note {note}");
    }
    assert_eq!(rows.len(), 149);
}

#[test]
fn every_row_lives_on() {
    let project = Project::find(&package()).unwrap();
    let rows = coverage::rows(&project).unwrap();
    let anchors = coverage::anchors(&project);
    let chapters = project.chapters().unwrap();
    let missing =
        chapters.iter().flat_map(|c| coverage::missing(&project, &rows, &anchors, &c.name));
    let all: Vec<String> = missing.map(|problem| problem.rendered).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
    // A chapter that is not in the list yet demands nothing; the book as a whole does.
    let unmarked = rows.iter().filter(|row| !anchors.iter().any(|a| a.rows.contains(&row.id)));
    let unmarked: Vec<&str> = unmarked.map(|row| row.id.as_str()).collect();
    assert!(unmarked.is_empty(), "marked nowhere: {}", unmarked.join(", "));
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
