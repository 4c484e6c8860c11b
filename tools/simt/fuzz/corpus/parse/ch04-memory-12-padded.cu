struct Record {
 unsigned char kind;
 int value;
 unsigned char flag;
};
extern "C" __global__ void check(
 const Record* records, int* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = records[i].kind * records[i].value + records[i].flag;
}
__host__ __device__ int expected(const Record* records, unsigned int i) {
 return records[i].kind * records[i].value + records[i].flag;
}
