//! What a page is told. Every request that is asked here, and its answer, is kept under
//! `target/lab-cases`, where `module.mjs` asks WebAssembly the same.

mod exercises;
mod history;
mod judged;
mod kernels;
mod odd;
mod programs;

use serde_json::Value;
use simt_wasm::{Message, respond};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Asks, and keeps request and answer under this name.
#[track_caller]
fn ask(name: &str, text: Value) -> Value {
    ask_whole(name, text).text
}

/// The same, with the answer's bytes.
#[track_caller]
fn ask_whole(name: &str, text: Value) -> Message {
    let request = Message::said(text).write();
    let answer = respond(&request);
    for (what, bytes) in [("request", &request), ("answer", &answer)] {
        std::fs::write(folder().join(format!("{name}.{what}")), bytes).unwrap();
    }
    Message::read(&answer).unwrap()
}

/// Where they are kept; emptied first.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/lab-cases");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    })
}
