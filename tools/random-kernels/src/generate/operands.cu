// Operands of instructions: edges of the types, small numbers, and random bits.

// The finalizer of splitmix64.
__device__ u64 mixed(u64 x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

#ifdef TRACE
// The results of the first rows.
#ifndef TRACED
#define TRACED (1u << 20)
#endif
__device__ u64 traced[TRACED];
__device__ char is_traced[TRACED];
#endif

// What one row adds to the hash: a sum, so that the order of the threads does not matter.
__device__ u64 term(u64 row, u64 value) {
#ifdef TRACE
    if (row < TRACED) traced[row] = value, is_traced[row] = 1;
#endif
    return mixed(mixed(row + 0x9e3779b97f4a7c15ull) ^ value);
}

// The random numbers of one row.
struct Row {
    u64 state;
    __device__ Row(u64 seed, u64 row) : state(mixed(seed) ^ mixed(row * 0x9e3779b97f4a7c15ull + 1)) {}
    __device__ u64 next() { return mixed(state += 0x9e3779b97f4a7c15ull); }
};

// A number near an edge of an integer type: a power of two, and up to three more or less; or its negative.
__device__ u64 near_power(u64 r) {
    u64 x = (1ull << (r & 63)) + ((r >> 6) & 7) - 3;
    return (r >> 9) & 1 ? 0 - x : x;
}

// A float as bits, with so many bits of exponent and of mantissa: zero, one, infinity, NaN, the largest,
// subnormals, whole numbers, halves of whole numbers, values beside all of these, and random ones near 1.
__device__ u64 float_bits(u64 r, int exponent, int mantissa) {
    const u64 bias = (1ull << (exponent - 1)) - 1, one = bias << mantissa, top = (2 * bias + 1) << mantissa;
    const u64 sign = (r >> 63) << (exponent + mantissa), low = (1ull << mantissa) - 1;
    u64 x = 0;
    switch (r & 7) {
        case 0: x = top; break;
        case 1: x = one; break;
        case 2: x = 1ull << mantissa; break;
        case 3: x = (r >> 8) & low; break;
        case 4: x = top + ((r >> 8) & low); break;
        case 5: x = one + ((r >> 8) % (mantissa + 3) << mantissa) + ((r >> 16) & low & ~(low >> 4)); break;
        default: x = one + (((r >> 8) % 9 - 4) << mantissa) + ((r >> 16) & low); break;
    }
    if ((r & 4) == 0) x += ((r >> 60) & 3) == 0 ? 1 : ((r >> 60) & 3) == 1 ? -1ll : 0;
    return sign | (x & ((1ull << (exponent + mantissa)) - 1));
}

// An operand: of 16 bits ('h'), of 32 ('r', or a float 'f'), of 64 ('l', or a double 'd').
__device__ u64 operand(Row& row, char kind) {
    const u64 r = row.next(), how = row.next();
    if ((how & 3) == 0) return r;
    switch (kind) {
        case 'f': return float_bits(r, 8, 23);
        case 'd': return float_bits(r, 11, 52);
        case 'h':
            if ((how & 12) == 0) return float_bits(r, 5, 10);
            if ((how & 12) == 4) return float_bits(r, 8, 7);
            break;
        case 'r':
            if ((how & 28) == 0) return float_bits(r, 5, 10) | float_bits(mixed(r), 5, 10) << 16;
            if ((how & 28) == 4) return float_bits(r, 8, 7) | float_bits(mixed(r), 8, 7) << 16;
            break;
        default: break;
    }
    return (how & 32) == 0 ? near_power(r) : (how & 64) == 0 ? r % 70 : (u64)(i64)(i16)r;
}
