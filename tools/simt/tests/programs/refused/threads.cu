#include <cstdio>
#include <thread>
#include <vector>

__global__ void one(int* p) { *p += 1; }

int main() {
    int* p;
    cudaMallocManaged(&p, sizeof(int));
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; ++i) workers.emplace_back([p] { one<<<1, 1>>>(p); });
    for (auto& w : workers) w.join();
    printf("passed\n");
}
