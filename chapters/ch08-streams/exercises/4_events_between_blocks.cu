//! # Events between two blocks
//!
//! Two blocks stand for two streams. Block 0 brings pieces of 64 numbers into a ring of two buffers. Block 1 takes each
//! piece from the ring and writes it to `out`, in reverse order within the piece. The blocks are not ordered, so they
//! need events, as streams do:
//!
//! - `filled[p]` is recorded when piece `p` is in the ring, and
//! - `emptied[p]` when it has been taken out.
//!
//! An event is an `int` that is 0, and 1 once it is recorded. Write `record`, `wait`, and the two loops. All 64 threads
//! of a block call `record` and `wait` together. Both blocks are resident at the same time.
//!
//! As with two streams, only the ring is seen by both: block 0 has no `out`, and block 1 has no `in`.
//!
//! ## Hint
//! For which event must block 0 wait before it fills a buffer for piece `p`? The first two pieces wait for nothing. For
//! which one must block 1 wait?
//!
//! ## Hint
//! `record`: first all threads of the block must have finished what the event announces, then *one* thread sets the
//! event. `wait`: one thread asks again and again, then all may go on. Both need a barrier, but on different sides.
//!
//! ## Hint
//! Asking again and again needs an atomic, `while (atomicAdd(event, 0) == 0) {}`, and so does setting it,
//! `atomicExch(event, 1)`.
//!
//! ## Hint
//! An atomic alone does not order other accesses. `__threadfence()` must stand before the event is set, and also after
//! it was seen: chapter 2 and chapter 5 have the same with a flag.
//!
//! ## Why it works
//! The stores of all threads come before the barrier in `record`, the barrier before the fence, and the fence before
//! the atomic. On the other side the order is reversed: atomic, fence, barrier, loads. So every load of block 1 comes
//! after every store of block 0 to this piece, and *happens-before* holds for all 64 threads.
//!
//! `emptied` is needed for the same reason as `filled`: without it, block 0 may overwrite a buffer that is still being
//! read. With two buffers it may be up to two pieces ahead. *Barriers* are counted per warp, one for each call of
//! `record` or `wait`.
//@ exercise write, 90 minutes
//@ let pieces = (n + 63) / 64
//@ input in: int[n] = lcg256
//@ scratch ring: int[128] = poison
//@ scratch filled: int[pieces] = zero
//@ scratch emptied: int[pieces] = zero
//@ output out: int[n] = poison
//@ launch streams(in, ring, filled, emptied, out, n) grid = 2, block = 64
//@ test 1, 31, 32, 33, 63, 64, 65, 128, 129, 509
//@ page 640
//@ equivalent `atomicSub` for `atomicAdd` in `while (atomicAdd(event, 0) == 0) {`: nothing less 0 is the same as nothing more
//@ equivalent `!=` for `==` in `if (threadIdx.x == 0) {`: the other threads may set the event, or wait for it, as well

//@ begin
/// All that this block did before comes before the event.
__device__ void record(int* event) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(event, 1);
    }
}

/// All that this block does afterwards comes after the event.
__device__ void wait(int* event) {
    if (threadIdx.x == 0) {
        while (atomicAdd(event, 0) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}
//@ starter
//| /// All that this block did before comes before the event.
//| __device__ void record(int* event) {
//| }
//|
//| /// All that this block does afterwards comes after the event.
//| __device__ void wait(int* event) {
//| }
//@ wrong race: the event is recorded before all threads have arrived
//| __device__ void record(int* event) {
//|     if (threadIdx.x == 0) {
//|         __threadfence();
//|         atomicExch(event, 1);
//|     }
//| }
//| __device__ void wait(int* event) {
//|     if (threadIdx.x == 0) {
//|         while (atomicAdd(event, 0) == 0) {
//|         }
//|         __threadfence();
//|     }
//|     __syncthreads();
//| }
//@ wrong race: one thread waits, and the others go on without it
//| __device__ void record(int* event) {
//|     __syncthreads();
//|     if (threadIdx.x == 0) {
//|         __threadfence();
//|         atomicExch(event, 1);
//|     }
//| }
//| __device__ void wait(int* event) {
//|     if (threadIdx.x == 0) {
//|         while (atomicAdd(event, 0) == 0) {
//|         }
//|         __threadfence();
//|     }
//| }
//@ wrong race: without fences, nothing orders the event and the numbers
//| __device__ void record(int* event) {
//|     __syncthreads();
//|     if (threadIdx.x == 0)
//|         atomicExch(event, 1);
//| }
//| __device__ void wait(int* event) {
//|     if (threadIdx.x == 0) {
//|         while (atomicAdd(event, 0) == 0) {
//|         }
//|     }
//|     __syncthreads();
//| }
//@ end

extern "C" __global__ void streams(
    const int* in, int* ring, int* filled, int* emptied, int* out, int n) {
    int t = threadIdx.x;
    int pieces = (n + 63) / 64;
    if (blockIdx.x == 0)
        out = nullptr;
    else
        in = nullptr;
    //@ begin
    for (int p = 0; p < pieces; p++) {
        int* buffer = ring + p % 2 * 64;
        int length = min(64, n - p * 64);
        if (blockIdx.x == 0) {
            if (p >= 2)
                wait(&emptied[p - 2]);
            if (t < length)
                buffer[t] = in[p * 64 + t];
            record(&filled[p]);
        } else {
            wait(&filled[p]);
            if (t < length)
                out[p * 64 + t] = buffer[length - 1 - t];
            record(&emptied[p]);
        }
    }
    //@ starter
    //| // Block 0 fills the buffers, block 1 empties them.
    //@ wrong race: block 0 does not wait until a buffer has been emptied
    //| for (int p = 0; p < pieces; p++) {
    //|     int* buffer = ring + p % 2 * 64;
    //|     int length = min(64, n - p * 64);
    //|     if (blockIdx.x == 0) {
    //|         if (t < length)
    //|             buffer[t] = in[p * 64 + t];
    //|         record(&filled[p]);
    //|     } else {
    //|         wait(&filled[p]);
    //|         if (t < length)
    //|             out[p * 64 + t] = buffer[length - 1 - t];
    //|     }
    //| }
    //@ wrong deadlock: block 0 waits for the piece that it is about to bring
    //| for (int p = 0; p < pieces; p++) {
    //|     int* buffer = ring + p % 2 * 64;
    //|     int length = min(64, n - p * 64);
    //|     if (blockIdx.x == 0) {
    //|         wait(&emptied[p]);
    //|         if (t < length)
    //|             buffer[t] = in[p * 64 + t];
    //|         record(&filled[p]);
    //|     } else {
    //|         wait(&filled[p]);
    //|         if (t < length)
    //|             out[p * 64 + t] = buffer[length - 1 - t];
    //|         record(&emptied[p]);
    //|     }
    //| }
    //@ wrong race: block 1 says that a buffer is empty before it has read it
    //| for (int p = 0; p < pieces; p++) {
    //|     int* buffer = ring + p % 2 * 64;
    //|     int length = min(64, n - p * 64);
    //|     if (blockIdx.x == 0) {
    //|         if (p >= 2)
    //|             wait(&emptied[p - 2]);
    //|         if (t < length)
    //|             buffer[t] = in[p * 64 + t];
    //|         record(&filled[p]);
    //|     } else {
    //|         wait(&filled[p]);
    //|         record(&emptied[p]);
    //|         if (t < length)
    //|             out[p * 64 + t] = buffer[length - 1 - t];
    //|     }
    //| }
    //@ end
}

/// The mirror image of number i within its piece.
__host__ __device__ int expected(const int* in, int n, int i) {
    int first = i - i % 64;
    int length = n - first < 64 ? n - first : 64;
    return in[first + length - 1 - i % 64];
}
