//@ input flag: int[n] = iota
//@ input seen: int[64] = iota
//@ launch raise(flag, seen) grid = 2, block = 64
//@ page 8

// Some lanes of a word write its value, some another one, and each thread reads its own back.
__global__ void raise(int* flag, int* seen) {
    int word = threadIdx.x / 16;
    flag[word] = threadIdx.x % 16 == 5 ? 2 : 1;
    if (threadIdx.x % 3 != 1) flag[4 + word % 2] = 7;
    flag[6] = 9;
    if (blockIdx.x == 0) seen[threadIdx.x] = flag[6] + flag[4 + word % 2];
}
