3526
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
namespace shapes {
constexpr int tiles(int n, int size) { return (n + size - 1) / size; }
template <typename T> struct Grid { T v[tiles(10, 4)]; __device__ T& at(int i) { return v[i]; } };
template <> struct Grid<int> { int one; __device__ int& at(int) { return one; } };
}
template <typename F> __device__ void each(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
__global__ void language(int* out, float* f, int n) {
 auto tile = cg::tiled_partition<8>(cg::this_thread_block());
 out[0] = tile.shfl_down(n, 1);
 shapes::Grid<int> g;
 g.at(0) = n;
 out[1] = g.at(1);
 each(n, [=](int i) { out[i] = g.one * i; });
 f[0] = (float)clock64();
}
