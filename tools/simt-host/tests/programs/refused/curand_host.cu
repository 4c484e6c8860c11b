#include <curand.h>

int main() {
    float* d;
    cudaMalloc(&d, 32 * sizeof(float));
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, d, 32);
}
