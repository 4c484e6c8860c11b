#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>

int main() {
    thrust::device_vector<int> a(100), b(100), c(100);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    thrust::sort_by_key(c.begin(), c.end(), first);
}
