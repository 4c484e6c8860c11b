//! Runs a chapter's experiments, with its test executable's `--record`.
//!
//! The tools do not link the chapters, so this is a child process. With cargo, cargo builds and runs
//! it. Without cargo, `WARPBOOK_TESTS` names a file that lists the executables: `ch08-streams /path/to/chapter-0123abcd`, one per line.

use crate::project::{Chapter, Project};
use crate::results::ExperimentResult;
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The environment variable with the list of executables.
const TESTS: &str = "WARPBOOK_TESTS";

/// The results of each experiment, by name, and the failures.
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

/// The chapter's executable in the list.
fn named(list: &str, chapter: &str) -> Result<Command> {
    let text = std::fs::read_to_string(list).with_context(|| format!("{TESTS}: `{list}`"))?;
    let path = text.lines().find_map(|line| {
        let (name, path) = line.split_once(' ')?;
        (name == chapter).then(|| path.trim().to_owned())
    });
    let path = path.with_context(|| format!("{TESTS} has no line for `{chapter}`"))?;
    Ok(Command::new(Path::new(&path)))
}
