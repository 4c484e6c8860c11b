// DeviceMergeSort: any type with an order of one's own; pairs, stable, and into another array.
#include <cstdio>
#include <cub/device/device_merge_sort.cuh>

struct Person {
    int age;
    char name;
};
struct Older {
    __device__ bool operator()(const Person& a, const Person& b) const { return a.age > b.age; }
};
struct Less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

int main() {
    const int n = 300;
    Person* people;
    int *keys, *values, *copy;
    cudaMallocManaged(&people, n * sizeof(Person));
    cudaMallocManaged(&keys, n * 4);
    cudaMallocManaged(&values, n * 4);
    cudaMallocManaged(&copy, n * 4);
    for (int i = 0; i < n; i++) {
        people[i].age = i * 37 % 90;
        people[i].name = (char)('a' + i % 26);
        keys[i] = i * 53 % 97 - 40;
        values[i] = i;
    }
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceMergeSort::StableSortKeys(temp, bytes, people, n, Older());
    cudaMalloc(&temp, bytes);
    cub::DeviceMergeSort::StableSortKeys(temp, bytes, people, n, Older());
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++) printf("%d%c ", people[i].age, people[i].name);
    printf("\n");
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceMergeSort::SortKeysCopy(temp, bytes, keys, copy, n, Less());
    cudaMalloc(&temp, bytes);
    cub::DeviceMergeSort::SortKeysCopy(temp, bytes, keys, copy, n, Less());
    cudaDeviceSynchronize();
    printf("%d %d %d .. %d\n", copy[0], copy[1], copy[2], copy[n - 1]);
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceMergeSort::StableSortPairs(temp, bytes, keys, values, n, Less());
    cudaMalloc(&temp, bytes);
    cub::DeviceMergeSort::StableSortPairs(temp, bytes, keys, values, n, Less());
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < n; i++) hash = hash * 31 + (unsigned)keys[i] + 7u * (unsigned)values[i];
    printf("%d@%d %d@%d .. %d@%d, hash %08x\n", keys[0], values[0], keys[1], values[1], keys[n - 1], values[n - 1], hash);
}
