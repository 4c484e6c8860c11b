// layernorm of long rows on Hopper: y = (x - mean) * rsqrt(variance + epsilon) * gain + bias, each row by the
// blocks of a cluster together, a piece of it each. Rows begin at multiples of 16 bytes.
//
// Constants: CLUSTER blocks to a row; THREADS to a piece; VECTORS of four floats a thread; GROUPS of THREADS in a
// block, which work on rows of their own; STAGES pieces in shared memory for each group. A row has at most
// CLUSTER * THREADS * VECTORS * 4 floats.
//
// A row of 64 K floats that one block holds fills a multiprocessor, and its gain and bias are twice as much
// again, read for every row. Here a block stays, and always has the same columns: its part of gain and bias lies
// in shared memory from the first row to the last. The TMA brings the pieces of later rows meanwhile.
//
// Which row comes next is asked of a counter, not reckoned from the block's number. Clusters that count for
// themselves drift apart, and memory is then read and written in so many places at once that even a bare copy
// loses 7 % on an H200; from a counter they stay side by side.
//
// Threads meet once a row. Of what a thread, a warp, a block has seen it keeps the count, the mean and the sum of
// squared distances from that mean; two such join without cancellation, and are never far from each other.

#include "hopper.cuh"

const u32 ALL = 0xffffffff;
const u32 WARPS = THREADS / 32;

// What is known of some floats.
struct Known {
    float count, mean, squares;
};

__device__ __forceinline__ Known join(Known a, Known b) {
    float count = a.count + b.count, apart = b.mean - a.mean;
    float part = count > 0 ? __fdividef(b.count, count) : 0;
    return Known{count, a.mean + apart * part, a.squares + b.squares + apart * apart * a.count * part};
}

__device__ __forceinline__ Known join_across(Known a, u32 distance) {
    return join(
        a, Known{__shfl_xor_sync(ALL, a.count, distance), __shfl_xor_sync(ALL, a.mean, distance), __shfl_xor_sync(ALL, a.squares, distance)});
}

// Over the threads of one group.
__device__ __forceinline__ void group_sync(u32 group) { asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(THREADS) : "memory"); }

// `claims`: rows handed out so far, and clusters that have ended; zero before and after.
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS* GROUPS, 1) kernels_layernorm_cluster(
    const float* from, float* to, u64 rows, u64 columns, u64 from_stride, u64 to_stride, const float* gain, const float* bias,
    float epsilon, u32* claims) {
    extern __shared__ __align__(128) unsigned char memory[];
    __shared__ u64 full[GROUPS][STAGES][VECTORS], met[GROUPS][2];
    __shared__ uint4 told[GROUPS][2][CLUSTER];
    __shared__ Known seen[GROUPS][WARPS];
    float4* pieces = reinterpret_cast<float4*>(memory);
    float4* gains = pieces + GROUPS * STAGES * VECTORS * THREADS;
    float4* biases = gains + VECTORS * THREADS;

    u32 group = threadIdx.x / THREADS, thread = threadIdx.x % THREADS, rank = blockIdx.x % CLUSTER;
    u32 cluster = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
    u32 vectors = (u32)(columns / 4), piece = (vectors + CLUSTER - 1) / CLUSTER;
    u32 begin = min(rank * piece, vectors), mine = min(piece, vectors - begin);
    const float* x = from + (u64)begin * 4;

    if (threadIdx.x == 0) {
        for (u32 g = 0; g < GROUPS; g++) {
            for (u32 s = 0; s < STAGES * VECTORS; s++)
                init(&full[g][0][s], 1);
            init(&met[g][0], 1);
            init(&met[g][1], 1);
        }
        init_done();
    }
    cluster_sync();

    // Asks for this block's piece of a row, in as many parts as a thread has vectors.
    float4* stages = pieces + group * STAGES * VECTORS * THREADS;
    auto start = [&](u32 turn, u32 row) {
        if (row >= rows)
            return;
        u32 stage = turn % STAGES;
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++) {
            u32 at = k * THREADS, bytes = at < mine ? min((u32)THREADS, mine - at) * 16 : 0;
            expect(&full[group][stage][k], bytes);
            if (bytes > 0)
                copy_bytes(&full[group][stage][k], stages + stage * VECTORS * THREADS + at, x + row * from_stride + at * 4, bytes);
        }
    };
    u32 next[STAGES];  // the rows of this turn and of those after it
#pragma unroll
    for (u32 u = 0; u < STAGES; u++) {
        next[u] = (u * GROUPS + group) * clusters + cluster;
        if (thread == 0)
            start(u, next[u]);
    }
    for (u32 i = threadIdx.x; i < mine; i += THREADS * GROUPS) {
        gains[i] = reinterpret_cast<const float4*>(gain)[begin + i];
        biases[i] = reinterpret_cast<const float4*>(bias)[begin + i];
    }
    __syncthreads();

    for (u32 turn = 0; next[0] < rows; turn++) {
        u32 stage = turn % STAGES, now = turn % 2;
        u64 row = next[0];
        float4 v[VECTORS];
        float sum = 0, squares = 0, count = 0;
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++) {
            wait(&full[group][stage][k], turn / STAGES % 2);
            if (k * THREADS + thread < mine) {
                v[k] = stages[(stage * VECTORS + k) * THREADS + thread];
                sum += v[k].x + v[k].y + (v[k].z + v[k].w);
                count += 4;
            }
        }
        u32 claim = 0;
        if (thread == 0 && rank == 0)
            claim = STAGES * GROUPS * clusters + atomicAdd(claims, 1);
        float middle = count > 0 ? __fdividef(sum, count) : 0;
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++)
            if (k * THREADS + thread < mine) {
                float a = v[k].x - middle, b = v[k].y - middle, c = v[k].z - middle, d = v[k].w - middle;
                squares += a * a + b * b + (c * c + d * d);
            }
        Known all{count, middle, squares};
#pragma unroll
        for (u32 distance = 16; distance > 0; distance /= 2)
            all = join_across(all, distance);
        if (thread % 32 == 0)
            seen[group][thread / 32] = all;
        group_sync(group);
        if (thread < 32) {
            all = seen[group][thread % WARPS];
            __syncwarp();  // a shuffle orders no memory: all have read when thread 0 arrives
#pragma unroll
            for (u32 distance = WARPS / 2; distance > 0; distance /= 2)
                all = join_across(all, distance);
            if (thread == 0)
                expect(&met[group][now], CLUSTER * 16);
            claim = __shfl_sync(ALL, claim, 0);
            uint4 words = make_uint4(__float_as_uint(all.count), __float_as_uint(all.mean), __float_as_uint(all.squares), claim);
            if (thread < CLUSTER)
                tell(thread, &met[group][now], &told[group][now][rank], words);
        }
        // A block needs what all others send in a turn, so none is two turns ahead: two buffers suffice.
        wait(&met[group][now], turn / 2 % 2);
#pragma unroll
        for (u32 u = 0; u + 1 < STAGES; u++)
            next[u] = next[u + 1];
        next[STAGES - 1] = told[group][now][0].w;
        if (thread == 0)
            start(turn + STAGES, next[STAGES - 1]);  // where the piece was that all have read
        all = Known{0, 0, 0};
#pragma unroll
        for (u32 r = 0; r < CLUSTER; r++) {
            uint4 words = told[group][now][r];
            all = join(all, Known{__uint_as_float(words.x), __uint_as_float(words.y), __uint_as_float(words.z)});
        }

        float scale = rsqrtf(all.squares / (float)columns + epsilon);
        float4* y = reinterpret_cast<float4*>(to + row * to_stride + (u64)begin * 4) + thread;
#pragma unroll
        for (u32 k = 0; k < VECTORS; k++)
            if (k * THREADS + thread < mine) {
                float4 g = gains[k * THREADS + thread], b = biases[k * THREADS + thread];
                y[k * THREADS] = make_float4(
                    (v[k].x - all.mean) * scale * g.x + b.x, (v[k].y - all.mean) * scale * g.y + b.y,
                    (v[k].z - all.mean) * scale * g.z + b.z, (v[k].w - all.mean) * scale * g.w + b.w);
            }
    }
    cluster_sync();  // no block exits while others may still write to its shared memory
    if (rank == 0 && threadIdx.x == 0) {
        __threadfence();
        if (atomicInc(claims + 1, clusters - 1) == clusters - 1)
            *claims = 0;  // all have ended: for the next launch
    }
}
