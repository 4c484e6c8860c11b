//@ scratch all: int[1] = zero
//@ scratch out: int[n] = poison
//@ launch set_by_all_and_by_one_again(all, out) grid = 1, block = n
//@ page 64
//@ catch race

__global__ void set_by_all_and_by_one_again(int* all, int* out) {
    all[0] = 5; //~ race
    if (threadIdx.x == 3) all[0] = 6;
    out[threadIdx.x] = all[0];
}
