//! The product in single precision.

use super::run::{Bench, Grid, Random, compiled, is_close, number, programs};
use kernels::programs::Program;
use simt::Module;

fn check(program: &Program, module: &Module, [m, n, k]: [usize; 3], special: Option<f32>) {
    let of = |name| number(program, name);
    let gap = of("VECTOR") as usize;
    let strides = [k + 1, n + gap, n + 2 * gap];
    let [lda, ldb, ldc] = strides;
    let length = |rows: usize, columns: usize, stride| {
        if rows * columns == 0 { 0 } else { (rows - 1) * stride + columns }
    };
    let mut random = Random(k as u64);
    let mut a = random.floats(length(m, k, lda));
    let b = random.floats(length(k, n, ldb));
    if let (Some(special), Some(last)) = (special, a.last_mut()) {
        *last = special;
    }
    let mut bench = Bench::default();
    bench.input("a", &a);
    bench.input("b", &b);
    let c = bench.output::<f32>("c", length(m, n, ldc));
    for size in [m, n, k] {
        bench.value(size as u32);
    }
    for stride in strides {
        bench.value(stride as u64);
    }
    let before = bench.read::<f32>(c);
    let blocks = (m as u32).div_ceil(of("BM")) * (n as u32).div_ceil(of("BN"));
    let threads = of("BM") / of("WM") * (of("BN") / of("WN")) * 32;
    let shared = of("STAGES") * of("BK") * (of("BM") + 4 + of("BN")) * 4;
    bench.launch(module, program, Grid { blocks, threads, shared });
    for (at, got) in bench.read::<f32>(c).into_iter().enumerate() {
        let (row, column) = (at / ldc, at % ldc);
        if column >= n {
            assert_eq!(got.to_bits(), before[at].to_bits(), "behind row {row}: {program:?}");
            continue;
        }
        let terms = (0..k).map(|l| f64::from(a[row * lda + l]) * f64::from(b[l * ldb + column]));
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
        let tolerance = size * k as f64 * f64::from(f32::EPSILON);
        let place = format!("({row}, {column}) of {m} x {n} x {k}");
        assert!(is_close(got, sum, tolerance), "{got}, not {sum} at {place}: {program:?}");
    }
}

#[test]
fn single_precision() {
    for program in programs("kernels_matmul_f32") {
        let module = compiled(&program);
        let shapes: &[[usize; 3]] = match number(&program, "VECTOR") {
            1 => {
                &[[1, 1, 1], [31, 33, 32], [65, 129, 17], [128, 256, 48], [131, 257, 33], [5, 7, 0]]
            }
            _ => {
                &[[1, 4, 1], [31, 36, 32], [65, 132, 17], [128, 256, 48], [131, 260, 33], [5, 8, 0]]
            }
        };
        for shape in shapes {
            check(&program, &module, *shape, None);
        }
        for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            check(&program, &module, shapes[1], Some(special));
        }
    }
}
