// SHA-256 of many messages, one a thread, checked with known digests.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define CH(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define EP0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define EP1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SIG0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SIG1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))

typedef unsigned char BYTE;
typedef uint32_t WORD;

typedef struct JOB {
    BYTE data[128];
    int size;
    BYTE digest[32];
} JOB;

__constant__ WORD dev_k[64];
static const WORD host_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ void transform(WORD state[8], const BYTE block[64])
{
    WORD m[64], a, b, c, d, e, f, g, h;
    for (int i = 0, j = 0; i < 16; ++i, j += 4)
        m[i] = ((WORD)block[j] << 24) | ((WORD)block[j + 1] << 16) | ((WORD)block[j + 2] << 8) | block[j + 3];
    for (int i = 16; i < 64; ++i) m[i] = SIG1(m[i - 2]) + m[i - 7] + SIG0(m[i - 15]) + m[i - 16];
    a = state[0]; b = state[1]; c = state[2]; d = state[3];
    e = state[4]; f = state[5]; g = state[6]; h = state[7];
    for (int i = 0; i < 64; ++i) {
        WORD t1 = h + EP1(e) + CH(e, f, g) + dev_k[i] + m[i];
        WORD t2 = EP0(a) + MAJ(a, b, c);
        h = g; g = f; f = e; e = d + t1;
        d = c; c = b; b = a; a = t1 + t2;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}

__global__ void sha256_cuda(JOB **jobs, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    JOB *job = jobs[i];
    WORD state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    BYTE block[64];
    int at = 0;
    bool padded = false;
    for (;;) {
        int k = 0;
        while (k < 64 && at < job->size) block[k++] = job->data[at++];
        if (k == 64) {
            transform(state, block);
            continue;
        }
        if (!padded) {
            block[k++] = 0x80;
            padded = true;
        }
        bool last = k <= 56;
        for (; k < 64; ++k) block[k] = 0;
        if (last) {
            uint64_t bits = (uint64_t)job->size * 8;
            for (int b = 0; b < 8; ++b) block[63 - b] = (BYTE)(bits >> (8 * b));
        }
        transform(state, block);
        if (last) break;
    }
    for (int w = 0; w < 8; ++w)
        for (int b = 0; b < 4; ++b) job->digest[4 * w + b] = (BYTE)(state[w] >> (24 - 8 * b));
}

char *hash_to_string(BYTE *buff, char *string)
{
    for (int k = 0; k < 32; k++) sprintf(string + 2 * k, "%.2x", buff[k]);
    string[64] = 0;
    return string;
}

int main(void)
{
    const char *messages[] = {"", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "The quick brown fox jumps over the lazy dog", "The quick brown fox jumps over the lazy dog."};
    const char *known[] = {
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592",
        "ef537f25c895bfa782526529a9b63d97aa631564d5d789c2b765448c8635fb6c"};
    const int n = sizeof(messages) / sizeof(messages[0]);
    JOB **jobs;
    cudaMallocManaged(&jobs, n * sizeof(JOB *));
    for (int i = 0; i < n; i++) {
        cudaMallocManaged(&jobs[i], sizeof(JOB));
        jobs[i]->size = (int)strlen(messages[i]);
        memcpy(jobs[i]->data, messages[i], jobs[i]->size);
    }
    cudaMemcpyToSymbol(dev_k, host_k, sizeof(host_k), 0, cudaMemcpyHostToDevice);
    sha256_cuda<<<1, 32>>>(jobs, n);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < n; i++) {
        char text[70];
        printf("%s\n", hash_to_string(jobs[i]->digest, text));
        bad += strcmp(text, known[i]) != 0;
        cudaFree(jobs[i]);
    }
    cudaFree(jobs);
    printf("%s\n", bad ? "FAILED" : "passed");
    return bad;
}
