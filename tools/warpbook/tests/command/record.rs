//! `record` and `import`, as far as they go without a GPU.

use crate::tiny::Tiny;

#[test]
fn import_of_what_is_no_bundle_names_the_file_and_writes_nothing() {
    let tiny = Tiny::new();
    tiny.write("elsewhere.json", "{}");
    let said = tiny.run(&["import", "elsewhere.json"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("elsewhere.json"), "{said:#?}");
    assert!(!tiny.path("chapters/ch01-tiny/results").exists());
}

#[test]
fn record_without_anything_to_measure_or_to_measure_on_is_an_error() {
    let tiny = Tiny::new();
    let said = tiny.run(&["record"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.starts_with("error: "), "{said:#?}");
    assert!(!tiny.path("chapters/ch01-tiny/results").exists());
}
