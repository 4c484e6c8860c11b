// Small things that programs elsewhere use: atomics of the host, formats of a fixed width,
// arguments that are handed on, and the toolkit's smaller headers.
#include <driver_types.h>
#include <math_functions.h>
#include <sm_20_atomic_functions.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <utility>

__global__ void fill(double* to, int value) { to[threadIdx.x] = value + threadIdx.x; }

template <typename... A> void launch(A&&... args) { fill<<<1, 4>>>(std::forward<A>(args)...); }

int main() {
    std::atomic<int> count{0};
    count++;
    count.fetch_add(3);
    count += 2;
    --count;
    int expected = 4;
    bool first = count.compare_exchange_strong(expected, 9);
    bool second = count.compare_exchange_strong(expected, 9);
    printf("%d %d %d %d\n", first, second, expected, count.load());

    printf("%" PRIu64 " %" PRId32 " %" PRIx64 "\n", (uint64_t)3, (int32_t)-4, (uint64_t)255);

    double* to;
    if (cudaMallocManaged(&to, 4 * sizeof(double)) != cudaSuccess) return 1;
    launch(to, 3);
    cudaDeviceSynchronize();
    printf("%g %g\n", to[0], to[3]);
    cudaFree(to);
    printf("passed\n");
    return 0;
}
