//! # Colour to grey, four pixels at a time
//!
//! A colour image has `n` pixels of three bytes: red, green, blue, red, green, blue, and so on, without gaps. Compute
//! the grey value of each pixel, one byte: `weigh(red, green, blue)`, which is given.
//!
//! One byte per load is a waste of requests. A thread takes four pixels: these are 12 bytes, which are three words of
//! 32 bits, and the result is one word. The grid has a thread for each four pixels; `n` need not be a multiple of
//! four. Both arrays begin at a multiple of 16 bytes. The lowest byte of a word is the first one in memory.
//!
//! The goals, at a size where everything is full: three load requests and one store request for the 128 pixels of a
//! warp.
//!
//! ## Hint
//! Write down which bytes are in the first word: red 0, green 0, blue 0, red 1. Which are in the second and third?
//!
//! ## Hint
//! If `a` is the first word, `a & 255` is its first byte, and `a >> 8 & 255` the second. `weigh` itself takes the
//! lowest eight bits of each argument, so the shift is enough.
//!
//! ## Hint
//! The four grey values become one word with shifts by 0, 8, 16 and 24, and `|`.
//!
//! ## Hint
//! At the end of the image a thread may have one, two or three pixels. It goes byte by byte, in a loop from its first
//! pixel to `n`. Choose between the two ways by whether all four pixels exist.
//!
//! ## Why it works
//! Pixel `4 * k` begins at byte `12 * k`, which is a multiple of four. So a thread that takes *four* pixels may load
//! words, and a thread that takes one may not: most pixels do not begin at a word.
//!
//! With a byte per load and a thread per pixel, the 128 pixels would take twelve load requests and four store requests.
//! Here they take three and one. The bytes that are needed are the same. Fewer instructions ask for them, and that
//! matters where a multiprocessor could not issue more requests.
//@ exercise write, 75 minutes
//@ gate global_load_requests <= 3 * ((n + 127) / 128)
//@ gate global_store_requests <= (n + 127) / 128
//@ input rgb: unsigned char[3 * n] = lcg256
//@ output grey: unsigned char[n] = poison
//@ launch to_grey(rgb, grey, n) grid = (n + 255) / 256, block = 64
//@ test 1, 2, 3, 4, 5, 127, 128, 129, 255, 256, 257, 1021
//@ page 4096

/// The grey value of a pixel, from the lowest eight bits of each argument.
__device__ unsigned int weigh(unsigned int red, unsigned int green, unsigned int blue) {
    return (77 * (red & 255) + 150 * (green & 255) + 29 * (blue & 255)) >> 8;
}

extern "C" __global__ void to_grey(
    const unsigned char* rgb, unsigned char* grey, int n) {
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);  // of this thread's four pixels
    //@ begin
    if (first + 4 <= n) {
        const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
        unsigned int a = words[0], b = words[1], c = words[2];
        unsigned int pixels = weigh(a, a >> 8, a >> 16);
        pixels |= weigh(a >> 24, b, b >> 8) << 8;
        pixels |= weigh(b >> 16, b >> 24, c) << 16;
        pixels |= weigh(c >> 8, c >> 16, c >> 24) << 24;
        *reinterpret_cast<unsigned int*>(grey + first) = pixels;
    } else {
        for (int i = first; i < n; i++)
            grey[i] = weigh(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
    //@ starter
    //| if (first < n)
    //|     grey[first] = weigh(rgb[3 * first], rgb[3 * first + 1], rgb[3 * first + 2]);
    //@ wrong gate global_load_requests: each byte is loaded by itself
    //| for (int i = first; i < n && i < first + 4; i++)
    //|     grey[i] = weigh(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    //@ wrong gate global_store_requests: the words are loaded, but the four results are stored one by one
    //| if (first + 4 <= n) {
    //|     const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    //|     unsigned int a = words[0], b = words[1], c = words[2];
    //|     grey[first] = weigh(a, a >> 8, a >> 16);
    //|     grey[first + 1] = weigh(a >> 24, b, b >> 8);
    //|     grey[first + 2] = weigh(b >> 16, b >> 24, c);
    //|     grey[first + 3] = weigh(c >> 8, c >> 16, c >> 24);
    //| } else {
    //|     for (int i = first; i < n; i++)
    //|         grey[i] = weigh(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    //| }
    //@ wrong bounds: words are read and written where the image has fewer than four pixels left
    //| if (first < n) {
    //|     const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    //|     unsigned int a = words[0], b = words[1], c = words[2];
    //|     unsigned int pixels = weigh(a, a >> 8, a >> 16);
    //|     pixels |= weigh(a >> 24, b, b >> 8) << 8;
    //|     pixels |= weigh(b >> 16, b >> 24, c) << 16;
    //|     pixels |= weigh(c >> 8, c >> 16, c >> 24) << 24;
    //|     *reinterpret_cast<unsigned int*>(grey + first) = pixels;
    //| }
    //@ wrong bounds: each pixel is loaded as a word, and most pixels do not begin at a multiple of four bytes
    //| for (int i = first; i < n && i < first + 4; i++) {
    //|     unsigned int word = *reinterpret_cast<const unsigned int*>(rgb + 3 * i);
    //|     grey[i] = weigh(word, word >> 8, word >> 16);
    //| }
    //@ wrong result: the last one to three pixels are not computed
    //| if (first + 4 <= n) {
    //|     const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    //|     unsigned int a = words[0], b = words[1], c = words[2];
    //|     unsigned int pixels = weigh(a, a >> 8, a >> 16);
    //|     pixels |= weigh(a >> 24, b, b >> 8) << 8;
    //|     pixels |= weigh(b >> 16, b >> 24, c) << 16;
    //|     pixels |= weigh(c >> 8, c >> 16, c >> 24) << 24;
    //|     *reinterpret_cast<unsigned int*>(grey + first) = pixels;
    //| }
    //@ wrong result: the highest byte of a word is taken for the first one in memory
    //| if (first + 4 <= n) {
    //|     const unsigned int* words = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    //|     unsigned int a = words[0], b = words[1], c = words[2];
    //|     unsigned int pixels = weigh(a >> 24, a >> 16, a >> 8);
    //|     pixels |= weigh(a, b >> 24, b >> 16) << 8;
    //|     pixels |= weigh(b >> 8, b, c >> 24) << 16;
    //|     pixels |= weigh(c >> 16, c >> 8, c) << 24;
    //|     *reinterpret_cast<unsigned int*>(grey + first) = pixels;
    //| } else {
    //|     for (int i = first; i < n; i++)
    //|         grey[i] = weigh(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    //| }
    //@ right: whole words through shared memory
    //| __shared__ unsigned int words[192];
    //| const unsigned char* bytes = (const unsigned char*)words;
    //| int start = blockIdx.x * 256;
    //| int t = threadIdx.x;
    //| if (start + 256 <= n) {
    //|     const unsigned int* in = (const unsigned int*)(rgb + 3 * start);
    //|     words[t] = in[t];
    //|     words[t + 64] = in[t + 64];
    //|     words[t + 128] = in[t + 128];
    //| } else {
    //|     unsigned char* w = (unsigned char*)words;
    //|     for (int k = t; k < 768 && 3 * start + k < 3 * n; k += 64)
    //|         w[k] = rgb[3 * start + k];
    //| }
    //| __syncthreads();
    //| if (first + 3 < n) {
    //|     unsigned int word = 0;
    //|     for (int k = 0; k < 4; k++) {
    //|         const unsigned char* p = bytes + 12 * t + 3 * k;
    //|         word |= weigh(p[0], p[1], p[2]) << (8 * k);
    //|     }
    //|     *(unsigned int*)(grey + first) = word;
    //| } else {
    //|     for (int k = 0; first + k < n; k++) {
    //|         const unsigned char* p = bytes + 12 * t + 3 * k;
    //|         grey[first + k] = weigh(p[0], p[1], p[2]);
    //|     }
    //| }
    //@ right: `__dp4a` on words that a funnel shift puts together
    //| const unsigned int weights = 77u | 150u << 8 | 29u << 16;
    //| if (first + 4 <= n) {
    //|     const unsigned int* p = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    //|     unsigned int a = p[0], b = p[1], c = p[2];
    //|     unsigned int g0 = __dp4a(a, weights, 0u) >> 8;
    //|     unsigned int g1 = __dp4a(__funnelshift_r(a, b, 24), weights, 0u) >> 8;
    //|     unsigned int g2 = __dp4a(__funnelshift_r(b, c, 16), weights, 0u) >> 8;
    //|     unsigned int g3 = __dp4a(c >> 8, weights, 0u) >> 8;
    //|     *reinterpret_cast<unsigned int*>(grey + first) = g0 | g1 << 8 | g2 << 16 | g3 << 24;
    //| } else {
    //|     for (int k = first; k < n; k++)
    //|         grey[k] = weigh(rgb[3 * k], rgb[3 * k + 1], rgb[3 * k + 2]);
    //| }
    //@ right: whole words, exchanged by shuffles
    //| int lane = threadIdx.x % 32;
    //| int warp_first = first - 4 * lane;
    //| const unsigned int* p = reinterpret_cast<const unsigned int*>(rgb) + warp_first / 4 * 3;
    //| if (warp_first + 128 <= n) {
    //|     unsigned int v0 = p[lane], v1 = p[lane + 32], v2 = p[lane + 64];
    //|     unsigned int w0 = 0, w1 = 0, w2 = 0;
    //|     for (int k = 0; k < 3; k++) {
    //|         int at = 3 * lane + k;
    //|         unsigned int a = __shfl_sync(0xffffffff, v0, at & 31);
    //|         unsigned int b = __shfl_sync(0xffffffff, v1, at & 31);
    //|         unsigned int c = __shfl_sync(0xffffffff, v2, at & 31);
    //|         unsigned int w = at < 32 ? a : at < 64 ? b : c;
    //|         if (k == 0) w0 = w;
    //|         else if (k == 1) w1 = w;
    //|         else w2 = w;
    //|     }
    //|     unsigned int word = weigh(w0, w0 >> 8, w0 >> 16) | weigh(w0 >> 24, w1, w1 >> 8) << 8
    //|                       | weigh(w1 >> 16, w1 >> 24, w2) << 16 | weigh(w2 >> 8, w2 >> 16, w2 >> 24) << 24;
    //|     reinterpret_cast<unsigned int*>(grey)[first / 4] = word;
    //| } else {
    //|     for (int k = first; k < min(first + 4, n); k++)
    //|         grey[k] = weigh(rgb[3 * k], rgb[3 * k + 1], rgb[3 * k + 2]);
    //| }
    //@ end
}

/// The grey value of pixel i.
__host__ __device__ unsigned char expected(const unsigned char* rgb, int i) {
    return (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) / 256;
}
