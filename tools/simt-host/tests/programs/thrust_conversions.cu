// Vectors of other element types, assignments, insert and erase, assign, swap, and std::vector.
#include <cstdio>
#include <list>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <vector>

int main() {
    thrust::host_vector<int> h(10);
    for (int i = 0; i < 10; i++) h[i] = i * i;
    thrust::device_vector<float> f = h;
    thrust::device_vector<double> g(f);
    g[3] = 9.5;
    thrust::host_vector<int> back(g.begin(), g.end());
    std::vector<float> s(f.size());
    thrust::copy(f.begin(), f.end(), s.begin());
    printf("%g %g %d %g\n", (float)f[9], (double)g[3], back[3], s[8]);
    f = back;
    printf("%g\n", thrust::reduce(f.begin(), f.end()));
    f.insert(f.begin() + 2, 100.0f);
    f.erase(f.begin() + 5);
    for (size_t i = 0; i < f.size(); i++) printf("%g ", (float)f[i]);
    std::list<int> list = {5, 6, 7};
    thrust::device_vector<int> d(list.begin(), list.end());
    d.insert(d.end(), h.begin(), h.begin() + 3);
    thrust::device_vector<int> e(3, 1);
    d.swap(e);
    printf("| %d %d:", (int)d.size(), (int)e.size());
    for (size_t i = 0; i < e.size(); i++) printf(" %d", (int)e[i]);
    thrust::copy_n(h.begin() + 4, 2, d.begin());
    printf(" | %d %d %d\n", (int)d[0], (int)d[1], (int)d[2]);
    std::vector<int> v(h.begin(), h.end());
    d = v;
    d.assign(v.begin() + 1, v.begin() + 4);
    thrust::host_vector<int> copy = d;
    printf("%d %d %d, %d %d\n", (int)copy.size(), copy[0], copy[2], d == copy, copy == h);
}
