//! `warpbook lab`: builds the module that runs kernels in a page.
//!
//! It needs cargo and the target `wasm32-unknown-unknown`, and nothing else: no bindings are
//! generated, and no optimiser runs after the compiler; only the order of the functions is changed, so
//! that the module compresses better. The profile `lab` of the workspace's manifest says how it is
//! compiled. [`crate::module`] says which module the pages use.

use crate::Outcome;
use crate::command::Root;
use crate::complaint::Complaint;
use crate::module::{self, BUILT, COMMITTED, Chosen};
use crate::progress::say;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process;

const TARGET: &str = "wasm32-unknown-unknown";

/// The most bytes, gzipped, that a reader downloads before the first run.
const MOST: u64 = 1_260_000;

/// Build the WebAssembly module that runs kernels in the pages, into target/lab
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Also replace the committed module in chapters/lab: for a release
    #[arg(long)]
    release: bool,
    /// Build nothing; fail unless the pages use a module of these sources
    #[arg(long, conflicts_with = "release")]
    check: bool,
    /// Build nothing; copy the lab's files and style sheet into another book
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["check", "release"])]
    into: Option<PathBuf>,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    if let Some(folder) = &arguments.into {
        let count = crate::lab_files::put(folder)?;
        say!("{}: {count} files", folder.display());
        return Ok(Outcome::Kept);
    }
    let project = root.project()?;
    if arguments.check {
        let Some(Chosen { folder, fault }) = module::choose(&project)? else {
            return Ok(Outcome::Kept);
        };
        let Some(fault) = fault else {
            say!("The pages use the module in {folder}, which is of these sources.");
            return Ok(Outcome::Kept);
        };
        cuda_sim::tell!("error: {fault}\nhelp: `warpbook lab` builds a new one");
        return Ok(Outcome::Broken);
    }
    let built = module::arranged(&build(&project.root)?)?;
    let note = module::write(&project, &built, &rustc(&["--version"])?)?;
    let gzipped = note["gzipped"].as_u64().unwrap_or_default();
    say!("{BUILT}: {} bytes, {gzipped} gzipped", built.len());
    ensure!(gzipped <= MOST, "that is more than the {MOST} bytes gzipped that a page may load");
    if arguments.release {
        module::copy(&project.root.join(BUILT), &project.root.join(COMMITTED))?;
        say!("{COMMITTED}: replaced; commit it with the release");
    }
    Ok(Outcome::Kept)
}

/// The module's bytes, as the compiler makes them.
fn build(root: &Path) -> Result<Vec<u8>> {
    let libraries = rustc(&["--print", "target-libdir", "--target", TARGET])?;
    if !Path::new(&libraries).is_dir() {
        return Err(Complaint::error(
            format!("the compiler has no libraries for {TARGET}"),
            format!("`rustup target add {TARGET}`; only a change of the simulator needs it"),
        ));
    }
    let status = process::Command::new("cargo")
        .current_dir(root)
        .args(["build", "--locked", "--profile", "lab", "-p", "simt-wasm", "--lib"])
        .args(["--target", TARGET])
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", flags().join("\x1f"))
        .status()
        .context("cargo cannot be started")?;
    ensure!(status.success(), "cargo could not build the module");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |t| root.join(t));
    let file = target.join(TARGET).join("lab/simt_wasm.wasm");
    std::fs::read(&file).with_context(|| format!("reading {}", file.display()))
}

/// SIMD of 128 bits; little inlining, which makes the module a tenth smaller and no slower; and no path
/// of this computer in the module: the place of a panic names a source file, and those of libraries are
/// where cargo unpacked them.
fn flags() -> Vec<String> {
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned()];
    flags.push("-Cllvm-args=-inline-threshold=5".to_owned());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let unpacked = home.unwrap_or_default().join("registry/src");
    for registry in std::fs::read_dir(unpacked).into_iter().flatten().flatten() {
        flags.push(format!("--remap-path-prefix={}=library", registry.path().display()));
    }
    flags
}

/// The output of `rustc` with these arguments, in one line.
fn rustc(arguments: &[&str]) -> Result<String> {
    let said = process::Command::new("rustc").args(arguments).output();
    let said = said.context("rustc cannot be started")?;
    ensure!(said.status.success(), "rustc: {}", String::from_utf8_lossy(&said.stderr).trim());
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
