//! A record of six bytes that occupies twelve. An `int` must be at a multiple of four, so the compiler inserts
//! three bytes after `kind`, and three more after `flag`, for the next record. Half of what is read is
//! padding.
//@ input  records: int[3 * n] = lcg256
//@ output out: int[n] = poison
//@ launch check(records, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 10 * n

struct Record {
    unsigned char kind;
    int value;
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
