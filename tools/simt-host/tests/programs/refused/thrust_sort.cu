#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <iostream>

int main() {
    thrust::host_vector<int> h(100);
    for (int i = 0; i < 100; ++i) h[i] = (i * 37) % 101;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    std::cout << (d[0] == 0 ? "passed" : "FAILED") << std::endl;
}
