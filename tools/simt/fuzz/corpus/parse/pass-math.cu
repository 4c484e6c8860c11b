__global__ void math(float* f, double* d, int n) {
 f[0] = expf(f[1]) + std::pow(f[2], 2.5f);
 d[0] = log1p(d[1]) * pow(d[2], n);
 sincosf(f[3], &f[4], &f[5]);
 f[6] = __fdividef(1.0f, 1.0f + __expf(-f[7]));
 f[8] = rsqrtf(f[9]);
}
