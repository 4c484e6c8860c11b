// gather_if, scatter_if, transform_if, replace_copy_if and permutation_iterator.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

struct odd {
    __host__ __device__ bool operator()(int a) const { return a & 1; }
};

void show(const char* name, const thrust::device_vector<int>& v) {
    printf("%s:", name);
    for (size_t i = 0; i < v.size(); i++) printf(" %d", (int)v[i]);
    printf("\n");
}

int main() {
    const int n = 12;
    thrust::device_vector<int> map(n), stencil(n), in(n), out(n, -1);
    for (int i = 0; i < n; i++) {
        map[i] = i * 5 % n;
        stencil[i] = i % 3 == 0;
    }
    thrust::sequence(in.begin(), in.end(), 100);
    thrust::gather_if(map.begin(), map.end(), stencil.begin(), in.begin(), out.begin());
    show("gather_if", out);
    thrust::fill(out.begin(), out.end(), -1);
    thrust::scatter_if(in.begin(), in.end(), map.begin(), stencil.begin(), out.begin());
    show("scatter_if", out);
    thrust::transform_if(in.begin(), in.end(), out.begin(), thrust::negate<int>(), odd());
    show("transform_if", out);
    thrust::transform_if(in.begin(), in.end(), stencil.begin(), out.begin(), thrust::negate<int>(), odd());
    show("by stencil", out);
    thrust::replace_copy_if(in.begin(), in.end(), out.begin(), odd(), 7);
    show("replace_copy_if", out);
    thrust::replace(out.begin(), out.end(), 7, 9);
    show("replace", out);
    auto first = thrust::make_permutation_iterator(in.begin(), map.begin());
    printf("every second: %d\n", thrust::reduce(thrust::make_permutation_iterator(in.begin(), map.begin()), first + 6));
    thrust::copy(first, first + n, out.begin());
    show("permuted", out);
    thrust::copy(in.begin(), in.end(), thrust::make_permutation_iterator(out.begin(), map.begin()));
    show("back", out);
}
