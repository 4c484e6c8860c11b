#include <cooperative_groups.h>
namespace a { __device__ int f(int x) { return x; } struct S { static constexpr int k = 2; __device__ int get() { return k; } static_assert(k > 2, "k is too small"); }; }
__global__ void namespaces(int* out) {
 out[0] = f(1);
 out[1] = a::g(2);
 out[2] = a::S::get();
 out[3] = a::S::missing;
 auto t = cooperative_groups::tiled_partition<12>(cooperative_groups::this_thread_block());
}
