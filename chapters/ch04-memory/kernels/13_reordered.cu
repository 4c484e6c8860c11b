//! The same fields, the widest first: eight bytes instead of twelve. Nothing else changed.
//@ input  records: int[2 * n] = lcg256
//@ output out: int[n] = poison
//@ launch check(records, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 10 * n
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads two neighbouring bytes by one access (2026-11-21)

struct Record {
    int value;
    unsigned char kind;
    unsigned char flag;
};

extern "C" __global__ void check(
    const Record* records, int* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = records[i].kind * records[i].value + records[i].flag;
}

__host__ __device__ int expected(const Record* records, unsigned int i) {
    return records[i].kind * records[i].value + records[i].flag;
}
