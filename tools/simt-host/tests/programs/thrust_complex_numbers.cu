// thrust::complex on the host, in algorithms and in a kernel: the values are exact.
#include <cstdio>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

typedef thrust::complex<float> C;

struct step {
    __host__ __device__ C operator()(const C& z) const { return z * z + C(-0.5f, 0.25f); }
};
__global__ void conjugates(C* z, int n) {
    int i = threadIdx.x;
    if (i < n) z[i] = thrust::conj(z[i]) * 2.0f - C(0, 1);
}

int main() {
    const int n = 64;
    thrust::host_vector<C> h(n);
    for (int i = 0; i < n; i++) h[i] = C((float)(i % 8) / 4, (float)(i / 8) / 8);
    thrust::device_vector<C> z = h;
    thrust::transform(z.begin(), z.end(), z.begin(), step());
    conjugates<<<1, n>>>(thrust::raw_pointer_cast(z.data()), n);
    C sum = thrust::reduce(z.begin(), z.end(), C(0, 0));
    C some = z[21];
    printf("%g %g | %g %g\n", some.real(), some.imag(), sum.real(), sum.imag());
    thrust::complex<double> a(3, 4), b(1, -2);
    thrust::complex<double> q = a / b, p = a * b, d = a - 1.0;
    printf("%g %g | %g %g | %g %g | %g %g\n", thrust::abs(a), thrust::norm(a), q.real(), q.imag(), p.real(), p.imag(), d.real(), d.imag());
    printf("%d %d\n", a == thrust::conj(thrust::conj(a)), a != b);
}
