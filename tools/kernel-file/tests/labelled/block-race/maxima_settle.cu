//! Who asks by volatile is not told of anything: what he asks decides where he goes and no more.
//@ input state: int[n] = iota
//@ launch maxima_settle(state, n) grid = n / 32, block = 32
//@ test 64
//@ page 128

__global__ void maxima_settle(volatile int* state, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    while (state[i] >= 0) {
        if (i + 1 == n || state[i + 1] < 0) state[i] = -1;
    }
}
