// The k nearest of many points: distances on the device, a partial sort on the host.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

typedef struct latLong {
    float lat;
    float lng;
} LatLong;

__global__ void euclid(const LatLong* locations, float* distances, int n, float lat, float lng) {
    int id = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    if (id < n) {
        const LatLong* p = locations + id;
        distances[id] = sqrtf((lat - p->lat) * (lat - p->lat) + (lng - p->lng) * (lng - p->lng));
    }
}

int main(int argc, char* argv[]) {
    const int n = 4096, k = 6;
    std::vector<LatLong> locations(n);
    for (int i = 0; i < n; ++i) {
        locations[i].lat = (float)((i * 37) % 180) - 90.0f + (float)(i % 7) * 0.125f;
        locations[i].lng = (float)((i * 101) % 360) - 180.0f + (float)(i % 5) * 0.25f;
    }
    LatLong* d_locations;
    float* d_distances;
    cudaMalloc((void**)&d_locations, sizeof(LatLong) * n);
    cudaMalloc((void**)&d_distances, sizeof(float) * n);
    cudaMemcpy(d_locations, &locations[0], sizeof(LatLong) * n, cudaMemcpyHostToDevice);
    dim3 gridDim(4, 4);
    euclid<<<gridDim, 256>>>(d_locations, d_distances, n, 30.0f, 90.0f);
    cudaDeviceSynchronize();
    std::vector<float> distances(n);
    cudaMemcpy(distances.data(), d_distances, sizeof(float) * n, cudaMemcpyDeviceToHost);

    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
        return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
    });
    bool ok = true;
    for (int i = 0; i < k; ++i) {
        int id = order[i];
        printf("%d: (%.3f, %.3f) --> %.3f\n", id, locations[id].lat, locations[id].lng, distances[id]);
        float dx = 30.0f - locations[id].lat, dy = 90.0f - locations[id].lng;
        ok = ok && std::fabs(distances[id] - std::sqrt(dx * dx + dy * dy)) < 1e-4f;
    }
    for (int i = k; i < n; ++i) ok = ok && distances[order[i]] >= distances[order[k - 1]];
    cudaFree(d_locations);
    cudaFree(d_distances);
    puts(ok ? "PASSED" : "FAILED");
    return !ok;
}
