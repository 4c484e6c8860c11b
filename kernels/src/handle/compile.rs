//! NVRTC: source text to machine code (CUBIN).
//!
//! CUBIN rather than PTX: a newer NVRTC then works with an older driver of the same major version,
//! and the driver has nothing to compile at load time. cudarc panics where the library is missing, so
//! [`version`] probes for it first.

use crate::Error;
use cudarc::nvrtc::{result, sys};
use std::ffi::{CStr, CString};

/// NVRTC's version: major, minor.
///
/// # Errors
/// Where there is no NVRTC, or one without the architecture's features.
pub(crate) fn version() -> Result<(i32, i32), Error> {
    // SAFETY: loading NVIDIA's compiler runs its initialisers, which have no preconditions.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Missing(
            "no NVRTC library found: put the `lib` folder of a CUDA toolkit, or of NVIDIA's wheel \
             nvidia-cuda-nvrtc, on the loader's path (LD_LIBRARY_PATH)",
        ));
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: two places to write to.
    unsafe { sys::nvrtcVersion(&mut major, &mut minor) }.result().map_err(refused)?;
    if major < 12 {
        return Err(Error::Missing("the NVRTC library found is too old: 12.0 is needed"));
    }
    Ok((major, minor))
}

/// The machine code of `source`. `options` name the architecture. Call [`version`] first.
///
/// # Errors
/// NVRTC's log, where it refuses the source.
pub(crate) fn cubin(source: &str, options: &[String]) -> Result<Vec<u8>, Error> {
    let text = CString::new(source).map_err(|_| Error::Compile("a zero byte in it".to_owned()))?;
    let mut program = result::create_program(&text, None).map_err(refused)?;
    // SAFETY: the program is live until it is destroyed below, once.
    let compiled = unsafe { result::compile_program(program, options) };
    let machine_code = match compiled {
        Ok(()) => machine_code(program),
        Err(error) => Err(Error::Compile(log(program).unwrap_or_else(|| error.to_string()))),
    };
    // SAFETY: as above. A failure to destroy leaks a little memory and nothing else.
    unsafe { sys::nvrtcDestroyProgram(&mut program) };
    machine_code
}

fn refused(error: result::NvrtcError) -> Error {
    Error::Compile(error.to_string())
}

fn machine_code(program: sys::nvrtcProgram) -> Result<Vec<u8>, Error> {
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
