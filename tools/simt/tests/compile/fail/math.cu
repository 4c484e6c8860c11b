__global__ void math(float* f, double* d) {
    f[0] = erfinf(f[1]);
    f[0] = __fadd_ra(f[0], f[1]);
    f[1] = powf(f[0]);
    f[2] = sinf(f);
    f[3] = std::riemann_zeta(f[0]);
    sincosf(f[0], &d[0], &f[1]);
    f[4] = exff(f[0]);
}
