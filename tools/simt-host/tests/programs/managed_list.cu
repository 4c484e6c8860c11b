// A linked list in managed memory, walked on both sides; a base class whose new is managed.
#include <cstdio>
#include <new>

class Managed {
public:
    void *operator new(size_t len) {
        void *ptr;
        cudaMallocManaged(&ptr, len);
        cudaDeviceSynchronize();
        return ptr;
    }
    void operator delete(void *ptr) {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};

class Node : public Managed {
public:
    int key;
    Node *next;
    Node(int k, Node *n) : key(k), next(n) {}
    __host__ __device__ int twice() const { return 2 * key; }
};

__global__ void walk(Node *head, int *count, long long *sum) {
    int c = 0;
    long long s = 0;
    for (Node *n = head; n != nullptr; n = n->next) {
        c++;
        s += n->twice();
        n->key += 100;
    }
    *count = c;
    *sum = s;
}

int main() {
    Node *head = nullptr;
    for (int i = 1; i <= 50; i++) head = new Node(i, head);
    int *count;
    long long *sum;
    cudaMallocManaged(&count, sizeof(int));
    cudaMallocManaged(&sum, sizeof(long long));
    walk<<<1, 1>>>(head, count, sum);
    cudaError_t err = cudaDeviceSynchronize();
    printf("%s: %d nodes, sum %lld\n", cudaGetErrorName(err), *count, *sum);
    long long host = 0;
    bool ok = err == cudaSuccess && *count == 50 && *sum == 2550;
    while (head) {
        Node *next = head->next;
        host += head->key;
        delete head;
        head = next;
    }
    printf("on the host: %lld\n", host);
    ok = ok && host == 50 * 51 / 2 + 5000;
    cudaFree(count);
    cudaFree(sum);
    printf("%s\n", ok ? "passed" : "FAILED");
    return !ok;
}
