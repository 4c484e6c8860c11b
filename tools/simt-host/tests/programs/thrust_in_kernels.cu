// Thrust inside kernels: each thread sorts, scans and sums its own part.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/swap.h>

__global__ void rows(int* a, int* sums, int* places, int rows, int columns) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int* row = a + r * columns;
    thrust::sort(thrust::seq, row, row + columns);
    if (r % 2) thrust::swap(row[0], row[columns - 1]);
    sums[r] = thrust::reduce(thrust::seq, row, row + columns, 0, thrust::plus<int>());
    if (r % 2) thrust::swap(row[0], row[columns - 1]);
    places[r] = (int)(thrust::lower_bound(thrust::seq, row, row + columns, 50) - row);
    thrust::inclusive_scan(thrust::seq, row, row + columns, row);
}

int main() {
    const int n = 40, m = 9;
    thrust::host_vector<int> h(n * m);
    for (int i = 0; i < n * m; i++) h[i] = i * 37 % 101;
    thrust::device_vector<int> a = h, sums(n), places(n);
    rows<<<2, 32>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(sums.data()), thrust::raw_pointer_cast(places.data()), n, m);
    h = a;
    for (int r = 0; r < n; r += 13) printf("row %d: %d %d .. %d, sum %d, %d below 50\n", r, h[r * m], h[r * m + 1], h[r * m + m - 1], (int)sums[r], (int)places[r]);
}
