//! Names of interfaces that are not supported: what belongs to which, and what to use instead.
//!
//! The driver API, other libraries of CUDA, and the vector instructions of the host's processor.

use super::name::Path;
use crate::diagnostic::{Diagnostic, Span};

/// An interface that is not supported.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// What it is.
    pub(crate) what: &'static str,
    /// What to write instead.
    pub(crate) instead: Option<String>,
    /// The header that declares the name, if that is all that is missing.
    header: Option<&'static str>,
}

impl Foreign {
    /// The refusal of a name.
    pub(crate) fn refused(self, name: Path, span: Span) -> Diagnostic {
        if let Some(header) = self.header {
            // The functions of `<=>` have no name that a program writes.
            let hidden = header == COMPARE && name.last().starts_with("__");
            let name = if hidden { "<=>".to_owned() } else { name.to_string() };
            return Diagnostic::error("name", span, format!("`{name}` is not declared here"))
                .with_help(format!("add `#include <{header}>`"));
        }
        let mut diagnostic = match self.what {
            REMOVED => Diagnostic::error("name", span, format!("CUDA 13 has no `{name}`")),
            what => Diagnostic::unsupported(span, format!("`{name}` ({what})")),
        };
        diagnostic.help = self.instead;
        diagnostic
    }
}

/// What there is in the place of texture references.
const OBJECTS: &str = "CUDA 12 removed them: make an object with `cudaCreateTextureObject`, pass it to the kernel, and read it with `tex2D<float>(object, x, y)`";

fn is(what: &'static str) -> Foreign {
    Foreign { what, instead: None, header: None }
}

fn with(what: &'static str, instead: impl Into<String>) -> Foreign {
    Foreign { what, instead: Some(instead.into()), header: None }
}

fn declared_in(header: &'static str) -> Foreign {
    Foreign { what: "without its header", instead: None, header: Some(header) }
}

/// What CUDA had and has removed.
const REMOVED: &str = "removed";

/// The header of `<=>`.
const COMPARE: &str = "compare";

/// Names of namespace `std` that are not those of headers, for misspelt ones.
const OFTEN: [&str; 12] = [
    "cout",
    "cerr",
    "endl",
    "unique_ptr",
    "shared_ptr",
    "make_unique",
    "make_shared",
    "accumulate",
    "numeric_limits",
    "to_string",
    "function",
    "runtime_error",
];

/// A name of namespace `std` that there is not: a near one is meant, or it is not supported.
fn of_standard(name: &str) -> Foreign {
    let distance = |known: &&str| strsim::osa_distance(name, known);
    let known = NAMESAKES.into_iter().chain(OFTEN);
    let near = known.filter(|known| distance(known) <= (known.len() / 4).max(1));
    Foreign {
        instead: near.min_by_key(distance).map(|known| format!("is `std::{known}` meant?")),
        ..is("the C++ library")
    }
}

/// What is declared in a header of its own name.
const NAMESAKES: [&str; 31] = [
    "array",
    "atomic",
    "bitset",
    "chrono",
    "complex",
    "condition_variable",
    "deque",
    "future",
    "list",
    "map",
    "mutex",
    "optional",
    "queue",
    "set",
    "stack",
    "string",
    "thread",
    "tuple",
    "unordered_map",
    "unordered_set",
    "vector",
    "any",
    "barrier",
    "filesystem",
    "forward_list",
    "latch",
    "regex",
    "shared_mutex",
    "span",
    "string_view",
    "variant",
];

/// The header of a name of namespace `std` that programs use often.
pub(super) fn standard(name: &str) -> Option<&'static str> {
    if let Some(header) = NAMESAKES.iter().find(|header| **header == name) {
        return Some(header);
    }
    Some(match name {
        "cout" | "cerr" | "clog" | "cin" | "endl" => "iostream",
        "ifstream" | "ofstream" => "fstream",
        "stringstream" | "ostringstream" | "istringstream" => "sstream",
        "setw" | "setprecision" | "setfill" => "iomanip",
        "to_string" | "stoi" | "stof" | "stod" | "getline" => "string",
        "unique_ptr" | "shared_ptr" | "weak_ptr" | "make_unique" | "make_shared" => "memory",
        "pair" | "make_pair" | "move" | "swap" => "utility",
        "make_tuple" | "tie" => "tuple",
        "sort" | "stable_sort" | "max_element" | "min_element" | "shuffle" | "generate" | "min"
        | "max" | "fill" | "copy" | "find" | "count" | "reverse" | "transform" => "algorithm",
        "accumulate" | "iota" | "inner_product" => "numeric",
        "numeric_limits" => "limits",
        "mt19937" | "random_device" | "default_random_engine" => "random",
        "mt19937_64" | "minstd_rand" | "minstd_rand0" | "seed_seq" => "random",
        "lock_guard" | "unique_lock" | "scoped_lock" => "mutex",
        "shared_lock" => "shared_mutex",
        "put_time" => "iomanip",
        "from_chars" | "to_chars" => "charconv",
        "multimap" => "map",
        "multiset" => "set",
        "unordered_multimap" => "unordered_map",
        _ if name.ends_with("_distribution") => "random",
        "runtime_error" | "invalid_argument" | "logic_error" => "stdexcept",
        "exception" => "exception",
        "function" | "bind" => "functional",
        "async" => "future",
        "strong_ordering"
        | "weak_ordering"
        | "partial_ordering"
        | "__three_way"
        | "__first_that_differs" => COMPARE,
        "priority_queue" => "queue",
        _ => return None,
    })
}

/// The header of a name of namespace `thrust` that programs use often.
fn thrust(name: &str) -> Option<&'static str> {
    Some(match name {
        "device_vector" => "thrust/device_vector.h",
        "host_vector" => "thrust/host_vector.h",
        "device_ptr" | "device_pointer_cast" | "raw_pointer_cast" => "thrust/device_ptr.h",
        "sort" | "sort_by_key" | "stable_sort" => "thrust/sort.h",
        "reduce" | "reduce_by_key" => "thrust/reduce.h",
        "transform" => "thrust/transform.h",
        "transform_reduce" => "thrust/transform_reduce.h",
        "inclusive_scan" | "exclusive_scan" => "thrust/scan.h",
        "sequence" => "thrust/sequence.h",
        "fill" => "thrust/fill.h",
        "copy" | "copy_if" => "thrust/copy.h",
        "for_each" => "thrust/for_each.h",
        "count" | "count_if" => "thrust/count.h",
        _ => return None,
    })
}

/// Whether it is a name of namespace `cub` that programs use often, or one in such a class.
fn cub(path: Path) -> bool {
    const OFTEN: [&str; 17] = [
        "BlockReduce",
        "BlockScan",
        "BlockLoad",
        "BlockStore",
        "BlockRadixSort",
        "BlockExchange",
        "BlockHistogram",
        "BlockDiscontinuity",
        "WarpReduce",
        "WarpScan",
        "DeviceReduce",
        "DeviceScan",
        "DeviceSelect",
        "DeviceRadixSort",
        "DeviceHistogram",
        "DeviceRunLengthEncode",
        "DoubleBuffer",
    ];
    let text = path.to_string();
    text.split("::").nth(1).is_some_and(|name| OFTEN.contains(&name))
}

/// The header of a name of namespace `cooperative_groups` that kernels use often.
fn cooperative_groups(name: &str) -> Option<&'static str> {
    Some(match name {
        "this_thread_block" | "this_grid" | "this_cluster" | "thread_block" | "thread_group"
        | "grid_group" | "cluster_group" | "tiled_partition" | "thread_block_tile"
        | "coalesced_threads" | "coalesced_group" | "sync" => "cooperative_groups.h",
        "memcpy_async" | "wait" | "wait_prior" => "cooperative_groups/memcpy_async.h",
        _ => return None,
    })
}

/// The header of a name of namespace `nvcuda::wmma`.
fn tensor_cores(name: &str) -> Option<&'static str> {
    match name {
        "fragment" | "load_matrix_sync" | "store_matrix_sync" | "mma_sync" | "fill_fragment"
        | "matrix_a" | "matrix_b" | "accumulator" | "row_major" | "col_major" | "mem_row_major"
        | "mem_col_major" => Some("mma.h"),
        _ => None,
    }
}

/// The header of a name of namespace `cuda` that kernels use often.
fn cuda(name: &str) -> Option<&'static str> {
    Some(match name {
        "atomic"
        | "atomic_ref"
        | "thread_scope"
        | "thread_scope_device"
        | "thread_scope_block"
        | "thread_scope_system" => "cuda/atomic",
        "barrier" => "cuda/barrier",
        "pipeline" | "pipeline_shared_state" | "make_pipeline" | "memcpy_async" => "cuda/pipeline",
        _ => return None,
    })
}

/// The interface that a type or a function belongs to, if it is one that is known and not supported.
pub(crate) fn foreign(path: Path) -> Option<Foreign> {
    let path = path.unrooted();
    let name: &str = &path.last();
    if path.is_qualified() {
        return match &*path.first() {
            "cg" | "cooperative_groups" => {
                Some(cooperative_groups(name).map_or_else(|| is("cooperative groups"), declared_in))
            }
            _ if path.parent().is_some_and(|p| p.last().contains("wmma")) => {
                Some(tensor_cores(name).map_or_else(|| is("tensor cores"), declared_in))
            }
            _ if name.contains("wmma") => Some(is("tensor cores")),
            "thrust" => thrust(name).map(declared_in),
            "cub" => cub(path).then(|| declared_in("cub/cub.cuh")),
            "std" => Some(standard(name).map_or_else(|| of_standard(name), declared_in)),
            "cuda" => Some(cuda(name).map_or_else(|| is("the C++ library"), declared_in)),
            _ => None,
        };
    }
    Some(match name {
        "half" | "__half" | "half2" | "__half2" => declared_in("cuda_fp16.h"),
        "__nv_bfloat16" | "nv_bfloat16" | "__nv_bfloat162" | "nv_bfloat162" => {
            declared_in("cuda_bf16.h")
        }
        "cudaThreadSynchronize" => with(REMOVED, "write `cudaDeviceSynchronize`"),
        "cudaThreadExit" => with(REMOVED, "write `cudaDeviceReset`"),
        "__pipeline_memcpy_async" | "__pipeline_commit" | "__pipeline_wait_prior" => {
            declared_in("cuda_pipeline.h")
        }
        "texture" | "textureReference" => with("texture references", OBJECTS),
        _ if name.starts_with("cudaBindTexture")
            || name.starts_with("cudaBindSurface")
            || name.starts_with("cudaUnbindTexture") =>
        {
            with("texture references", OBJECTS)
        }
        _ if name.starts_with("cudaMipmapped") || name == "cudaMallocMipmappedArray" => {
            is("mipmapped textures")
        }
        "cudaStream_t" | "cudaEvent_t" | "cudaError_t" => is("the host's runtime"),
        "curandState" | "curandState_t" => declared_in("curand_kernel.h"),
        // What the header declares first: where it is not known, the header is missing.
        "cublasHandle_t" | "cublasStatus_t" | "cublasCreate" => declared_in("cublas_v2.h"),
        "cufftHandle" | "cufftResult" | "cufftComplex" => declared_in("cufft.h"),
        "cusolverDnHandle_t" | "cusolverStatus_t" => declared_in("cusolverDn.h"),
        "cusparseHandle_t" | "cusparseStatus_t" => declared_in("cusparse.h"),
        "curandGenerator_t" | "curandStatus_t" => declared_in("curand.h"),
        _ if name.starts_with("curand") || name.starts_with("CURAND_") => with(
            "cuRAND, apart from XORWOW and Philox in kernels and from generators of the host",
            "in kernels there are `curandState`, `curand_init`, `curand`, `curand_uniform` and `curand_normal`",
        ),
        _ if name.starts_with("cublas") || name.starts_with("CUBLAS_") => with(
            "cuBLAS, apart from real vectors and matrices",
            "`cuda-sim run` has `<cublas_v2.h>`, with the functions that the appendix \"Supported CUDA C++\" lists",
        ),
        _ if name.starts_with("cufft") || name.starts_with("CUFFT_") => with(
            "cuFFT, apart from plans and their execution",
            "`cuda-sim run` has `<cufft.h>`, with the functions that the appendix \"Supported CUDA C++\" lists",
        ),
        _ if name.starts_with("cusolver")
            || name.starts_with("CUSOLVER_")
            || name == "gesvdjInfo_t" =>
        {
            with(
                "cuSOLVER, apart from factors and eigenvalues of real matrices",
                "`cuda-sim run` has `<cusolverDn.h>`, with the functions that the appendix \"Supported CUDA C++\" lists",
            )
        }
        _ if name.starts_with("cusparse") || name.starts_with("CUSPARSE_") => with(
            "cuSPARSE, apart from products with matrices in the formats CSR and COO",
            "`cuda-sim run` has `<cusparse.h>`, with the functions that the appendix \"Supported CUDA C++\" lists",
        ),
        _ if name.starts_with("nvrtc") => declared_in("nvrtc.h"),
        _ if ["cudaGraphics", "cudaGL", "cudaEGL", "cudaVDPAU"]
            .iter()
            .chain(&[
                "cudaImportExternal",
                "cudaExternal",
                "cudaSignalExternal",
                "cudaWaitExternal",
            ])
            .any(|begin| name.starts_with(begin)) =>
        {
            is("resources of graphics libraries and of other devices")
        }
        _ if name.starts_with("cudaGraph") || name.starts_with("cudaUserObject") => {
            is("CUDA graphs")
        }
        _ if name.starts_with("cudaIpc") => is("memory that processes share"),
        _ if name.starts_with("cudaMemRange") => is("the advice about a range of memory"),
        _ if ["cudaArray", "cudaTexture", "cudaSurface", "cudaGetTexture", "cudaGetSurface"]
            .iter()
            .any(|begin| name.starts_with(begin)) =>
        {
            with(
                "textures",
                "`warpbook run` and `cuda-sim run` have them, in programs with a `main`",
            )
        }
        _ if name.contains("wmma") => is("tensor cores"),
        _ => return fetch(name).or_else(|| vector_instruction(name)).or_else(|| driver(name)),
    })
}

/// `tex2DLayered`, `surfCubemapread`: fetches of textures that there are not.
fn fetch(name: &str) -> Option<Foreign> {
    let rest = name.strip_prefix("tex").or_else(|| name.strip_prefix("surf"))?;
    if rest.starts_with("Cubemap") {
        return Some(is("cubemap textures"));
    }
    let rest = rest.strip_prefix(['1', '2', '3'])?.strip_prefix('D')?;
    match rest {
        "" | "fetch" | "read" | "write" => Some(is("textures")),
        "gather" => Some(with("textures", "write four fetches")),
        "Lod" | "Grad" => Some(is("mipmapped textures")),
        _ => rest.starts_with("Layered").then(|| is("layered textures")),
    }
}

/// `__m256`, `_mm256_add_ps`: what `<immintrin.h>` declares.
fn vector_instruction(name: &str) -> Option<Foreign> {
    const WIDTHS: [&str; 4] = ["64", "128", "256", "512"];
    let is_type = name.strip_prefix("__m").is_some_and(|rest| {
        WIDTHS
            .iter()
            .filter_map(|width| rest.strip_prefix(width))
            .any(|end| matches!(end, "" | "i" | "d" | "h" | "bh" | "_u" | "i_u" | "d_u"))
    });
    let is_function = ["_mm_", "_mm256_", "_mm512_"].iter().any(|start| name.starts_with(start));
    (is_type || is_function).then(|| {
        with(
            "vector instructions of x86 processors",
            "write a loop over the elements: most programs have one for other processors",
        )
    })
}

/// `CUdeviceptr`, `cuMemAlloc`: the driver API, and what the runtime API has for it.
fn driver(name: &str) -> Option<Foreign> {
    let rest = name.strip_prefix("cu").or_else(|| name.strip_prefix("CU"))?;
    let is_function = name.starts_with("cu") && rest.starts_with(|c: char| c.is_ascii_uppercase());
    let is_type = name.starts_with("CU") && rest.starts_with(|c: char| c.is_ascii_lowercase());
    // Other libraries have names of their own: `cufftExecC2C`, `CUBLAS_STATUS_SUCCESS`.
    if !is_function && !is_type {
        return None;
    }
    // `cuMemAlloc_v2` is `cuMemAlloc`.
    let rest = rest.split("_v").next().unwrap_or(rest);
    let instead = match rest {
        "Init" => "leave it out: the runtime initialises itself at its first call".to_owned(),
        "deviceptr" => "write a pointer, as `float*`, and `cudaMalloc`".to_owned(),
        "device" | "DeviceGet" => "write the number of the device, and `cudaSetDevice`".to_owned(),
        "context" | "CtxCreate" | "CtxDestroy" | "CtxSetCurrent" | "DevicePrimaryCtxRetain" => {
            "leave it out: the runtime makes the context".to_owned()
        }
        "module" | "function" | "ModuleLoad" | "ModuleLoadData" | "ModuleLoadDataEx"
        | "ModuleGetFunction" | "LaunchKernel" => {
            "put the kernel into this program, and launch it with `kernel<<<grid, block>>>(..)`"
                .to_owned()
        }
        "result" => "write `cudaError_t`".to_owned(),
        "stream" => "write `cudaStream_t`".to_owned(),
        "event" => "write `cudaEvent_t`".to_owned(),
        "CtxSynchronize" => "write `cudaDeviceSynchronize`".to_owned(),
        "MemAlloc" => "write `cudaMalloc`".to_owned(),
        "MemFree" => "write `cudaFree`".to_owned(),
        "MemAllocHost" => "write `cudaMallocHost`".to_owned(),
        "MemFreeHost" => "write `cudaFreeHost`".to_owned(),
        "MemAllocManaged" => "write `cudaMallocManaged`".to_owned(),
        "MemAllocPitch" => "write `cudaMallocPitch`".to_owned(),
        "MemcpyHtoD" | "MemcpyDtoH" | "MemcpyDtoD" | "Memcpy" => "write `cudaMemcpy`".to_owned(),
        "MemcpyHtoDAsync" | "MemcpyDtoHAsync" | "MemcpyDtoDAsync" | "MemcpyAsync" => {
            "write `cudaMemcpyAsync`".to_owned()
        }
        "MemsetD8" | "MemsetD16" | "MemsetD32" => "write `cudaMemset`".to_owned(),
        "DeviceGetCount" => "write `cudaGetDeviceCount`".to_owned(),
        "DeviceGetName" | "DeviceComputeCapability" | "DeviceTotalMem" => {
            "write `cudaGetDeviceProperties`".to_owned()
        }
        "DeviceGetAttribute" => "write `cudaDeviceGetAttribute`".to_owned(),
        "GetErrorString" => "write `cudaGetErrorString`".to_owned(),
        "GetErrorName" => "write `cudaGetErrorName`".to_owned(),
        "DriverGetVersion" => "write `cudaDriverGetVersion`".to_owned(),
        "StreamCreate" | "StreamDestroy" | "StreamSynchronize" | "StreamWaitEvent"
        | "EventCreate" | "EventDestroy" | "EventRecord" | "EventSynchronize"
        | "EventElapsedTime" => format!("write `cuda{rest}`"),
        _ => {
            let help =
                "the appendix \"Supported CUDA C++\" lists what there is of it in `<cuda.h>`";
            return Some(with("this part of the driver API", help));
        }
    };
    let help = "add `#include <cuda.h>`, which `cuda-sim run` has in programs with a `main`; or";
    Some(with("the driver API without its header", format!("{help} {instead}")))
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn names_are_told_apart() {
        let what = |name: &str| foreign(name.into()).map(|found| found.what);
        assert_eq!(what("cuLinkCreate"), Some("this part of the driver API"));
        assert_eq!(what("nvrtcVersion"), Some("without its header"));
        for name in ["CUdeviceptr", "cuInit", "CUresult", "cuMemcpyHtoD_v2"] {
            assert_eq!(what(name), Some("the driver API without its header"), "{name}");
        }
        for name in ["__m128", "__m256i", "_mm_pause", "_mm512_add_ps"] {
            assert_eq!(what(name), Some("vector instructions of x86 processors"), "{name}");
        }
        assert_eq!(what("cublasZgemm"), Some("cuBLAS, apart from real vectors and matrices"));
        for name in ["cuda", "cube", "CUBE", "cubCreate", "__m", "__mul24", "__m2", "_mmap"] {
            assert_eq!(what(name), None, "{name}");
        }
    }

    #[test]
    fn the_runtime_has_it_too() {
        let instead = |name: &str| foreign(name.into()).and_then(|found| found.instead);
        for (name, words) in [
            ("cuMemAlloc_v2", "; or write `cudaMalloc`"),
            ("cuEventRecord", "; or write `cudaEventRecord`"),
        ] {
            assert!(instead(name).unwrap().ends_with(words), "{name}");
        }
    }
}
