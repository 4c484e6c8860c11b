// Open addressing with atomicCAS: insert, look up, delete, and iterate.
#include <cstdint>
#include <cstdio>
#include <random>
#include <unordered_map>
#include <vector>

struct KeyValue {
    uint32_t key;
    uint32_t value;
};

const uint32_t kHashTableCapacity = 8192;
const uint32_t kEmpty = 0xffffffff;

__device__ uint32_t hash(uint32_t k) {
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (kHashTableCapacity - 1);
}

__global__ void gpu_hashtable_insert(KeyValue* hashtable, const KeyValue* kvs, unsigned int numkvs) {
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid < numkvs) {
        uint32_t key = kvs[threadid].key;
        uint32_t value = kvs[threadid].value;
        uint32_t slot = hash(key);
        while (true) {
            uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
            if (prev == kEmpty || prev == key) {
                atomicExch(&hashtable[slot].value, value);
                return;
            }
            slot = (slot + 1) & (kHashTableCapacity - 1);
        }
    }
}

__global__ void gpu_hashtable_lookup(const KeyValue* hashtable, KeyValue* kvs, unsigned int numkvs) {
    unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadid >= numkvs) return;
    uint32_t key = kvs[threadid].key;
    uint32_t slot = hash(key);
    while (true) {
        if (hashtable[slot].key == key) {
            kvs[threadid].value = hashtable[slot].value;
            return;
        }
        if (hashtable[slot].key == kEmpty) {
            kvs[threadid].value = kEmpty;
            return;
        }
        slot = (slot + 1) & (kHashTableCapacity - 1);
    }
}

__global__ void gpu_iterate(const KeyValue* hashtable, KeyValue* kvs, uint32_t* size) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kHashTableCapacity && hashtable[i].key != kEmpty && hashtable[i].value != kEmpty) {
        uint32_t at = atomicAdd(size, 1);
        kvs[at] = hashtable[i];
    }
}

int main() {
    const unsigned n = 3000;
    std::mt19937 rnd(1234);
    std::uniform_int_distribution<uint32_t> dis(0, 1000000);
    std::unordered_map<uint32_t, uint32_t> expected;
    std::vector<KeyValue> kvs;
    while (kvs.size() < n) {
        uint32_t key = dis(rnd);
        if (expected.find(key) != expected.end()) continue;
        expected[key] = key / 3;
        kvs.push_back(KeyValue{key, key / 3});
    }
    KeyValue *table, *d_kvs;
    uint32_t* d_size;
    cudaMalloc(&table, sizeof(KeyValue) * kHashTableCapacity);
    cudaMemset(table, 0xff, sizeof(KeyValue) * kHashTableCapacity);
    cudaMalloc(&d_kvs, sizeof(KeyValue) * n);
    cudaMalloc(&d_size, sizeof(uint32_t));
    cudaMemset(d_size, 0, sizeof(uint32_t));
    cudaMemcpy(d_kvs, kvs.data(), sizeof(KeyValue) * n, cudaMemcpyHostToDevice);

    int mingridsize, threadblocksize;
    cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, gpu_hashtable_insert, 0, 0);
    if (threadblocksize <= 0) return 1;
    gpu_hashtable_insert<<<(n + 255) / 256, 256>>>(table, d_kvs, n);

    std::vector<KeyValue> queries(kvs);
    for (auto& q : queries) q.value = 0;
    queries[0].key = 2000000;
    cudaMemcpy(d_kvs, queries.data(), sizeof(KeyValue) * n, cudaMemcpyHostToDevice);
    gpu_hashtable_lookup<<<(n + 255) / 256, 256>>>(table, d_kvs, n);
    cudaMemcpy(queries.data(), d_kvs, sizeof(KeyValue) * n, cudaMemcpyDeviceToHost);
    gpu_iterate<<<kHashTableCapacity / 256, 256>>>(table, d_kvs, d_size);
    uint32_t size;
    cudaMemcpy(&size, d_size, sizeof size, cudaMemcpyDeviceToHost);
    std::vector<KeyValue> all(size);
    cudaMemcpy(all.data(), d_kvs, sizeof(KeyValue) * size, cudaMemcpyDeviceToHost);

    int wrong = queries[0].value != kEmpty;
    for (unsigned i = 1; i < n; ++i) wrong += queries[i].value != expected[queries[i].key];
    uint64_t sum = 0;
    for (const KeyValue& kv : all) {
        wrong += expected.count(kv.key) != 1 || expected.at(kv.key) != kv.value;
        sum += kv.key;
    }
    printf("%u entries, sum of keys %llu, wrong %d\n", size, (unsigned long long)sum, wrong);
    cudaFree(table);
    cudaFree(d_kvs);
    cudaFree(d_size);
    printf(wrong == 0 && size == n ? "PASSED\n" : "FAILED\n");
    return wrong != 0 || size != n;
}
