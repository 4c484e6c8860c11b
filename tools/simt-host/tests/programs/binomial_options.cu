// American and European calls on a binomial tree, one block an option, barriers at each step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

struct Option {
    double spot, strike, years;
};

template <bool American>
__global__ void price(const Option* options, double* values, int steps, double rate, double sigma) {
    extern __shared__ double v[];
    const Option o = options[blockIdx.x];
    const double dt = o.years / steps, up = exp(sigma * sqrt(dt)), down = 1.0 / up, growth = exp(rate * dt);
    const double pu = (growth - down) / (up - down) / growth, pd = 1.0 / growth - pu;
    const int i = threadIdx.x;
    v[i] = fmax(0.0, o.spot * pow(up, 2.0 * i - steps) - o.strike);
    __syncthreads();
    for (int t = steps - 1; t >= 0; --t) {
        double value = 0.0;
        if (i <= t) {
            value = pu * v[i + 1] + pd * v[i];
            if (American) value = fmax(value, o.spot * pow(up, 2.0 * i - t) - o.strike);
        }
        __syncthreads();
        if (i <= t) v[i] = value;
        __syncthreads();
    }
    if (i == 0) values[blockIdx.x] = v[0];
}

double normal(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }

int main() {
    const int count = 12, steps = 63;
    const double rate = 0.05, sigma = 0.25;
    std::vector<Option> options(count);
    for (int i = 0; i < count; ++i) options[i] = {90.0 + 2 * i, 100.0, 0.5 + 0.1 * i};
    Option* d_options;
    double* d_values;
    cudaMalloc(&d_options, count * sizeof(Option));
    cudaMalloc(&d_values, count * sizeof(double));
    cudaMemcpy(d_options, options.data(), count * sizeof(Option), cudaMemcpyHostToDevice);
    std::vector<double> european(count), american(count);
    price<false><<<count, steps + 1, (steps + 1) * sizeof(double)>>>(d_options, d_values, steps, rate, sigma);
    cudaMemcpy(european.data(), d_values, count * sizeof(double), cudaMemcpyDeviceToHost);
    price<true><<<count, steps + 1, (steps + 1) * sizeof(double)>>>(d_options, d_values, steps, rate, sigma);
    cudaMemcpy(american.data(), d_values, count * sizeof(double), cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int i = 0; i < count; ++i) {
        const Option& o = options[i];
        double d1 = (std::log(o.spot / o.strike) + (rate + sigma * sigma / 2) * o.years) / (sigma * std::sqrt(o.years));
        double d2 = d1 - sigma * std::sqrt(o.years);
        double exact = o.spot * normal(d1) - o.strike * std::exp(-rate * o.years) * normal(d2);
        if (i % 4 == 0) std::printf("option %d: %.4f\n", i, european[i]);
        ok = ok && std::fabs(european[i] - exact) < 0.1 && american[i] >= european[i] - 1e-9 && american[i] - european[i] < 1e-6;
    }
    std::printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
