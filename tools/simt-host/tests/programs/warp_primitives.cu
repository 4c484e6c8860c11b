// Every kind of exchange in a warp, each checked on the host.
#include <stdio.h>
#include <stdlib.h>

#define FULL 0xffffffffu

__global__ void exchange(int *out)
{
    int lane = threadIdx.x;
    int v = lane * lane;
    out[0 * 32 + lane] = __shfl_sync(FULL, v, (lane + 5) % 32);
    out[1 * 32 + lane] = __shfl_up_sync(FULL, v, 3);
    out[2 * 32 + lane] = __shfl_down_sync(FULL, v, 7, 16);
    out[3 * 32 + lane] = __shfl_xor_sync(FULL, v, 1);
    out[4 * 32 + lane] = (int)__ballot_sync(FULL, lane % 3 == 0);
    out[5 * 32 + lane] = __any_sync(FULL, lane == 31) + 2 * __all_sync(FULL, lane < 31);
    out[6 * 32 + lane] = (int)__match_any_sync(FULL, lane / 4);
    int pred;
    out[7 * 32 + lane] = (int)__match_all_sync(FULL, 42, &pred) + pred;
    out[8 * 32 + lane] = __reduce_max_sync(FULL, lane ^ 21);
    out[9 * 32 + lane] = __popc(__activemask());
    long long big = (long long)lane << 33;
    out[10 * 32 + lane] = (int)(__shfl_sync(FULL, big, 9) >> 33);
    int sum = lane;
    for (int d = 1; d < 32; d *= 2) {
        int t = __shfl_up_sync(FULL, sum, d);
        if (lane >= d) sum += t;
    }
    out[11 * 32 + lane] = sum;
    if (lane < 16) out[12 * 32 + lane] = __shfl_sync(0xffffu, v, 15 - lane);
    else out[12 * 32 + lane] = __shfl_sync(0xffff0000u, v, 31);
    out[13 * 32 + lane] = __ffs(lane) + __clz(lane) * 100 + __brev(lane) % 7 + __byte_perm(lane, 0x1234, 0x0154) % 1000;
}

int main()
{
    const int rows = 14;
    int *d, h[rows * 32];
    cudaMalloc(&d, sizeof(h));
    exchange<<<1, 32>>>(d);
    if (cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost) != cudaSuccess) exit(1);
    cudaFree(d);
    int bad = 0;
    for (int l = 0; l < 32; l++) {
        int w[13];
        w[0] = ((l + 5) % 32) * ((l + 5) % 32);
        w[1] = l < 3 ? l * l : (l - 3) * (l - 3);
        w[2] = l % 16 + 7 < 16 ? (l + 7) * (l + 7) : l * l;
        w[3] = (l ^ 1) * (l ^ 1);
        w[4] = 0x49249249;
        w[5] = 1;
        w[6] = 0xf << (l / 4 * 4);
        w[7] = 0;
        w[8] = 31;
        w[9] = 32;
        w[10] = 9;
        w[11] = l * (l + 1) / 2;
        w[12] = l < 16 ? (15 - l) * (15 - l) : 961;
        for (int r = 0; r < 13; r++)
            if (h[r * 32 + l] != w[r]) {
                if (bad++ < 5) printf("row %d lane %d: %d, not %d\n", r, l, h[r * 32 + l], w[r]);
            }
    }
    for (int r = 0; r < rows; r++) printf("%2d: %d %d %d\n", r, h[r * 32], h[r * 32 + 13], h[r * 32 + 31]);
    printf(bad ? "FAILED\n" : "passed\n");
    return bad != 0;
}
