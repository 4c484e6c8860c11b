//! One atomic a warp: places are dealt out by a ballot.
//@ input in: int[n] = iota
//@ scratch out: int[n] = zero
//@ scratch count: int[1] = zero
//@ launch leader_by_ballot(in, out, count) grid = 1, block = 64
//@ page 64

__global__ void leader_by_ballot(const int* in, int* out, int* count) {
    int t = threadIdx.x, lane = t % 32;
    bool want = in[t] % 3 == 0;
    unsigned all = __ballot_sync(0xffffffffu, want);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(all));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (want) out[base + __popc(all & ((1u << lane) - 1))] = t;
}
