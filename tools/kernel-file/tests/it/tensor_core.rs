//! Tensor-core arithmetic against an H200: whole products of `frac` and `frac2`, by the hashes that
//! `warpbook record` wrote. A product takes a minute or more, so these run only when they are asked
//! for: `cargo test --release -p kernel-file tensor_core -- --ignored`.

use kernel_file::fill::{ElementType, Fill};
use serde_json::Value;
use sha2::{Digest, Sha256};
use simt::isa::{Accumulator, Factor, Ty, half};
use simt::machine::tensor_core::{Product, TensorCore};

/// Rows and columns of the matrices.
const SIDE: usize = 4096;

/// Rows of a part of the product that one thread computes.
const ROWS: usize = 64;

/// Columns of such a part.
const COLUMNS: usize = 256;

/// The hash of `c`, as recorded for the kernel file of this name and this size.
fn recorded(kernel: &str, size: &str) -> String {
    let chapters = format!("{}/../../chapters", env!("CARGO_MANIFEST_DIR"));
    for chapter in std::fs::read_dir(chapters).expect("the chapters") {
        let path = chapter.expect("a readable entry").path().join("results/h200.json");
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let results: Value = serde_json::from_str(&text).expect("JSON");
        let outputs = &results["kernels"][kernel]["sizes"][size]["outputs"];
        if outputs[0][0] == "c" {
            return outputs[0][1].as_str().expect("a hash").to_owned();
        }
    }
    panic!("no chapter has recorded {kernel}");
}

/// The elements of a filled matrix.
fn matrix(fill: Fill, element: ElementType) -> Vec<u32> {
    let bytes = fill.bytes(element, SIDE * SIDE);
    bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b).into()).collect()
}

/// `a b` in binary32, 16 of k after the other.
fn product(format: Factor, element: ElementType) -> Vec<u32> {
    let (a, b) = (matrix(Fill::Frac, element), matrix(Fill::Frac2, element));
    let mut c = vec![0; SIDE * SIDE];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let each = (SIDE / ROWS).div_ceil(threads) * ROWS;
    std::thread::scope(|scope| {
        for (part, c) in c.chunks_mut(each * SIDE).enumerate() {
            let (a, b) = (&a, &b);
            scope.spawn(move || {
                for (rows, c) in c.chunks_mut(ROWS * SIDE).enumerate() {
                    rows_of_product(format, a, b, part * each + rows * ROWS, c);
                }
            });
        }
    });
    c
}

/// Rows of the product from `top` on.
fn rows_of_product(format: Factor, a: &[u32], b: &[u32], top: usize, c: &mut [u32]) {
    let mut core = TensorCore::new();
    let sum = Accumulator::F32;
    let shape =
        Product { m: ROWS, n: COLUMNS, k: 16, a: format, b: format, sum, warp_group: false };
    for left in (0..SIDE).step_by(COLUMNS) {
        let mut sums = vec![0; ROWS * COLUMNS];
        for first in (0..SIDE).step_by(16) {
            let row = |i: usize| &a[(top + i) * SIDE + first..][..16];
            let x: Vec<u32> = (0..ROWS).flat_map(row).copied().collect();
            let row = |l: usize| &b[(first + l) * SIDE + left..][..COLUMNS];
            let y: Vec<u32> = (0..16).flat_map(row).copied().collect();
            core.multiply(&shape, &x, &y, &mut sums);
        }
        for (i, sums) in sums.chunks(COLUMNS).enumerate() {
            c[i * SIDE + left..][..COLUMNS].copy_from_slice(sums);
        }
    }
}

fn hash(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
#[ignore = "computes 69 billion products: a minute or more"]
fn bfloat16_products_are_the_h200s() {
    let c = product(Factor::Bf16, ElementType::BF16);
    let rounded = c.into_iter().map(|bits| half::encode(Ty::Bf16, f32::from_bits(bits).into()));
    let hash = hash(rounded.flat_map(u16::to_le_bytes));
    for kernel in ["7_wmma", "8_mma", "9_wgmma", "13_stored"] {
        assert_eq!(hash, recorded(kernel, "4096"), "{kernel}");
    }
}

#[test]
#[ignore = "computes 69 billion products: a minute or more"]
fn binary16_products_are_the_h200s() {
    let c = product(Factor::F16, ElementType::F16);
    let hash = hash(c.into_iter().flat_map(u32::to_le_bytes));
    assert_eq!(hash, recorded("10_product_tensor", "32"));
}
