//! CUB, the library that sums are compared with, behind a few lines of C++ that nvcc compiles if it is
//! installed. Their source is part of this program.

use crate::backend::gpu::device::{Buffer, Device, DeviceInfo, words};
use crate::measure::Candidate;
use crate::project::{Chapter, Project};
use anyhow::{Context, Result, anyhow, ensure};
use kernel_file::fill::ElementType;
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::path::Path;
use std::process::Command;

const SOURCE: &str = include_str!("../../cub/sum.cu");

type Bytes = unsafe extern "C" fn(u64, *mut u64) -> c_int;
type Sum =
    unsafe extern "C" fn(*mut c_void, u64, *const c_void, *mut c_void, u64, *mut c_void) -> c_int;

/// Whether a chapter has a ladder of sums: the shim computes only sums.
pub(super) fn applies(chapter: &Chapter) -> bool {
    ["-reduction", "-limit"].iter().any(|end| chapter.name.ends_with(end))
}

/// Whether the shim sums elements of this type.
pub(super) fn sums(element: ElementType) -> bool {
    matches!(element, ElementType::I32 | ElementType::F32)
}

/// The shim's two functions for a type.
#[derive(Clone, Copy)]
struct Functions {
    bytes: Bytes,
    sum: Sum,
}

/// CUB's sums, compiled and loaded.
pub(super) struct Cub {
    ints: Functions,
    floats: Functions,
    version: c_int,
    compiler: String,
    _library: Library,
}

impl Cub {
    /// Compiles the shim into `target/verify/cub`.
    pub(super) fn build(project: &Project, info: &DeviceInfo) -> Result<Cub> {
        let nvcc = crate::backend::nvcc::find().context(
            "no nvcc found; name the toolkit's folder by WARPBOOK_CUDA or put nvcc on the PATH",
        )?;
        let folder = project.root.join("target/verify/cub");
        let source = folder.join("sum.cu");
        crate::cache::write_whole(&source, SOURCE.as_bytes())?;
        // A name of its own for each process: another one may have the old file loaded.
        let library = folder.join(format!("libverify_cub_{}.so", std::process::id()));
        let (major, minor) = info.capability;
        let compile = Command::new(&nvcc)
            .args(["-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC"])
            .arg(format!("-arch=sm_{major}{minor}"))
            .arg("-o")
            .args([&library, &source])
            .output()
            .with_context(|| format!("cannot run `{}`", nvcc.display()))?;
        ensure!(
            compile.status.success(),
            "`{}` does not compile it: {}",
            nvcc.display(),
            String::from_utf8_lossy(&compile.stderr).lines().take(3).collect::<Vec<_>>().join("; ")
        );
        let cub = Cub::load(&library, compiler_version(&nvcc));
        // Once loaded, it needs no name.
        let _ = std::fs::remove_file(&library);
        cub
    }

    fn load(path: &Path, compiler: String) -> Result<Cub> {
        // SAFETY: the types are those of the functions in `cub/sum.cu`, and the library is kept
        // with the pointers. Loading it registers its kernels with the CUDA runtime in it.
        unsafe {
            let library = Library::new(path)?;
            let functions = |bytes: &[u8], sum: &[u8]| -> Result<Functions> {
                Ok(Functions {
                    bytes: *library.get::<Bytes>(bytes)?,
                    sum: *library.get::<Sum>(sum)?,
                })
            };
            let version = *library.get::<unsafe extern "C" fn() -> c_int>("verify_cub_version")?;
            Ok(Cub {
                ints: functions(b"verify_cub_sum_i32_bytes", b"verify_cub_sum_i32")?,
                floats: functions(b"verify_cub_sum_f32_bytes", b"verify_cub_sum_f32")?,
                version: version(),
                compiler,
                _library: library,
            })
        }
    }

    /// `CUB 3.0.1, nvcc 13.0.88`.
    pub(super) fn detail(&self) -> String {
        format!("{}, {}", version_words(self.version), self.compiler)
    }

    /// A sum of `content`, which is `count` ints or floats; its result is checked once.
    pub(super) fn task(
        &self,
        device: &Device,
        element: ElementType,
        content: &[u8],
        count: u64,
    ) -> Result<Task> {
        ensure!(sums(element), "no sum of {element}s is asked of CUB");
        let functions = if element.is_float() { self.floats } else { self.ints };
        let failed = |e| anyhow!("CUB: {}", words(e));
        let mut needed = 0;
        let input = device.upload(content).map_err(failed)?;
        // SAFETY: a place to write to. The context is current: an array was just allocated in it.
        let code = unsafe { (functions.bytes)(count, &mut needed) };
        ensure!(code == 0, "CUB answers {code} when it is asked for its scratch memory");
        let scratch = device.alloc(usize::try_from(needed)?).map_err(failed)?;
        let out = device.upload(&[0xA5; 4]).map_err(failed)?;
        let task = Task { sum: functions.sum, input, scratch, out, count };
        task.queue(device).map_err(|e| anyhow!("{e}"))?;
        device.stream.synchronize().map_err(failed)?;
        let got = device.download(&task.out).map_err(failed)?;
        ensure!(is_sum(element, content, &got), "CUB's sum of {count} {element}s is wrong");
        Ok(task)
    }
}

/// Whether `got` is the sum of `content`: exactly for ints; for floats within what their order may
/// change.
fn is_sum(element: ElementType, content: &[u8], got: &[u8]) -> bool {
    let words = content.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    if !element.is_float() {
        return got == words.map(i32::from_le_bytes).fold(0i32, i32::wrapping_add).to_le_bytes();
    }
    let (mut sum, mut sizes) = (0.0, 0.0);
    for value in words.map(f32::from_le_bytes).map(f64::from) {
        sum += value;
        sizes += value.abs();
    }
    (element.to_float(got) - sum).abs() <= 1e-6 * sizes
}

/// A sum with its arrays.
pub(super) struct Task {
    sum: Sum,
    input: Buffer,
    scratch: Buffer,
    out: Buffer,
    count: u64,
}

impl Task {
    pub(super) fn candidate<'a>(&'a self, device: &'a Device) -> Candidate<'a> {
        Candidate { name: "CUB".to_owned(), run: Box::new(move || self.queue(device)) }
    }

    fn queue(&self, device: &Device) -> Result<(), String> {
        // SAFETY: the arrays are as long as CUB asked for and as is said, and outlive the run: the
        // stream is waited for before they are freed.
        let code = unsafe {
            (self.sum)(
                self.scratch.pointer as *mut c_void,
                self.scratch.bytes as u64,
                self.input.pointer as *const c_void,
                self.out.pointer as *mut c_void,
                self.count,
                device.stream.cu_stream().cast(),
            )
        };
        if code == 0 { Ok(()) } else { Err(format!("the runtime answers {code}")) }
    }
}

/// `CUB 2.8.2` for 200802.
fn version_words(number: c_int) -> String {
    format!("CUB {}.{}.{}", number / 100_000, number / 100 % 1000, number % 100)
}

/// `nvcc 13.0.88`.
fn compiler_version(nvcc: &Path) -> String {
    let said = Command::new(nvcc).arg("--version").output().map(|o| o.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    said.rsplit_once(" V")
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .map_or_else(|| "nvcc".to_owned(), |version| format!("nvcc {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(version_words(300_001), "CUB 3.0.1");
        assert_eq!(version_words(200_802), "CUB 2.8.2");
    }

    #[test]
    fn a_sum_is_held_to_its_kind() {
        let ints: Vec<u8> = [i32::MAX, 2].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert!(is_sum(ElementType::I32, &ints, &(i32::MIN + 1).to_le_bytes()));
        assert!(!is_sum(ElementType::I32, &ints, &1i32.to_le_bytes()));
        let floats: Vec<u8> = [0.25f32, -0.5].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert!(is_sum(ElementType::F32, &floats, &(-0.25f32).to_le_bytes()));
        assert!(!is_sum(ElementType::F32, &floats, &(-0.2501f32).to_le_bytes()));
        assert!(!is_sum(ElementType::F32, &floats, &f32::NAN.to_le_bytes()));
    }
}
