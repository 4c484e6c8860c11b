__global__ void shapes(float* out, unsigned a, unsigned b) {
    float c, d;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f64.f64.f32 {%0}, {%1}, {%2}, {%3};" : "=f"(d) : "r"(a), "r"(b), "f"(c));
}
__global__ void counts(float* out, unsigned a, unsigned b) {
    float d = 0;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1}, {%2, %2}, {%0, %0, %0, %0};" : "+f"(d) : "r"(a), "r"(b));
}
__global__ void sums(float* out, unsigned a) {
    float d = 0;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {%0, %0, %0, %0}, {%1, %1}, {%1}, {%1, %1};" : "+f"(d) : "r"(a));
}
__global__ void layouts(float* out, unsigned a) {
    float d = 0;
    asm("mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1}, {%1}, {%0, %0, %0, %0};" : "+f"(d) : "r"(a));
}
__global__ void matrices(unsigned at) {
    unsigned d;
    asm("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0, %0, %0}, [%1];" : "=r"(d) : "r"(at));
}
__global__ void unaligned(unsigned at) {
    unsigned d;
    asm("ldmatrix.sync.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(at));
}
