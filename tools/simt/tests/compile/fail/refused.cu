__global__ void assembly(int* o) {
    asm volatile("vadd.s32.s32.s32 %0, %0, 1, %0;" : "+r"(o[0]));
}
__global__ void functions(int* o) {
    o[0] = __shfl(o[0], 1);
}
__global__ void textures(int* o) {
    o[0] = tex1Dfetch(o, 1);
}
__global__ void timer(long long* o) {
    o[0] = globaltimer();
}
#include <cub/cub.cuh>
