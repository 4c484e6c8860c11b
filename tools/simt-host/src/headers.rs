//! The headers of host code: the C and C++ standard libraries, the CUDA runtime, and the helpers of
//! CUDA's samples.
//!
//! Each is written anew from the documented interface, on top of the functions `__host_*`
//! ([`crate::library`]). It is parsed for each program that includes it, so each file is one short
//! header. A header that is not here is refused by name.

use simt::embedded;

macro_rules! headers {
    ($list:ident: $($name:literal)*) => {
        const $list: &[(&str, &str)] = &[$(($name, embedded!(include_str!(concat!("headers/", $name))))),*];
    };
}

headers! { HEADERS:
    "__below" "__function" "__ranges" "__string" "__table" "__tree" "algorithm" "array" "chrono"
    "ctype.h" "cuda_profiler_api.h" "exception" "functional"
    "initializer_list" "iomanip" "ios" "iosfwd" "iostream" "iterator" "limits" "map" "memory" "new" "numeric"
    "ostream" "random" "ratio" "set" "sstream" "stdarg.h" "stdbool.h" "stdexcept" "stdio.h" "stdlib.h"
    "string" "string.h" "time.h" "tuple" "type_traits" "unordered_map"
    "utility" "vector"
}

// The module of a page is downloaded: it does without these, which the book does not use and short programs
// seldom do, and refuses them by name.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
headers! { SELDOM:
    "__error_text" "errno.h" "atomic" "bitset" "__driver_device" "__driver_graphs" "__driver_linker" "__driver_memory" "__driver_modules" "__driver_pools" "__driver_types"
    "complex" "condition_variable" "cuComplex.h" "cuda.h" "deque" "exception.h" "fstream" "future"
    "getopt.h" "helper_cuda.h" "helper_functions.h" "helper_image.h" "helper_math.h" "helper_string.h" "helper_timer.h" "inttypes.h" "list" "multithreading.h"
    "mutex" "nvtx3/nvToolsExt.h" "omp.h" "optional" "pthread.h" "queue" "stack" "string_view" "sys/mman.h" "sys/stat.h" "sys/time.h" "sys/types.h" "sys/utsname.h" "thread"
    "unistd.h" "unordered_set"
}
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
const SELDOM: &[(&str, &str)] = &[
    ("__error_text", embedded!(include_str!("headers/__error_text_of_page"))),
    ("errno.h", embedded!(include_str!("headers/errno_of_page.h"))),
];

// Thrust and CUB are large, and a page has no folders: WebAssembly does without these.
#[cfg(not(target_arch = "wasm32"))]
headers! { OF_LIBRARIES:
    "__algorithms" "__distributions" "__uninitialized" "any" "arpa/inet.h" "barrier" "bits/stdc++.h" "charconv" "compare" "concepts" "dirent.h" "err.h" "execinfo.h" "experimental/optional" "fcntl.h" "filesystem" "format" "forward_list"
    "latch" "locale" "numbers" "print" "ranges" "regex" "semaphore" "shared_mutex" "signal.h" "source_location" "span" "linux/limits.h" "sys/resource.h" "sys/sysinfo.h" "sys/syscall.h" "sys/times.h" "sys/wait.h" "system_error"
    "typeindex" "typeinfo" "values.h" "variant"
    "thrust/__algorithms" "thrust/__by_key" "thrust/__functional" "thrust/__iterators" "thrust/__memory" "thrust/__names"
    "thrust/__random" "thrust/__tuple" "thrust/__zip" "thrust/__search" "thrust/__more" "thrust/__in_kernels" "thrust/__complex" "thrust/__error"
    "cub/__block_data" "cub/__block_order" "cub/__collectives" "cub/__device_more" "cub/__device_wide" "cub/__traits" "cub/cub.cuh"
    "nvml.h" "nvrtc.h" "__cublas_base" "__cublas_level1" "__cublas_level2" "__cublas_level3" "__cublas_product" "cublas.h" "cublas_v2.h" "cufft.h" "curand.h" "__cusolver_eigen" "cusolverDn.h"
    "cusparse.h" "library_types.h"
}
#[cfg(target_arch = "wasm32")]
headers! { OF_LIBRARIES: }

/// What nvcc includes by itself and few programs use: read where a program has one of these words. It,
/// too, is not in the page's module.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const WHERE_NAMED: &[(&[&str], &str)] = &[
    (
        &[
            "cudaArray",
            "cudaTexture",
            "cudaSurface",
            "cudaResource",
            "cudaChannelFormat",
            "ChannelDesc",
        ],
        concat!(
            include_str!("headers/textures/types"),
            include_str!("headers/textures/fetch"),
            include_str!("headers/textures/surfaces"),
            include_str!("headers/textures/arrays"),
            include_str!("headers/textures/objects")
        ),
    ),
    (
        &[
            "cudaStreamGet",
            "cudaOccupancyAvailable",
            "cudaHostGetFlags",
            "cudaDeviceGetByPCIBusId",
            "cudaSetValidDevices",
        ],
        include_str!("headers/runtime/queries"),
    ),
    GRAPH_MEMORY,
    VOLUMES_AND_BUSES,
    // The <cmath> that it includes has the short algorithms of libstdc++ and <limits> in it.
    (
        &[
            "std::min<",
            "std::max<",
            "std::fill",
            "std::copy",
            "std::swap_ranges",
            "std::equal",
            "std::lower_bound",
            "std::lexicographical_compare",
            "std::mismatch",
        ],
        "#include <algorithm>\n",
    ),
    (
        &[
            "fpclassify",
            "isnormal",
            "isgreater",
            "isless",
            "isunordered",
            "hypot(",
            "std::lerp",
            "FP_NORMAL",
        ],
        include_str!("headers/__floating"),
    ),
    (&["std::numeric_limits"], "#include <limits>\n"),
    // As in the <limits.h> of glibc.
    (&["limits.h>", "<climits>"], "#include <linux/limits.h>\n"),
];
#[cfg(all(target_arch = "wasm32", not(target_os = "unknown")))]
pub(super) const WHERE_NAMED: &[(&[&str], &str)] = &[GRAPH_MEMORY, VOLUMES_AND_BUSES];
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub(super) const WHERE_NAMED: &[(&[&str], &str)] = &[];

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
const GRAPH_MEMORY: (&[&str], &str) = (
    &["cudaGraphAddMem", "GraphMem", "cudaMemAllocNodeParams"],
    include_str!("headers/runtime/graph_memory"),
);
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
const VOLUMES_AND_BUSES: (&[&str], &str) = (
    &["cudaMemset3D", "cudaDeviceGetPCIBusId", "nvml.h", "cuda.h"],
    include_str!("headers/runtime/volumes_and_buses"),
);

/// Aliases: another name, and the header that it means.
const ALSO: &[(&str, &str)] = &[
    ("cstdio", "stdio.h"),
    ("cudaTypedefs.h", "cuda.h"),
    ("cstdlib", "stdlib.h"),
    ("cstring", "string.h"),
    ("ctime", "time.h"),
    ("cctype", "ctype.h"),
    ("cerrno", "errno.h"),
    ("cinttypes", "inttypes.h"),
    ("cstdarg", "stdarg.h"),
    ("cstdbool", "stdbool.h"),
    ("ccomplex", "complex"),
    ("complex.h", "complex"),
    ("istream", "ostream"),
    ("malloc.h", "stdio.h"),
    ("bits/getopt_core.h", "getopt.h"),
    ("bits/getopt_ext.h", "getopt.h"),
    ("memory.h", "string.h"),
    ("strings.h", "string.h"),
    ("nvToolsExt.h", "nvtx3/nvToolsExt.h"),
    ("alloca.h", "stdlib.h"),
    ("clocale", "locale"),
    ("cusparse_v2.h", "cusparse.h"),
    ("cusolver_common.h", "cusolverDn.h"),
    ("locale.h", "locale"),
    ("csignal", "signal.h"),
    ("endian.h", "arpa/inet.h"),
    ("byteswap.h", "arpa/inet.h"),
    ("netinet/in.h", "arpa/inet.h"),
    ("syscall.h", "sys/syscall.h"),
    #[cfg(not(target_arch = "wasm32"))]
    ("cublas_api.h", "cublas_v2.h"),
];

/// Headers of a library that has few: all names of `thrust` mean one, and so do those of `cub`.
const LIBRARIES: [(&str, &str, &[&str]); 2] = [
    (
        "thrust/",
        "thrust/__names",
        &[
            "adjacent_difference.h",
            "advance.h",
            "binary_search.h",
            "complex.h",
            "copy.h",
            "count.h",
            "device_free.h",
            "device_malloc.h",
            "device_ptr.h",
            "device_reference.h",
            "detail/config.h",
            "detail/raw_reference_cast.h",
            "detail/static_assert.h",
            "device_vector.h",
            "distance.h",
            "equal.h",
            "execution_policy.h",
            "extrema.h",
            "fill.h",
            "find.h",
            "for_each.h",
            "functional.h",
            "gather.h",
            "generate.h",
            "host_vector.h",
            "inner_product.h",
            "iterator/constant_iterator.h",
            "iterator/counting_iterator.h",
            "iterator/discard_iterator.h",
            "iterator/iterator_traits.h",
            "iterator/permutation_iterator.h",
            "iterator/reverse_iterator.h",
            "iterator/transform_iterator.h",
            "iterator/transform_output_iterator.h",
            "iterator/zip_iterator.h",
            "logical.h",
            "memory.h",
            "merge.h",
            "mismatch.h",
            "pair.h",
            "partition.h",
            "random.h",
            "random/linear_congruential_engine.h",
            "random/uniform_int_distribution.h",
            "random/uniform_real_distribution.h",
            "reduce.h",
            "remove.h",
            "replace.h",
            "reverse.h",
            "scan.h",
            "scatter.h",
            "sequence.h",
            "set_operations.h",
            "sort.h",
            "swap.h",
            "system_error.h",
            "system/cuda/error.h",
            "system/system_error.h",
            "system/cuda/execution_policy.h",
            "tabulate.h",
            "transform.h",
            "transform_reduce.h",
            "transform_scan.h",
            "tuple.h",
            "uninitialized_copy.h",
            "uninitialized_fill.h",
            "unique.h",
            "universal_vector.h",
            "version.h",
            "zip_function.h",
        ],
    ),
    (
        "cub/",
        "cub/cub.cuh",
        &[
            "block/block_adjacent_difference.cuh",
            "block/block_discontinuity.cuh",
            "block/block_exchange.cuh",
            "block/block_histogram.cuh",
            "block/block_load.cuh",
            "block/block_merge_sort.cuh",
            "block/block_radix_sort.cuh",
            "block/block_reduce.cuh",
            "block/block_scan.cuh",
            "block/block_shuffle.cuh",
            "block/block_store.cuh",
            "device/device_adjacent_difference.cuh",
            "device/device_for.cuh",
            "device/device_histogram.cuh",
            "device/device_merge_sort.cuh",
            "device/device_partition.cuh",
            "device/device_radix_sort.cuh",
            "device/device_reduce.cuh",
            "device/device_run_length_encode.cuh",
            "device/device_scan.cuh",
            "device/device_segmented_radix_sort.cuh",
            "device/device_segmented_reduce.cuh",
            "device/device_segmented_sort.cuh",
            "device/device_select.cuh",
            "warp/warp_exchange.cuh",
            "warp/warp_load.cuh",
            "warp/warp_merge_sort.cuh",
            "warp/warp_reduce.cuh",
            "warp/warp_scan.cuh",
            "warp/warp_store.cuh",
            "util_allocator.cuh",
            "util_debug.cuh",
            "util_type.cuh",
        ],
    ),
];

/// The header of a library that a name means.
fn of_library(name: &str) -> Option<&'static str> {
    LIBRARIES.iter().find_map(|(folder, all, names)| {
        let own = name.strip_prefix(folder)?;
        names.contains(&own).then_some(*all)
    })
}

/// Empty headers, which programs include and seldom use: a use of what they declare is refused. Some have a
/// text except in WebAssembly.
const NAMED: [&str; 37] = [
    "bit",
    "cfenv",
    "channel_descriptor.h",
    "common_functions.h",
    "concepts",
    "crt/host_config.h",
    "crt/host_defines.h",
    "driver_functions.h",
    "emmintrin.h",
    "execution",
    "fcntl.h",
    "fenv.h",
    "forward_list",
    "host_config.h",
    "immintrin.h",
    "iso646.h",
    "locale",
    "math_functions.hpp",
    "regex",
    "signal.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "span",
    "stdalign.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "sys/resource.h",
    "sys/sysinfo.h",
    "sys/wait.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "valarray",
    "vector_functions.hpp",
    "version",
    "xmmintrin.h",
];

/// The text of a header; `None` if there is no such header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let name = ALSO.iter().find(|(also, _)| *also == name).map_or(name, |(_, name)| name);
    let name = of_library(name).unwrap_or(name);
    let mut all = HEADERS.iter().chain(SELDOM).chain(OF_LIBRARIES);
    let text = all.find(|(known, _)| *known == name).map(|(_, text)| *text);
    text.or_else(|| NAMED.contains(&name).then_some(""))
}

/// The names of the headers that a program may include besides those of a kernel file
/// ([`simt::headers`]).
pub fn headers() -> Vec<String> {
    let own = HEADERS
        .iter()
        .chain(SELDOM)
        .chain(OF_LIBRARIES)
        .chain(ALSO)
        .map(|(name, _)| (*name).to_owned());
    let own = own.filter(|name| !name.contains("__"));
    let of_libraries = LIBRARIES
        .iter()
        .flat_map(|(folder, _, names)| names.iter().map(move |name| format!("{folder}{name}")));
    own.chain(of_libraries).collect()
}
