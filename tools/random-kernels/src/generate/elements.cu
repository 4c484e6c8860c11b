// Elements of matrices. Each tile has a mode for each of its matrices, so that sums of one tile overflow, cancel,
// are subnormal, or lose low bits in some tiles, and hold NaNs in few.

__device__ u32 mode_of(u64 random) {
    const char modes[17] = "2223331145776023";
    return modes[random & 15] - '0';
}

// A float with so many bits of exponent and of mantissa, as bits.
__device__ u64 float_element(u64 r, u32 mode, int exponent, int mantissa) {
    const u32 bias = (1u << (exponent - 1)) - 1, top = (1u << exponent) - 1, pick = (u32)(r >> 52) & 0x7ff;
    u64 low = r & ((1ull << mantissa) - 1);
    u32 e = pick & top;
    if (mode == 6) {
        mode = 2;
        if (pick < 32) {
            switch (pick & 7) {
                case 0: e = top; low = 0; break;
                case 1: e = top; low |= 1; break;
                case 2: e = 0; low = 0; break;
                case 3: e = 0; low = 1; break;
                case 4: e = top - 1; low = (1ull << mantissa) - 1; break;
                case 5: e = 0; break;
                case 6: e = 1; low = 0; break;
                default: e = bias; low = 0; break;
            }
            mode = 8;
        }
    }
    if (mode == 7) {
        mode = pick < 1400 ? 9 : 3;
        if (mode == 9) e = 0, low = 0;
    }
    switch (mode) {
        case 1: e -= e == top; break;
        case 2: e = bias - 2 + (pick & 3); break;
        case 3: {
            const u32 reach = bias < 12 ? bias : 12;
            e = bias - reach + pick % (2 * reach);
            break;
        }
        case 4: e = pick % 3; break;
        case 5: e = pick % 5 == 0 ? 0 : bias + (pick & 3); low = 0; break;
        default: break;
    }
    return (r >> 63) << (exponent + mantissa) | (u64)e << mantissa | low;
}

// A register of elements, by the letter of their format: binary16, bfloat16, tf32 and float, e4m3, e5m2, integers.
__device__ u32 element_register(Row& row, char format, u32 mode) {
    const u64 r = row.next();
    u32 out = 0;
    switch (format) {
        case 'h': return (u32)(float_element(r, mode, 5, 10) | float_element(mixed(r), mode, 5, 10) << 16);
        case 'b': return (u32)(float_element(r, mode, 8, 7) | float_element(mixed(r), mode, 8, 7) << 16);
        case 'f': return (u32)float_element(r, mode, 8, 23);
        case '4':
            for (u64 i = 0, x = r; i < 4; i++, x = mixed(x)) out = out << 8 | (u32)float_element(x, mode, 4, 3);
            return out;
        case '5':
            for (u64 i = 0, x = r; i < 4; i++, x = mixed(x)) out = out << 8 | (u32)float_element(x, mode, 5, 2);
            return out;
        default: return mode == 1 ? 0x7f7f8080u ^ (u32)(r & 0x01010101u) : (u32)r;
    }
}

// A sum of integers: any, or near an end of the range.
__device__ u32 whole_sum(Row& row, u32 mode) {
    const u64 r = row.next();
    return mode == 2 ? (u32)r : mode == 3 ? (u32)(i32)(i16)r : ((r >> 32) & 1 ? 0x80000000u : 0x7fff0000u) + (r & 0xffff);
}
