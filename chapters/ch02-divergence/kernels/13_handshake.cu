//! Lane 0 of each warp waits in a loop for lane 1 of the same warp. If the 32 lanes shared one program counter, and
//! the warp began with lane 0, it would wait for ever: lane 1, on the other side of the branch, would never be
//! executed. Since Volta each lane has its own program counter, and the hardware guarantees that every lane makes
//! progress.
//!
//! Look at: that it ends, although lane 0 waits.
//@ scratch flag: int[n] = zero
//@ output out: int[n] = poison
//@ launch handshake(flag, out) grid = n, block = 32
//@ needs sm_70
//@ test 1, 2, 33, 100
//@ page 1
//@ measure 2^10
//@ differs fewer global_atomics, global_atomic_sectors: lane 0 tries again and again; on the device its first try succeeds (2026-11-29)

extern "C" __global__ void handshake(int* flag, int* out) {
    int* mine = flag + blockIdx.x;
    if (threadIdx.x == 0) {
        while (atomicAdd(mine, 0) == 0) {
        }
        out[blockIdx.x] = blockIdx.x + 1;
    } else if (threadIdx.x == 1) {
        atomicExch(mine, 1);
    }
}

__host__ __device__ int expected(unsigned int i) { return i + 1; }
