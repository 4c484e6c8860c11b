//! What a check says to do next, and what it compares an attempt with.

use crate::exercise::{check_add, check_add_of, code};

/// One is added by way of a table in shared memory; the starter reads the table at a place that depends
/// on the input, so the number of its conflicts does, too.
const TABLE: &str = "\
//! # Add one
//! Add one to each number, from the table.
//! ## Hint
//! Read your own place.
//! ## Why it works
//! All places hold the same.
//@ exercise improve, 10 minutes
//@ gate shared_load_conflicts = 0
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch add(in, out, n) grid = (n + 31) / 32, block = 32
//@ test 1, 31, 33
//@ page 1024

//@ begin
__global__ void add(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int ones[1024];
    for (int k = threadIdx.x; k < 1024; k += 32) ones[k] = 1;
    __syncthreads();
    if (i < n) out[i] = in[i] + ones[threadIdx.x];
}
//@ starter
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     __shared__ int ones[1024];
//|     for (int k = threadIdx.x; k < 1024; k += 32) ones[k] = 1;
//|     __syncthreads();
//|     if (i < n) out[i] = in[i] + ones[in[i] % 32 * 32];
//| }
//@ wrong result: one is missing
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     if (i < n) out[i] = in[i];
//| }
//@ wrong compile: a bracket is missing
//| __global__ void add(const int* in, int* out, int n) {
//@ wrong bounds: nothing is compared with n
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     out[i] = in[i] + 1;
//| }
//@ end
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
";

#[test]
fn the_starter_is_counted_with_the_inputs_of_the_attempt() {
    let starter = "__shared__ int ones[1024];
        for (int k = threadIdx.x; k < 1024; k += 32) ones[k] = 1;
        __syncthreads();
        if (i < n) out[i] = in[i] + ones[in[i] % 32 * 32];";
    let checked = check_add_of(TABLE, "", starter);
    assert_eq!(code(&checked), "gate shared_load_conflicts", "{checked:#?}");
    let row = &checked.gates[0];
    assert!(row.yours > 0 && row.naive == Some(row.yours), "{row:?}");
}

#[test]
fn the_next_step_fits_the_finding_and_not_only_its_class() {
    for (body, message, next) in [
        ("out[i] = in[i] + 1;", "is out of bounds", "Compare the index with the length"),
        (
            "if (i < n) out[i] = in[i] + 1; if (n > 4 && i == 0) *(long long*)(out + 1) = 0;",
            "is not a multiple of 8",
            "Find at which byte that access begins, and make it a multiple of the access's size, or \
             use a narrower access.",
        ),
        (
            "int* none = nullptr; if (i < n) out[i] = in[i] + 1; if (i == 0) out[0] = *none;",
            "a null pointer",
            "Find where that pointer was set: it must lead into an array.",
        ),
        (
            "int one; if (n > 64) one = 1; if (i < n) out[i] = in[i] + one;",
            "`one`",
            "Find the way through the kernel that assigns nothing to that variable.",
        ),
    ] {
        let failure = check_add("", body).failure.expect("the attempt is wrong");
        assert!(failure.message.contains(message), "{failure:#?}");
        assert!(failure.next.starts_with(next), "{failure:#?}");
    }
}
