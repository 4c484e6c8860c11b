//! What only a host can measure in this chapter.

mod floats;
mod old_program;

verify::experiments! {
    old_program: ["1_neighbored", "2_neighbored_less", "3_interleaved"],
    floats: ["16_float_atomic", "17_float_two_pass"],
}
