//! # Convert FP8 to float
//!
//! An FP8 number in the format E4M3 has, from the highest bit down: one bit for the sign, four bits for the exponent
//! `e`, and three bits for the mantissa `m`. Convert `n` of them to floats.
//!
//! - If `e` is not 0, the number is (1 + m / 8) · 2<sup>e − 7</sup>.
//! - If `e` is 0, it is *subnormal*: (m / 8) · 2<sup>−6</sup>.
//! - If all seven bits below the sign are 1, it is not a number. Write 512 for it, whatever its sign bit is, so that the
//!   result can be compared.
//!
//! ## Hint
//! Take the byte apart first, with shifts and masks: one bit, four bits, three bits.
//!
//! ## Hint
//! 1 + m / 8 is (8 + m) / 8. So both cases are a small integer times a power of two, and `ldexpf(x, k)` is
//! x · 2<sup>k</sup>.
//!
//! ## Hint
//! Normal: `ldexpf(8 + m, e - 10)`. Subnormal: `ldexpf(m, -9)`. Multiply by −1 if the highest bit is set, and test for
//! the pattern 127 in the lower seven bits before anything else.
//!
//! ## Why it works
//! A float of any width is an integer times a power of two, and its exponent is stored with an offset, the *bias*: 7
//! here. The leading 1 of the mantissa is not stored, except that subnormal numbers do not have it. Without them there
//! would be a gap around zero.
//!
//! The largest number is 448: exponent 15 and mantissa 6, since 7 is "not a number". E4M3 gives up infinity for that.
//! *Global store sectors* are four times the *global load sectors*: this is why weights are stored as eight bits, and
//! converted where they are used.
//@ exercise write, 20 minutes
//@ input in: unsigned char[n] = lcg256
//@ output out: float[n] = poison
//@ launch convert(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096
//@ page 4096
//@ equivalent `unsigned char` for `unsigned int` in `unsigned int m = bits & 7;`: three bits fit in it

/// The value of an FP8 number; 512 if it is not a number.
__device__ float value(unsigned int bits) {
    //@ begin
    unsigned int e = bits >> 3 & 15;
    unsigned int m = bits & 7;
    if (e == 15 && m == 7)
        return 512;
    float size = e > 0 ? ldexpf(8 + m, (int)e - 10) : ldexpf(m, -9);
    return bits & 128 ? -size : size;
    //@ starter
    //| // Take the sign, the exponent and the mantissa apart, and put the value together.
    //| return bits;
    //@ wrong result: the subnormal numbers get a leading 1
    //| unsigned int e = bits >> 3 & 15;
    //| unsigned int m = bits & 7;
    //| if (e == 15 && m == 7)
    //|     return 512;
    //| float size = ldexpf(8 + m, (int)e - 10);
    //| return bits & 128 ? -size : size;
    //@ wrong result: the bias is that of a half-precision number
    //| unsigned int e = bits >> 3 & 15;
    //| unsigned int m = bits & 7;
    //| if (e == 15 && m == 7)
    //|     return 512;
    //| float size = e > 0 ? ldexpf(8 + m, (int)e - 18) : ldexpf(m, -17);
    //| return bits & 128 ? -size : size;
    //@ wrong result: the bits are divided as in E5M2
    //| unsigned int e = bits >> 2 & 31;
    //| unsigned int m = bits & 3;
    //| if (e == 31)
    //|     return 512;
    //| float size = e > 0 ? ldexpf(4 + m, (int)e - 17) : ldexpf(m, -16);
    //| return bits & 128 ? -size : size;
    //@ wrong result: the whole highest exponent is reserved, as in other formats
    //| unsigned int e = bits >> 3 & 15;
    //| unsigned int m = bits & 7;
    //| if (e == 15)
    //|     return 512;
    //| float size = e > 0 ? ldexpf(8 + m, (int)e - 10) : ldexpf(m, -9);
    //| return bits & 128 ? -size : size;
    //@ wrong result: the sign is ignored
    //| unsigned int e = bits >> 3 & 15;
    //| unsigned int m = bits & 7;
    //| if (e == 15 && m == 7)
    //|     return 512;
    //| return e > 0 ? ldexpf(8 + m, (int)e - 10) : ldexpf(m, -9);
    //@ right: the bits of the float are put together
    //| unsigned int s = (bits & 0x80u) << 24, e = bits >> 3 & 15, m = bits & 7;
    //| if ((bits & 0x7f) == 0x7f)
    //|     return 512.0f;
    //| if (e == 0)
    //|     return (s ? -1.0f : 1.0f) * m / 512.0f;
    //| return __uint_as_float(s | (e + 120) << 23 | m << 20);
    //@ right: integers that count units of 1/512
    //| unsigned int e = bits / 8 % 16, m = bits % 8;
    //| unsigned int units = e ? (8 + m) << (e - 1) : m;
    //| float v = units * (1.0f / 512);
    //| if (bits == 127 || bits == 255)
    //|     return 512;
    //| return bits < 128 ? v : 0 - v;
    //@ right: a table of the exponents
    //| const float scale[16] = {0x1p-6f, 0x1p-6f, 0x1p-5f, 0x1p-4f, 0x1p-3f, 0x1p-2f, 0x1p-1f, 1, 2, 4, 8, 16, 32, 64, 128, 256};
    //| int e = bits >> 3 & 15;
    //| float size = ((e > 0) + (bits & 7) * 0.125f) * scale[e];
    //| if (size == 480)
    //|     return 512;
    //| return (bits & 128) ? -size : size;
    //@ end
}

extern "C" __global__ void convert(const unsigned char* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = value(in[i]);
}

/// The value of number i, by doubling and halving.
__host__ __device__ float expected(const unsigned char* in, int i) {
    int bits = in[i] % 128;
    if (bits == 127)
        return 512;
    float size = bits >= 8 ? 8 + bits % 8 : bits;
    for (int e = bits / 8; e > 10; e--)
        size = size * 2;
    for (int e = bits >= 8 ? bits / 8 : 1; e < 10; e++)
        size = size / 2;
    return in[i] >= 128 ? -size : size;
}
