//! nvcc, where it is installed: it compiles complete programs, which NVRTC cannot.

use anyhow::{Context, Result, ensure};
use kernel_file::Exercise;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program that takes longer counts as endless.
const LIMIT: Duration = Duration::from_secs(20);

/// The path of nvcc, from the environment or the usual place.
pub fn find() -> Option<PathBuf> {
    find_by(|name| std::env::var_os(name))
}

fn find_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let roots = ["WARPBOOK_CUDA", "CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(&variable);
    let folders = roots.map(|root| PathBuf::from(root).join("bin"));
    let path = variable("PATH").unwrap_or_default();
    folders
        .chain([PathBuf::from("/usr/local/cuda/bin")])
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join("nvcc"))
        .find(|file| file.is_file())
}

/// Compiles a program into `folder`, and runs it at each size on the GPU. Its `main` judges the result.
///
/// # Errors
/// If it does not compile, a result is wrong, or it does not end: why.
pub fn run_program(
    nvcc: &Path,
    folder: &Path,
    exercise: &Exercise,
    text: &str,
    sizes: &[u64],
) -> Result<()> {
    let name = format!("{}-{}", exercise.solution.stem, std::process::id());
    let source = folder.join(format!("{name}.cu"));
    crate::cache::write_whole(&source, text.as_bytes())?;
    let program = folder.join(&name);
    let includes = exercise.solution.path.parent().unwrap_or(Path::new("."));
    let compiled = Command::new(nvcc)
        .args(["-O3", "-std=c++17", "-arch=native", "-I"])
        .arg(includes)
        .arg("-o")
        .args([&program, &source])
        .output()
        .with_context(|| format!("cannot run `{}`", nvcc.display()))?;
    let said = String::from_utf8_lossy(&compiled.stderr).into_owned();
    let ran = match compiled.status.success() {
        true => sizes.iter().try_for_each(|n| run(&program, *n)),
        false => Err(anyhow::anyhow!("it does not compile: {}", said.trim())),
    };
    // They can be made again.
    let _ = std::fs::remove_file(&source);
    let _ = std::fs::remove_file(&program);
    ran
}

fn run(program: &Path, n: u64) -> Result<()> {
    let mut child = Command::new(program)
        .args([n.to_string(), "1".to_owned()])
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run `{}`", program.display()))?;
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if begun.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            anyhow::bail!("at n = {n}: it does not end within {} seconds", LIMIT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = said.lines().last().unwrap_or("it prints nothing");
    ensure!(output.status.success(), "at n = {n}: {} ({last})", output.status);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nvcc_is_looked_for_in_the_named_folder_first() {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("nvcc"), "").unwrap();
        let named = |v: &str| (v == "WARPBOOK_CUDA").then(|| dir.path().into());
        assert_eq!(find_by(named), Some(bin.join("nvcc")));
        let on_path = |v: &str| (v == "PATH").then(|| bin.clone().into());
        assert!(find_by(on_path).is_some());
    }
}
