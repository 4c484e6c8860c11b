//! `warpbook doctor`: what is here, what is not, what that means, and how to get it.
//!
//! It looks and reports; it never fails. Nothing that it finds missing is needed to read the book.

use crate::Outcome;
use crate::command::Root;
use crate::progress::say;
use anyhow::Result;
use std::env;
use std::path::PathBuf;
use std::process::Stdio;
use verify::backend::nvrtc::Nvrtc;
use verify::{Availability, BackendName, Project, Verifier};

/// Print what was found here, what will be skipped, and how to get it
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn execute(_: &Arguments, root: &Root) -> Result<Outcome> {
    let project = match root.project() {
        Ok(project) => {
            found("project", &project.root.display().to_string());
            project
        }
        Err(error) => {
            missing(
                "project",
                &error.to_string(),
                "only `run`, `check PATH`, `new book` and `doctor` work here",
                "change into the book's folder, or name it with --root",
            );
            // The back ends do not depend on it.
            Project { root: env::temp_dir() }
        }
    };
    let verifier = Verifier::open(&project)?;
    for name in BackendName::ALL {
        let (skipped, works) = match name {
            BackendName::Sim => ("nothing can be verified", "every kernel is simulated"),
            BackendName::Nvrtc => (
                "no registers and spills of your own compiler; its tests are ignored",
                "every kernel is compiled for real architectures",
            ),
            BackendName::Gpu => (
                "kernels run on the simulator only; nothing can be recorded; its tests are ignored",
                "every kernel runs on it, and from the pages of `serve` too",
            ),
        };
        match verifier.availability(name) {
            Availability::Present { identity } => {
                found(name.word(), &format!("{identity}: {works}"))
            }
            Availability::Absent { reason, remedy } => {
                missing(name.word(), reason, skipped, remedy)
            }
        }
        if name == BackendName::Nvrtc {
            match Nvrtc::find(Some(&project.root)) {
                Ok(nvrtc) => more(&format!("in {}", nvrtc.place())),
                Err(tried) => tried.iter().for_each(|tried| more(&format!("looked at {tried}"))),
            }
        }
    }
    for tool in &TOOLS {
        match tool.version() {
            Some(version) => found(tool.name, &version),
            None => missing(tool.name, "not on PATH", tool.without, tool.remedy),
        }
    }
    Ok(Outcome::Kept)
}

fn found(name: &str, what: &str) {
    say!("{name:<8} {what}");
}

fn missing(name: &str, why: &str, without: &str, remedy: &str) {
    say!("{name:<8} -- {why}");
    more(&format!("so: {without}"));
    more(&format!("to get it: {remedy}"));
}

fn more(text: &str) {
    say!("         {text}");
}

/// A program that may be on PATH.
struct Tool {
    name: &'static str,
    /// What the line with the version contains.
    version_has: &'static str,
    without: &'static str,
    remedy: &'static str,
}

const TOOLS: [Tool; 4] = [
    Tool {
        name: "rustc",
        version_has: "rustc",
        without: "this command works; the chapters' own tests cannot be built",
        remedy: "https://rustup.rs",
    },
    Tool {
        name: "nvcc",
        version_has: "release",
        without: "no CUB beside the kernels when recording; complete programs run on sim only",
        remedy: "NVIDIA's CUDA toolkit, https://developer.nvidia.com/cuda-downloads",
    },
    Tool {
        name: "ncu",
        version_has: "Version",
        without: "no hardware counters when recording; the simulator's are shown",
        remedy: "NVIDIA Nsight Compute, part of the CUDA toolkit",
    },
    Tool {
        name: "mdbook",
        version_has: "mdbook",
        without: "nothing is lost: `warpbook serve` shows the same pages",
        remedy: "cargo install mdbook@0.5.4 --locked",
    },
];

impl Tool {
    /// What it says of itself; `None` if it is not there.
    fn version(&self) -> Option<String> {
        let path = on_path(self.name)?;
        let output = std::process::Command::new(&path)
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let place = path.display();
        let Ok(output) = output else { return Some(format!("{place}, which does not start")) };
        let text = String::from_utf8_lossy(&output.stdout);
        let Some(version) = text.lines().find(|line| line.contains(self.version_has)) else {
            return Some(format!("{place}, of a version that it does not tell"));
        };
        let mut line = format!("{} ({place})", version.trim());
        if self.name == "mdbook" && !version.contains(" v0.5.") {
            line.push_str("; the book is made for 0.5, so use `warpbook serve` instead");
        }
        Some(line)
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}
