//! Runs a chapter's host experiments: its own test executable, asked to record.
//!
//! The tools do not link the chapters, so the executable is a process of its own. Where there is
//! cargo, cargo builds and finds it. On a machine without it, `WARPBOOK_TESTS` names a file that
//! says where each one is: `ch08-streams /path/to/chapter-0123abcd`, one per line.

use crate::project::{Chapter, Project};
use crate::results::ExperimentResult;
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What names the executables where there is no cargo.
const TESTS: &str = "WARPBOOK_TESTS";

/// What each experiment left, by name, and what failed.
pub(super) fn run(
    project: &Project,
    chapter: &Chapter,
) -> Result<(BTreeMap<String, ExperimentResult>, Option<String>)> {
    let folder = project.root.join("target/verify/experiments");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.json", chapter.name));
    let _ = std::fs::remove_file(&file);
    let mut command = match std::env::var(TESTS) {
        Ok(list) => named(&list, &chapter.name)?,
        Err(_) => {
            let mut cargo = Command::new("cargo");
            cargo.args(["test", "--locked", "--package", &chapter.name, "--test", "chapter", "--"]);
            cargo
        }
    };
    let output = command
        .current_dir(&chapter.dir)
        .env("CARGO_MANIFEST_DIR", &chapter.dir)
        .arg("--record")
        .arg(&file)
        .output()
        .context("cannot run the chapter's tests")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&file)
        .map_err(|_| anyhow!("the executable wrote no results; it says: {}", said.trim()))?;
    let results =
        serde_json::from_str(&text).context("the experiments' results cannot be parsed")?;
    let failed = (!output.status.success()).then(|| said.trim().to_owned());
    Ok((results, failed))
}

/// The executable that the list names for the chapter.
fn named(list: &str, chapter: &str) -> Result<Command> {
    let text = std::fs::read_to_string(list).with_context(|| format!("{TESTS}: `{list}`"))?;
    let path = text.lines().find_map(|line| {
        let (name, path) = line.split_once(' ')?;
        (name == chapter).then(|| path.trim().to_owned())
    });
    let path = path.with_context(|| format!("{TESTS} has no line for `{chapter}`"))?;
    Ok(Command::new(Path::new(&path)))
}
