//! `new toolkit FOLDER`: a folder that looks like a CUDA toolkit, for builds that look for one:
//! `CUDA_HOME`, `CUDA_PATH`, CMake's `find_package(CUDAToolkit)`.
//!
//! `bin/nvcc` starts this command. The headers are empty, since the simulator has its own, and so are
//! the libraries. A library of CUDA that the simulator does not have is here, too, so that a build is
//! configured; a program that includes its header is refused by that header's name.

use crate::complaint::Complaint;
use crate::driver::{TOOLKIT, make_executable};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Headers that builds look for.
const HEADERS: [&str; 4] = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_functions.h"];

/// Headers of other libraries: those that the simulator has. An empty file in place of another would
/// hide that it is refused.
const OF_LIBRARIES: [&str; 7] = [
    "cublas_v2.h",
    "cufft.h",
    "curand.h",
    "cusolverDn.h",
    "cusparse.h",
    "nvToolsExt.h",
    "nvtx3/nvToolsExt.h",
];

/// Libraries that builds look for; each is an archive without members.
const LIBRARIES: [&str; 25] = [
    "libcudart.so",
    "libcudart_static.a",
    "libcudadevrt.a",
    "libculibos.a",
    "libcublas.so",
    "libcublas_static.a",
    "libcublasLt.so",
    "libcublasLt_static.a",
    "libcufft.so",
    "libcufft_static.a",
    "libcufftw.so",
    "libcufftw_static.a",
    "libcurand.so",
    "libcurand_static.a",
    "libcusolver.so",
    "libcusolver_static.a",
    "libcusparse.so",
    "libcusparse_static.a",
    "libnvJitLink.so",
    "libnvJitLink_static.a",
    "libnvToolsExt.so",
    "libnvrtc.so",
    "libnvrtc-builtins.so",
    "stubs/libcuda.so",
    "stubs/libnvidia-ml.so",
];

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
    let known = simt_host::headers();
    let is_known = |header: &&str| known.iter().any(|name| name == header);
    for header in HEADERS.into_iter().chain(OF_LIBRARIES.into_iter().filter(is_known)) {
        file(&format!("include/{header}"), simt::BUILT_IN_HEADER)?;
    }
    for library in LIBRARIES {
        file(&format!("lib64/{library}"), "!<arch>\n")?;
    }
    // CMake asks whether this exists.
    fs::create_dir_all(folder.join("nvvm/libdevice")).context("writing `nvvm`")
}
