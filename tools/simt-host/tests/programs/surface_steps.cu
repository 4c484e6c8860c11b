// A cellular automaton that reads one surface and writes another, and a volume that is written slice by
// slice; both are read back through a texture and through the host.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                 \
    do {                                                                            \
        cudaError_t status = (call);                                                \
        if (status != cudaSuccess) {                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

const int WIDTH = 24, HEIGHT = 18;

// Outside of the surface everything is dead.
__global__ void life(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = threadIdx.x, y = blockIdx.x;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx || dy) alive += surf2Dread<unsigned char>(from, x + dx, y + dy, cudaBoundaryModeZero);
        }
    }
    const unsigned char here = surf2Dread<unsigned char>(from, x, y);
    surf2Dwrite((unsigned char)(alive == 3 || (here && alive == 2)), to, x, y);
}

__global__ void fill(cudaSurfaceObject_t volume, int z) {
    const float2 value = make_float2(threadIdx.x + 10.0f * threadIdx.y, (float)z);
    surf3Dwrite(value, volume, threadIdx.x * (int)sizeof(float2), threadIdx.y, z);
}

// Between the slices, and past the last one.
__global__ void sample(cudaTextureObject_t volume, float2* out) {
    out[threadIdx.x] = tex3D<float2>(volume, 0.5f + threadIdx.x, 2.0f, 0.25f * threadIdx.x);
}

__global__ void edges(cudaSurfaceObject_t line, int* out) {
    int value;
    surf1Dread(&value, line, ((int)threadIdx.x - 4) * 4, cudaBoundaryModeClamp);
    out[threadIdx.x] = value;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t made = 0;
    CHECK(cudaCreateSurfaceObject(&made, &resource));
    return made;
}

int main() {
    static unsigned char cells[HEIGHT][WIDTH];
    unsigned int state = 2024;
    for (auto& row : cells) {
        for (auto& cell : row) {
            state = state * 1664525u + 1013904223u;
            cell = state >> 30 == 0;
        }
    }
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t a, b;
    CHECK(cudaMallocArray(&a, &bytes, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&b, &bytes, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, cells, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t in_a = surface_of(a), in_b = surface_of(b);
    for (int step = 0; step < 6; step++) {
        if (step % 2 == 0) life<<<HEIGHT, WIDTH>>>(in_a, in_b);
        else life<<<HEIGHT, WIDTH>>>(in_b, in_a);
    }
    CHECK(cudaMemcpy2DFromArray(cells, WIDTH, a, 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    for (auto& row : cells) {
        for (unsigned char cell : row) putchar(cell ? '#' : '.');
        putchar('\n');
    }

    cudaChannelFormatDesc pairs = cudaCreateChannelDesc<float2>();
    cudaArray_t volume;
    CHECK(cudaMalloc3DArray(&volume, &pairs, make_cudaExtent(8, 4, 3), cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t in_volume = surface_of(volume);
    for (int z = 0; z < 3; z++) fill<<<1, dim3(8, 4)>>>(in_volume, z);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = volume;
    cudaTextureDesc how = {};
    for (auto& mode : how.addressMode) mode = cudaAddressModeBorder;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture_of_volume;
    CHECK(cudaCreateTextureObject(&texture_of_volume, &resource, &how, nullptr));
    float2 *d_out, out[16];
    CHECK(cudaMalloc(&d_out, sizeof out));
    sample<<<1, 16>>>(texture_of_volume, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (float2 v : out) printf("(%g, %g) ", v.x, v.y);
    printf("\n");

    cudaChannelFormatDesc whole = cudaCreateChannelDesc<int>();
    cudaArray_t line;
    CHECK(cudaMallocArray(&line, &whole, 6, 0, cudaArraySurfaceLoadStore));
    const int values[6] = {3, 1, 4, 1, 5, 9};
    CHECK(cudaMemcpy2DToArray(line, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t in_line = surface_of(line);
    int *d_edges, edge[14];
    CHECK(cudaMalloc(&d_edges, sizeof edge));
    edges<<<1, 14>>>(in_line, d_edges);
    CHECK(cudaMemcpy(edge, d_edges, sizeof edge, cudaMemcpyDeviceToHost));
    for (int e : edge) printf("%d ", e);
    printf("\n");

    CHECK(cudaDestroySurfaceObject(in_a));
    CHECK(cudaDestroySurfaceObject(in_b));
    CHECK(cudaDestroySurfaceObject(in_volume));
    CHECK(cudaDestroySurfaceObject(in_line));
    CHECK(cudaDestroyTextureObject(texture_of_volume));
    for (cudaArray_t array : {a, b, volume, line}) CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_edges));
    return 0;
}
