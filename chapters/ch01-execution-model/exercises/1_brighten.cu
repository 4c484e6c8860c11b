//! # Brighten an image
//!
//! A grey image has `n` pixels, one byte each: 0 is black, 255 is white. Add `more` to every pixel. A pixel that
//! would become brighter than white becomes white.
//!
//! The grid has at least one thread for each pixel, in blocks of 128. Write the body of the kernel.
//!
//! ## Hint
//! The kernel runs once in every thread. Which pixel does this thread take? Compute its index from `blockIdx.x`,
//! `blockDim.x` and `threadIdx.x`.
//!
//! ## Hint
//! The grid consists of whole blocks, so the last block has threads without a pixel. They must not read or write.
//!
//! ## Hint
//! An `unsigned char` cannot hold 256. Add in an `int`, take the smaller of the sum and 255, and store that.
//!
//! ## Why it works
//! Each thread has an index of its own, so each pixel is read once and written once. The test `i < n` keeps the
//! threads that are left over away from memory that does not belong to the image.
//!
//! Look at *sectors per load*: the 32 lanes of a warp read 32 adjacent bytes, which are one sector.
//@ exercise write, 10 minutes
//@ input in: unsigned char[n] = lcg256
//@ let more = 60
//@ output out: unsigned char[n] = poison
//@ launch brighten(in, out, more, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021
//@ page 4096

extern "C" __global__ void brighten(
    const unsigned char* in, unsigned char* out, int more, int n) {
    //@ begin
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = min(in[i] + more, 255);
    //@ starter
    //| // Every thread of the grid runs these lines.
    //| int i = 0;  // which pixel?
    //| out[i] = in[i];
    //@ wrong bounds: nothing stops the threads of the last block that have no pixel
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| out[i] = min(in[i] + more, 255);
    //@ wrong bounds: the test lets one thread too many through
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (i <= n)
    //|     out[i] = min(in[i] + more, 255);
    //@ wrong serial: one thread brightens all pixels, and the others do nothing
    //| if (blockIdx.x == 0 && threadIdx.x == 0) {
    //|     for (int i = 0; i < n; i++)
    //|         out[i] = min(in[i] + more, 255);
    //| }
    //@ wrong result: all blocks take the pixels of the first block
    //| int i = threadIdx.x;
    //| if (i < n)
    //|     out[i] = min(in[i] + more, 255);
    //@ wrong result: the sum is stored in a byte before it is compared with 255
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (i < n) {
    //|     unsigned char sum = in[i] + more;
    //|     out[i] = min((int)sum, 255);
    //| }
    //@ right: four bytes per thread, and the rest one by one
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (4 * i + 3 < n) {
    //|     uchar4 p = reinterpret_cast<const uchar4*>(in)[i];
    //|     p.x = min(p.x + more, 255);
    //|     p.y = min(p.y + more, 255);
    //|     p.z = min(p.z + more, 255);
    //|     p.w = min(p.w + more, 255);
    //|     reinterpret_cast<uchar4*>(out)[i] = p;
    //| } else {
    //|     for (int k = 4 * i; k < n; k++)
    //|         out[k] = min(in[k] + more, 255);
    //| }
    //@ right: four bytes at once with `__vaddus4`
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| int words = n / 4;
    //| if (i < words) {
    //|     unsigned int w = reinterpret_cast<const unsigned int*>(in)[i];
    //|     reinterpret_cast<unsigned int*>(out)[i] = __vaddus4(w, (unsigned int)more * 0x01010101u);
    //| } else if (i < words + n % 4) {
    //|     int k = 4 * words + i - words;
    //|     out[k] = min(in[k] + more, 255);
    //| }
    //@ right: it counts up in global memory: slow, but all warps share the work
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (i >= n) return;
    //| out[i] = in[i];
    //| for (int k = 0; k < more; k++)
    //|     if (out[i] < 255)
    //|         out[i]++;
    //@ end
}

/// Pixel i, brighter by `more`, but not brighter than white.
__host__ __device__ unsigned char expected(const unsigned char* in, int more, int i) {
    return in[i] > 255 - more ? 255 : in[i] + more;
}
