//@ input in: char[n] = iota
//@ scratch out: char[n] = poison
//@ launch bytes_at_any_address(in, out) grid = 1, block = n
//@ page 63

__global__ void bytes_at_any_address(const char* in, char* out) {
    out[threadIdx.x] = in[(threadIdx.x * 5 + 3) % blockDim.x];
}
