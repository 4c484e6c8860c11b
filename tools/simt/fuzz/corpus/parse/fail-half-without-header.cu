__global__ void halves(half* p) { p[0] = __float2half(1.0f); }
