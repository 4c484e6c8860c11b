//! From source text to a loaded module.
//!
//! NVRTC is asked for machine code, not PTX, so that a newer NVRTC works with an older driver of
//! the same major version. cudarc panics where a library is missing; so each is asked for first.

use crate::Error;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaModule};
use cudarc::nvrtc::{Ptx, result, sys};
use std::ffi::{CStr, CString};
use std::sync::Arc;

/// Compiles `source` for the context's device and loads it.
pub(crate) fn load(context: &Arc<CudaContext>, source: &str) -> Result<Arc<CudaModule>, Error> {
    // SAFETY: loading NVIDIA's compiler runs its initialisers, which do nothing surprising.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Missing(
            "no NVRTC library found: put the `lib` folder of a CUDA toolkit, or of NVIDIA's wheel \
             nvidia-cuda-nvrtc, on the loader's path (LD_LIBRARY_PATH)",
        ));
    }
    let major = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    let cubin = cubin(source, &format!("-arch=sm_{major}{minor}"))?;
    Ok(context.load_module(Ptx::from_binary(cubin))?)
}

/// Machine code for one architecture.
pub(crate) fn cubin(source: &str, architecture: &str) -> Result<Vec<u8>, Error> {
    let text = CString::new(source).map_err(|_| Error::Argument("a zero byte in the source"))?;
    let refused = |e: result::NvrtcError| Error::Compile(e.to_string());
    let mut program = result::create_program(&text, None).map_err(refused)?;
    // SAFETY: the program is live until it is destroyed below, once.
    let compiled = unsafe { result::compile_program(program, &["--std=c++17", architecture]) };
    let machine_code = match compiled {
        Ok(()) => machine_code(program),
        Err(error) => Err(Error::Compile(log(program).unwrap_or_else(|| error.to_string()))),
    };
    // SAFETY: as above. A failure to destroy leaks a little memory and nothing else.
    unsafe { sys::nvrtcDestroyProgram(&mut program) };
    machine_code
}

fn machine_code(program: sys::nvrtcProgram) -> Result<Vec<u8>, Error> {
    let refused = |e: result::NvrtcError| Error::Compile(e.to_string());
    let mut size = 0;
    // SAFETY: a live, compiled program, and as many bytes as it says.
    unsafe {
        sys::nvrtcGetCUBINSize(program, &mut size).result().map_err(refused)?;
        let mut bytes = vec![0u8; size];
        sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()).result().map_err(refused)?;
        Ok(bytes)
    }
}

fn log(program: sys::nvrtcProgram) -> Option<String> {
    // SAFETY: a live program; the log ends in zero.
    let log = unsafe { result::get_program_log(program) }.ok()?;
    let bytes: Vec<u8> = log.iter().map(|c| c.to_ne_bytes()[0]).collect();
    Some(CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().into_owned())
}
