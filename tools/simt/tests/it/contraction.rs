//! Which products become fused multiply-adds: the machine code that `nvcc` 13.0 makes of each kernel.
//!
//! A product of `E` and `E` is `1 + 2^-11 + 2^-24`; rounded, the last part is lost. So a result says
//! whether a product was rounded, and of two products which one.

use crate::support::one_thread;
use simt::Arg;

const E: f32 = 1.0 + 1.0 / 4096.0;
const LOST: f32 = 1.0 / 16_777_216.0;

/// `out[0]` and `out[1]`. `in` holds `E, E, -1 - 2^-11, -E, 2, 1, 1, 1 + 2^-11`; `c` is 1 and `m` is 0.
fn run(body: &str) -> [f32; 2] {
    let text = format!(
        "#define E 1.000244140625f\n\
         __global__ void k(float* out, const float* in, float e, int c, int m) {{\n{body}\n}}\n"
    );
    let bytes = one_thread(text, |memory| {
        let out = memory.alloc("out", "float", 4, 64);
        let input = memory.alloc("in", "float", 4, 32);
        let sum = 1.0 + 1.0 / 2048.0;
        let values = [E, E, -sum, -E, 2.0, 1.0, 1.0, sum];
        memory.upload(input, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>());
        let args = vec![
            Arg::Buffer(out),
            Arg::Buffer(input),
            Arg::Value(E.to_le_bytes().to_vec()),
            Arg::Value(1i32.to_le_bytes().to_vec()),
            Arg::Value(0i32.to_le_bytes().to_vec()),
        ];
        (out, args)
    });
    [0, 4].map(|at| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
}

fn fused(body: &str) {
    assert_eq!(run(body)[0], LOST, "{body}");
}

fn rounded(body: &str) {
    assert_eq!(run(body)[0], 0.0, "{body}");
}

#[test]
fn a_product_with_a_constant_meets_its_sum_in_another_block() {
    fused("float p = in[0] * E; if (c > m) out[5] = in[2] / in[5]; out[0] = p + in[2];");
    fused(
        "float p = in[0] * E; float x = 1.0f; if (c > m) { out[7] = 1.0f; x = in[2] / in[5]; } out[0] = p + x;",
    );
    fused(
        "float p = in[0] * E; if (c > m) out[0] = p + sqrtf(in[5]) * in[2]; else out[1] = in[4];",
    );
    fused("float p = in[0] * E; for (int i = 0; i <= m; i++) out[i] = p + in[2];");
    let both =
        "float p = in[0] * E; out[1] = p + in[2]; if (c > m) out[5] = in[2]; out[0] = p - in[7];";
    assert_eq!(run(both), [LOST, LOST], "{both}");
}

#[test]
fn a_product_of_two_loads_meets_its_sum_if_nothing_is_stored_between() {
    fused("out[0] = in[0] * in[1] + (c > m ? in[c + 1] : in[m] / in[4]);");
    fused("out[0] = in[0] * in[1] - (c > m ? in[c + 6] : in[m] / in[4]);");
    rounded("float p = in[0] * in[1]; if (c > m) out[5] = in[2]; out[0] = p + in[2];");
    rounded("float p = in[0] * in[1]; for (int i = 0; i <= m; i++) out[i] = p + in[2];");
    fused(
        "float a = in[0]; float p = a * in[1]; if (c > m) out[5] = in[2]; out[0] = p + in[2]; out[4] = a;",
    );
    fused("float a = in[0]; float p = a * a; if (c > m) out[5] = in[2]; out[0] = p + in[2];");
    fused("float p = in[0] * e; if (c > m) out[5] = in[2]; out[0] = p + in[2];");
}

#[test]
fn a_product_with_another_use_stays_where_it_is() {
    rounded("float p = in[0] * E; if (c > m) out[5] = in[2]; out[1] = p; out[0] = p + in[2];");
    let two = "float p = in[0] * in[1]; out[1] = p + in[2]; if (c > m) out[5] = in[2]; out[0] = p + in[2];";
    assert_eq!(run(two), [0.0, 0.0], "{two}");
    rounded(
        "float p = 0.0f; for (int i = 0; i < c; i++) { p = in[i] * E; out[i + 3] = i; } out[0] = p + in[c + 1];",
    );
}

#[test]
fn a_product_of_an_earlier_turn_keeps_its_factor() {
    let body = "float p, factor, sum = 0.0f;
        for (int i = 0; i < 3; i++) {
            factor = in[i + 3];
            if (i == 0) p = factor * 2.0f;
            sum = p + in[6];
            if (sum == 77.0f) break;
        }
        out[0] = sum;";
    assert_eq!(run(body)[0], 1.0 - 2.0 * E);
}

#[test]
fn of_two_products_that_of_the_earlier_values_is_exact() {
    // in[0] * E is exact, and the product with in[3] is rounded.
    for body in [
        "float p = in[0] * E, q = in[3] * E; out[0] = p + q;",
        "float p = in[0] * E, q = in[3] * E; out[0] = q + p;",
        "float x = in[0], y = in[3]; out[0] = y * E + x * E;",
        "float x = in[3]; out[0] = x * E + e * E;",
        "float x = in[3]; out[0] = e * E + x * E;",
        "float p = in[0] * E; if (c > m) out[5] = in[2]; float q = in[3] * E; out[0] = q + p;",
    ] {
        fused(body);
    }
    // Equal ranks: the left one.
    let equal = "float x = in[0]; out[0] = x * E + x * -1.00048828125f;";
    assert_eq!(run(equal)[0], -1.0 / 4096.0 - 2.0 * LOST + LOST);
    // A difference: always the left one.
    assert_eq!(run("float a = in[0], b = in[1]; out[0] = b * E - a * E;")[0], LOST);
}
