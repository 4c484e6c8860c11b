//! `doctor` reports and never fails.

use crate::tiny::{Tiny, run_in};

#[test]
fn it_names_the_project_and_every_back_end_and_tool() {
    let tiny = Tiny::new();
    let said = tiny.run(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains(tiny.path("").to_str().unwrap().trim_end_matches('/')));
    for name in ["project", "sim", "nvrtc", "gpu", "rustc", "nvcc", "ncu", "mdbook"] {
        let named = said.stdout.lines().any(|line| line.starts_with(&format!("{name} ")));
        assert!(named, "{name} is missing:\n{}", said.stdout);
    }
}

#[test]
fn outside_a_project_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let said = run_in(folder.path(), &["doctor"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("book.toml"), "{}", said.stdout);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it wrote something");
}
