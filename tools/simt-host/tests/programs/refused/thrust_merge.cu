#include <thrust/device_vector.h>
#include <thrust/merge.h>

int main() {
    thrust::device_vector<int> a(100), b(100), c(200);
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
}
