//! A place is claimed, filled and opened, by compare-and-swap and one flag: no lock, no fence behind.
//@ scratch keys: int[64] = zero
//@ scratch values: int[64] = poison
//@ scratch out: int[n] = poison
//@ launch place_that_is_claimed(keys, values, out) grid = n / 32, block = 32
//@ page 128

__global__ void place_that_is_claimed(int* keys, int* values, int* out) {
    int i = blockIdx.x * 32 + threadIdx.x, at = i % 64;
    int before = atomicCAS(&keys[at], 0, 1);
    if (before == 0) {
        values[at] = at;
        __threadfence();
        atomicExch(&keys[at], 2);
    }
    while (atomicAdd(&keys[at], 0) != 2) {}
    __threadfence();
    out[i] = values[at];
}
