#include <cstdio>
#include <cuda/std/functional>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/limits>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/cmath>
#include <cuda/std/span>
#include <cuda/std/optional>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/functional>
#include <cuda/std/algorithm>
#include <cuda/std/numeric>
#include <cuda/std/bit>
#include <cuda/cmath>
template <typename T> __host__ __device__ cuda::std::enable_if_t<cuda::std::is_integral_v<T>, T> twice(T x) { return x * 2; }
__host__ __device__ cuda::std::optional<int> half_of(int x) { if (x % 2) return cuda::std::nullopt; return x / 2; }
__host__ __device__ cuda::std::tuple<int, float> both(int x) { return cuda::std::make_tuple(x, x + 0.5f); }
__host__ __device__ float all(float* in, int n) {
    float r = 0;
    cuda::std::array<float, 4> a{1, 2, 3, 4}; for (auto x : a) r += x; r += a.size() + a[2] + a.front() + a.back();
    cuda::std::pair<int, float> p(1, 2.5f); p = cuda::std::make_pair(3, 4.5f); r += p.first + p.second;
    auto t = both(3); r += cuda::std::get<0>(t) + cuda::std::get<1>(t); auto [x, y] = both(5); r += x + y;
    int u; float v; cuda::std::tie(u, v) = both(7); r += u + v;
    r += cuda::std::numeric_limits<int>::max() == 0x7fffffff; r += cuda::std::numeric_limits<float>::lowest() < 0; r += cuda::std::isinf(cuda::std::numeric_limits<float>::infinity());
    cuda::std::uint32_t w = 7; cuda::std::int64_t z = 8; cuda::std::size_t s = 3; r += w + z + s; r += twice(4);
    r += cuda::std::sqrt(16.f) + cuda::std::abs(-2.f) + cuda::std::max(1, 2) + cuda::std::min(3.f, 1.f) + cuda::std::clamp(9, 1, 5) + cuda::std::pow(2.f, 3.f) + cuda::std::fabs(-1.0);
    cuda::std::span<float> sp(in, n); for (float& q : sp) r += q; r += sp.subspan(1, 2).size() + sp.back();
    cuda::std::span<const float> csp = sp; r += csp[1]; cuda::std::span<float, 4> fs(a); r += fs.size();
    auto o = half_of(6); r += o.has_value() ? *o : -1; r += half_of(5).value_or(40); if (auto h = half_of(8)) r += *h;
    cuda::std::plus<float> pl; r += pl(1, 2) + cuda::std::plus<>{}(3, 4) + cuda::std::multiplies<int>()(3, 4) + cuda::std::less<int>{}(1, 2) + cuda::maximum<>{}(3, 5) + cuda::minimum<int>{}(3, 5);
    int u2 = 4; cuda::std::swap(u, u2); r += cuda::std::exchange(u, 3); r += cuda::std::move(v);
    auto f = cuda::proclaim_return_type<float>([=](int i) { return i * 2; }); r += f(4);
    cuda::std::chrono::milliseconds ms(1500); r += cuda::std::chrono::duration_cast<cuda::std::chrono::seconds>(ms).count();
    int b[5] = {5, 1, 4, 2, 3}; cuda::std::sort(b, b + 5); r += b[0] * 10 + b[4]; r += cuda::std::accumulate(b, b + 5, 0); r += cuda::std::lower_bound(b, b + 5, 4) - b; cuda::std::fill(b, b + 5, 2); r += *cuda::std::max_element(b, b + 5);
    r += cuda::std::popcount(7u) + cuda::std::countl_zero(1u) + cuda::std::bit_cast<unsigned>(1.0f) % 3 + cuda::std::has_single_bit(8u) + cuda::ceil_div(10, 3) + cuda::round_up(10, 4);
    static_assert(cuda::std::is_same_v<cuda::std::decay_t<const int&>, int>); static_assert(cuda::std::is_trivially_copyable<int>::value);
    r += cuda::std::get<1>(p); cuda::std::apply([&](int i, float j) { r += i + j; }, t); r += cuda::std::tuple_size<decltype(t)>::value; r += cuda::std::index_sequence<1, 2>::size();
    return r;
}
__global__ void k(float* in, int n, float* out) { *out = all(in, n); }
template <typename F> __global__ void call(F f, float* o) { *o = f(3); }
int main() {
    float *d, h[4] = {1, 2, 3, 4}; cudaMallocManaged(&d, 64); for (int i = 0; i < 4; ++i) d[i] = h[i];
    k<<<1, 1>>>(d, 4, d + 8); cudaDeviceSynchronize(); printf("%g %g\n", d[8], all(h, 4));
    call<<<1, 1>>>(cuda::proclaim_return_type<float>([] __device__ (int i) { return i * 2.5f; }), d + 8); cudaDeviceSynchronize(); printf("%g\n", d[8]);
}
