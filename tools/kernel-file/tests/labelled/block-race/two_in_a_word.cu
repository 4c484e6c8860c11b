//@ scratch out: unsigned short[2] = zero
//@ launch two_in_a_word(out) grid = n / 64, block = 64
//@ page 128

__global__ void two_in_a_word(unsigned short* out) {
    unsigned* word = (unsigned*)((size_t)out & ~(size_t)2);
    unsigned shift = threadIdx.x & 1 ? 16 : 0, old = *word, assumed;
    do {
        assumed = old;
        unsigned sum = ((assumed >> shift) + 1) & 0xffffu;
        old = atomicCAS(word, assumed, (assumed & ~(0xffffu << shift)) | sum << shift);
    } while (assumed != old);
}
