//@ scratch sum: int[1] = zero
//@ launch volatile_beside_an_atomic(sum) grid = 2, block = 1
//@ page 1
//@ catch race

__global__ void volatile_beside_an_atomic(volatile int* sum) {
    if (blockIdx.x == 0) atomicExch((int*)sum, 1);
    else sum[0] = 2; //~ race
}
