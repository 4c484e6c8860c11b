//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ scratch word: int[1] = poison
//@ launch exchange_fills(in, out, word) grid = 1, block = 1
//@ page 1

__global__ void exchange_fills(const int* in, int* out, int* word) {
    *word = in[0];
    out[0] = atomicExch(word, 5) + *word;
}
