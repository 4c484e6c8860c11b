// Sums of a matrix's rows and columns, by keys that are computed.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

template <typename T> struct row_of {
    T columns;
    __host__ __device__ row_of(T c) : columns(c) {}
    __host__ __device__ T operator()(T i) { return i / columns; }
};
struct transposed {
    int rows, columns;
    __host__ __device__ int operator()(int i) const { return i % rows * columns + i / rows; }
};

int main() {
    const int rows = 5, columns = 8;
    thrust::device_vector<int> a(rows * columns), sums(rows), across(columns);
    thrust::sequence(a.begin(), a.end(), 10, 3);
    thrust::device_vector<int> which(rows);
    thrust::reduce_by_key(thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of<int>(columns)),
                          thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of<int>(columns)) + rows * columns, a.begin(), which.begin(),
                          sums.begin(), thrust::equal_to<int>(), thrust::plus<int>());
    for (int r = 0; r < rows; r++) printf("%d:%d ", (int)which[r], (int)sums[r]);
    auto columnwise = thrust::make_permutation_iterator(a.begin(), thrust::make_transform_iterator(thrust::counting_iterator<int>(0), transposed{rows, columns}));
    auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of<int>(rows));
    thrust::reduce_by_key(keys, keys + rows * columns, columnwise, thrust::make_discard_iterator(), across.begin());
    printf("|");
    for (int c = 0; c < columns; c++) printf(" %d", (int)across[c]);
    printf("\n");
}
