//! All lanes at one place, each with its own value.
//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch one_instruction(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

__global__ void one_instruction(const int* in, int* out) { out[0] = in[threadIdx.x]; } //~ race
