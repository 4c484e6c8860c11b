//! Programs with Thrust and CUB: each compares the library's results with loops of its own.

use crate::world::*;

const FILES: [(&str, &str); 3] = [
    ("by_key", include_str!("../thrust_cub/by_key.cu")),
    ("thrust", include_str!("../thrust_cub/thrust.cu")),
    ("cub", include_str!("../thrust_cub/cub.cu")),
];

#[test]
fn results_are_those_of_a_plain_loop() {
    run_sections(&FILES);
}

#[test]
fn what_is_missing_is_refused_by_name() {
    for (text, words) in [
        ("#include <thrust/shuffle.h>\nint main() {}", "the header <thrust/shuffle.h>"),
        ("#include <cub/device/device_memcpy.cuh>\nint main() {}", "device_memcpy.cuh>"),
        (
            "#include <thrust/sort.h>
             int main() { int a[3] = {}; thrust::partial_sort(a, a + 2, a + 3); }",
            "no function `thrust::partial_sort` is known",
        ),
    ] {
        let said = compile("program.cu", text).err().unwrap_or_default();
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}
