// Sorts by several keys, the last one first; and structs that say themselves which is less.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

struct Date {
    int year, month, day;
    __host__ __device__ bool operator<(const Date& o) const {
        if (year != o.year) return year < o.year;
        if (month != o.month) return month < o.month;
        return day < o.day;
    }
};

template <typename K, typename P> void update(const K& keys, P& permutation) {
    K temp(keys.size());
    thrust::gather(permutation.begin(), permutation.end(), keys.begin(), temp.begin());
    thrust::stable_sort_by_key(temp.begin(), temp.end(), permutation.begin());
}

int main() {
    const int n = 60;
    thrust::host_vector<int> u(n), m(n), l(n);
    thrust::host_vector<Date> d(n);
    for (int i = 0; i < n; i++) {
        u[i] = i * 7 % 5;
        m[i] = i * 11 % 4;
        l[i] = i * 13 % 17;
        d[i] = Date{2000 + u[i], 1 + m[i], 1 + l[i]};
    }
    thrust::device_vector<int> upper = u, middle = m, lower = l, permutation(n);
    thrust::sequence(permutation.begin(), permutation.end());
    update(lower, permutation);
    update(middle, permutation);
    update(upper, permutation);
    thrust::host_vector<int> p = permutation;
    for (int i = 0; i < n; i += 11) printf("(%d,%d,%d) ", u[p[i]], m[p[i]], l[p[i]]);
    printf("\n");
    thrust::device_vector<Date> dates = d;
    thrust::sort(dates.begin(), dates.end());
    d = dates;
    for (int i = 0; i < n; i += 11) printf("%d-%02d-%02d ", d[i].year, d[i].month, d[i].day);
    printf("\n");
}
