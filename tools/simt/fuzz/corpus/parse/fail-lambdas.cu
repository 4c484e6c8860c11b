__device__ int& choose(int* a, int* b, bool c) { if (c) return *a; return *b; }
__device__ int& gone(int x) { return x + 1; }
template <> __device__ int nothing<int>(int x) { return x; }
constexpr int forever(int n) { while (n > 0) {} return n; }
__global__ void lambdas(int* out) {
 int k = 1;
 auto f = [](int x) { return x + k; };
 auto g = [missing](int x) { return x; };
 auto h = [k](int x) { k = 2; return x; };
 out[0] = f(1) + h(1);
 int a[forever(3)];
}
