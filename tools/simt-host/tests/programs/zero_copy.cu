// Host memory that the device sees: cudaHostAlloc, cudaHostGetDevicePointer, cudaHostRegister.
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) c[idx] = a[idx] + b[idx];
}

int main(int argc, char **argv)
{
    const int nelem = 4096;
    const size_t bytes = nelem * sizeof(float);
    cudaDeviceProp deviceProp;
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, 0));
    if (!deviceProp.canMapHostMemory) {
        fprintf(stderr, "Device does not support mapping CPU host memory!\n");
        exit(EXIT_SUCCESS);
    }
    checkCudaErrors(cudaSetDeviceFlags(cudaDeviceMapHost));
    float *a, *b, *c, *d_a, *d_b, *d_c;
    checkCudaErrors(cudaHostAlloc((void **)&a, bytes, cudaHostAllocMapped));
    checkCudaErrors(cudaHostAlloc((void **)&b, bytes, cudaHostAllocMapped));
    checkCudaErrors(cudaHostAlloc((void **)&c, bytes, cudaHostAllocMapped));
    for (int n = 0; n < nelem; n++) {
        a[n] = rand() / (float)RAND_MAX;
        b[n] = rand() / (float)RAND_MAX;
    }
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_a, (void *)a, 0));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_b, (void *)b, 0));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_c, (void *)c, 0));
    dim3 block(256);
    dim3 grid((unsigned int)ceil(nelem / (float)block.x));
    vectorAddGPU<<<grid, block>>>(d_a, d_b, d_c, nelem);
    checkCudaErrors(cudaDeviceSynchronize());
    getLastCudaError("vectorAddGPU() execution failed");
    float errorNorm = 0.f, refNorm = 0.f;
    for (int n = 0; n < nelem; n++) {
        float ref = a[n] + b[n];
        float diff = c[n] - ref;
        errorNorm += diff * diff;
        refNorm += ref * ref;
    }
    errorNorm = (float)sqrt((double)errorNorm);
    refNorm = (float)sqrt((double)refNorm);
    checkCudaErrors(cudaFreeHost(a));
    checkCudaErrors(cudaFreeHost(b));
    checkCudaErrors(cudaFreeHost(c));
    bool ok = errorNorm / refNorm < 1.e-6f;
    printf("%s\n", ok ? "passed" : "FAILED");
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
