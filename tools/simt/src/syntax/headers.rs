//! The headers of the CUDA toolkit for device code.
//!
//! Declarations that CUDA C++ can express are C++ text in the files of `headers/`, and are included
//! like any other file. The rest are built-in functions of [`crate::sema`]; a header that declares
//! only those has an empty text. Headers of host code come from the caller ([`HostEnvironment`]).

#[cfg(not(target_arch = "wasm32"))]
mod cuda_std;
mod curand_tables;

use crate::embedded;
use crate::environment::HostEnvironment;

/// Predefined macros of a unit without host code.
const KERNELS: &str = embedded!(include_str!("headers/kernels.h"));

/// Predefined macros of every unit.
const PREDEFINED: &str = embedded!(include_str!("headers/predefined.h"));

/// What CUDA declares without an `#include`.
const BUILTIN: &str = embedded!(include_str!("headers/builtin.cuh"));

/// The texts that are read before every unit.
pub(super) fn prelude(environment: Option<&'static HostEnvironment>) -> Vec<&'static str> {
    match environment {
        None => vec![KERNELS, PREDEFINED, BUILTIN],
        Some(host) => vec![host.macros, PREDEFINED, BUILTIN, host.declarations],
    }
}

/// Texts that are read only if the source contains this prefix: they are long, and few kernels
/// need them.
pub(super) const WHERE_NAMED: &[(&str, &str)] = &[
    ("__builtin_", embedded!(include_str!("headers/gcc_builtins.h"))),
    ("__v", embedded!(include_str!("headers/simd.cuh"))),
    ("__nv_atomic", embedded!(include_str!("headers/atomic.cuh"))),
    #[cfg(not(target_arch = "wasm32"))]
    ("__int128", include_str!("headers/int128.h")),
    #[cfg(not(target_arch = "wasm32"))]
    ("__uint128", include_str!("headers/int128.h")),
];

/// Headers whose contents are built in: their text is empty.
const KNOWN: [&str; 32] = [
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "cuda_occupancy.h",
    "cuda_device_runtime_api.h",
    "vector_types.h",
    "vector_functions.h",
    "builtin_types.h",
    "driver_types.h",
    "host_defines.h",
    "math_functions.h",
    "device_atomic_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "cstdint",
    "stdint.h",
    "cstddef",
    "stddef.h",
    "climits",
    "limits.h",
    "cfloat",
    "float.h",
    "cassert",
    "assert.h",
    "cstdio",
    "stdio.h",
    "cmath",
    "cooperative_groups/scan.h",
    "math.h",
    "curand.h",
];

/// Asynchronous copies.
const PIPELINE: &str = embedded!(include_str!("headers/pipeline.cuh"));

/// Barrier objects.
const BARRIER: &str = embedded!(include_str!("headers/barrier.cuh"));

/// Headers with a text of their own.
const TEXTS: [(&str, &str); 17] = [
    ("cuda.h", "#define CUDA_VERSION 13000\n"),
    (
        "cuda_fp16.h",
        embedded!(concat!(include_str!("headers/cuda_fp16.cuh"), include_str!("headers/half.cuh"))),
    ),
    (
        "cuda_bf16.h",
        embedded!(concat!(include_str!("headers/cuda_bf16.cuh"), include_str!("headers/half.cuh"))),
    ),
    ("cooperative_groups.h", embedded!(include_str!("headers/cooperative_groups.cuh"))),
    ("cooperative_groups/reduce.h", "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"),
    ("cuda/atomic", embedded!(include_str!("headers/atomic.cuh"))),
    ("cuda/std/atomic", embedded!(include_str!("headers/atomic.cuh"))),
    ("cuda/barrier", BARRIER),
    ("cuda/std/barrier", BARRIER),
    ("cuda/std/complex", embedded!(include_str!("headers/complex.cuh"))),
    ("cuda/pipeline", PIPELINE),
    ("cuda_pipeline.h", PIPELINE),
    ("cuda_pipeline_primitives.h", PIPELINE),
    ("cooperative_groups/memcpy_async.h", embedded!(include_str!("headers/memcpy_async.cuh"))),
    ("mma.h", embedded!(include_str!("headers/mma.cuh"))),
    ("math_constants.h", embedded!(include_str!("headers/math_constants.h"))),
    ("curand_kernel.h", embedded!(include_str!("headers/curand_kernel.cuh"))),
];

/// The headers of which <curand_kernel.h> consists.
#[cfg(not(target_arch = "wasm32"))]
const CURAND: &str = "#include <curand_kernel.h>\n";

/// Headers of which few kernels need any: a page's module does without them, and refuses them by name.
#[cfg(not(target_arch = "wasm32"))]
const MORE: &[(&str, &str)] = &[
    ("__curand_more", include_str!("headers/curand_more.cuh")),
    ("curand_globals.h", CURAND),
    ("curand_lognormal.h", CURAND),
    ("curand_normal.h", CURAND),
    ("curand_philox4x32_x.h", CURAND),
    ("curand_poisson.h", CURAND),
    ("curand_uniform.h", CURAND),
    ("cuda_fp8.h", include_str!("headers/cuda_fp8.cuh")),
    ("cuda/cmath", include_str!("headers/cuda_cmath.cuh")),
    ("cuda/functional", include_str!("headers/cuda_functional.cuh")),
    ("cuda/latch", include_str!("headers/semaphore.cuh")),
    ("cuda/semaphore", include_str!("headers/semaphore.cuh")),
    ("cuda/std/bit", include_str!("headers/cuda_std_bit.cuh")),
    ("cuda/std/latch", include_str!("headers/semaphore.cuh")),
    ("cuda/std/semaphore", include_str!("headers/semaphore.cuh")),
    ("cuda/std/span", include_str!("headers/cuda_std_span.cuh")),
];
#[cfg(target_arch = "wasm32")]
const MORE: &[(&str, &str)] = &[("__curand_more", "")];

/// The names of all headers with a text here.
fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.iter().chain(MORE).copied()
}

/// The text of a header, empty if all of it is built in; `None` if there is no such header.
/// The host environment's headers take precedence.
pub(super) fn text(
    name: &str,
    environment: Option<&'static HostEnvironment>,
) -> Option<&'static str> {
    if let Some(text) = environment.and_then(|host| (host.header)(name)) {
        return Some(text);
    }
    if name == "__curand_tables" {
        return Some(curand_tables::text());
    }
    let text = texts().find(|(known, _)| *known == name).map(|(_, text)| text);
    #[cfg(not(target_arch = "wasm32"))]
    let text = text.or_else(|| cuda_std::text(name, environment));
    text.or_else(|| KNOWN.contains(&name).then_some(""))
}

/// Headers of C and C++ that programs include often.
const USUAL: [&str; 38] = [
    "algorithm",
    "array",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cfloat",
    "chrono",
    "climits",
    "cmath",
    "complex",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "deque",
    "exception",
    "fstream",
    "functional",
    "iomanip",
    "iostream",
    "limits",
    "list",
    "map",
    "math.h",
    "memory",
    "mutex",
    "numeric",
    "random",
    "sstream",
    "stdexcept",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string",
    "vector",
];

/// The header that a misspelt name means, if there is one that is nearly alike.
pub(super) fn meant(
    name: &str,
    environment: Option<&'static HostEnvironment>,
) -> Option<&'static str> {
    let known = KNOWN.iter().copied().chain(texts().map(|(name, _)| name)).chain(USUAL);
    let most = |known: &str| known.len().min(name.len()) / 3;
    known
        .filter(|known| known.len().abs_diff(name.len()) <= most(known))
        .map(|known| (strsim::osa_distance(name, known), known))
        .filter(|(distance, known)| *distance <= most(known))
        .filter(|(_, known)| text(known, environment).is_some())
        .min()
        .map(|(_, known)| known)
}

/// The names of the toolkit's headers that a kernel file may include.
pub fn headers() -> Vec<&'static str> {
    let own = texts().map(|(name, _)| name).filter(|name| !name.starts_with("__"));
    KNOWN.iter().copied().chain(own).collect()
}
