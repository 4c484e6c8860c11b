// Grey, blur and Sobel on a made-up picture, in a pipeline of kernels on uchar4.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <fstream>

class Image {
public:
    Image(int w, int h) : width(w), height(h), pixels(w * h) {}
    uchar4& at(int x, int y) { return pixels[y * width + x]; }
    int width, height;
    std::vector<uchar4> pixels;
};

__global__ void grey(const uchar4* in, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (unsigned char)((in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8);
}

__device__ __forceinline__ int clampi(int v, int low, int high) { return v < low ? low : (v > high ? high : v); }

template <int R>
__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0;
#pragma unroll
    for (int dy = -R; dy <= R; ++dy)
#pragma unroll
        for (int dx = -R; dx <= R; ++dx) sum += in[clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
    out[y * w + x] = (unsigned char)(sum / ((2 * R + 1) * (2 * R + 1)));
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
    __shared__ int tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int t = threadIdx.y * 16 + threadIdx.x; t < 18 * 18; t += 256) {
        int sx = clampi(blockIdx.x * 16 + t % 18 - 1, 0, w - 1), sy = clampi(blockIdx.y * 16 + t / 18 - 1, 0, h - 1);
        tile[t / 18][t % 18] = in[sy * w + sx];
    }
    __syncthreads();
    if (x >= w || y >= h) return;
    int cx = threadIdx.x + 1, cy = threadIdx.y + 1;
    int gx = tile[cy - 1][cx + 1] + 2 * tile[cy][cx + 1] + tile[cy + 1][cx + 1] - tile[cy - 1][cx - 1] - 2 * tile[cy][cx - 1] - tile[cy + 1][cx - 1];
    int gy = tile[cy + 1][cx - 1] + 2 * tile[cy + 1][cx] + tile[cy + 1][cx + 1] - tile[cy - 1][cx - 1] - 2 * tile[cy - 1][cx] - tile[cy - 1][cx + 1];
    out[y * w + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}

int main() {
    Image image(70, 50);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            bool disc = (x - 35) * (x - 35) + (y - 25) * (y - 25) < 225;
            image.at(x, y) = make_uchar4(disc ? 250 : 10, disc ? 200 : (unsigned char)(x * 2), (unsigned char)(y * 3), 255);
        }
    const int w = image.width, h = image.height, n = w * h;
    uchar4* d_rgba;
    unsigned char *a, *b;
    cudaMalloc(&d_rgba, n * sizeof(uchar4));
    cudaMalloc(&a, n);
    cudaMalloc(&b, n);
    cudaMemcpy(d_rgba, image.pixels.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice);
    dim3 threads(16, 16), blocks((w + 15) / 16, (h + 15) / 16);
    grey<<<(n + 127) / 128, 128>>>(d_rgba, a, n);
    blur<1><<<blocks, threads>>>(a, b, w, h);
    sobel<<<blocks, threads>>>(b, a, w, h);
    std::vector<unsigned char> out(n);
    cudaMemcpy(out.data(), a, n, cudaMemcpyDeviceToHost);
    cudaFree(d_rgba);
    cudaFree(a);
    cudaFree(b);
    // The same on the host.
    std::vector<int> g(n), s(n);
    for (int i = 0; i < n; ++i) g[i] = (image.pixels[i].x * 77 + image.pixels[i].y * 150 + image.pixels[i].z * 29) >> 8;
    auto clamped = [&](const std::vector<int>& v, int x, int y) { return v[std::min(std::max(y, 0), h - 1) * w + std::min(std::max(x, 0), w - 1)]; };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int sum = 0;
            for (int k = 0; k < 9; ++k) sum += clamped(g, x + k % 3 - 1, y + k / 3 - 1);
            s[y * w + x] = sum / 9;
        }
    int bad = 0, edges = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int gx = clamped(s, x + 1, y - 1) + 2 * clamped(s, x + 1, y) + clamped(s, x + 1, y + 1) - clamped(s, x - 1, y - 1) - 2 * clamped(s, x - 1, y) - clamped(s, x - 1, y + 1);
            int gy = clamped(s, x - 1, y + 1) + 2 * clamped(s, x, y + 1) + clamped(s, x + 1, y + 1) - clamped(s, x - 1, y - 1) - 2 * clamped(s, x, y - 1) - clamped(s, x + 1, y - 1);
            int want = std::min(255, std::abs(gx) + std::abs(gy));
            bad += want != out[y * w + x];
            edges += out[y * w + x] > 100;
        }
    printf("edge pixels: %d, wrong: %d\n", edges, bad);
    printf(bad ? "FAILED\n" : "passed\n");
    return bad != 0;
}
