//! `switch` in its rarer forms, on both sides.

use crate::world::{compile, printed};

/// As in Duff's device. `g++` prints the same.
#[test]
fn a_label_stands_inside_a_loop_or_a_block() {
    let text = r#"
        #include <cstdio>
        #define BOTH __host__ __device__
        BOTH void copy(int* to, const int* from, int count) {
            int n = (count + 7) / 8;
            switch (count % 8) {
                case 0: do { *to++ = *from++;
                case 7:      *to++ = *from++;
                case 6:      *to++ = *from++;
                case 5:      *to++ = *from++;
                case 4:      *to++ = *from++;
                case 3:      *to++ = *from++;
                case 2:      *to++ = *from++;
                case 1:      *to++ = *from++;
                        } while (--n > 0);
            }
        }
        BOTH int jumps(int n) {
            int r = 0, i = 0;
            for (int k = 0; k < 3; k++) {
                switch (n + k) {
                    case 1: r += 1;
                    for (i = 0; i < 2; i++) {
                        r += 10;
                        case 2: r += 100;
                        if (r > 5000) break;
                        if (r == 7) continue;
                    }
                    r += 1000;
                    while (i < 3) { i++; case 3: r += 3; }
                    if (r & 1) { case 4: r += 7; break; } else { case 5: r += 9; continue; }
                    { int z; z = 3; r += z; { case 6: r += 6; } case 7: r *= 2; }
                }
                r += 100000;
            }
            switch (n) case 5: r++;
            switch (n) { if (0) { default: r += 5; } else { case 3: r += 50; } }
            return r;
        }
        __global__ void both(int* out, int* to, const int* from) {
            out[threadIdx.x] = jumps(threadIdx.x);
            copy(to + threadIdx.x * 32, from, 1 + threadIdx.x);
        }
        int main() {
            int *out, *to, *from;
            cudaMallocManaged(&out, 128);
            cudaMallocManaged(&to, 4096);
            cudaMallocManaged(&from, 128);
            for (int i = 0; i < 1024; i++) to[i] = 0;
            for (int i = 0; i < 32; i++) from[i] = i + 1;
            both<<<1, 32>>>(out, to, from);
            cudaDeviceSynchronize();
            int wrong = 0;
            for (int i = 0; i < 32; i++) {
                int own[32] = {};
                copy(own, from, 1 + i);
                for (int j = 0; j < 32; j++) {
                    wrong += own[j] != (j <= i ? j + 1 : 0);
                    wrong += to[i * 32 + j] != own[j];
                }
                wrong += out[i] != jumps(i);
            }
            for (int i = 0; i < 8; i++) printf("%d ", jumps(i));
            printf("%d\n", wrong);
        }"#;
    let expected = "202241 202355 301242 100087 300049 300066 400029 300005 0\n";
    assert_eq!(printed(text), (expected.to_owned(), 0));
}

#[test]
fn a_label_that_stands_twice_is_found_in_a_block_too() {
    let text = "int main() { int n = 1; switch (n) { case 1: { case 1: n = 2; } } return n; }\n";
    let said = compile("main.cu", text).unwrap_err();
    assert!(said.contains("case 1 stands here twice"), "{said}");
}
