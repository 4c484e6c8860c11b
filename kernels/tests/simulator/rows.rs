//! Softmax and layernorm of every share, with rows as short and as long as it takes.

use super::run::{Bench, Grid, Random, compiled, is_close, number, programs, word};
use kernels::programs::Program;
use simt::Module;

const EPSILON: f32 = 1e-5;

/// A row's result, in double precision.
fn expected(softmax: bool, row: &[f32], gain: &[f32], bias: &[f32]) -> Vec<f64> {
    let x: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
    let n = x.len() as f64;
    if softmax {
        let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = x.iter().map(|x| (x - most).exp()).sum();
        return x.iter().map(|x| (x - most).exp() / sum).collect();
    }
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let scale = 1.0 / (variance + f64::from(EPSILON)).sqrt();
    let one = |(i, x): (usize, &f64)| (x - mean) * scale * f64::from(gain[i]) + f64::from(bias[i]);
    x.iter().enumerate().map(one).collect()
}

/// `specials` are the first numbers of the first row.
fn check(
    program: &Program,
    module: &Module,
    rows: usize,
    columns: usize,
    specials: &[f32],
    grid: Grid,
) {
    let by_cluster = program.entry == "kernels_layernorm_cluster";
    let softmax = !by_cluster && word(program, "WHAT") == "SOFTMAX";
    let lanes = if by_cluster { 4 } else { number(program, "LANES") as usize };
    let (from_stride, to_stride) = (columns + lanes, columns + 2 * lanes);
    let mut random = Random(columns as u64);
    let mut data = random.floats((rows - 1) * from_stride + columns);
    data[..specials.len()].copy_from_slice(specials);
    let (gain, bias) = (random.floats(columns), random.floats(columns));
    let mut bench = Bench::default();
    bench.input("from", &data);
    let to = bench.output::<f32>("to", (rows - 1) * to_stride + columns);
    for size in [rows, columns, from_stride, to_stride] {
        bench.value(size as u64);
    }
    if !softmax {
        bench.input("gain", &gain);
        bench.input("bias", &bias);
        bench.value(EPSILON);
    }
    let claims = by_cluster.then(|| bench.input("claims", &[0u32; 2]));
    let before = bench.read::<f32>(to);
    bench.launch(module, program, grid);
    if let Some(claims) = claims {
        assert_eq!(bench.read::<u32>(claims), [0, 0], "it is not as it was found: {program:?}");
    }
    let after = bench.read::<f32>(to);
    for r in 0..rows {
        let row = &data[r * from_stride..][..columns];
        let want = expected(softmax, row, &gain, &bias);
        for (c, want) in want.into_iter().enumerate() {
            let got = after[r * to_stride + c];
            let tolerance = if softmax { want * 1e-5 } else { 1e-5 * (want.abs() + 4.0) };
            let place = format!("({r}, {c}) of {rows} x {columns}");
            assert!(is_close(got, want, tolerance), "{got}, not {want} at {place}: {program:?}");
        }
        let gap = (r * to_stride + columns)..after.len().min((r + 1) * to_stride);
        let bits = |all: &[f32]| all[gap.clone()].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert!(bits(&after) == bits(&before), "behind row {r}: {program:?}");
    }
}

/// Where a result is NaN: after NaN, after infinity, of nothing but -infinity. And where it is not.
fn specials(columns: usize) -> Vec<Vec<f32>> {
    let mut all =
        vec![vec![], vec![f32::NAN], vec![f32::INFINITY], vec![f32::NEG_INFINITY; columns]];
    if columns > 1 {
        all.push(vec![f32::NEG_INFINITY]);
    }
    all
}

#[test]
fn rows_in_registers() {
    for program in programs("kernels_rows") {
        let module = compiled(&program);
        let of = |name| number(&program, name);
        let (lanes, threads) = (of("LANES"), of("THREADS"));
        let shared = (of("KEPT") + 2 * of("AHEAD")) * threads * lanes * 4;
        let grid = |rows: usize| Grid {
            blocks: (rows as u32).div_ceil(of("ROWS")),
            threads: threads * of("ROWS"),
            shared,
        };
        let most = (lanes * (of("VECTORS") + of("KEPT")) * threads) as usize;
        let lengths = if lanes == 1 {
            [1, 31, 33, 97, most - 1, most]
        } else {
            [4, 32, 36, 100, most - 4, most]
        };
        for columns in lengths {
            let rows = of("ROWS") as usize + 1;
            check(&program, &module, rows, columns, &[], grid(rows));
        }
        for special in specials(lengths[2]) {
            check(&program, &module, 1, lengths[2], &special, grid(1));
        }
    }
}

#[test]
fn rows_of_any_length() {
    for program in programs("kernels_rows_long") {
        let module = compiled(&program);
        let grid = |rows: usize| Grid {
            blocks: rows as u32,
            threads: number(&program, "THREADS"),
            shared: 0,
        };
        for columns in [1, 31, 32, 33, 1009, 1024, 4099] {
            check(&program, &module, 3, columns, &[], grid(3));
        }
        for special in specials(33) {
            check(&program, &module, 2, 33, &special, grid(2));
        }
    }
}

/// One cluster and more rows than it has stages, two clusters and fewer.
#[test]
fn rows_of_a_cluster() {
    for program in programs("kernels_layernorm_cluster") {
        let module = compiled(&program);
        let of = |name| number(&program, name);
        let (cluster, threads, groups) = (of("CLUSTER"), of("THREADS"), of("GROUPS"));
        let grid = |clusters: u32| Grid {
            blocks: clusters * cluster,
            threads: threads * groups,
            shared: (groups * of("STAGES") + 2) * of("VECTORS") * threads * 16,
        };
        for (columns, rows, clusters) in [(4, 1, 1), (1012, 7, 1), (16_420, 3, 2)] {
            check(&program, &module, rows, columns, &[], grid(clusters));
        }
        for special in [f32::NAN, f32::INFINITY] {
            check(&program, &module, 2, 1012, &[special], grid(1));
        }
    }
}
