// Functions chosen at run time: a table on the host, kernels through pointers, and a switch in the kernel.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>

typedef int (*BinaryFunction)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

enum class Op { Add, Sub, Mul };

__global__ void apply_switch(Op op, const int* a, const int* b, int* c, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    switch (op) {
        case Op::Add: c[i] = a[i] + b[i]; break;
        case Op::Sub: c[i] = a[i] - b[i]; break;
        case Op::Mul: c[i] = a[i] * b[i]; break;
    }
}

__global__ void doubled(int* c, int n) { if (threadIdx.x < n) c[threadIdx.x] *= 2; }
__global__ void negated(int* c, int n) { if (threadIdx.x < n) c[threadIdx.x] = -c[threadIdx.x]; }

typedef void (*Kernel)(int*, int);

struct Entry {
    const char* name;
    Op op;
    BinaryFunction host;
};

int main() {
    const Entry table[] = {{"add", Op::Add, add}, {"sub", Op::Sub, &sub}, {"mul", Op::Mul, mul}};
    const int n = 20;
    int a[n], b[n], c[n];
    for (int i = 0; i < n; ++i) {
        a[i] = i * 3 - 7;
        b[i] = 11 - i;
    }
    int *da, *db, *dc;
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    bool ok = true;
    Kernel kernels[2] = {doubled, negated};
    for (const Entry& e : table) {
        apply_switch<<<1, 32>>>(e.op, da, db, dc, n);
        for (Kernel k : kernels) k<<<1, 32>>>(dc, n);
        cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            ok = ok && c[i] == -2 * e.host(a[i], b[i]);
            sum += c[i];
        }
        printf("%s: %d\n", e.name, sum);
    }
    std::map<std::string, std::function<double(double)>> named;
    named["square"] = [](double x) { return x * x; };
    named["half"] = [](double x) { return x / 2; };
    double offset = 10;
    named["shift"] = [offset](double x) { return x + offset; };
    for (const auto& f : named) printf("%s(3) = %.1f\n", f.first.c_str(), f.second(3));
    ok = ok && named["shift"](1) == 11;
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    printf("%s\n", ok ? "passed" : "FAILED");
    return !ok;
}
