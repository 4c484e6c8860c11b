//! CUB and cuBLAS, loaded at run time.

use crate::comparison::Comparison;
use cudarc::driver::CudaStream;
use libloading::Library;
use std::error::Error;
use std::ffi::{c_int, c_void};
use std::process::Command;

const CUB: &str = include_str!("cub.cu");

type Version = unsafe extern "C" fn(*mut c_int);
type Sum = unsafe extern "C" fn(*mut c_void, u64, u64, u64, u64, *mut c_void) -> c_int;

/// CUB's sums, compiled by the nvcc on the path.
pub(crate) struct Cub(Library);

impl Cub {
    pub(crate) fn build() -> Result<Cub, Box<dyn Error>> {
        let folder = std::env::temp_dir().join(format!("kernels-cub-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let (source, library) = (folder.join("cub.cu"), folder.join("libcub.so"));
        std::fs::write(&source, CUB)?;
        let mut nvcc = Command::new("nvcc");
        nvcc.args(["-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "-arch=native", "-o"]);
        let said = nvcc.arg(&library).arg(&source).output()?;
        if !said.status.success() {
            return Err(String::from_utf8_lossy(&said.stderr).into_owned().into());
        }
        // SAFETY: the shim above; loading it registers its kernels with the runtime in it.
        let loaded = unsafe { Library::new(&library) };
        std::fs::remove_dir_all(&folder)?;
        Ok(Cub(loaded?))
    }

    /// `CUB 3.0.1, nvcc 13.0.88`.
    pub(crate) fn version(&self) -> Result<String, Box<dyn Error>> {
        let mut version = [0; 6];
        // SAFETY: the shim writes six numbers.
        unsafe { self.0.get::<Version>(b"cub_version")?(version.as_mut_ptr()) };
        let [a, b, c, x, y, z] = version;
        Ok(format!("CUB {a}.{b}.{c}, nvcc {x}.{y}.{z}"))
    }

    /// Queues a sum of `n` elements, of ints or floats.
    pub(crate) fn sum(
        &self,
        stream: &CudaStream,
        kind: &str,
        [scratch, from, to]: [u64; 3],
        n: usize,
    ) -> Result<(), Box<dyn Error>> {
        let name = format!("cub_{kind}\0");
        // SAFETY: the types are the shim's; the caller's arrays have `n` elements, one, and 4 MiB.
        let code = unsafe {
            let sum = self.0.get::<Sum>(name.as_bytes())?;
            let stream = stream.cu_stream().cast();
            sum(scratch as *mut c_void, 4 << 20, from, to, n as u64, stream)
        };
        if code == 0 { Ok(()) } else { Err(format!("CUB answers {code}").into()) }
    }
}

/// Types and modes, as `cublas_api.h` and `library_types.h` number them.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    data: c_int,
    compute: c_int,
}

/// Single precision without tensor cores.
pub(crate) const PEDANTIC: Mode = Mode { data: 0, compute: 69 };
/// bf16, added up in single precision.
pub(crate) const BF16: Mode = Mode { data: 14, compute: 68 };

type Create = unsafe extern "C" fn(*mut *mut c_void) -> c_int;
type BlasVersion = unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int;
type SetStream = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type Gemm = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const f32,
    u64,
    c_int,
    c_int,
    u64,
    c_int,
    c_int,
    *const f32,
    u64,
    c_int,
    c_int,
    c_int,
    c_int,
) -> c_int;

/// A handle of cuBLAS on the comparison's stream, kept until the process ends.
pub(crate) struct Blas {
    handle: *mut c_void,
    gemm: Gemm,
    library: Library,
}

impl Blas {
    pub(crate) fn new(bench: &Comparison) -> Result<Blas, Box<dyn Error>> {
        let places = ["libcublas.so.13", "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"];
        // SAFETY: NVIDIA's library; the types are those of its header. The context is current.
        unsafe {
            let loaded = places.iter().find_map(|place| Library::new(*place).ok());
            let library = loaded.ok_or("no cuBLAS found")?;
            let mut handle = std::ptr::null_mut();
            let created = library.get::<Create>(b"cublasCreate_v2")?(&mut handle);
            let stream = bench.stream.cu_stream().cast();
            let set = library.get::<SetStream>(b"cublasSetStream_v2")?(handle, stream);
            if (created, set) != (0, 0) {
                return Err(format!("cuBLAS answers {created}, {set}").into());
            }
            let gemm = *library.get::<Gemm>(b"cublasGemmEx")?;
            Ok(Blas { handle, gemm, library })
        }
    }

    /// `cuBLAS 13.1.0`.
    pub(crate) fn version(&self) -> Result<String, Box<dyn Error>> {
        let mut version = 0;
        // SAFETY: a live handle, and a place for a number.
        let code = unsafe {
            self.library.get::<BlasVersion>(b"cublasGetVersion_v2")?(self.handle, &mut version)
        };
        if code != 0 {
            return Err(format!("cuBLAS answers {code}").into());
        }
        // 130100 for 13.1.0; before 12, four digits a part.
        Ok(format!("cuBLAS {}.{}.{}", version / 10_000, version / 100 % 100, version % 100))
    }

    /// Queues c = a b, row-major without gaps: to cuBLAS, which counts columns first, the matrices
    /// are turned over, and so is the product.
    pub(crate) fn matmul(
        &self,
        mode: Mode,
        [a, b, c]: [u64; 3],
        (m, n, k): (usize, usize, usize),
    ) -> Result<(), Box<dyn Error>> {
        let (one, zero) = (1.0f32, 0.0f32);
        let [m, n, k] = [m, n, k].map(|side| side as c_int);
        let Mode { data, compute } = mode;
        // SAFETY: the arrays have as many elements as the sides say.
        let code = unsafe {
            (self.gemm)(
                self.handle,
                0,
                0,
                n,
                m,
                k,
                &one,
                b,
                data,
                n,
                a,
                data,
                k,
                &zero,
                c,
                data,
                n,
                compute,
                -1,
            )
        };
        if code == 0 { Ok(()) } else { Err(format!("cuBLAS answers {code}").into()) }
    }
}
