// Stockham's FFT, radix two, on a struct of two floats with operators; forth and back again.
#include <cmath>
#include <cstdio>
#include <vector>

struct cplx {
    float re, im;
    __host__ __device__ cplx(float r = 0.0f, float i = 0.0f) : re(r), im(i) {}
};
__host__ __device__ inline cplx operator+(cplx a, cplx b) { return cplx(a.re + b.re, a.im + b.im); }
__host__ __device__ inline cplx operator-(cplx a, cplx b) { return cplx(a.re - b.re, a.im - b.im); }
__host__ __device__ inline cplx operator*(cplx a, cplx b) { return cplx(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }

__global__ void pass(const cplx* in, cplx* out, int half, int n, float sign) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    int k = t % half;
    float s, c;
    sincosf(sign * 3.14159265358979f * k / half, &s, &c);
    cplx a = in[t], b = in[t + n / 2] * cplx(c, s);
    int at = (t / half) * 2 * half + k;
    out[at] = a + b;
    out[at + half] = a - b;
}

void fft(cplx*& data, cplx*& scratch, int n, float sign) {
    for (int half = 1; half < n; half *= 2) {
        pass<<<(n / 2 + 63) / 64, 64>>>(data, scratch, half, n, sign);
        cplx* t = data;
        data = scratch;
        scratch = t;
    }
}

int main() {
    const int n = 256;
    std::vector<cplx> signal(n), spectrum(n), back(n);
    for (int i = 0; i < n; ++i) {
        signal[i].re = cosf(2 * 3.14159265f * 5 * i / n) + 0.5f * sinf(2 * 3.14159265f * 20 * i / n);
        signal[i].im = 0.01f * (i % 3);
    }
    cplx *a, *b;
    cudaMalloc(&a, n * sizeof(cplx));
    cudaMalloc(&b, n * sizeof(cplx));
    cudaMemcpy(a, signal.data(), n * sizeof(cplx), cudaMemcpyHostToDevice);
    fft(a, b, n, -1.0f);
    cudaMemcpy(spectrum.data(), a, n * sizeof(cplx), cudaMemcpyDeviceToHost);
    fft(a, b, n, 1.0f);
    cudaMemcpy(back.data(), a, n * sizeof(cplx), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    double forward = 0, round = 0;
    for (int k = 0; k < n; ++k) {
        double re = 0, im = 0;
        for (int i = 0; i < n; ++i) {
            double angle = -2 * M_PI * ((double)k * i / n);
            re += signal[i].re * cos(angle) - signal[i].im * sin(angle);
            im += signal[i].re * sin(angle) + signal[i].im * cos(angle);
        }
        forward = fmax(forward, hypot(re - spectrum[k].re, im - spectrum[k].im));
        round = fmax(round, hypot(back[k].re / n - signal[k].re, back[k].im / n - signal[k].im));
    }
    int peak = 0;
    for (int k = 1; k < n / 2; ++k)
        if (spectrum[k].re * spectrum[k].re + spectrum[k].im * spectrum[k].im > spectrum[peak].re * spectrum[peak].re + spectrum[peak].im * spectrum[peak].im) peak = k;
    bool ok = forward < 1e-2 && round < 1e-5 && peak == 5;
    printf("peak at %d\n%s\n", peak, ok ? "passed" : "FAILED");
    return !ok;
}
