// Searches in a sorted vector: one value, and many at once.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

int main() {
    const int n = 500;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i / 3 * 2;
    thrust::device_vector<int> d = h, wanted(10), at(10);
    thrust::device_vector<bool> found(10);
    printf("%d %d\n", (int)(thrust::lower_bound(d.begin(), d.end(), 40) - d.begin()), (int)(thrust::upper_bound(d.begin(), d.end(), 40) - d.begin()));
    printf("%d %d\n", (int)thrust::binary_search(d.begin(), d.end(), 40), (int)thrust::binary_search(d.begin(), d.end(), 41));
    auto range = thrust::equal_range(d.begin(), d.end(), 100);
    printf("%d %d\n", (int)(range.first - d.begin()), (int)(range.second - d.begin()));
    thrust::sequence(wanted.begin(), wanted.end(), -20, 45);
    thrust::lower_bound(d.begin(), d.end(), wanted.begin(), wanted.end(), at.begin());
    for (int i = 0; i < 10; i++) printf("%d ", (int)at[i]);
    thrust::upper_bound(d.begin(), d.end(), wanted.begin(), wanted.end(), at.begin());
    for (int i = 0; i < 10; i++) printf("%d ", (int)at[i]);
    thrust::binary_search(d.begin(), d.end(), wanted.begin(), wanted.end(), found.begin());
    for (int i = 0; i < 10; i++) printf("%d ", (int)found[i]);
    printf("\n");
    thrust::host_vector<int> down(h.rbegin(), h.rend());
    auto place = thrust::lower_bound(down.begin(), down.end(), 10, thrust::greater<int>());
    printf("%d\n", (int)(place - down.begin()));
}
