#include <cstdio>
typedef unsigned __int128 u128;
typedef __int128 i128;
__host__ __device__ unsigned long long mulmod(unsigned long long a, unsigned long long b, unsigned long long m) { return (unsigned long long)((u128)a * b % m); }
__host__ __device__ void all(unsigned long long* o, unsigned long long x) {
    int n = 0;
    o[n++] = mulmod(123456789123ull, 0xFFFFFFFF00000000ull, 0xFFFFFFFF00000001ull);
    u128 a = x, b = (u128)x << 64 | 12345, c = a * a; c += b; c *= 3; o[n++] = (unsigned long long)(c >> 64); o[n++] = c;
    u128 q = c / b, r = c % b; o[n++] = q * b + r == c; o[n++] = q; o[n++] = r >> 64; o[n++] = r;
    u128 e = c / 1000000007u, f = c % 1000000007; o[n++] = e >> 64; o[n++] = e; o[n++] = f;
    i128 s = -5; s *= (long long)x; s -= 7; o[n++] = (unsigned long long)(s >> 70); o[n++] = s / 3; o[n++] = s % 1000; o[n++] = s < 0; o[n++] = (unsigned long long)(double)(s / 1000000000000ll);
    int bits = 0; for (u128 t = c; t; t >>= 1) bits += t & 1 ? 1 : 0; o[n++] = bits; o[n++] = sizeof(u128) + alignof(u128);
    o[n++] = (unsigned long long)(double)(c >> 70); o[n++] = (u128)1e30 >> 50; u128 z = ~(u128)0; z++; o[n++] = z == 0; --z; o[n++] = z > c; o[n++] = c != b && !(a >= b);
    o[n++] = (unsigned long long)(float)(c >> 70); o[n++] = 7 - (i128)9 < 0; o[n++] = 1 + a; int k = (int)(c & 0xff); o[n++] = k; o[n++] = (a << 3) - 1 + (x > 4 ? a : b);
    o[n++] = c == c ? ((c ^ b) | a) & 0xffffffffu : 0; u128 arr[2] = {1, 2}; o[n++] = arr[1] << 65 >> 64;
}
__global__ void k(unsigned long long* o, unsigned long long x) { all(o, x); }
template <typename T> __global__ void sum(const T* a, T* o) {
    T s = 0;
    for (int i = 0; i < 4; ++i) s += a[i] * a[i];
    *o = s;
}
int main() {
    unsigned long long *d, h[29];
    cudaMallocManaged(&d, sizeof h);
    k<<<1, 1>>>(d, 0xfedcba9876543211ull);
    cudaDeviceSynchronize();
    all(h, 0xfedcba9876543211ull);
    for (int i = 0; i < 29; ++i) printf("%llu%s ", h[i], h[i] == d[i] ? "" : " (not on the device)");
    __uint128_t* w;
    cudaMallocManaged(&w, 5 * sizeof(__uint128_t));
    for (int i = 0; i < 4; ++i) w[i] = (__uint128_t)1 << (40 + i);
    sum<unsigned __int128><<<1, 1>>>(w, w + 4);
    cudaDeviceSynchronize();
    printf("%llu", (unsigned long long)(w[4] >> 64));
}
