//! `new toolkit FOLDER`: a folder that looks like a CUDA toolkit, for builds that look for one:
//! `CUDA_HOME`, `CUDA_PATH`, CMake's `find_package(CUDAToolkit)`.
//!
//! `bin/nvcc` starts this command. The headers are empty, since the simulator has its own, and so are
//! the libraries. What is missing (cuBLAS, cuFFT, ...) is not pretended: a build does not find it.

use crate::complaint::Complaint;
use crate::driver::{TOOLKIT, make_executable};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Headers that builds look for.
const HEADERS: [&str; 4] = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_functions.h"];

/// Libraries that builds look for; each is an archive without members.
const LIBRARIES: [&str; 4] =
    ["libcudart.so", "libcudart_static.a", "libcudadevrt.a", "stubs/libcuda.so"];

/// Writes the folder.
///
/// # Errors
/// If it exists, or cannot be written.
pub(super) fn write(folder: &Path) -> Result<()> {
    let name = folder.display();
    if folder.exists() {
        let help = "choose another name, or move the folder away";
        return Err(Complaint::error(format!("`{name}` exists"), help));
    }
    let folder = std::path::absolute(folder).context("finding this folder")?;
    let simulator = std::env::current_exe().context("finding this command's own file")?;
    let quoted = |path: &Path| path.display().to_string().replace('\'', "'\\''");
    let nvcc = format!(
        "#!/bin/sh\n\
         # nvcc of the simulator cuda-sim.\n\
         simulator='{}'\n\
         if [ ! -x \"$simulator\" ]; then\n    \
         echo \"$0: the simulator '$simulator' is gone: install cuda-sim again, and make this folder \
         again with \\`cuda-sim new toolkit\\`\" >&2\n    \
         exit 127\n\
         fi\n\
         {TOOLKIT}='{}' exec \"$simulator\" nvcc \"$@\"\n",
        quoted(&simulator),
        quoted(&folder)
    );
    let file = |path: &str, text: &str| {
        let path = folder.join(path);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text))
            .with_context(|| format!("writing `{}`", path.display()))
    };
    file("bin/nvcc", &nvcc)?;
    make_executable(&folder.join("bin/nvcc")).context("making `bin/nvcc` executable")?;
    for header in HEADERS {
        file(&format!("include/{header}"), "// cuda-sim has the contents of this header.\n")?;
    }
    for library in LIBRARIES {
        file(&format!("lib64/{library}"), "!<arch>\n")?;
    }
    // CMake asks whether this exists.
    fs::create_dir_all(folder.join("nvvm/libdevice")).context("writing `nvvm`")
}
