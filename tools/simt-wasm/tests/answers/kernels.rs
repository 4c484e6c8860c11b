//! Every kernel file of the repository, asked as a page asks: its verdict must be what the book
//! prints.

use crate::ask;
use serde_json::{Value, json};
use std::path::Path;
use verify::{BackendName, Chapter, Project};

#[test]
fn kernel_files_are_answered_as_the_book_says() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut paths = project.kernel_files().unwrap();
    for entry in std::fs::read_dir(project.root.join("kernels")).unwrap() {
        paths.extend(Chapter::open(&entry.unwrap().path()).unwrap().kernels);
    }
    assert!(paths.len() >= 100, "only {} kernel files", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let file = project.read(&path).expect("it is understood");
        let unit = project.unit(&file);
        let headers = unit.headers.iter().map(|h| (&h.name, &h.text));
        let files: Vec<_> = std::iter::once((&unit.name, &unit.text)).chain(headers).collect();
        let name = file.relative.replace('/', "-");
        let checked = ask(&format!("{name}-check"), json!({ "do": "check", "files": files }));
        let record = json!({ "do": "record", "files": files, "steps": 5000 });
        let recorded = ask(&format!("{name}-record"), record);
        let step = recorded["steps"].as_u64().unwrap_or(0) / 2;
        let state = ask(&format!("{name}-state"), json!({ "do": "state", "step": step }));
        let ran = ask(&format!("{name}-run"), json!({ "do": "run", "files": files }));
        if file.directives.skips.iter().any(|skip| skip.backend == BackendName::Sim) {
            continue;
        }
        if state["warps"][0].is_null() {
            wrong.push(format!("{}: {recorded} {state}", file.relative));
        }
        let is_error = |d: &Value| d["severity"] == "error";
        let errors = checked["diagnostics"].as_array().unwrap().iter().any(is_error);
        if errors || ran["verdict"] != "passed" {
            let why = ["error", "diagnostics", "problems"].map(|key| ran[key].to_string());
            wrong.push(format!("{}: {}", file.relative, why.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
