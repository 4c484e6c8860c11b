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
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Headers that builds look for.
const HEADERS: [&str; 8] = [
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_functions.h",
    // Programs of NVRTC have copies of these.
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cccl/cuda/barrier",
    "cccl/nv/target",
];

/// Headers of other libraries: those that the simulator has. An empty file in place of another would
/// hide that it is refused.
const OF_LIBRARIES: [&str; 8] = [
    "cublas_v2.h",
    "cufft.h",
    "curand.h",
    "cusolverDn.h",
    "cusparse.h",
    "nvrtc.h",
    "nvToolsExt.h",
    "nvtx3/nvToolsExt.h",
];

/// Libraries that builds look for; each is an archive without members.
const LIBRARIES: [&str; 28] = [
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
    "libnvrtc_static.a",
    "libnvrtc-builtins_static.a",
    "libnvptxcompiler_static.a",
    "stubs/libcuda.so",
    "stubs/libnvidia-ml.so",
];

/// The packages of CCCL, which share these two files.
const PACKAGES: [&str; 4] = ["cccl", "cub", "libcudacxx", "thrust"];
const PACKAGE: &str = include_str!("cmake/config.cmake");
const VERSION_OF_PACKAGE: &str = include_str!("cmake/version.cmake");

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
    let simulator = std::env::current_exe().context("finding this command's own file")?;
    let folder = std::path::absolute(folder).context("finding this folder")?;
    fill(&folder, &folder, &simulator)
}

/// A folder of this simulator in the user's cache, for a build that names the compiler alone: CMake
/// takes the toolkit's folder from what the compiler says. `None` if there is no such cache.
pub(crate) fn of_this_user() -> Option<PathBuf> {
    let simulator = std::env::current_exe().ok()?;
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    let mut hasher = DefaultHasher::new();
    (&simulator, HEADERS, OF_LIBRARIES, LIBRARIES).hash(&mut hasher);
    (PACKAGES, PACKAGE, VERSION_OF_PACKAGE).hash(&mut hasher);
    let name = format!("toolkit-{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    let folder = cache.is_absolute().then(|| cache.join("cuda-sim").join(name))?;
    if !folder.exists() {
        // Two builds may write it at the same time: the first one wins.
        let new = folder.with_file_name(format!("new-toolkit-{}", std::process::id()));
        let made =
            fill(&new, &folder, &simulator).is_ok_and(|()| fs::rename(&new, &folder).is_ok());
        if !made {
            let _ = fs::remove_dir_all(&new);
        }
    }
    folder.exists().then_some(folder)
}

/// Writes the files of a toolkit, which will be found at `place`, into a folder.
fn fill(folder: &Path, place: &Path, simulator: &Path) -> Result<()> {
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
        quoted(simulator),
        quoted(place)
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
    for package in PACKAGES {
        let path = format!("lib/cmake/{package}/{package}-config");
        file(&format!("{path}.cmake"), PACKAGE)?;
        file(&format!("{path}-version.cmake"), VERSION_OF_PACKAGE)?;
    }
    // CMake asks whether this exists.
    fs::create_dir_all(folder.join("nvvm/libdevice")).context("writing `nvvm`")
}
