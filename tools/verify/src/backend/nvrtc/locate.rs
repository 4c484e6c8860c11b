//! Finds NVRTC.
//!
//! A toolkit may be installed, or only NVIDIA's Python wheels; the environment may name either. The
//! places are tried in a fixed order, and all are kept, so that `doctor` can say why one was not used.
//! Nothing is executed: only folders are read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A place where NVRTC could be, and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Where the place was named: `WARPBOOK_CUDA`, `/usr/local/cuda`, `the wheels in .venv`, ...
    pub origin: String,
    /// The folder that holds `include` and `lib`; `None` for the loader's own path.
    pub root: Option<PathBuf>,
    /// The library; a bare name for the loader's own path.
    pub library: Option<PathBuf>,
    /// Its companions, to be loaded first: NVRTC looks for them by name only.
    pub builtins: Vec<PathBuf>,
    /// Folders for `-I`.
    pub includes: Vec<PathBuf>,
}

/// Whether this program was built in this folder.
pub fn is_home(project: &Path) -> bool {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize();
    home.is_ok_and(|home| project.canonicalize().is_ok_and(|project| project == home))
}

/// Every place, in order. `project` is the folder that may hold a
/// `.venv`; `variable` reads the environment.
pub fn candidates(
    project: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for name in ["WARPBOOK_CUDA", "CUDA_PATH", "CUDA_HOME"] {
        if let Some(value) = variable(name).filter(|v| !v.is_empty()) {
            let root = PathBuf::from(value);
            match wheels(&root) {
                Some(wheel) => found.push(candidate(name, wheel)),
                None => found.push(candidate(name, root)),
            }
        }
    }
    found.push(candidate("/usr/local/cuda", PathBuf::from("/usr/local/cuda")));
    let environments = [
        ("the wheels in VIRTUAL_ENV", variable("VIRTUAL_ENV").map(PathBuf::from)),
        ("the wheels in .venv", project.map(|p| p.join(".venv"))),
    ];
    for (origin, environment) in environments {
        if let Some(wheel) = environment.as_deref().and_then(wheels) {
            found.push(candidate(origin, wheel));
        }
    }
    found.extend(LOADER_NAMES.iter().map(|name| Candidate {
        origin: "the loader's path".to_owned(),
        root: None,
        library: Some(PathBuf::from(name)),
        builtins: Vec::new(),
        includes: Vec::new(),
    }));
    found
}

const LOADER_NAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so", "libnvrtc.so.12"];

/// The folder of NVIDIA's wheels of CUDA 13 in a Python environment.
fn wheels(environment: &Path) -> Option<PathBuf> {
    sorted(&environment.join("lib"))
        .into_iter()
        .filter(|folder| name(folder).starts_with("python3"))
        .map(|folder| folder.join("site-packages/nvidia/cu13"))
        .find(|folder| folder.is_dir())
}

fn candidate(origin: &str, root: PathBuf) -> Candidate {
    let folders = ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]
        .map(|folder| root.join(folder));
    // The newest, where several stand side by side; never the `.alt` build.
    let library = folders.iter().find_map(|folder| {
        sorted(folder).into_iter().rfind(|file| name(file).starts_with("libnvrtc.so"))
    });
    let mut builtins: Vec<PathBuf> = Vec::new();
    if let Some(folder) = library.as_deref().and_then(Path::parent) {
        for file in sorted(folder) {
            let real = file.canonicalize().unwrap_or(file.clone());
            if name(&file).starts_with("libnvrtc-builtins.so") && !builtins.contains(&real) {
                builtins.push(real);
            }
        }
    }
    let includes = ["include", "include/cccl", "targets/x86_64-linux/include/cccl"]
        .map(|folder| root.join(folder))
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect();
    Candidate { origin: origin.to_owned(), root: Some(root), library, builtins, includes }
}

impl Candidate {
    /// The full version, if the files have it: NVRTC itself reports only `13.0`.
    pub fn full_version(&self) -> Option<String> {
        let version = |text: &str| {
            let is_version = text.split('.').count() == 3
                && text.split('.').all(|part| part.parse::<u32>().is_ok());
            is_version.then(|| text.to_owned())
        };
        // A toolkit: `libnvrtc.so.13` is a link to `libnvrtc.so.13.0.88`.
        let real = self.library.as_ref()?.canonicalize().ok()?;
        if let Some(found) = name(&real).strip_prefix("libnvrtc.so.").and_then(version) {
            return Some(found);
        }
        // Wheels: `nvidia_cuda_nvrtc-13.0.88.dist-info` beside the folder `nvidia`.
        let packages = self.root.as_ref()?.parent()?.parent()?;
        sorted(packages).iter().find_map(|folder| {
            version(name(folder).strip_prefix("nvidia_cuda_nvrtc-")?.strip_suffix(".dist-info")?)
        })
    }
}

/// A folder's entries by name; none if it cannot be read.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    entries
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn the_environment_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let toolkit = dir.path().join("toolkit");
        touch(&toolkit.join("lib64/libnvrtc.so.13"));
        touch(&toolkit.join("lib64/libnvrtc.alt.so.13"));
        touch(&toolkit.join("lib64/libnvrtc-builtins.so.13.0"));
        touch(&toolkit.join("include/cccl/cub/cub.cuh"));
        let found = candidates(None, |v| (v == "CUDA_HOME").then(|| toolkit.clone().into()));
        assert_eq!(found[0].origin, "CUDA_HOME");
        assert_eq!(found[0].library.as_ref().unwrap(), &toolkit.join("lib64/libnvrtc.so.13"));
        assert_eq!(found[0].builtins.len(), 1);
        assert_eq!(found[0].includes.len(), 2);
        assert_eq!(found[1].origin, "/usr/local/cuda");
        assert_eq!(found.last().unwrap().root, None);
    }

    #[test]
    fn wheels_are_found_in_an_environment_and_tell_their_version() {
        let dir = tempfile::tempdir().unwrap();
        let packages = dir.path().join(".venv/lib/python3.11/site-packages");
        touch(&packages.join("nvidia/cu13/lib/libnvrtc.so.13"));
        touch(&packages.join("nvidia/cu13/lib/libnvrtc-builtins.so.13.0"));
        touch(&packages.join("nvidia_cuda_nvrtc-13.0.88.dist-info/METADATA"));
        let found = candidates(Some(dir.path()), |_| None);
        let wheel = found.iter().find(|c| c.origin == "the wheels in .venv").unwrap();
        assert!(wheel.library.is_some());
        assert_eq!(wheel.full_version().as_deref(), Some("13.0.88"));
        // The same environment, named by a variable that means a toolkit.
        let venv = dir.path().join(".venv");
        let found = candidates(None, |v| (v == "WARPBOOK_CUDA").then(|| venv.clone().into()));
        assert_eq!(found[0].library, wheel.library);
    }

    #[test]
    fn an_empty_folder_is_a_candidate_without_a_library() {
        let dir = tempfile::tempdir().unwrap();
        let found = candidates(None, |v| (v == "WARPBOOK_CUDA").then(|| dir.path().into()));
        assert_eq!(found[0].library, None);
        assert_eq!(found[0].full_version(), None);
    }
}
