//@ input out: int[n] = iota
//@ launch even(out) grid = 1, block = 32
//@ page 32

__global__ void even(int* out) {
  out[threadIdx.x] = __ballot_sync(0x55555555, 1);
}
