//! What only a host can show: copies, launches, clocks, and which multiprocessor took which block.

mod copy_back;
mod launches;
mod placement;
mod relu;
mod timer;
mod who;

verify::experiments! {
    who: ["1_who"],
    copy_back: ["2_vector_add"],
    relu: ["9_relu"],
    timer: ["5_matrix_sum"],
    launches: ["6_waves"],
    placement: [],
}
