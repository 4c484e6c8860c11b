template <typename T> __device__ T pick(T a, T b) { return a < b ? a : b; }
template <int N> __device__ int fixed(int x) { static_assert(N > 4, "N is too small"); return x * N; }
__device__ int over(int a, float b) { return a; }
__device__ int over(float a, int b) { return b; }
__global__ void templates(int* out, int n) {
 out[0] = pick(1, 2.0f);
 out[1] = fixed<3>(n);
 out[2] = fixed<n>(n);
 out[3] = over(1, 2);
 out[4] = fixed(n);
}
