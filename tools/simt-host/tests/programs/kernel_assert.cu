// An assertion that fails in a kernel.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void testKernel(int N)
{
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    assert(gtid < N);
}

int main(int argc, char **argv)
{
    int Nblocks = 2, Nthreads = 32;
    testKernel<<<Nblocks, Nthreads>>>(60);
    printf("\n-- Begin assert output\n\n");
    cudaError_t error = cudaDeviceSynchronize();
    printf("\n-- End assert output\n\n");
    if (error == cudaErrorAssert) {
        printf("Device assert failed as expected, CUDA error message is: %s\n\n", cudaGetErrorString(error));
    }
    printf("Test %s\n", error == cudaErrorAssert ? "passed" : "FAILED");
    return error == cudaErrorAssert ? EXIT_SUCCESS : EXIT_FAILURE;
}
