//! A pointer before the array, from which only places inside are reached.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch pointer_moved_back(in, out) grid = 1, block = n
//@ page 64

__global__ void pointer_moved_back(const int* in, int* out) {
    const int* from_one = in - 1;
    out[threadIdx.x] = from_one[threadIdx.x + 1];
}
