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
pub(super) const WHERE_NAMED: [(&str, &str); 1] = [("__v", include_str!("headers/simd.cuh"))];

/// The same for a unit that is a whole program.
pub(super) const PROGRAM: &[&str] = &[
    include_str!("headers/host/program.h"),
    include_str!("headers/predefined.h"),
    include_str!("headers/builtin.cuh"),
    include_str!("headers/host/cuda_runtime.h"),
];

/// Headers whose contents are built in.
const KNOWN: [&str; 24] = [
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "cuda_device_runtime_api.h",
    "vector_types.h",
    "vector_functions.h",
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

/// The text of a toolkit's header, empty where all of it is built in; `None` if it is none.
pub(super) fn text(name: &str, program: bool) -> Option<&'static str> {
    if program && let Some(text) = host::text(name) {
        return Some(text);
    }
    Some(match name {
        "cuda_fp16.h" => {
            concat!(include_str!("headers/cuda_fp16.cuh"), include_str!("headers/half.cuh"))
        }
        "cuda_bf16.h" => {
            concat!(include_str!("headers/cuda_bf16.cuh"), include_str!("headers/half.cuh"))
        }
        "cooperative_groups.h" => include_str!("headers/cooperative_groups.cuh"),
        "math_constants.h" => include_str!("headers/math_constants.h"),
        _ if KNOWN.contains(&name) => "",
        _ => return None,
    })
}
