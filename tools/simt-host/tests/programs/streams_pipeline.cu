// Chunks through several streams: copy, compute, copy back; an event between two streams.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(x) { cudaError_t e = (x); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } }

__global__ void kernel(float *a, int offset)
{
  int i = offset + threadIdx.x + blockIdx.x*blockDim.x;
  float x = (float)i;
  float s = x * 2.0f;
  float c = x - s;
  a[i] = a[i] + s + c;
}

__global__ void scale(float *a, float by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}

int main(int argc, char **argv)
{
  const int blockSize = 256, nStreams = 4;
  const int n = 4 * 1024 * nStreams;
  const int streamSize = n / nStreams;
  const int streamBytes = streamSize * sizeof(float);
  const int bytes = n * sizeof(float);

  float *a, *d_a;
  CHECK( cudaMallocHost((void**)&a, bytes) );
  CHECK( cudaMalloc((void**)&d_a, bytes) );
  cudaStream_t stream[nStreams];
  cudaEvent_t done[nStreams];
  for (int i = 0; i < nStreams; ++i) {
    CHECK( cudaStreamCreate(&stream[i]) );
    CHECK( cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming) );
  }
  for (int i = 0; i < n; ++i) a[i] = 0;

  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    CHECK( cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]) );
    kernel<<<streamSize/blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    CHECK( cudaEventRecord(done[i], stream[i]) );
  }
  for (int i = 0; i < nStreams; ++i) CHECK( cudaStreamWaitEvent(stream[0], done[i], 0) );
  scale<<<(n + 255) / 256, 256, 0, stream[0]>>>(d_a, 0.5f, n);
  CHECK( cudaGetLastError() );
  CHECK( cudaMemcpyAsync(a, d_a, bytes, cudaMemcpyDeviceToHost, stream[0]) );
  CHECK( cudaStreamSynchronize(stream[0]) );
  CHECK( cudaStreamQuery(stream[0]) );
  CHECK( cudaEventQuery(done[1]) );

  int errors = 0;
  for (int i = 0; i < n; ++i) if (a[i] != 0.5f * (float)i) errors++;
  printf("errors: %d\n", errors);
  for (int i = 0; i < nStreams; ++i) {
    CHECK( cudaStreamDestroy(stream[i]) );
    CHECK( cudaEventDestroy(done[i]) );
  }
  CHECK( cudaFree(d_a) );
  CHECK( cudaFreeHost(a) );
  printf(errors ? "FAILED\n" : "PASSED\n");
  return errors;
}
