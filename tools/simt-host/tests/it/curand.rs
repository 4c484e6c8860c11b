//! cuRAND's XORWOW in kernels, against numbers that others saw on GPUs.

use crate::world::printed;

/// What each thread prints: a line per subsequence.
fn drawn(subsequences: &str, print: &str) -> Vec<Vec<f64>> {
    let text = format!(
        "#include <stdio.h>\n#include <curand_kernel.h>\n\
         __global__ void draw(unsigned long long first) {{\n\
             unsigned long long id = first + threadIdx.x;\n\
             curandState state;\n\
             {print}\n\
             printf(\"\\n\");\n}}\n\
         int main() {{\n\
             for (unsigned id : {{{subsequences}}}) {{ draw<<<1, 1>>>(id); cudaDeviceSynchronize(); }}\n}}\n"
    );
    let (said, code) = printed(&text);
    assert_eq!(code, 0, "{said}");
    let line = |line: &str| line.split_whitespace().map(|n| n.parse().unwrap()).collect();
    said.lines().map(line).collect()
}

/// The first number of the first ten subsequences of seed 0, as a user showed them in NVIDIA's forum
/// ("XORWOW generator understanding in CURAND").
#[test]
fn the_bits_are_those_of_nvidia() {
    let expected = [
        3_179_217_846_u32,
        3_955_638_199,
        167_591_721,
        4_161_663_997,
        3_973_448_494,
        1_917_059_131,
        2_866_113_984,
        472_148_682,
        2_019_573_489,
        2_204_150_021,
    ];
    let print = "curand_init(0, id, 0, &state); printf(\"%u\", curand(&state));";
    let drawn = drawn("0, 1, 2, 3, 4, 5, 6, 7, 8, 9", print);
    assert_eq!(drawn.concat(), expected.map(f64::from));
}

/// Sixteen numbers of subsequences of seed 0, as the project Opticks logged them.
#[test]
fn uniform_numbers_are_those_of_nvidia() {
    let expected = "
        0.74021935 0.43845114 0.51701266 0.15698862 0.07136751 0.46250838 0.22764327 0.32935849
        0.14406531 0.18779911 0.91538346 0.54012483 0.97466087 0.54746926 0.65316027 0.23023781
        0.9209938  0.46036443 0.33346406 0.37252042 0.48960248 0.56727093 0.07990581 0.23336816
        0.50937784 0.08897854 0.00670976 0.95422709 0.54671133 0.82454693 0.52706289 0.93013161
        0.03902049 0.25021473 0.18448432 0.96242225 0.5205546  0.93996495 0.83057821 0.40973285
        0.08162197 0.80677092 0.69528568 0.61770737 0.25633496 0.21368156 0.34242383 0.22407883
        0.81814659 0.20170131 0.54593664 0.04129851 0.38002208 0.91853744 0.02320537 0.05250723
        0.11425403 0.77515221 0.40338024 0.97540855 0.46321765 0.80014837 0.65215546 0.73192346
        0.91401154 0.44032493 0.94783556 0.09001808 0.9587481  0.98795038 0.2274524  0.04384946
        0.77744925 0.50308371 0.30509573 0.18650141 0.32255048 0.73956126 0.63323611 0.65263885";
    let expected: Vec<f64> = expected.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let print = "curand_init(0, id, 0, &state);\
                 for (int i = 0; i < 16; i++) printf(\"%.9f \", curand_uniform(&state));";
    let drawn = drawn("0, 1, 2, 99997, 99999", print).concat();
    assert_eq!(drawn.len(), expected.len());
    for (drawn, expected) in drawn.iter().zip(&expected) {
        // Eight digits were logged.
        assert!((drawn - expected).abs() < 6e-9, "{drawn} is not {expected}");
    }
}

#[test]
fn a_jump_is_as_many_steps() {
    let print = "curand_init(77, id, 0, &state);\
                 curandState jumped = state, offset;\
                 for (int i = 0; i < 1234; i++) curand(&state);\
                 skipahead(1234, &jumped);\
                 curand_init(77, id, 1234, &offset);\
                 printf(\"%u %u %u \", curand(&state), curand(&jumped), curand(&offset));\
                 curand_init(77, 5, 0, &state);\
                 skipahead_sequence(id, &state);\
                 curand_init(77, id + 5, 0, &offset);\
                 printf(\"%u %u\", curand(&state), curand(&offset));";
    for line in drawn("0, 3, 40", print) {
        assert_eq!(line[0], line[1]);
        assert_eq!(line[0], line[2]);
        assert_eq!(line[3], line[4]);
    }
}

/// Box and Muller's formula, from the numbers that `curand` gives.
#[test]
fn normal_numbers_come_in_pairs() {
    let print = "curand_init(9, id, 0, &state);\
                 curandState bits = state, pairs = state;\
                 float2 pair = curand_normal2(&pairs);\
                 printf(\"%u %u \", curand(&bits), curand(&bits));\
                 printf(\"%.9g %.9g \", curand_normal(&state), curand_normal(&state));\
                 printf(\"%.9g %.9g\", pair.x, pair.y);";
    for line in drawn("0, 1, 2, 3", print) {
        let unit = |bits: f64| (bits + 0.5) / 4_294_967_296.0;
        let length = (-2.0 * unit(line[0]).ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * unit(line[1])).sin_cos();
        for (drawn, expected) in
            [(line[2], sine), (line[3], cosine), (line[4], sine), (line[5], cosine)]
        {
            assert!((drawn - length * expected).abs() < 1e-5, "{line:?}");
        }
    }
}

/// The known answers of Random123, the generator's first implementation.
#[test]
#[cfg(not(target_arch = "wasm32"))]
fn philox_gives_its_known_answers() {
    let print = "uint4 a = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));\
                 uint4 b = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),\
                                                make_uint2(0xa4093822, 0x299f31d0));\
                 curandStatePhilox4_32_10_t zero; curand_init(0, 0, 0, &zero); uint4 c = curand4(&zero);\
                 printf(\"%u %u %u %u \", a.x, a.y, a.z, a.w);\
                 printf(\"%u %u %u %u \", b.x, b.y, b.z, b.w);\
                 printf(\"%u %u %u %u \", c.x, c.y, c.z, c.w);";
    let expected = [
        0x408f_276d_u32,
        0x41c8_3b0e,
        0xa20b_c7c6,
        0x6d54_51fd,
        0xd16c_fe09,
        0x94fd_cceb,
        0x5001_e420,
        0x2412_6ea1,
        0x6627_e8d5,
        0xe169_c58d,
        0xbc57_ac4c,
        0x9b00_dbd8,
    ];
    assert_eq!(drawn("0", print).concat(), expected.map(f64::from));
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn philox_jumps_and_gives_one_number_or_four() {
    let print = "curandStatePhilox4_32_10_t s, jumped, offset, four;\
                 curand_init(77, id, 0, &s); jumped = s; four = s;\
                 for (int i = 0; i < 1234; i++) curand(&s);\
                 skipahead(1234, &jumped); curand_init(77, id, 1234, &offset);\
                 for (int i = 0; i < 308; i++) curand4(&four);\
                 curand(&four); curand(&four);\
                 unsigned x = curand(&s), y = curand(&s);\
                 printf(\"%u %u %u %u %u \", x, curand(&jumped), curand(&offset), curand(&four), y);\
                 uint4 rest = curand4(&four); printf(\"%u \", rest.x);\
                 curand_init(77, 5, 0, &s); skipahead_sequence(id, &s); curand_init(77, id + 5, 0, &offset);\
                 printf(\"%u %u \", curand(&s), curand(&offset));\
                 four = s; float4 u = curand_uniform4(&four); printf(\"%.9g %.9g \", u.x, curand_uniform(&s));\
                 four = s; double d = curand_uniform_double(&four); x = curand(&s); y = curand(&s);\
                 printf(\"%.17g %.17g\", d, (x ^ (unsigned long long)y << 21) / 9007199254740992.0 + 1 / 18014398509481984.0);";
    for line in drawn("0, 3, 40", print) {
        assert_eq!([line[0]; 3], line[1..4]);
        assert_eq!(line[4], line[5]);
        assert_eq!(line[6], line[7]);
        assert_eq!(line[8], line[9]);
        assert_eq!(line[10], line[11]);
    }
}
