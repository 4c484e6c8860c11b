//! Bindings of NVRTC's functions, from the library that [`super::locate`] found.
//!
//! cudarc binds the same functions, but finds the library by its own list of names: with another
//! CUDA on the loader's path, it would compile with that one while `doctor` reports the other. All
//! foreign calls of the back end are in this file, and none of them panics.

use super::locate::Candidate;
use kernel_file::unit::Unit;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

type Program = *mut c_void;
type Code = c_int;

const SUCCESS: Code = 0;
const COMPILATION: Code = 6;

/// NVRTC, loaded.
pub(super) struct Api {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code,
    count_archs: unsafe extern "C" fn(*mut c_int) -> Code,
    archs: unsafe extern "C" fn(*mut c_int) -> Code,
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Code,
    destroy: unsafe extern "C" fn(*mut Program) -> Code,
    add_name: unsafe extern "C" fn(Program, *const c_char) -> Code,
    lowered_name: unsafe extern "C" fn(Program, *const c_char, *mut *const c_char) -> Code,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Code,
    log_size: unsafe extern "C" fn(Program, *mut usize) -> Code,
    log: unsafe extern "C" fn(Program, *mut c_char) -> Code,
    cubin_size: unsafe extern "C" fn(Program, *mut usize) -> Code,
    cubin: unsafe extern "C" fn(Program, *mut c_char) -> Code,
    /// Keeps the functions loaded.
    _library: Library,
    _builtins: Vec<Library>,
}

/// The output of a compile.
pub(super) struct Output {
    /// The machine code; `None` if it did not compile.
    pub(super) cubin: Option<Vec<u8>>,
    /// The log.
    pub(super) log: String,
    /// The symbol of each name that was asked for, in their order; empty if it did not compile.
    pub(super) symbols: Vec<String>,
}

impl Api {
    /// Loads a candidate's library.
    pub(super) fn load(candidate: &Candidate) -> Result<Api, String> {
        let path = candidate.library.as_ref().ok_or("no libnvrtc there")?;
        let mut builtins = Vec::new();
        for file in &candidate.builtins {
            builtins.push(open(file).map_err(|e| e.to_string())?);
        }
        let library = open(path).map_err(|e| e.to_string())?;
        // SAFETY: each type is the declaration of that function in `nvrtc.h`, which has not
        // changed since it was added; the library is kept with the pointers.
        unsafe {
            Ok(Api {
                version: symbol(&library, "nvrtcVersion")?,
                count_archs: symbol(&library, "nvrtcGetNumSupportedArchs")?,
                archs: symbol(&library, "nvrtcGetSupportedArchs")?,
                error_string: symbol(&library, "nvrtcGetErrorString")?,
                create: symbol(&library, "nvrtcCreateProgram")?,
                destroy: symbol(&library, "nvrtcDestroyProgram")?,
                add_name: symbol(&library, "nvrtcAddNameExpression")?,
                lowered_name: symbol(&library, "nvrtcGetLoweredName")?,
                compile: symbol(&library, "nvrtcCompileProgram")?,
                log_size: symbol(&library, "nvrtcGetProgramLogSize")?,
                log: symbol(&library, "nvrtcGetProgramLog")?,
                cubin_size: symbol(&library, "nvrtcGetCUBINSize")?,
                cubin: symbol(&library, "nvrtcGetCUBIN")?,
                _library: library,
                _builtins: builtins,
            })
        }
    }

    /// Major and minor version.
    pub(super) fn version(&self) -> Result<(i32, i32), String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two places to write to.
        self.check(unsafe { (self.version)(&mut major, &mut minor) })?;
        Ok((major, minor))
    }

    /// The architectures that it compiles for: 75, 80, ...
    pub(super) fn architectures(&self) -> Result<Vec<u32>, String> {
        let mut count = 0;
        // SAFETY: a place to write to.
        self.check(unsafe { (self.count_archs)(&mut count) })?;
        let mut archs: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: as many places as the library said.
        self.check(unsafe { (self.archs)(archs.as_mut_ptr()) })?;
        Ok(archs.into_iter().filter_map(|a| u32::try_from(a).ok()).collect())
    }

    /// Compiles a unit for the architecture that `options` name. An error is one of the
    /// interface; errors in the text are in the output's log.
    pub(super) fn compile(
        &self,
        unit: &Unit,
        options: &[String],
        kernels: &[String],
    ) -> Result<Output, String> {
        let (name, text) = (c_string(&unit.name)?, c_string(&unit.text)?);
        let names = Strings::new(unit.headers.iter().map(|h| h.name.as_str()))?;
        let texts = Strings::new(unit.headers.iter().map(|h| h.text.as_str()))?;
        let options = Strings::new(options.iter().map(String::as_str))?;
        let kernels = Strings::new(kernels.iter().map(String::as_str))?;

        let mut program = Guard { api: self, program: std::ptr::null_mut() };
        // SAFETY: all strings end in zero and outlive the program; as many headers as are counted.
        self.check(unsafe {
            (self.create)(
                &mut program.program,
                text.as_ptr(),
                name.as_ptr(),
                names.count(),
                texts.pointers.as_ptr(),
                names.pointers.as_ptr(),
            )
        })?;
        for kernel in &kernels.strings {
            // SAFETY: a live program, a string that ends in zero.
            self.check(unsafe { (self.add_name)(program.program, kernel.as_ptr()) })?;
        }
        // SAFETY: a live program, as many options as are counted.
        let code =
            unsafe { (self.compile)(program.program, options.count(), options.pointers.as_ptr()) };
        let log = self.bytes(program.program, self.log_size, self.log)?;
        let log = String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned();
        match code {
            SUCCESS => {
                let cubin = self.bytes(program.program, self.cubin_size, self.cubin)?;
                let mut symbols = Vec::new();
                for kernel in &kernels.strings {
                    symbols.push(self.symbol_of(program.program, kernel)?);
                }
                Ok(Output { cubin: Some(cubin), log, symbols })
            }
            COMPILATION => Ok(Output { cubin: None, log, symbols: Vec::new() }),
            other => Err(format!("{}: {}", self.words(other), log.trim())),
        }
    }

    fn symbol_of(&self, program: Program, kernel: &CStr) -> Result<String, String> {
        let mut symbol: *const c_char = std::ptr::null();
        // SAFETY: a live, compiled program to which this very name was added.
        self.check(unsafe { (self.lowered_name)(program, kernel.as_ptr(), &mut symbol) })?;
        // SAFETY: on success a string that ends in zero and belongs to the program.
        Ok(unsafe { CStr::from_ptr(symbol) }.to_string_lossy().into_owned())
    }

    fn bytes(
        &self,
        program: Program,
        size: unsafe extern "C" fn(Program, *mut usize) -> Code,
        fill: unsafe extern "C" fn(Program, *mut c_char) -> Code,
    ) -> Result<Vec<u8>, String> {
        let mut length = 0;
        // SAFETY: a live program, a place to write to.
        self.check(unsafe { size(program, &mut length) })?;
        let mut bytes = vec![0u8; length];
        if length > 0 {
            // SAFETY: as many bytes as the library said.
            self.check(unsafe { fill(program, bytes.as_mut_ptr().cast()) })?;
        }
        Ok(bytes)
    }

    fn check(&self, code: Code) -> Result<(), String> {
        if code == SUCCESS { Ok(()) } else { Err(self.words(code)) }
    }

    fn words(&self, code: Code) -> String {
        // SAFETY: any code is allowed; the answer is a constant string.
        unsafe { CStr::from_ptr((self.error_string)(code)) }.to_string_lossy().into_owned()
    }
}

/// Strings as C takes a list of them.
struct Strings {
    strings: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Strings {
    fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Strings, String> {
        let strings = texts.map(c_string).collect::<Result<Vec<CString>, String>>()?;
        let pointers = strings.iter().map(|s| s.as_ptr()).collect();
        Ok(Strings { strings, pointers })
    }

    fn count(&self) -> c_int {
        self.pointers.len() as c_int
    }
}

fn c_string(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| "the text contains a zero byte".to_owned())
}

/// Destroys the program on every way out.
struct Guard<'a> {
    api: &'a Api,
    program: Program,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if !self.program.is_null() {
            // SAFETY: created once, destroyed once. Nothing can be done about a failure.
            unsafe { (self.api.destroy)(&mut self.program) };
        }
    }
}

/// Global, so that a later load by name finds this one: cudarc's, and NVRTC's own of its builtins.
#[cfg(unix)]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::unix;
    // SAFETY: NVIDIA's libraries, whose initialisers do nothing that could surprise.
    unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_GLOBAL) }.map(Into::into)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: NVIDIA's libraries, whose initialisers do nothing that could surprise.
    unsafe { Library::new(path) }
}

/// # Safety
/// `F` must be the type of that function.
unsafe fn symbol<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|f| *f).map_err(|e| e.to_string())
}
