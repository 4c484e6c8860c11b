//! Loads and stores in inline PTX are accesses like any other.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch asm_store_without_barrier(in, out) grid = 1, block = n
//@ test 64
//@ page 64
//@ catch race

#include "twins.cuh"
__global__ void asm_store_without_barrier(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x, x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    unsigned from = (unsigned)__cvta_generic_to_shared(&s[63 - t]);
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(in[t]) : "memory"); //~ race
    FIX(asm volatile("bar.sync 0;" ::: "memory");)
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x) : "r"(from) : "memory"); //~ race
    out[t] = x;
}
