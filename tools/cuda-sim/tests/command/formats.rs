//! The formats for machines, read back by the parsers that others use.

use crate::folder::{Folder, RACE, TWICE};
use serde_sarif::sarif::{ResultLevel, Sarif};

fn folder() -> Folder {
    let quiet = RACE.replace(
        "    __shared__",
        "    // NOLINTNEXTLINE(shared-race): known & \"harmless\" <here>\n    __shared__",
    );
    Folder::with(&[("a race.cu", RACE), ("b.cu", TWICE), ("c.cu", quiet.as_str())])
}

#[test]
fn sarif_is_read_by_a_typed_parser() {
    let said = folder().says(&["check", "--format", "sarif"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    let log: Sarif = serde_json::from_str(&said.stdout).unwrap();
    let run = &log.runs[0];
    let rules = run.tool.driver.rules.as_ref().unwrap();
    assert_eq!(rules[0].id, "shared-race");
    let results = run.results.as_ref().unwrap();
    assert_eq!(results.len(), 2, "{results:#?}");
    let race = &results[0];
    assert_eq!(race.level, Some(ResultLevel::Error));
    let place = |at: &serde_sarif::sarif::Location| {
        let physical = at.physical_location.clone().unwrap();
        let line = physical.region.and_then(|region| region.start_line);
        (physical.artifact_location.and_then(|artifact| artifact.uri), line)
    };
    let lines = race.locations.iter().chain(&race.related_locations).flatten().map(place);
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), 2);
    for line in [3, 4] {
        assert!(lines.contains(&(Some("a%20race.cu".to_owned()), Some(line))), "{lines:?}");
    }
    let why = results[1].suppressions.as_ref().unwrap()[0].justification.clone();
    assert_eq!(why.as_deref(), Some("known & \"harmless\" <here>"));
}

#[test]
fn junit_is_read_by_a_common_parser() {
    let said = folder().says(&["check", "--format", "junit"]);
    let report = junit_parser::from_reader(said.stdout.as_bytes()).unwrap();
    assert_eq!((report.tests, report.failures), (3, 1), "{report:#?}");
    let case = &report.suites[0].cases[0];
    assert_eq!(case.original_name, "a race.cu");
    assert!(case.status.is_failure(), "{case:#?}");
}

#[test]
fn a_workflow_command_annotates_the_line() {
    let said = folder().says(&["check", "--format", "github"]);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{said:#?}");
    assert!(lines[0].starts_with("::error file=a race.cu,line="), "{said:#?}");
    assert!(
        lines[0].contains(",title=cuda-sim%3A shared-race::") && lines[0].contains("%0Ahelp: ")
    );
    // An annotation has one place; the other access is named in its text.
    let (at, other) = if lines[0].contains(",line=3,") { (3, 4) } else { (4, 3) };
    let other = format!("%0Athe other side: {} (a race.cu:{other}:", ["write", "read"][other - 3]);
    assert!(lines[0].contains(&format!(",line={at},")) && lines[0].contains(&other), "{said:#?}");
    assert!(lines[1].starts_with("3 files, 5 launches, 1 error, 0 warnings, 1 suppressed ("));
}
