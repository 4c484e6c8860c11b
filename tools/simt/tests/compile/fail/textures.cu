texture<float, 1> table;
__global__ void read(float* out) { out[0] = tex1Dfetch(table, 0); }
