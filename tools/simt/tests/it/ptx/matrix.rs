//! `mma.sync`, `ldmatrix` and `stmatrix`, on small whole numbers.

use super::run;

/// A tile of `a` by `ldmatrix`, one of `b` transposed, and their product.
#[test]
fn matrices_are_loaded_and_multiplied() {
    let words = run(r#"
        __shared__ __align__(16) unsigned short as[256], bs[128];
        unsigned t = threadIdx.x, lane = t % 32, a[4], b[2];
        for (unsigned i = t; i < 256; i += 64) as[i] = __float_as_uint((float)(i * 7 % 5)) >> 16;
        for (unsigned i = t; i < 128; i += 64) bs[i] = __float_as_uint((float)(i * 5 % 4)) >> 16;
        __syncthreads();
        unsigned from_a = __cvta_generic_to_shared(&as[lane % 16 * 16 + lane / 16 * 8]);
        unsigned from_b = __cvta_generic_to_shared(&bs[lane % 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(from_a) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
            : "=r"(b[0]), "=r"(b[1]) : "r"(from_b) : "memory");
        float d[4] = {1, 2, 3, 4};
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        for (unsigned i = 0; i < 4; i++)
            out[t / 32 * 128 + (lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = (unsigned)d[i];
    "#);
    for (at, word) in words.iter().enumerate() {
        let (i, j) = (at % 128 / 8, at % 8);
        let products = (0..16).map(|l| ((i * 16 + l) * 7 % 5) * ((l * 8 + j) * 5 % 4));
        let before = 1 + i / 8 * 2 + j % 2;
        assert_eq!(*word as usize, before + products.sum::<usize>(), "({i}, {j})");
    }
}

#[test]
fn doubles_take_pairs_of_registers() {
    let words = run(r#"
        unsigned lane = threadIdx.x % 32;
        double a = lane % 7, b = lane % 5, c[2] = {0.5, 1.5}, d[2];
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
            : "=d"(d[0]), "=d"(d[1]) : "d"(a), "d"(b), "d"(c[0]), "d"(c[1]));
        out[threadIdx.x * 2] = (unsigned)(d[0] * 2);
        out[threadIdx.x * 2 + 1] = (unsigned)(d[1] * 2);
    "#);
    for (at, word) in words[..128].iter().enumerate() {
        let (lane, part) = (at / 2 % 32, at % 2);
        let (row, column) = (lane / 4, lane % 4 * 2 + part);
        let products = (0..4).map(|l| (row * 4 + l) % 7 * ((column * 4 + l) % 5));
        assert_eq!(*word as usize, 1 + 2 * part + 2 * products.sum::<usize>(), "lane {lane}");
    }
}

#[test]
fn integers_wrap_or_stay_at_the_largest() {
    let words = run(r#"
        unsigned most = 0x7fffff00, ones = 0x01010101, d[4], s[4];
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
            "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%6, %6, %6, %6};"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(0xffffffff), "r"(ones), "r"(most));
        asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 "
            "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%6, %6, %6, %6};"
            : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]) : "r"(0xffffffff), "r"(ones), "r"(most));
        out[threadIdx.x] = d[threadIdx.x % 4];
        out[64 + threadIdx.x] = s[threadIdx.x % 4];
    "#);
    assert!(words[..64].iter().all(|word| *word == 0x7fff_ff00 + 32 * 255), "{words:x?}");
    assert!(words[64..128].iter().all(|word| *word == 0x7fff_ffff), "{words:x?}");
}

/// A matrix that is stored transposed and loaded transposed is the same.
#[test]
fn stores_are_the_reverse_of_loads() {
    let words = run(r#"
        __shared__ __align__(16) unsigned short tile[2][64];
        unsigned lane = threadIdx.x % 32, a = threadIdx.x * 3 | threadIdx.x << 20, plain, turned;
        unsigned at = __cvta_generic_to_shared(&tile[threadIdx.x / 32][lane % 8 * 8]);
        asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" :: "r"(at), "r"(a) : "memory");
        __syncwarp();
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(turned) : "r"(at) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(plain) : "r"(at) : "memory");
        out[threadIdx.x] = plain == a;
        out[64 + threadIdx.x] = turned;
    "#);
    assert!(words[..64].iter().all(|word| *word == 1), "{words:?}");
    let halves = |t: usize| [(t * 3) as u32 & 0xffff, (((t * 3) | (t << 20)) >> 16) as u32];
    for (lane, word) in words[64..96].iter().enumerate() {
        let element = |row: usize, column: usize| halves(row * 4 + column / 2)[column % 2];
        let (row, column) = (lane / 4, lane % 4 * 2);
        assert_eq!(*word, element(column, row) | element(column + 1, row) << 16, "lane {lane}");
    }
}
