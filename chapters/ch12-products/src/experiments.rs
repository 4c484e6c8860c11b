//! What only a host can measure in this chapter.

mod half;
mod single;

verify::experiments! {
    single: ["1_square", "2_vector", "3_warps", "4_two_buffers", "5_async"],
    half: ["7_wmma", "8_mma", "9_wgmma", "10_pipelined", "11_persistent", "12_cluster"],
}
