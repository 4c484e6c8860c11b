//! Every kernel file of the repository, asked as a page asks: its verdict must be what the book
//! prints. The requests and the answers are kept under `target/lab-cases`, where `module.mjs` asks
//! WebAssembly the same.

use serde_json::json;
use simt_wasm::{Message, respond};
use std::path::Path;
use verify::Project;

#[test]
fn kernel_files_are_answered_as_the_book_says() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let folder = project.root.join("target/lab-cases");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    let mut ran = 0;
    let library = project.root.join("kernels");
    let mut paths = project.kernel_files().unwrap();
    for entry in std::fs::read_dir(library).unwrap() {
        paths.extend(verify::Chapter::open(&entry.unwrap().path()).unwrap().kernels);
    }
    for path in paths {
        let file = project.read(&path).expect("it is understood");
        let unit = project.unit(&file);
        let skips = |name| file.directives.skips.iter().any(|skip| skip.backend == name);
        let files: Vec<_> = std::iter::once((&unit.name, &unit.text))
            .chain(unit.headers.iter().map(|h| (&h.name, &h.text)))
            .collect();
        for what in ["check", "run"] {
            let text = json!({ "do": what, "files": files });
            let request = Message { text, bytes: Vec::new() }.write();
            let answer = respond(&request);
            let name = format!("{}-{what}", file.relative.replace('/', "-"));
            std::fs::write(folder.join(format!("{name}.request")), &request).unwrap();
            std::fs::write(folder.join(format!("{name}.answer")), &answer).unwrap();
            let told = Message::read(&answer).unwrap().text;
            if what == "run" && told["verdict"] != "passed" && !skips(verify::BackendName::Sim) {
                let why = ["error", "diagnostics", "problems"].map(|k| told[k].to_string());
                wrong.push(format!("{}: {}", file.relative, why.join(" ")));
            }
            ran += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran >= 100, "only {ran} requests");
}
