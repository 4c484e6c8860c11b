//! `warpbook lab`: builds the module that runs kernels in a page.
//!
//! It needs cargo and the target `wasm32-unknown-unknown`, and nothing else: no bindings are
//! generated and nothing is optimised behind the compiler. The profile `lab` of the workspace's
//! manifest says how it is compiled.

use crate::Outcome;
use crate::complaint::Complaint;
use crate::module::{MODULE, NOTE, note, stale};
use crate::progress::say;
use anyhow::{Context, Result, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::{Path, PathBuf};
use std::process;

const TARGET: &str = "wasm32-unknown-unknown";

/// What a reader waits for before the first run, over a wire.
const MOST: u64 = 900_000;

pub(super) fn arguments() -> Command {
    Command::new("lab")
        .about("Build the module that runs kernels in the pages")
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .help("Build nothing; say whether the committed module is that of the sources"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with("check")
                .help("Where to put the module, without a note [default: chapters/lab/simt.wasm]"),
        )
        .arg(
            Arg::new("into")
                .long("into")
                .value_name("FOLDER")
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with_all(["check", "output"])
                .help("Build nothing; put the lab's files and style sheet into another book"),
        )
}

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    if let Some(folder) = matches.get_one::<PathBuf>("into") {
        let count = crate::lab_files::put(folder)?;
        say!("{}: {count} files", folder.display());
        return Ok(Outcome::Kept);
    }
    let project = super::project(matches)?;
    if matches.get_flag("check") {
        let Some(what) = stale(&project)? else { return Ok(Outcome::Kept) };
        eprintln!("error: {what}\nhelp: run `cargo run --release -- lab`, and commit chapters/lab");
        return Ok(Outcome::Broken);
    }
    let module = build(&project.root)?;
    if let Some(file) = matches.get_one::<PathBuf>("output") {
        std::fs::write(file, module).with_context(|| format!("writing {}", file.display()))?;
        return Ok(Outcome::Kept);
    }
    let note = note(&project, &module, &rustc(&["--version"])?)?;
    let gzipped = note["gzipped"].as_u64().unwrap_or_default();
    for (path, bytes) in [(MODULE, &module), (NOTE, &format!("{note:#}\n").into_bytes())] {
        let path = project.root.join(path);
        let cannot = || format!("writing {}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).with_context(cannot)?;
        std::fs::write(&path, bytes).with_context(cannot)?;
    }
    say!("{MODULE}: {} bytes, {gzipped} gzipped", module.len());
    ensure!(gzipped <= MOST, "that is more than the {MOST} bytes gzipped that a page may load");
    Ok(Outcome::Kept)
}

/// The module's bytes.
fn build(root: &Path) -> Result<Vec<u8>> {
    let libraries = rustc(&["--print", "target-libdir", "--target", TARGET])?;
    if !Path::new(&libraries).is_dir() {
        return Err(Complaint::error(
            format!("the compiler has no libraries for {TARGET}"),
            format!("`rustup target add {TARGET}`; only whoever changes the simulator needs it"),
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

/// Vectors of 128 bits; little inlined, which makes the module a tenth smaller and no slower; and no
/// folder of this computer in it: a panic's place names its source, and libraries lie where cargo
/// unpacked them.
fn flags() -> Vec<String> {
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned()];
    flags.push("-Cllvm-args=-inline-threshold=20".to_owned());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let unpacked = home.unwrap_or_default().join("registry/src");
    for registry in std::fs::read_dir(unpacked).into_iter().flatten().flatten() {
        flags.push(format!("--remap-path-prefix={}=library", registry.path().display()));
    }
    flags
}

/// What the compiler says of itself, in one line.
fn rustc(arguments: &[&str]) -> Result<String> {
    let said = process::Command::new("rustc").args(arguments).output();
    let said = said.context("rustc cannot be started")?;
    ensure!(said.status.success(), "rustc: {}", String::from_utf8_lossy(&said.stderr).trim());
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
