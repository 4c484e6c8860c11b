// The engines and distributions of <random>, whose numbers everybody shares, through a kernel.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

__global__ void mix(const unsigned* in, unsigned long long* out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) atomicXor(out, (unsigned long long)in[i] * (2ull * i + 1));
}

int main() {
    std::mt19937 gen(2023);
    std::cout << "mt19937:";
    for (int i = 0; i < 4; ++i) std::cout << ' ' << gen();
    std::mt19937_64 gen64(7);
    std::cout << "\nmt19937_64: " << gen64();
    std::minstd_rand lcg;
    std::default_random_engine standard(3);
    std::cout << "\nminstd_rand: " << lcg() << ", default: " << standard() << '\n';

    std::uniform_int_distribution<int> die(1, 6);
    std::vector<int> faces(7, 0);
    for (int i = 0; i < 600; ++i) ++faces[die(gen)];
    for (int f = 1; f <= 6; ++f) std::cout << f << ": " << faces[f] << (f < 6 ? ", " : "\n");

    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    std::normal_distribution<double> normal(10.0, 2.0);
    std::bernoulli_distribution coin(0.25);
    std::cout << std::fixed << std::setprecision(4) << "uniform " << unit(gen) << ' ' << unit(gen) << ", normal " << normal(gen) << ' ' << normal(gen)
              << ", coin " << coin(gen) << coin(gen) << coin(gen) << std::endl;
    double mean = 0;
    for (int i = 0; i < 500; ++i) mean += normal(gen) / 500;
    std::vector<int> order(10);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), gen);
    for (int v : order) std::cout << v << ' ';
    std::cout << std::endl;

    const int n = 1000;
    std::vector<unsigned> words(n);
    std::generate(words.begin(), words.end(), std::ref(gen));
    unsigned* d_in;
    unsigned long long *d_out, got, want = 0;
    cudaMalloc(&d_in, n * sizeof(unsigned));
    cudaMalloc(&d_out, sizeof got);
    cudaMemset(d_out, 0, sizeof got);
    cudaMemcpy(d_in, words.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    mix<<<8, 128>>>(d_in, d_out, n);
    cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) want ^= words[i] * (2ull * i + 1);
    std::cout << "mixed: " << std::hex << got << std::dec << std::endl;
    bool ok = got == want && mean > 9.5 && mean < 10.5;
    std::cout << (ok ? "passed" : "FAILED") << std::endl;
    cudaFree(d_in);
    cudaFree(d_out);
    return ok ? 0 : 1;
}
