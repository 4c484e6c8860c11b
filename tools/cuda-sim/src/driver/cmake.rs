//! What CMake reads to get to know nvcc: lines of `nvcc -v`, and strings in the executables of two
//! programs of its own, which it does not run.
//!
//! `CMakeDetermineCUDACompiler.cmake` takes the folder of the toolkit, the default architecture and
//! the command that links from the verbose output. So this driver names itself as that command.

use crate::new::toolkit;
use crate::say;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The oldest architecture that CUDA 13 compiles for: what a build without `-arch` is for.
const ARCHITECTURE: u32 = 75;

/// The library that nvcc links.
const LIBRARY: &str = "-lcudart_static";

/// How `cuda-sim` and `cuda-sim-nvcc` come into one folder.
pub const BOTH: &str = "install both commands into one folder: `cargo install --path \
                               tools/cuda-sim --locked`, in the repository of cuda-sim";

/// Prints what `nvcc -v` prints: folders, and the commands that it would start.
pub(super) fn verbose(output: &Path) -> Result<()> {
    let (linker, root) = match std::env::var_os(super::TOOLKIT).map(PathBuf::from) {
        Some(toolkit) => (toolkit.join("bin/nvcc"), toolkit),
        None => {
            let linker = command_of_one_word()?;
            let beside = linker.ancestors().nth(2).unwrap_or(Path::new("/")).to_path_buf();
            (linker, toolkit::of_this_user().unwrap_or(beside))
        }
    };
    let folder = linker.parent().unwrap_or(Path::new("/"));
    let root = root.display();
    say!("#$ TOP={root}");
    say!("#$ NVVMIR_LIBRARY_DIR={root}/nvvm/libdevice");
    say!("#$ PATH={}", folder.display());
    say!("#$ INCLUDES=\"-I{root}/include\"");
    let folders = format!("\"-L{root}/lib64/stubs\" \"-L{root}/lib64\"");
    // CMake finds the command that links by this text.
    say!("#$ LIBRARIES= {folders} {LIBRARY}");
    say!("#$ cicc -arch compute_{ARCHITECTURE}");
    say!("#$ \"{}\" -o \"{}\" {folders} {LIBRARY}", linker.display(), output.display());
    // The host's linker, as g++ shows it: CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES comes from here. In the
    // order of the line above, CMake would link with this command.
    say!("ld {LIBRARY} {folders}");
    Ok(())
}

/// The command `cuda-sim-nvcc`, which lies beside this one, or the link called `nvcc` by which this one
/// was started.
fn command_of_one_word() -> Result<PathBuf> {
    let itself = std::env::current_exe().context("finding this command's own file")?;
    let beside = itself.with_file_name("cuda-sim-nvcc");
    let beside = beside.with_extension(std::env::consts::EXE_EXTENSION);
    if beside.exists() {
        return Ok(beside);
    }
    let called = std::env::args_os().next().map(PathBuf::from);
    let link = called.filter(|path| path.file_stem().is_some_and(|stem| stem == super::NAME));
    let link = link.and_then(|path| std::path::absolute(path).ok()).filter(|path| path.exists());
    if link.is_none() {
        crate::tell!("note: CMake would link with `{}`, which is not there", beside.display());
        crate::tell!("help: {BOTH}");
    }
    Ok(link.unwrap_or(beside))
}

/// The lines in an executable that tell CMake what this compiler and its programs are like.
pub(super) fn strings(sources: &[&Path]) -> &'static str {
    let is = |name: &str| sources.iter().any(|path| path.file_name().is_some_and(|n| n == name));
    if is("CMakeCUDACompilerId.cu") {
        "# INFO:compiler[NVIDIA]\n\
         # INFO:compiler_version[00000013.00000000.00000000]\n\
         # INFO:platform[Linux]\n\
         # INFO:standard_default[17]\n\
         # INFO:extensions_default[ON]\n"
    } else if is("CMakeCUDACompilerABI.cu") {
        "# INFO:sizeof_dptr[08]\n\
         # INFO:byte_order[LITTLE_ENDIAN]\n\
         # INFO:abi[ELF]\n"
    } else if is("OpenMPCheckVersion.cu") || is("OpenMPCheckVersion.cpp") {
        "# INFO:OpenMP-date[201511]\n"
    } else {
        ""
    }
}
