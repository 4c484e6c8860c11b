//! What only a host can measure in this chapter.

mod operations;
mod summary;

verify::experiments! {
    summary: ["1_global", "2_shared", "3_unroll4", "4_dynamic"],
    operations: ["12_operations"],
}
