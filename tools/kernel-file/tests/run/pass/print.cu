//@ launch say(n) grid = 2, block = 2
//@ page 1

__global__ void say(int n) {
  printf("block %u thread %u: %5.2f|%-4d|%04x\n", blockIdx.x, threadIdx.x, threadIdx.x * 0.5f, n, 255);
}
