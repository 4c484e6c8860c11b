struct Cell {
 const Cell* next;
};
extern "C" __global__ void link(
 const unsigned int* order, Cell* cells, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 cells[i].next = cells + order[i];
}
extern "C" __global__ void chase(
 const Cell* cells, unsigned int* end, long long* cycles, unsigned int warm,
 unsigned int hops) {
 const Cell* at = cells;
 for (unsigned int k = 0; k < warm; k++)
 at = at->next;
 long long start = clock64();
#pragma unroll 16
 for (unsigned int k = 0; k < hops; k++)
 at = at->next;
 end[0] = (unsigned int)(at - cells);
 long long stop = clock64();
 cycles[0] = stop - start;
}
__host__ __device__ unsigned int expected(
 const unsigned int* order, unsigned int i) {
 unsigned int at = 0;
 for (unsigned int k = 0; k < 80; k++)
 at = order[at];
 return at;
}
