// CRC-32 of many blocks with a table in constant memory, made at compile time.
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr uint32_t entry(uint32_t i) {
    for (int k = 0; k < 8; ++k) i = (i & 1) ? (i >> 1) ^ 0xEDB88320u : i >> 1;
    return i;
}

__constant__ uint32_t table[256];

__global__ void crc(const uint8_t* data, int blockBytes, uint32_t* out, int blocks) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    uint32_t c = 0xFFFFFFFFu;
    for (int i = 0; i < blockBytes; ++i) c = table[(c ^ data[b * blockBytes + i]) & 0xFF] ^ (c >> 8);
    out[b] = ~c;
}

int main() {
    static_assert(entry(1) == 0x77073096u, "the polynomial");
    std::array<uint32_t, 256> host;
    for (uint32_t i = 0; i < host.size(); ++i) host[i] = entry(i);
    cudaMemcpyToSymbol(table, host.data(), sizeof(host));
    const int blocks = 100, bytes = 64;
    std::vector<uint8_t> data(blocks * bytes);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * i >> 3);
    uint8_t* d_data;
    uint32_t* d_out;
    cudaMalloc(&d_data, data.size());
    cudaMalloc(&d_out, blocks * sizeof(uint32_t));
    cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
    crc<<<4, 32>>>(d_data, bytes, d_out, blocks);
    std::vector<uint32_t> out(blocks);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int b = 0; b < blocks; ++b) {
        uint32_t c = ~0u;
        for (int i = 0; i < bytes; ++i) {
            c ^= data[b * bytes + i];
            for (int k = 0; k < 8; ++k) c = (c >> 1) ^ (0xEDB88320u & (0u - (c & 1u)));
        }
        bad += out[b] != (c ^ 0xFFFFFFFFu);
    }
    printf("first %08x, last %08X\n%s\n", out.front(), out.back(), bad ? "FAILED" : "passed");
    cudaFree(d_data);
    cudaFree(d_out);
    return bad;
}
