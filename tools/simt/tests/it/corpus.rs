//! Runs the fuzz targets over their seeds, and over the inputs that once crashed (`fuzz/found`).
//!
//! The seeds are the kernels of the chapters and of the other tests, read where they are. libFuzzer
//! wants them as files: `cargo test -p simt corpus:: -- --ignored` writes them to `fuzz/corpus`,
//! and then `cargo +nightly fuzz run parse` (or `run`, `program`, `ptx`, `ptx_front_end`) starts from there.

#[path = "../../fuzz/kernels.rs"]
mod kernels;

use std::path::{Path, PathBuf};

/// Folders of kernels, from the root of the repository. `*` stands for any one name.
const KERNELS: [&str; 3] =
    ["chapters/*/kernels", "tools/simt/tests/compile/*", "tools/kernel-file/tests/run/*"];

/// Folders of whole programs.
const PROGRAMS: [&str; 1] = ["tools/simt-host/tests/programs"];

/// The first four bytes of a launch, see [`kernels::run`]; the seeds take turns.
const LAUNCHES: [&[u8; 4]; 4] = [b"0502", b"1313", b"2437", b"3526"];

/// One input of a fuzz target.
struct Input {
    path: PathBuf,
    data: Vec<u8>,
}

fn repository() -> PathBuf {
    let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = at_run_time.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned());
    package.join("../..")
}

/// The folders that a pattern matches.
fn folders(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![repository()];
    for part in pattern.split('/') {
        found = match part {
            "*" => found
                .iter()
                .flat_map(|folder| std::fs::read_dir(folder).unwrap())
                .map(|entry| entry.unwrap().path())
                .collect(),
            name => found.into_iter().map(|folder| folder.join(name)).collect(),
        };
        found.retain(|folder| folder.is_dir());
    }
    found
}

/// The CUDA files of the folders.
fn files(patterns: &[&str]) -> Vec<Input> {
    let entries = patterns
        .iter()
        .flat_map(|p| folders(p))
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "cu")).collect();
    paths.sort();
    paths.into_iter().map(|path| Input { data: std::fs::read(&path).unwrap(), path }).collect()
}

/// The kernels, each behind the four bytes that launch it.
fn launches() -> Vec<Input> {
    let mut inputs = files(&KERNELS);
    for (input, launch) in inputs.iter_mut().zip(LAUNCHES.iter().cycle()) {
        input.data.splice(0..0, launch.iter().copied());
    }
    inputs
}

/// Runs a target on each input; a panic names its file.
fn replay(target: fn(&[u8]), inputs: &[Input], at_least: usize) {
    assert!(inputs.len() >= at_least, "only {} inputs were found", inputs.len());
    for input in inputs {
        let done = std::panic::catch_unwind(|| target(&input.data));
        assert!(done.is_ok(), "{}", input.path.display());
    }
}

#[test]
fn texts_compile_or_are_refused() {
    replay(kernels::check, &files(&KERNELS), 190);
    replay(kernels::parse, &files(&KERNELS), 190);
}

#[test]
fn inputs_that_once_crashed_are_refused() {
    replay(kernels::check, &files(&["tools/simt/fuzz/found/parse"]), 1);
}

/// Texts of `asm` statements, one per line.
fn assembly() -> Vec<Input> {
    let path = repository().join("tools/simt/fuzz/ptx.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines().map(|line| Input { path: path.clone(), data: line.into() }).collect()
}

#[test]
fn assembly_runs_or_is_refused() {
    replay(kernels::ptx, &assembly(), 7);
}

#[test]
fn launches_end() {
    replay(kernels::run, &launches(), 190);
}

/// The same launches, each with its first block recorded and looked at step by step.
#[test]
fn recorded_launches_end() {
    let mut inputs = launches();
    for input in &mut inputs {
        input.data[3] = 14;
    }
    replay(kernels::run, &inputs, 190);
}

/// Writes the seeds where `cargo fuzz` looks for them.
#[test]
#[ignore = "writes fuzz/corpus"]
fn write_seeds() {
    let corpus = repository().join("tools/simt/fuzz/corpus");
    let targets = [
        ("parse", files(&KERNELS)),
        ("run", launches()),
        ("program", files(&PROGRAMS)),
        ("ptx", assembly()),
        ("ptx_front_end", assembly()),
    ];
    for (target, inputs) in targets {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        for (number, input) in inputs.iter().enumerate() {
            std::fs::write(folder.join(format!("{number:03}.cu")), &input.data).unwrap();
        }
    }
}
