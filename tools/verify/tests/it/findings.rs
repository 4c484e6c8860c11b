//! The appendix treats every finding: a section for each class, a heading for each code in it.

use simt::{Class, Code};
use std::collections::BTreeMap;
use verify::Project;

/// The codes under each section's anchor, as the page has them.
fn sections() -> BTreeMap<String, Vec<String>> {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let project = Project::find(here.as_ref()).expect("the book");
    let path = project.root.join("chapters/appendix/findings.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let mut sections = BTreeMap::new();
    let mut now = String::new();
    for line in text.lines() {
        if let Some(code) = line.strip_prefix("### ") {
            sections.entry(now.clone()).or_insert_with(Vec::new).push(code.to_owned());
        } else if let Some(title) = line.strip_prefix("## ") {
            let anchor = title.split_once("{#").and_then(|(_, a)| a.strip_suffix('}'));
            now = anchor.unwrap_or("").to_owned();
        }
    }
    sections
}

#[test]
fn every_class_has_a_section_and_every_code_a_heading() {
    let sections = sections();
    for &class in Class::ALL {
        let codes: Vec<&str> =
            Code::ALL.iter().filter(|c| c.class() == class).map(|c| c.name()).collect();
        let mut here: Vec<&str> = sections
            .get(class.name())
            .unwrap_or_else(|| panic!("no section {{#{}}}", class.name()))
            .iter()
            .map(String::as_str)
            .collect();
        here.sort_unstable();
        let mut codes = codes;
        codes.sort_unstable();
        assert_eq!(here, codes, "the headings under {{#{}}}", class.name());
    }
}
