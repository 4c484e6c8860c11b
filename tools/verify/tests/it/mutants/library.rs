//! What `kernels/` offers to others, as kernel files: a header behind a launch with small constants and the
//! reference.

use verify::{KernelFile, Project};

/// A header of `kernels/include`, and what stands before it.
struct Header {
    name: &'static str,
    /// What tells it from another launch of the same header.
    variant: &'static str,
    launch: &'static str,
    reference: &'static str,
}

/// Layernorm of rows of `n`; a literal, for `concat!`.
macro_rules! layernorm {
    () => {
        "
__host__ __device__ float expected_to(const float* from, const float* gain, const float* bias, unsigned int n, unsigned int i) {
    const float* row = from + i / n * n;
    double mean = 0, squares = 0;
    for (unsigned int k = 0; k < n; k++) mean += row[k] / (double)n;
    for (unsigned int k = 0; k < n; k++) squares += (row[k] - mean) * (row[k] - mean) / n;
    return (float)((row[i % n] - mean) / sqrt(squares + 0.00001) * gain[i % n] + bias[i % n]);
}
"
    };
}

const HEADERS: [Header; 8] = [
    Header {
        name: "reduce.cuh",
        variant: "",
        launch: "\
//@ input data: int[n] = lcg256
//@ output out: int[1] = poison
//@ output scratch: unsigned long long[1] = zero
//@ launch kernels_reduce(data, n, out, scratch) grid = 3, block = 512
//@ test 1, 3, 4, 5, 2047, 6144, 6145, 16383, 16384, 16388, 49152, 65540, 100003
//@ page 65540
#define T int
#define OP ADD
#define IDENTITY 0
#define MEET PACKED
#define THREADS 512
#define UNROLL 8
",
        reference: "
__host__ __device__ int expected_out(const int* data, unsigned int n, unsigned int i) {
    int sum = i;
    for (unsigned int k = 0; k < n; k++) sum += data[k];
    return sum;
}
__host__ __device__ unsigned long long expected_scratch(unsigned int i) { return i; }
",
    },
    Header {
        name: "matmul_f32.cuh",
        variant: "",
        launch: "\
//@ let blocks = (n + 31) / 32 * ((n + 63) / 64)
//@ input a: float[n * n] = frac
//@ input b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch kernels_matmul_f32(a, b, c, n, n, n, n, n, n) grid = blocks, block = 64, shared = 9600
//@ test 28, 64
//@ page 64
//@ tolerance abs 1e-3 rel 1e-4
//@ equivalent without `asm volatile(\"cp.async.wait_all;\" ::: \"memory\")` in `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");`: the last copies bring zeros from behind k, which nobody reads
//@ equivalent `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");` before `for (u32 step = 0; step < steps; step++) { u32 filled = free...` in `for (u32 step = 0; step < steps; step++) {`: the last copies bring zeros from behind k, which nobody reads
//@ equivalent `#pragma unroll for (u32 i = 0; i < TM; i++) { u32 r = top + ...` before `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");` in `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");`: the last copies bring zeros from behind k, which nobody reads
#define BM 32
#define BN 64
#define BK 8
#define STAGES 3
#define WM 32
#define WN 32
#define TM 4
#define TN 8
#define LY 8
#define LX 4
#define VECTOR 4
#define BAND 4
#define BLOCKS 1
",
        reference: "
__host__ __device__ float expected(const float* a, const float* b, unsigned int n, unsigned int i) {
    double sum = 0;
    for (unsigned int k = 0; k < n; k++) sum += (double)a[i / n * n + k] * b[k * n + i % n];
    return (float)sum;
}
",
    },
    Header {
        name: "matmul_ampere.cuh",
        variant: "",
        launch: "\
//@ let blocks = (n + 63) / 64 * ((n + 63) / 64)
//@ input a: half[n * n] = frac
//@ input b: half[n * n] = frac2
//@ output c: half[n * n] = poison
//@ launch kernels_matmul_16_sync(a, b, c, n, n, n, n, n, n) grid = blocks, block = 128, shared = 24576
//@ test 40, 128
//@ page 128
//@ tolerance abs 1e-2 rel 1e-2
//@ equivalent without `asm volatile(\"cp.async.wait_all;\" ::: \"memory\")` in `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");`: the last copies bring zeros from behind k, which nobody reads
//@ equivalent `asm volatile(\"cp.async.wait_all;\" ::: \"memory\");` before `for (u32 step = 0; step < steps; step++) { #pragma unroll fo...` in `for (u32 step = 0; step < steps; step++) {`: the last copies bring zeros from behind k, which nobody reads
#include <cuda_fp16.h>
#define TYPE \"f16\"
#define BM 64
#define BN 64
#define BK 32
#define STAGES 3
#define WM 32
#define WN 32
#define BAND 4
",
        reference: "
__host__ __device__ __half expected(const __half* a, const __half* b, unsigned int n, unsigned int i) {
    float sum = 0;
    for (unsigned int k = 0; k < n; k++) sum += __half2float(a[i / n * n + k]) * __half2float(b[k * n + i % n]);
    return __float2half(sum);
}
",
    },
    Header {
        name: "rows.cuh",
        variant: " (softmax)",
        launch: "\
//@ input from: float[3 * n] = frac
//@ output to: float[3 * n] = poison
//@ launch kernels_rows(from, to, 3, n, n, n) grid = 3, block = 64, shared = 2048
//@ test 100, 768
//@ page 768
//@ tolerance abs 1e-4 rel 1e-3
//@ equivalent `#pragma unroll for (u32 k = 0; k < VECTORS; k++) if (first +...` before `if (KEPT > 0) commit_copies();` in `if (KEPT > 0)`: what is read in between goes to registers, and is in no group
#define WHAT SOFTMAX
#define LANES 4
#define THREADS 64
#define ROWS 1
#define VECTORS 1
#define KEPT 2
#define AHEAD 0
#define BLOCKS 0
",
        reference: "
__host__ __device__ float expected(const float* from, unsigned int n, unsigned int i) {
    const float* row = from + i / n * n;
    double sum = 0;
    for (unsigned int k = 0; k < n; k++) sum += exp((double)row[k] - row[i % n]);
    return (float)(1 / sum);
}
",
    },
    Header {
        name: "rows.cuh",
        variant: " (layernorm)",
        launch: "\
//@ input from: float[3 * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output to: float[3 * n] = poison
//@ launch kernels_rows(from, to, 3, n, n, n, gain, bias, 0.00001) grid = 3, block = 64, shared = 5120
//@ test 100, 768
//@ page 768
//@ tolerance abs 1e-4 rel 1e-3
//@ equivalent `#pragma unroll for (u32 k = 0; k < VECTORS; k++) if (first +...` before `if (KEPT > 0) commit_copies();` in `if (KEPT > 0)`: what is read in between goes to registers, and is in no group
#define WHAT LAYERNORM
#define LANES 4
#define THREADS 64
#define ROWS 1
#define VECTORS 2
#define KEPT 1
#define AHEAD 2
#define BLOCKS 0
",
        reference: layernorm!(),
    },
    Header {
        name: "matmul_hopper.cuh",
        variant: " (clusters of 2)",
        launch: "\
//@ let k = 128 * n
//@ input a: bfloat16[128 * k] = frac
//@ input b: bfloat16[k * 256] = frac2
//@ output c: bfloat16[128 * 256] = poison
//@ map am: a (k, 128) box (64, 64) swizzle 128
//@ map bm: b (256, k) box (64, 64) swizzle 128
//@ map cm: c (256, 128) box (64, 64) swizzle 128
//@ launch kernels_matmul_16(am, bm, cm, c, 256, 128, 256, k) grid = 2, block = 256, shared = 2 * (24576 + 16) + 8192
//@ test 2
//@ page 2
//@ tolerance abs 1e-2 rel 1e-2
//@ equivalent `copy_box(a, &full[stage], a_tiles + stage * A_BYTES, step * ...` before `expect(&full[stage], A_BYTES + B_BYTES);` in `expect(&full[stage], A_BYTES + B_BYTES);`: the bytes may be there before they are announced: the phase waits for the arrival that announces them
//@ equivalent `multiply_begin();` before `wait(&full[stage], phase);` in `wait(&full[stage], phase);`: the fence is for registers, and the wait touches none
//@ equivalent `group_sync(group);` before `asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");` in `asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");`: behind the barrier the fence of the thread that stores is for the writes of all
#include <cuda_bf16.h>
#define TYPE \"bf16\"
#define BM 64
#define BN 128
#define STAGES 2
#define CLUSTER 2
#define CHUNKS 1
#define TMA_STORE 1
#define BAND 8
",
        reference: HOPPER_PRODUCT,
    },
    Header {
        name: "matmul_hopper.cuh",
        variant: " (clusters of 1)",
        launch: "\
//@ let k = 128 * n
//@ input a: bfloat16[128 * k] = frac
//@ input b: bfloat16[k * 256] = frac2
//@ output c: bfloat16[128 * 256] = poison
//@ map am: a (k, 128) box (64, 64) swizzle 128
//@ map bm: b (256, k) box (64, 64) swizzle 128
//@ launch kernels_matmul_16(am, bm, am, c, 256, 128, 256, k) grid = 2, block = 256, shared = 2 * (24576 + 16)
//@ test 2
//@ page 2
//@ tolerance abs 1e-2 rel 1e-2
//@ equivalent `copy_box(a, &full[stage], a_tiles + stage * A_BYTES, step * ...` before `expect(&full[stage], A_BYTES + B_BYTES);` in `expect(&full[stage], A_BYTES + B_BYTES);`: the bytes may be there before they are announced: the phase waits for the arrival that announces them
//@ equivalent `multiply_begin();` before `wait(&full[stage], phase);` in `wait(&full[stage], phase);`: the fence is for registers, and the wait touches none
//@ equivalent without `cluster_sync()` in `cluster_sync();  // no block exits while others may still arrive at its barriers`: a cluster of one block: nobody else arrives at its barriers
#include <cuda_bf16.h>
#define TYPE \"bf16\"
#define BM 64
#define BN 128
#define STAGES 2
#define CLUSTER 1
#define CHUNKS 1
#define TMA_STORE 0
#define BAND 8
",
        reference: HOPPER_PRODUCT,
    },
    Header {
        name: "layernorm_cluster.cuh",
        variant: "",
        launch: "\
//@ input from: float[9 * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output to: float[9 * n] = poison
//@ output claims: unsigned int[2] = zero
//@ launch kernels_layernorm_cluster(from, to, 9, n, n, n, gain, bias, 0.00001, claims) grid = 2, block = 128, shared = 12288
//@ test 600
//@ page 600
//@ tolerance abs 1e-4 rel 1e-3
//@ equivalent `if (bytes > 0) copy_bytes(&full[group][stage][k], stages + s...` before `expect(&full[group][stage][k], bytes);` in `expect(&full[group][stage][k], bytes);`: the bytes may be there before they are announced: the phase waits for the arrival that announces them
//@ equivalent `if (thread == 0) expect(&met[group][now], CLUSTER * 16);` before `__syncwarp();` in `__syncwarp();  // a shuffle orders no memory: all have read when thread 0 arrives`: the asynchronous stores behind the barrier tell the others the same
//@ equivalent `#pragma unroll for (u32 u = 0; u + 1 < STAGES; u++) next[u] ...` before `wait(&met[group][now], turn / 2 % 2);` in `wait(&met[group][now], turn / 2 % 2);`: `next` is in registers
#define CLUSTER 2
#define THREADS 64
#define VECTORS 2
#define GROUPS 2
#define STAGES 2
",
        reference: concat!(
            layernorm!(),
            "__host__ __device__ unsigned int expected_claims(unsigned int i) { return 0; }\n"
        ),
    },
];

const HOPPER_PRODUCT: &str = "
__host__ __device__ __nv_bfloat16 expected(const __nv_bfloat16* a, const __nv_bfloat16* b, unsigned int k, unsigned int i) {
    float sum = 0;
    for (unsigned int l = 0; l < k; l++) sum += __bfloat162float(a[i / 256 * k + l]) * __bfloat162float(b[l * 256 + i % 256]);
    return __float2bfloat16(sum);
}
";

fn file(header: &Header, project: &Project) -> KernelFile {
    let relative = format!("kernels/include/{}", header.name);
    let text = std::fs::read_to_string(project.root.join(&relative)).expect("the header");
    let text = format!("{}{}{text}", header.launch, header.reference);
    KernelFile::parse(&(relative + header.variant), text).expect("it is understood")
}

/// The one without asynchronous copies.
pub(super) fn reduction(project: &Project) -> KernelFile {
    file(&HEADERS[0], project)
}

/// Those with asynchronous copies.
pub(super) fn asynchronous(project: &Project) -> impl Iterator<Item = KernelFile> {
    HEADERS[1..].iter().map(|header| file(header, project))
}
