// Where a pattern occurs in a text, a thread a position, matches gathered by an atomic counter.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

__constant__ char pattern[32];

__global__ void search(const char* text, int length, int patternLength, int* matches, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + patternLength > length) return;
    for (int k = 0; k < patternLength; ++k)
        if (text[i + k] != pattern[k]) return;
    matches[atomicAdd(count, 1)] = i;
}

int main() {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "abracadabra "[i % 12], text += i % 5 == 0 ? "abra" : "cad";
    char *d_text;
    int *d_matches, *d_count;
    cudaMalloc(&d_text, text.size());
    cudaMalloc(&d_matches, text.size() * sizeof(int));
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(d_text, text.c_str(), text.length(), cudaMemcpyHostToDevice);
    bool ok = true;
    for (const char* p : {"abra", "cad", "dab", "nothing"}) {
        const int m = static_cast<int>(std::strlen(p));
        cudaMemcpyToSymbol(pattern, p, m);
        cudaMemset(d_count, 0, sizeof(int));
        search<<<(static_cast<int>(text.size()) + 127) / 128, 128>>>(d_text, static_cast<int>(text.size()), m, d_matches, d_count);
        int count = 0;
        cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
        std::vector<int> found(count);
        if (count) cudaMemcpy(found.data(), d_matches, count * sizeof(int), cudaMemcpyDeviceToHost);
        std::sort(found.begin(), found.end());
        std::vector<int> want;
        for (std::string::size_type at = text.find(p); at != std::string::npos; at = text.find(p, at + 1)) want.push_back(static_cast<int>(at));
        std::cout << p << ": " << count << (count ? ", first at " + std::to_string(found[0]) : std::string()) << std::endl;
        ok = ok && found == want;
    }
    cudaFree(d_text);
    cudaFree(d_matches);
    cudaFree(d_count);
    std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
    return ok ? 0 : 1;
}
