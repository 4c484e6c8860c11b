//! Copies of a struct that is written in part: of all kinds, and none of them uses what is not written.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch struct_with_an_array_is_copied(in, out) grid = 1, block = n
//@ page 32

struct List {
    int count, item[4];
};
struct Tagged {
    int kind;
    union {
        int whole;
        double real;
    };
};
struct Both {
    List list;
    Tagged tagged;
};
__device__ int first(List list) { return list.item[list.count - 1]; }
__device__ List one(int value) {
    List list;
    list.count = 1;
    list.item[list.count - 1] = value;
    return list;
}
__global__ void struct_with_an_array_is_copied(const int* in, int* out) {
    __shared__ List all[64];
    int t = threadIdx.x;
    List a = one(in[t]), b = a, c, several[2];
    c = b;
    several[1] = c;
    for (int i = 0; i < 2; ++i) several[i] = several[1 - i * 0];
    all[t] = several[0];
    __syncthreads();
    Tagged tagged, *at = &tagged;
    at->kind = 0;
    at->whole = first(all[blockDim.x - 1 - t]);
    Both both, same;
    both.list = all[t];
    both.tagged = tagged;
    same = both;
    out[t] = same.tagged.kind == 0 ? same.tagged.whole + first(same.list) : 0;
}
