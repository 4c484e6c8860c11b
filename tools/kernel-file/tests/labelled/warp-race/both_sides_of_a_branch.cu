//@ scratch out: int[n] = poison
//@ launch both_sides_of_a_branch(out) grid = 1, block = 32
//@ page 32
//@ catch race

__global__ void both_sides_of_a_branch(int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) s[t] = t;
    else out[t] = t - 16 < 16 ? s[t - 16] : 0; //~ race
}
