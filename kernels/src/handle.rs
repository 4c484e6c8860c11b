//! The handle that all kernels share: it knows the device, compiles and caches programs, and checks
//! arguments.

pub(crate) mod cache;
pub(crate) mod compile;
pub(crate) mod device_arg;
pub(crate) mod program;

use crate::Error;
use cache::Cache;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, sys};
use cudarc::nvrtc::Ptx;
use program::Program;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The context of device `ordinal`, as `CudaContext::new` gives it, but an error instead of a panic
/// where there is no driver.
///
/// # Errors
/// Where there is no driver, or no such device.
pub fn open(ordinal: usize) -> Result<Arc<CudaContext>, Error> {
    // SAFETY: loading NVIDIA's driver library runs its initialisers, which have no preconditions.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Missing(
            "no CUDA driver found (libcuda): install NVIDIA's driver, and in a container mount it",
        ));
    }
    Ok(CudaContext::new(ordinal)?)
}

/// The device properties that select a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Device {
    /// Compute capability: major, minor.
    pub(crate) capability: (u32, u32),
    pub(crate) multiprocessors: u32,
    /// The opt-in limit of shared memory per block, in bytes.
    pub(crate) shared_per_block: u32,
}

impl Device {
    /// NVRTC's `-arch`; on Hopper with the architecture-specific features (`sm_90a`).
    pub(crate) fn architecture(self) -> String {
        let (major, minor) = self.capability;
        format!("sm_{major}{minor}{}", if self.is_hopper() { "a" } else { "" })
    }

    /// Whether it has `wgmma`, clusters and the bulk tensor copy.
    pub(crate) fn is_hopper(self) -> bool {
        self.capability == (9, 0)
    }
}

/// Bytes of scratch memory for partial results of a reduction or a row counter: see `reduce` and `rows`.
pub(crate) const SCRATCH: usize = 256 * 1024;

/// The library on one stream of one device, like a cuBLAS handle. Every call queues its work on that
/// stream, so calls through one handle run in order. Threads may share a handle. For another stream,
/// make another handle; it finds the machine code in the cache on disk.
///
/// The first use of a kernel compiles it, which takes some tens of milliseconds.
pub struct Kernels {
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) device: Device,
    /// Zero between calls, except while a kernel of this stream uses it.
    pub(crate) scratch: CudaSlice<u8>,
    /// Clusters of the layernorm kernel that are resident at a time; queried on first use.
    pub(crate) clusters: OnceLock<u32>,
    nvrtc: (i32, i32),
    cache: Cache,
    functions: Mutex<HashMap<Program, CudaFunction>>,
}

impl Kernels {
    /// A handle whose work is queued on `stream`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device before compute capability 8.0; [`Error::Missing`] without
    /// NVRTC; [`Error::Driver`] where the device cannot allocate the scratch memory.
    pub fn new(stream: &Arc<CudaStream>) -> Result<Kernels, Error> {
        let context = stream.context();
        let ask = |attribute| -> Result<u32, Error> {
            Ok(u32::try_from(context.attribute(attribute)?).unwrap_or(0))
        };
        let major = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        supported((major, minor))?;
        let multiprocessors = ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1);
        let shared_per_block =
            ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        Ok(Kernels {
            nvrtc: compile::version()?,
            scratch: stream.alloc_zeros(SCRATCH)?,
            clusters: OnceLock::new(),
            stream: Arc::clone(stream),
            device: Device { capability: (major, minor), multiprocessors, shared_per_block },
            cache: Cache::from_env(|name| std::env::var_os(name)),
            functions: Mutex::default(),
        })
    }

    /// The stream that every call uses.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// The kernel of a program, compiled and loaded once per handle, with up to `shared` bytes of
    /// dynamic shared memory.
    pub(crate) fn function(&self, program: &Program, shared: u32) -> Result<CudaFunction, Error> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = functions.get(program) {
            return Ok(function.clone());
        }
        let function = self.load(program)?.load_function(program.entry)?;
        // Above 48 KiB a kernel must opt in; its static arrays count towards that limit.
        if shared > 40 * 1024 {
            let most = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            function.set_attribute(most, i32::try_from(shared).unwrap_or(i32::MAX))?;
        }
        functions.insert(program.clone(), function.clone());
        Ok(function)
    }

    fn load(&self, program: &Program) -> Result<Arc<CudaModule>, Error> {
        let source = program.source();
        let options = options(&self.device.architecture());
        let version = format!("{}.{}", self.nvrtc.0, self.nvrtc.1);
        let mut parts = vec![source.as_str(), version.as_str()];
        parts.extend(options.iter().map(String::as_str));
        let cubin = self.cache.get_or(&parts, || compile::cubin(&source, &options))?;
        Ok(self.stream.context().load_module(Ptx::from_binary(cubin))?)
    }
}

/// # Errors
/// Before compute capability 8.0.
fn supported((major, minor): (u32, u32)) -> Result<(), Error> {
    if major >= 8 {
        return Ok(());
    }
    Err(Error::Unsupported(format!(
        "the device has compute capability {major}.{minor}; the kernels need 8.0 or later"
    )))
}

/// NVRTC's options.
pub(crate) fn options(architecture: &str) -> Vec<String> {
    vec!["--std=c++17".to_owned(), format!("-arch={architecture}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hopper_alone_has_its_own_features() {
        let of = |capability| {
            Device { capability, multiprocessors: 1, shared_per_block: 0 }.architecture()
        };
        assert_eq!(of((8, 0)), "sm_80");
        assert_eq!(of((9, 0)), "sm_90a");
        assert_eq!(of((12, 0)), "sm_120");
    }

    #[test]
    fn an_old_device_is_refused_by_its_number() {
        assert_eq!(supported((8, 0)), Ok(()));
        assert_eq!(supported((12, 1)), Ok(()));
        let error = supported((7, 5)).unwrap_err().to_string();
        assert_eq!(error, "the device has compute capability 7.5; the kernels need 8.0 or later");
    }

    /// Wherever it runs: a device, or an error that says what is missing.
    #[test]
    fn without_a_driver_there_is_an_error_and_no_panic() {
        if let Err(error) = open(0) {
            assert!(!error.to_string().is_empty());
        }
    }
}
