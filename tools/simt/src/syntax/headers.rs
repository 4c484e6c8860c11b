//! The toolkit's headers, as far as the simulator has them as text.
//!
//! What CUDA C++ can say of itself is said in CUDA C++, in files beside this one, and goes the way
//! of everything that is included; what it cannot is a built-in function of [`crate::sema`].
//! Headers whose contents need neither are known by name alone.

mod host;

/// Before the first line of every unit: the compiler's macros, and what is declared without an
/// `#include`.
pub(super) const KERNELS: &[&str] = &[
    include_str!("headers/kernels.h"),
    include_str!("headers/predefined.h"),
    include_str!("headers/builtin.cuh"),
];

/// After those, where a unit speaks of what begins so: the text is long, and few kernels need it.
pub(super) const WHERE_NAMED: [(&str, &str); 2] = [
    ("__v", include_str!("headers/simd.cuh")),
    ("__nv_atomic", include_str!("headers/atomic.cuh")),
];

/// The same for a unit that is a whole program.
pub(super) const PROGRAM: &[&str] = &[
    include_str!("headers/host/program.h"),
    include_str!("headers/predefined.h"),
    include_str!("headers/builtin.cuh"),
    include_str!("headers/host/cuda_runtime.h"),
];

/// Headers whose contents are built in.
const KNOWN: [&str; 32] = [
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda.h",
    "device_launch_parameters.h",
    "device_functions.h",
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
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "math.h",
];

/// Copies that may come later.
const PIPELINE: &str = include_str!("headers/pipeline.cuh");

/// A barrier that is an object.
const BARRIER: &str = include_str!("headers/barrier.cuh");

/// Headers that are text.
const TEXTS: [(&str, &str); 12] = [
    (
        "cuda_fp16.h",
        concat!(include_str!("headers/cuda_fp16.cuh"), include_str!("headers/half.cuh")),
    ),
    (
        "cuda_bf16.h",
        concat!(include_str!("headers/cuda_bf16.cuh"), include_str!("headers/half.cuh")),
    ),
    ("cooperative_groups.h", include_str!("headers/cooperative_groups.cuh")),
    ("cuda/atomic", include_str!("headers/atomic.cuh")),
    ("cuda/std/atomic", include_str!("headers/atomic.cuh")),
    ("cuda/barrier", BARRIER),
    ("cuda/std/barrier", BARRIER),
    ("cuda/pipeline", PIPELINE),
    ("cuda_pipeline.h", PIPELINE),
    ("cuda_pipeline_primitives.h", PIPELINE),
    ("cooperative_groups/memcpy_async.h", include_str!("headers/memcpy_async.cuh")),
    ("math_constants.h", include_str!("headers/math_constants.h")),
];

/// The text of a toolkit's header, empty where all of it is built in; `None` if it is none.
pub(super) fn text(name: &str, program: bool) -> Option<&'static str> {
    if program && let Some(text) = host::text(name) {
        return Some(text);
    }
    let text = TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    text.or_else(|| KNOWN.contains(&name).then_some(""))
}

/// Every header that is known: those of kernel files, or what programs have besides.
pub fn headers(program: bool) -> Vec<&'static str> {
    let kernels = KNOWN.iter().copied().chain(TEXTS.iter().map(|(name, _)| *name));
    if program {
        host::names().filter(|name| !name.starts_with("__")).collect()
    } else {
        kernels.collect()
    }
}
