// Merges and set operations of sorted sequences.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

template <typename V> void show(const char* name, const V& v, size_t n) {
    printf("%s:", name);
    for (size_t i = 0; i < n; i++) printf(" %d", (int)v[i]);
    printf("\n");
}

int main() {
    const int a_[] = {1, 2, 2, 2, 4, 5, 7, 7, 9}, b_[] = {0, 2, 2, 3, 4, 4, 7, 10};
    thrust::device_vector<int> a(a_, a_ + 9), b(b_, b_ + 8), out(17), values(17);
    thrust::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    show("merge", out, 17);
    auto end = thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    show("union", out, end - out.begin());
    end = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    show("intersection", out, end - out.begin());
    end = thrust::set_difference(thrust::device, a.begin(), a.end(), b.begin(), b.end(), out.begin());
    show("difference", out, end - out.begin());
    end = thrust::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    show("symmetric", out, end - out.begin());
    thrust::device_vector<int> va(9, 100), vb(8, 200);
    auto ends = thrust::merge_by_key(a.begin(), a.end(), b.begin(), b.end(), va.begin(), vb.begin(), out.begin(), values.begin());
    show("keys", out, ends.first - out.begin());
    show("values", values, ends.second - values.begin());
    thrust::host_vector<int> ha = {9, 5, 1}, hb = {8, 5, 3, 0}, h(7);
    thrust::merge(ha.begin(), ha.end(), hb.begin(), hb.end(), h.begin(), thrust::greater<int>());
    show("on the host", h, 7);
}
