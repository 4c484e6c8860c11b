//! Copies, activations, biases, matrices turned over, matrices laid out anew.

use super::run::{Bench, Grid, Plain, Random, compile, is_close, number, programs, word};
use kernels::programs::Program;
use simt::{Code, Finding, Module};

/// No multiple of anything, a warp and its neighbours, a block and its neighbours.
const LENGTHS: [usize; 10] = [1, 3, 31, 32, 33, 255, 256, 257, 1009, 4099];

fn grid(program: &Program, length: usize) -> Grid {
    let (threads, lanes) = (number(program, "THREADS"), number(program, "LANES"));
    Grid { blocks: (length as u32).div_ceil(threads * lanes), threads, shared: 0 }
}

fn elementwise(what: &str) -> Vec<(Program, Module)> {
    let all = programs("kernels_elementwise").into_iter().filter(|p| word(p, "WHAT") == what);
    all.map(|p| (p.clone(), compile(&p, p.source()).expect("it is understood"))).collect()
}

fn copies<T: Plain>(program: &Program, module: &Module, make: impl Fn(u64) -> T) {
    for length in LENGTHS {
        let mut random = Random(length as u64);
        let data: Vec<T> = (0..length).map(|_| make(random.bits())).collect();
        let mut bench = Bench::default();
        bench.input("from", &data);
        let to = bench.output::<T>("to", length);
        bench.value(length as u64);
        bench.launch(module, program, grid(program, length));
        // Bits, as of NaN no two are equal.
        let bits = |data: Vec<T>| data.into_iter().flat_map(T::bytes).collect::<Vec<u8>>();
        assert!(bits(bench.read(to)) == bits(data), "{length} of {program:?}");
    }
}

#[test]
fn copies_of_every_width() {
    for (program, module) in elementwise("COPY") {
        match word(&program, "T") {
            "float" => copies(&program, &module, |bits| f32::from_bits(bits as u32)),
            "unsigned char" => copies(&program, &module, |bits| bits as u8),
            other => panic!("no data of `{other}`"),
        }
    }
}

/// erf by its series, as far as that keeps its digits; beyond, it is 1 but for 2e-8.
fn erf(x: f64) -> f64 {
    if x.is_nan() || x.abs() > 4.0 {
        return if x.is_nan() { x } else { x.signum() };
    }
    let (mut sum, mut term) = (0.0, x);
    for n in 0..150 {
        sum += term / f64::from(2 * n + 1);
        term *= -x * x / f64::from(n + 1);
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI
}

fn activated(program: &Program, x: f64) -> f64 {
    match word(program, "ACTIVATION") {
        "RELU" if x <= 0.0 => 0.0,
        "GELU" => x / 2.0 * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2)),
        _ => x,
    }
}

/// As far as numbers of this size are rounded.
const ROUNDED: f64 = 2e-6;

#[test]
fn activations() {
    for (program, module) in elementwise("MAP") {
        for length in LENGTHS {
            let mut data = Random(length as u64).floats(length);
            let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0];
            data.iter_mut().rev().zip(special).skip(length % 2).for_each(|(x, s)| *x = s);
            let mut bench = Bench::default();
            bench.input("from", &data);
            let to = bench.output::<f32>("to", length);
            bench.value(length as u64);
            bench.launch(&module, &program, grid(&program, length));
            for (x, got) in data.iter().zip(bench.read::<f32>(to)) {
                let want = activated(&program, f64::from(*x));
                assert!(is_close(got, want, ROUNDED), "{got} of {x}, not {want}: {program:?}");
            }
        }
    }
}

#[test]
fn bias_and_activation() {
    for (program, module) in elementwise("BIAS") {
        let shapes: &[(usize, usize)] = match number(&program, "LANES") {
            1 => &[(1, 1), (1, 31), (31, 33), (33, 32), (3, 1009)],
            _ => &[(1, 4), (31, 32), (33, 36), (3, 1012)],
        };
        for &(rows, columns) in shapes {
            let mut random = Random(rows as u64);
            let (mut data, bias) = (random.floats(rows * columns), random.floats(columns));
            data[rows * columns / 2] = f32::NAN;
            data[rows * columns - 1] = f32::INFINITY;
            let mut bench = Bench::default();
            bench.input("from", &data);
            let to = bench.output::<f32>("to", data.len());
            bench.value(data.len() as u64);
            bench.input("bias", &bias);
            bench.value(columns as u64);
            bench.launch(&module, &program, grid(&program, data.len()));
            for (i, got) in bench.read::<f32>(to).into_iter().enumerate() {
                let x = f64::from(data[i]) + f64::from(bias[i % columns]);
                let want = activated(&program, x);
                assert!(is_close(got, want, ROUNDED), "{got}, not {want}: {program:?}");
            }
        }
    }
}

fn turned<T: Plain>(program: &Program, make: impl Fn(u64) -> T) {
    let module = compile(program, program.source()).expect("it is understood");
    let lanes = number(program, "LANES") as usize;
    let shapes: &[(usize, usize)] = match lanes {
        1 => &[(1, 1), (1, 33), (31, 1), (32, 32), (64, 64), (63, 65), (97, 130)],
        _ => &[(16, 16), (16, 112), (64, 64), (80, 48), (144, 64)],
    };
    for &(rows, columns) in shapes {
        // A gap behind each row: what lies there is neither read nor written.
        let (from_stride, to_stride) = (columns + lanes, rows + 2 * lanes);
        let mut random = Random(rows as u64);
        let length = (rows - 1) * from_stride + columns;
        let data: Vec<T> = (0..length).map(|_| make(random.bits())).collect();
        let mut bench = Bench::default();
        bench.input("from", &data);
        let to = bench.output::<T>("to", (columns - 1) * to_stride + rows);
        for size in [rows, columns, from_stride, to_stride] {
            bench.value(size as u64);
        }
        let mut want: Vec<T> = bench.read(to);
        for r in 0..rows {
            for c in 0..columns {
                want[c * to_stride + r] = data[r * from_stride + c];
            }
        }
        let tiles = |side: usize| (side as u32).div_ceil(number(program, "SIDE"));
        let blocks = tiles(rows) * tiles(columns);
        let grid = Grid { blocks, threads: number(program, "THREADS"), shared: 0 };
        let found = bench.launch_with(&module, program, grid);
        // Beyond the matrix's edge a thread takes what its registers happen to hold through shared
        // memory, and does not store it. Nothing else is found, and of whole tiles nothing.
        let whole = [rows, columns].iter().all(|side| side.is_multiple_of(64));
        let registers =
            |f: &Finding| f.code == Code::UnwrittenMemory && f.message.starts_with("`v[");
        assert!(
            found.is_empty() || !whole && found.iter().all(registers),
            "{program:?}: {found:#?}"
        );
        assert!(bench.read::<T>(to) == want, "{rows} x {columns}: {program:?}");
    }
}

#[test]
fn matrices_turned_over() {
    for program in programs("kernels_transpose") {
        match word(&program, "T") {
            "unsigned char" => turned(&program, |bits| bits as u8),
            "unsigned short" => turned(&program, |bits| bits as u16),
            "unsigned int" => turned(&program, |bits| bits as u32),
            "unsigned long long" => turned(&program, |bits| bits),
            other => panic!("no data of `{other}`"),
        }
    }
}

#[test]
fn rows_laid_out_anew() {
    let program = &programs("kernels_pad")[0];
    let module = compile(program, program.source()).expect("it is understood");
    for (rows, columns) in [(1usize, 1usize), (31, 7), (32, 8), (33, 9), (5, 1009)] {
        let (stride, pieces) = (columns + 3, columns.div_ceil(8));
        let mut random = Random(rows as u64);
        let length = (rows - 1) * stride + columns;
        let data: Vec<u16> = (0..length).map(|_| random.bits() as u16 | 1).collect();
        let mut bench = Bench::default();
        bench.input("from", &data);
        let to = bench.output::<u16>("to", rows * pieces * 8);
        bench.value(rows as u64);
        bench.value(columns as u32);
        bench.value(stride as u64);
        let blocks = (rows * pieces).div_ceil(256) as u32;
        bench.launch(&module, program, Grid { blocks, threads: 256, shared: 0 });
        let place = |i: usize| (i / (pieces * 8), i % (pieces * 8));
        let one = |(r, c): (usize, usize)| if c < columns { data[r * stride + c] } else { 0 };
        let want: Vec<u16> = (0..rows * pieces * 8).map(|i| one(place(i))).collect();
        assert_eq!(bench.read::<u16>(to), want, "{rows} x {columns}");
    }
}
