//! Two blocks write the even and the odd bytes.
//@ input data: char[4 * n] = iota
//@ launch halves_of_a_word(data) grid = 2, block = n
//@ test 32
//@ page 64

__global__ void halves_of_a_word(char* data) { data[2 * threadIdx.x + blockIdx.x] = 1; }
