__device__ const int& choose(const int& a, const int& b, bool c) { if (c) return a; return b; }
__global__ void references(int* out) {
    const int& chosen = choose(out[1], 3, out[2]);
    out[0] = chosen;
}
