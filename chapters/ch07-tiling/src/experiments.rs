//! What only a host can measure in this chapter.

mod library;
mod task;

verify::experiments! {
    task: ["2_coalesced", "3_tiled"],
    library: [
        "1_naive",
        "2_coalesced",
        "3_tiled",
        "4_tiled32",
        "5_column",
        "6_square",
        "7_vector",
        "8_split",
        "9_prefetch",
    ],
}
