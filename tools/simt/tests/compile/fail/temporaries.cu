struct Held { int n; __device__ ~Held() {} __device__ int get() const { return n; } };
__device__ Held make() { Held held; held.n = 1; return held; }
__global__ void chosen(int* out) {
    out[0] = out[1] ? make().get() : 1;
}
__global__ void perhaps(int* out) {
    if (out[0] > 1 && make().get()) out[1] = 1;
}
