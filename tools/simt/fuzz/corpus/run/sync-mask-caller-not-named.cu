1313
__global__ void even(int* out) {
 out[threadIdx.x] = __ballot_sync(0x55555555, 1);
}
