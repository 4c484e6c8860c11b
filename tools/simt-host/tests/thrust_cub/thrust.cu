// Programs with Thrust. Each compares with a loop of its own, and returns how often it was wrong.

//# vectors_are_copied_both_ways
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
int main() {
    thrust::host_vector<int> h(100, 7);
    for (int i = 0; i < 100; i++) h[i] += i;
    thrust::device_vector<int> d = h;
    d[3] = 1000;
    d.push_back(5);
    d[4] += 10;
    thrust::device_vector<int> e(d);
    e.resize(120, -1);
    thrust::host_vector<int> back = e;
    int wrong = back.size() != 120 || d.size() != 101 || (int)d.back() != 5;
    for (int i = 0; i < 120; i++) {
        int wanted = i == 3 ? 1000 : i == 4 ? 21 : i < 100 ? 7 + i : i == 100 ? 5 : -1;
        wrong += back[i] != wanted;
    }
    return wrong;
}

//# a_kernel_takes_the_raw_pointer
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
__global__ void twice(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
int main() {
    thrust::device_vector<int> d(1000, 3);
    twice<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), 1000);
    twice<<<4, 256>>>(thrust::raw_pointer_cast(&d[0]), 1000);
    thrust::host_vector<int> h = d;
    int wrong = 0;
    for (int v : h) wrong += v != 12;
    return wrong;
}

//# sequence_fill_and_transform
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
struct axpy {
    int a;
    __host__ __device__ int operator()(int x, int y) const { return a * x + y; }
};
int main() {
    const int n = 5000;
    thrust::device_vector<int> x(n), y(n), z(n);
    thrust::sequence(x.begin(), x.end());
    thrust::fill(y.begin(), y.begin() + n / 2, 4);
    thrust::fill(y.begin() + n / 2, y.end(), 6);
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), axpy{3});
    thrust::transform(z.begin(), z.end(), z.begin(), thrust::negate<int>());
    thrust::host_vector<int> h = z;
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += h[i] != -(3 * i + (i < n / 2 ? 4 : 6));
    thrust::sequence(x.begin(), x.end(), 10, 5);
    wrong += (int)x[0] != 10 || (int)x[n - 1] != 10 + 5 * (n - 1);
    return wrong;
}

//# reductions
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
struct odd { __host__ __device__ bool operator()(int a) const { return a & 1; } };
struct square { __host__ __device__ long long operator()(int a) const { return (long long)a * a; } };
int main() {
    int wrong = 0;
    for (int n : {1, 2, 31, 1000, 10007}) {
        thrust::host_vector<int> h(n);
        for (int i = 0; i < n; i++) h[i] = (i * 7919) % 1009 - 500;
        long long sum = 0, squares = 0, dot = 0;
        int most = h[0], least = 0, odds = 0;
        for (int i = 0; i < n; i++) {
            sum += h[i];
            squares += (long long)h[i] * h[i];
            dot += h[i] * h[n - 1 - i];
            if (h[i] > most) most = h[i];
            if (h[i] < h[least]) least = i;
            odds += h[i] & 1;
        }
        thrust::device_vector<int> d = h;
        thrust::device_vector<int> reversed(h.begin(), h.end());
        for (int i = 0; i < n; i++) h[i] = (int)d[n - 1 - i];
        reversed = h;
        wrong += thrust::reduce(d.begin(), d.end()) != (int)sum;
        wrong += thrust::reduce(d.begin(), d.end(), 5LL, thrust::plus<long long>()) != sum + 5;
        wrong += thrust::reduce(d.begin(), d.end(), -1000, thrust::maximum<int>()) != most;
        wrong += thrust::transform_reduce(d.begin(), d.end(), square(), 0LL, thrust::plus<long long>()) != squares;
        wrong += thrust::inner_product(d.begin(), d.end(), reversed.begin(), 0LL) != dot;
        wrong += thrust::min_element(d.begin(), d.end()) - d.begin() != least;
        wrong += thrust::count_if(d.begin(), d.end(), odd()) != odds;
    }
    return wrong;
}

//# scans
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
int main() {
    int wrong = 0;
    for (int n : {1, 33, 4096, 4097, 9001}) {
        thrust::host_vector<int> h(n);
        for (int i = 0; i < n; i++) h[i] = i % 13 - 4;
        thrust::device_vector<int> d = h, sums(n), before(n), most(n);
        thrust::inclusive_scan(d.begin(), d.end(), sums.begin());
        thrust::exclusive_scan(d.begin(), d.end(), before.begin(), 100);
        thrust::inclusive_scan(d.begin(), d.end(), most.begin(), thrust::maximum<int>());
        thrust::exclusive_scan(d.begin(), d.end(), d.begin());
        thrust::host_vector<int> a = sums, b = before, c = most, e = d;
        int sum = 0, max = h[0];
        for (int i = 0; i < n; i++) {
            wrong += b[i] != 100 + sum || e[i] != sum;
            sum += h[i];
            if (h[i] > max) max = h[i];
            wrong += a[i] != sum || c[i] != max;
        }
    }
    return wrong;
}

//# sorts
#include <algorithm>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
int main() {
    int wrong = 0;
    for (int n : {1, 2, 33, 1000, 3001}) {
        thrust::host_vector<int> keys(n), values(n);
        for (int i = 0; i < n; i++) {
            keys[i] = (i * 37) % 101;
            values[i] = i;
        }
        thrust::device_vector<int> k = keys, v = values, down = keys;
        thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
        thrust::sort(down.begin(), down.end(), thrust::greater<int>());
        thrust::host_vector<int> sorted = k, moved = v, falling = down;
        std::sort(keys.begin(), keys.end());
        for (int i = 0; i < n; i++) {
            wrong += sorted[i] != keys[i] || falling[i] != keys[n - 1 - i];
            wrong += (moved[i] * 37) % 101 != sorted[i];
            wrong += i > 0 && sorted[i] == sorted[i - 1] && moved[i] < moved[i - 1];
        }
    }
    return wrong;
}

//# floats_are_sorted
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
int main() {
    thrust::host_vector<float> h(500);
    for (int i = 0; i < 500; i++) h[i] = ((i * 7919) % 503 - 250) / 8.0f;
    thrust::device_vector<float> d = h;
    thrust::sort(d.begin(), d.end());
    h = d;
    int wrong = 0;
    for (int i = 1; i < 500; i++) wrong += h[i] < h[i - 1];
    return wrong;
}

//# unique_and_copy_if
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/remove.h>
#include <thrust/unique.h>
struct small { __host__ __device__ bool operator()(int a) const { return a < 10; } };
int main() {
    const int n = 2000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i / 3 % 25;
    thrust::device_vector<int> d = h, kept(n);
    auto end = thrust::copy_if(d.begin(), d.end(), kept.begin(), small());
    thrust::host_vector<int> few(kept.begin(), end);
    size_t at = 0;
    int wrong = 0;
    for (int v : h) {
        if (v >= 10) continue;
        wrong += at >= few.size() || few[at] != v;
        at++;
    }
    wrong += at != few.size();
    thrust::device_vector<int> e = d;
    e.erase(thrust::unique(e.begin(), e.end()), e.end());
    thrust::host_vector<int> once = e;
    wrong += once.size() != (n + 2) / 3;
    for (size_t i = 0; i < once.size(); i++) wrong += once[i] != h[3 * i];
    d.erase(thrust::remove_if(d.begin(), d.end(), small()), d.end());
    return wrong + (d.size() + few.size() != n);
}

//# iterators_that_compute
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
struct square { __host__ __device__ int operator()(int a) const { return a * a; } };
int main() {
    thrust::counting_iterator<int> first(1);
    auto squares = thrust::make_transform_iterator(first, square());
    int wrong = thrust::reduce(thrust::device, squares, squares + 100, 0) != 338350;
    thrust::device_vector<int> d(100);
    thrust::transform(first, first + 100, thrust::make_constant_iterator(10), d.begin(), thrust::plus<int>());
    for (int i = 0; i < 100; i++) wrong += (int)d[i] != i + 11;
    return wrong;
}

//# gather_scatter_and_for_each
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
int main() {
    const int n = 300;
    thrust::host_vector<int> m(n);
    for (int i = 0; i < n; i++) m[i] = (i * 7) % n;
    thrust::device_vector<int> map = m, in(n), out(n), back(n);
    thrust::sequence(in.begin(), in.end());
    thrust::gather(map.begin(), map.end(), in.begin(), out.begin());
    thrust::scatter(out.begin(), out.end(), map.begin(), back.begin());
    int* raw = thrust::raw_pointer_cast(back.data());
    thrust::counting_iterator<int> first(0);
    thrust::for_each(thrust::device, first, first + n, [=] __device__(int i) { raw[i] += 1; });
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += (int)out[i] != m[i] || (int)back[i] != i + 1;
    return wrong;
}

//# raw_pointers_and_a_stream
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
int main() {
    int* d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&d, 400);
    thrust::device_ptr<int> p(d);
    thrust::fill(p, p + 100, 2);
    p[7] = -5;
    thrust::sort(thrust::cuda::par.on(s), d, d + 100);
    cudaStreamSynchronize(s);
    int wrong = (int)p[0] != -5 || thrust::reduce(thrust::device, d, d + 100) != 193;
    cudaFree(d);
    return wrong;
}

//# on_the_host
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
int main() {
    thrust::host_vector<int> h = {5, 2, 8, 1}, k = {3, 1, 2, 0};
    thrust::sort_by_key(k.begin(), k.end(), h.begin());
    int wrong = h[0] != 1 || h[1] != 2 || h[2] != 8 || h[3] != 5;
    thrust::inclusive_scan(h.begin(), h.end(), h.begin());
    wrong += h[3] != 16;
    thrust::transform(h.begin(), h.end(), h.begin(), thrust::negate<int>());
    return wrong + (thrust::reduce(h.begin(), h.end()) != -31);
}

//# reduce_by_key_sums_runs
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
template <typename A, typename B, typename C, typename D> int check(A keys, B values, C keys_to, D to, int n) {
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), keys_to.begin(), to.begin());
    int wrong = 0, runs = 0;
    for (int i = 0; i < n;) {
        int key = keys[i], sum = 0;
        for (; i < n && (int)keys[i] == key; i++) sum += (int)values[i];
        wrong += (int)keys_to[runs] != key || (int)to[runs] != sum;
        runs++;
    }
    return wrong + (ends.first - keys_to.begin() != runs) + (ends.second - to.begin() != runs);
}
int main() {
    const int n = 500;
    thrust::host_vector<int> k(n), v(n), ko(n), o(n);
    for (int i = 0; i < n; i++) {
        k[i] = (i * i / 7) % 3;
        v[i] = i % 11 - 5;
    }
    thrust::device_vector<int> dk = k, dv = v, dko(n), dout(n);
    int wrong = check(k, v, ko, o, n) + check(dk, dv, dko, dout, n);
    // A histogram: sort, then count each run.
    thrust::sort(dk.begin(), dk.end());
    auto ends = thrust::reduce_by_key(thrust::device, dk.begin(), dk.end(), thrust::make_constant_iterator(1), dko.begin(), dout.begin());
    int counts[3] = {};
    for (int i = 0; i < n; i++) counts[k[i]]++;
    wrong += ends.second - dout.begin() != 3;
    for (int i = 0; i < 3; i++) wrong += (int)dko[i] != i || (int)dout[i] != counts[i];
    // The largest of each run.
    thrust::device_vector<int> keys(std::vector<int>({1, 1, 2, 2, 2, 1})), values(std::vector<int>({3, 9, -4, -2, -7, 5}));
    auto most = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), thrust::make_discard_iterator(), dout.begin(), thrust::equal_to<int>(), thrust::maximum<int>());
    wrong += most.second - dout.begin() != 3 || (int)dout[0] != 9 || (int)dout[1] != -2 || (int)dout[2] != 5;
    return wrong;
}

//# unique_and_scans_by_key
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/unique.h>
int main() {
    const int n = 300;
    thrust::host_vector<int> k(n), v(n);
    for (int i = 0; i < n; i++) {
        k[i] = i / 7;
        v[i] = i % 5 + 1;
    }
    thrust::device_vector<int> dk = k, dv = v, in(n), ex(n);
    thrust::inclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), in.begin());
    thrust::exclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), ex.begin(), 10);
    thrust::host_vector<int> h(n);
    thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), h.begin());
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        if (i % 7 == 0) sum = 0;
        wrong += (int)ex[i] != sum + 10 || h[i] != sum;
        sum += v[i];
        wrong += (int)in[i] != sum;
    }
    auto ends = thrust::unique_by_key(dk.begin(), dk.end(), dv.begin());
    wrong += ends.first - dk.begin() != 43 || ends.second - dv.begin() != 43;
    for (int i = 0; i < 43; i++) wrong += (int)dk[i] != i || (int)dv[i] != v[7 * i];
    return wrong;
}

//# partitions_keep_both_parts
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/partition.h>
struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
template <typename V> int check(V a) {
    const int n = a.size();
    thrust::host_vector<int> before = a;
    auto middle = thrust::stable_partition(a.begin(), a.end(), is_even());
    int at = 0, wrong = 0;
    for (int i = 0; i < n; i++) if (before[i] % 2 == 0) wrong += (int)a[at++] != before[i];
    wrong += middle - a.begin() != at;
    for (int i = 0; i < n; i++) if (before[i] % 2 != 0) wrong += (int)a[at++] != before[i];
    return wrong;
}
int main() {
    const int n = 700;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i * 37 % 101;
    thrust::device_vector<int> d = h, yes(n), no(n), stencil(n), other = h;
    int wrong = check(h) + check(d);
    auto ends = thrust::partition_copy(d.begin(), d.end(), yes.begin(), no.begin(), is_even());
    int even = 0, odd = 0;
    for (int i = 0; i < n; i++) wrong += h[i] % 2 == 0 ? (int)yes[even++] != h[i] : (int)no[odd++] != h[i];
    wrong += ends.first - yes.begin() != even || ends.second - no.begin() != odd;
    for (int i = 0; i < n; i++) stencil[i] = i < 100 ? 1 : 0;
    auto middle = thrust::partition(other.begin(), other.end(), stencil.begin(), is_even());
    wrong += middle - other.begin() != n - 100 || (int)other[0] != h[100] || (int)other[n - 1] != h[99];
    wrong += thrust::partition(d.begin(), d.begin(), is_even()) != d.begin();
    return wrong;
}

//# tuples
#include <thrust/tuple.h>
typedef thrust::tuple<int, int> Two;
int main() {
    int p = 0, wrong = 0;
    double q = 0;
    thrust::tie(p, q) = thrust::make_tuple(4, 2.5);
    const thrust::tuple<int, float, char> t(1, 2.5f, 'c');
    wrong += p != 4 || q != 2.5 || thrust::get<1>(t) != 2.5f || thrust::get<2>(t) != 'c' || thrust::tuple_size<Two>::value != 2;
    wrong += !(thrust::make_tuple(1, 2) < thrust::make_tuple(1, 3)) || thrust::make_tuple(1, 2) == thrust::make_tuple(2, 2);
    Two both(3, 4);
    thrust::get<0>(both) = 9;
    wrong += thrust::get<0>(both) != 9 || thrust::get<1>(both) != 4;
    return wrong;
}

//# random_numbers_of_a_linear_congruential_engine
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform.h>
struct draw {
    __host__ __device__ double operator()(unsigned int n) const {
        thrust::default_random_engine rng(42);
        thrust::uniform_real_distribution<double> u(-1.0, 3.0);
        rng.discard(n);
        return u(rng);
    }
};
int main() {
    int wrong = 0;
    // By definition: x = 48271 x mod (2^31 - 1), from 1.
    thrust::minstd_rand engine;
    unsigned long long x = 1;
    for (int i = 0; i < 1000; i++) {
        x = x * 48271 % 2147483647;
        wrong += engine() != x;
    }
    // The values of the C++ standard: the 10000th of each engine.
    thrust::minstd_rand late;
    thrust::random::minstd_rand0 late0;
    late.discard(9999);
    for (int i = 0; i < 9999; i++) late0();
    wrong += late() != 399268537u || late0() != 1043618065u;
    thrust::default_random_engine zero(0);
    wrong += zero() != 48271u || thrust::minstd_rand::min != 1 || thrust::minstd_rand::max != 2147483646u;
    thrust::device_vector<double> d(500);
    thrust::transform(thrust::counting_iterator<unsigned int>(0), thrust::counting_iterator<unsigned int>(500), d.begin(), draw());
    x = 42;
    for (int i = 0; i < 500; i++) {
        x = x * 48271 % 2147483647;
        wrong += (double)d[i] != fma((double)(x - 1) / 2147483646.0, 4.0, -1.0);
    }
    thrust::uniform_int_distribution<int> die(1, 6);
    x = 7;
    thrust::default_random_engine other(7);
    for (int i = 0; i < 500; i++) {
        x = x * 48271 % 2147483647;
        wrong += die(other) != (int)((double)(x - 1) / 2147483646.0 * 6.0 + 1.0);
    }
    return wrong;
}

//# static_assertions_of_thrust
#include <thrust/detail/static_assert.h>
namespace outer {
namespace detail {
template <typename A, typename B> struct ratio {
    THRUST_STATIC_ASSERT(sizeof(A) % sizeof(B) == 0);
    static const int value = sizeof(A) / sizeof(B);
};
template <typename T> __host__ __device__ T fuse(const T& x) { return x + ratio<T, char>::value; }
}
template <typename T> __host__ __device__ T f(T x) { return detail::fuse<T>(x); }
}
int main() { return outer::f(1) != 5; }

//# iterators_that_compute_run_on_the_device
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct Twice {
    const int* at;
    __host__ __device__ int operator()(int i) const { return 2 * at[i]; }
};

int main() {
    const int n = 1000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i % 7;
    thrust::device_vector<int> d = h;
    int wanted = 0;
    for (int i = 0; i < n; i++) wanted += 2 * h[i];
    const int* raw = thrust::raw_pointer_cast(d.data());
    thrust::counting_iterator<int> first(0);
    auto made = thrust::make_transform_iterator(first, Twice{raw});
    thrust::transform_iterator<Twice, thrust::counting_iterator<int>, int, int> named(first, Twice{raw});
    thrust::transform_iterator<Twice, thrust::counting_iterator<int>, long> wide(first, Twice{raw});
    if (thrust::reduce(made, made + n) != wanted) return 1;
    if (thrust::reduce(named, named + n) != wanted || thrust::reduce(wide, wide + n) != wanted) return 2;
    if (thrust::transform_reduce(first, first + n, Twice{raw}, 0, thrust::plus<int>()) != wanted) return 3;
    // Into the host's memory, an iterator that computes is the host's.
    thrust::host_vector<int> out(n);
    thrust::transform(first, first + n, out.begin(), Twice{h.data()});
    return out[5] == 10 && thrust::count(out.begin(), out.end(), 12) == 142 ? 0 : 4;
}

//# functors whose operator() is not const
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/zip_function.h>
struct Less { __host__ __device__ bool operator()(int a, int b) { return a < b; } };
struct Plus { __host__ __device__ int operator()(int a, int b) { return a + b; } };
struct Square { __host__ __device__ int operator()(int a) { return a * a; } };
int main() {
    thrust::host_vector<int> h(8);
    for (int i = 0; i < 8; i++) h[i] = i * 5 % 8;
    thrust::device_vector<int> v = h, w(16), k(16);
    if (thrust::max_element(v.begin(), v.end(), Less()) - v.begin() != 3) return 1;
    if (thrust::min_element(h.begin(), h.end(), Less()) - h.begin() != 0) return 2;
    auto both = thrust::minmax_element(v.begin(), v.end(), Less());
    if (*both.first != 0 || *both.second != 7) return 3;
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), v.begin()));
    thrust::transform(pairs, pairs + 8, w.begin(), thrust::make_zip_function(Plus()));
    if (w[3] != 14) return 4;
    thrust::copy(v.begin(), v.end(), thrust::make_transform_output_iterator(w.begin(), Square()));
    if (w[3] != 49) return 5;
    thrust::device_vector<int> a(8, 3), b(8, 4);
    thrust::merge_by_key(b.begin(), b.end(), a.begin(), a.end(), v.begin(), v.begin(), k.begin(), w.begin(), Less());
    if (k[7] != 3 || k[8] != 4) return 6;
}

//# predicates of the device alone
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
int main() {
    thrust::device_vector<int> v(8);
    for (int i = 0; i < 8; i++) v[i] = i;
    if (thrust::count_if(v.begin(), v.end(), [] __device__(int i) { return i > 2; }) != 5) return 1;
    if (thrust::all_of(v.begin(), v.end(), [] __device__(int i) { return i > 2; })) return 2;
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(thrust::counting_iterator<int>(1), v.begin()));
    auto odd = [] __device__(thrust::tuple<int, int> t) { return (thrust::get<0>(t) + thrust::get<1>(t)) % 4 == 1; };
    return thrust::count_if(pairs, pairs + 8, odd) != 4;
}
//# pointers to the device are used in kernels, and <memory> is there
#include <thrust/device_vector.h>
#include <vector>
struct A { std::vector<std::unique_ptr<int>> v; };
__global__ void twice(thrust::device_ptr<int> p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] = 2 * p[i];
    if (i == 0) *p += 1;
}
int main() {
    A a;
    thrust::device_vector<int> d(10, 3);
    twice<<<1, 32>>>(d.data(), 10);
    thrust::device_ptr<int> p = d.data();
    int one = p[1];
    p[2] = 9;
    return (int)d[0] == 7 && one == 6 && (int)d[2] == 9 && a.v.empty() ? 0 : 1;
}

//# allocators_and_tags
#include <memory>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>
struct Alloc {
    typedef char value_type;
    char* allocate(std::ptrdiff_t n) {
        char* p;
        cudaMalloc(&p, n);
        return p;
    }
    void deallocate(char* p, size_t) { cudaFree(p); }
};
struct Tag : thrust::device_system_tag {};
int main() {
    Alloc alloc;
    thrust::host_vector<int, std::allocator<int>> h(3, 2);
    thrust::device_vector<int> v = h;
    return thrust::reduce(thrust::cuda::par(alloc), v.begin(), v.end()) != 6;
}
