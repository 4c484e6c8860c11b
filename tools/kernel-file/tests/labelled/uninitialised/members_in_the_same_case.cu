//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch members_in_the_same_case(in, out) grid = 1, block = n
//@ page 32

__global__ void members_in_the_same_case(const int* in, int* out) {
    int2 pair;
    union { int whole; float real; } either;
    bool odd = in[threadIdx.x] % 2;
    if (odd) pair.x = pair.y = 4;
    either.whole = 0;
    if (odd) out[threadIdx.x] = pair.x + pair.y;
    else out[threadIdx.x] = (int)either.real;
}
