__global__ void local_enum(int* out) {
    enum : int { far = 7 };
    out[threadIdx.x] = far;
}
