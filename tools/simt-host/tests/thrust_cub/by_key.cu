// Algorithms on keys with values. Each section also ends with 0 when Thrust itself compiles it for the host.
//# sorts by key, rising, falling and stable
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
int main() {
    const int n = 500;
    std::vector<int> k(n), v(n);
    for (int i = 0; i < n; i++) {
        k[i] = i * 37 % 100;
        v[i] = i;
    }
    thrust::device_vector<int> dk(k.begin(), k.end()), dv(v.begin(), v.end());
    thrust::stable_sort_by_key(dk.begin(), dk.end(), dv.begin());
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += k[(int)dv[i]] != (int)dk[i];
        if (i) wrong += (int)dk[i - 1] > (int)dk[i] || ((int)dk[i - 1] == (int)dk[i] && (int)dv[i - 1] > (int)dv[i]);
    }
    thrust::sort_by_key(dk.begin(), dk.end(), dv.begin(), thrust::greater<int>());
    for (int i = 0; i < n; i++) wrong += k[(int)dv[i]] != (int)dk[i] || (i && (int)dk[i - 1] < (int)dk[i]);
    return wrong;
}
//# runs: reductions and copies of the first of each
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/unique.h>
int main() {
    const int n = 300;
    std::vector<int> k(n), v(n);
    for (int i = 0; i < n; i++) {
        k[i] = i / 9 % 5;
        v[i] = i * 13 % 17;
    }
    std::vector<int> keys, sums, most, first;
    for (int i = 0; i < n; i++) {
        if (i == 0 || k[i] != k[i - 1]) {
            keys.push_back(k[i]);
            sums.push_back(0);
            most.push_back(v[i]);
            first.push_back(v[i]);
        }
        sums.back() += v[i];
        most.back() = std::max(most.back(), v[i]);
    }
    const int runs = (int)keys.size();
    thrust::device_vector<int> dk(k.begin(), k.end()), dv(v.begin(), v.end()), ko(n), vo(n);
    auto ends = thrust::reduce_by_key(dk.begin(), dk.end(), dv.begin(), ko.begin(), vo.begin());
    int wrong = ends.first - ko.begin() != runs || ends.second - vo.begin() != runs;
    for (int i = 0; i < runs; i++) wrong += (int)ko[i] != keys[i] || (int)vo[i] != sums[i];
    thrust::reduce_by_key(thrust::device, dk.begin(), dk.end(), dv.begin(), ko.begin(), vo.begin(), thrust::equal_to<int>(), thrust::maximum<int>());
    for (int i = 0; i < runs; i++) wrong += (int)vo[i] != most[i];
    ends = thrust::unique_by_key_copy(dk.begin(), dk.end(), dv.begin(), ko.begin(), vo.begin());
    wrong += ends.first - ko.begin() != runs;
    for (int i = 0; i < runs; i++) wrong += (int)ko[i] != keys[i] || (int)vo[i] != first[i];
    return wrong;
}
//# merges by key, equal keys of the first sequence first
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/merge.h>
int main() {
    const int a[6] = {1, 3, 5, 7, 9, 11}, b[7] = {1, 1, 2, 3, 5, 8, 13};
    thrust::device_vector<int> ka(a, a + 6), kb(b, b + 7), va(6), vb(7), ko(13), vo(13);
    for (int i = 0; i < 6; i++) va[i] = i;
    for (int i = 0; i < 7; i++) vb[i] = 100 + i;
    auto ends = thrust::merge_by_key(ka.begin(), ka.end(), kb.begin(), kb.end(), va.begin(), vb.begin(), ko.begin(), vo.begin());
    const int keys[13] = {1, 1, 1, 2, 3, 3, 5, 5, 7, 8, 9, 11, 13};
    const int values[13] = {0, 100, 101, 102, 1, 103, 2, 104, 3, 105, 4, 5, 106};
    int wrong = ends.first - ko.begin() != 13 || ends.second - vo.begin() != 13;
    for (int i = 0; i < 13; i++) wrong += (int)ko[i] != keys[i] || (int)vo[i] != values[i];
    return wrong;
}
//# sets by key
#include <thrust/device_vector.h>
#include <thrust/set_operations.h>
int check(const thrust::device_vector<int>& ko, const thrust::device_vector<int>& vo, long found, std::vector<int> keys, std::vector<int> values) {
    int wrong = found != (long)keys.size();
    for (size_t i = 0; i < keys.size(); i++) wrong += (int)ko[i] != keys[i] || (int)vo[i] != values[i];
    return wrong;
}
int main() {
    const int a[6] = {0, 2, 2, 4, 6, 6}, b[5] = {0, 2, 3, 6, 9};
    thrust::device_vector<int> ka(a, a + 6), kb(b, b + 5), va(6), vb(5), ko(11, -1), vo(11, -1);
    for (int i = 0; i < 6; i++) va[i] = i;
    for (int i = 0; i < 5; i++) vb[i] = 100 + i;
    auto ends = thrust::set_union_by_key(ka.begin(), ka.end(), kb.begin(), kb.end(), va.begin(), vb.begin(), ko.begin(), vo.begin());
    int wrong = check(ko, vo, ends.first - ko.begin(), {0, 2, 2, 3, 4, 6, 6, 9}, {0, 1, 2, 102, 3, 4, 5, 104});
    ends = thrust::set_intersection_by_key(ka.begin(), ka.end(), kb.begin(), kb.end(), va.begin(), ko.begin(), vo.begin());
    wrong += check(ko, vo, ends.first - ko.begin(), {0, 2, 6}, {0, 1, 4});
    ends = thrust::set_difference_by_key(ka.begin(), ka.end(), kb.begin(), kb.end(), va.begin(), vb.begin(), ko.begin(), vo.begin());
    wrong += check(ko, vo, ends.first - ko.begin(), {2, 4, 6}, {2, 3, 5});
    ends = thrust::set_symmetric_difference_by_key(ka.begin(), ka.end(), kb.begin(), kb.end(), va.begin(), vb.begin(), ko.begin(), vo.begin());
    return wrong + check(ko, vo, ends.first - ko.begin(), {2, 3, 4, 6, 9}, {2, 102, 3, 5, 104});
}
//# scans by key
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
int main() {
    const int k[8] = {1, 1, 1, 2, 2, 1, 1, 3}, v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const int sums[8] = {1, 3, 6, 4, 9, 6, 13, 8}, products[8] = {1, 2, 6, 4, 20, 6, 42, 8}, before[8] = {10, 11, 13, 10, 14, 10, 16, 10};
    thrust::device_vector<int> dk(k, k + 8), dv(v, v + 8), to(8);
    int wrong = 0;
    thrust::inclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), to.begin());
    for (int i = 0; i < 8; i++) wrong += (int)to[i] != sums[i];
    thrust::inclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), to.begin(), thrust::equal_to<int>(), thrust::multiplies<int>());
    for (int i = 0; i < 8; i++) wrong += (int)to[i] != products[i];
    thrust::exclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), to.begin(), 10, thrust::equal_to<int>(), thrust::plus<int>());
    for (int i = 0; i < 8; i++) wrong += (int)to[i] != before[i];
    return wrong;
}
