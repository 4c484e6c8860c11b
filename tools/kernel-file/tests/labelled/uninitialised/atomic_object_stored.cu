//@ scratch flags: int[n] = poison
//@ launch atomic_object_stored(flags) grid = 1, block = n
//@ page 64

#include <cuda/atomic>
__global__ void atomic_object_stored(int* flags) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[threadIdx.x]);
    flag.store(1);
    flag.fetch_add(1);
}
