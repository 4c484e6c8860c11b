//! The products of 16-bit floats on tensor cores: those for every device, and Hopper's, with its clusters,
//! tensor maps and warp groups.

use super::run::{Bench, Grid, Random, compiled, number, programs, word};
use half::{bf16, f16};
use kernels::programs::Program;
use simt::machine::{TensorElement, TensorMap};
use simt::{Buffer, Module};

/// A type of 16-bit floats.
#[derive(Clone, Copy)]
struct Format {
    bits: fn(f32) -> u16,
    value: fn(u16) -> f64,
    /// The distance from 1 to the next number.
    step: f64,
}

fn format(program: &Program) -> Format {
    match word(program, "TYPE") {
        "\"bf16\"" => Format {
            bits: |x| bf16::from_f32(x).to_bits(),
            value: |x| bf16::from_bits(x).to_f64(),
            step: 1.0 / 128.0,
        },
        _ => Format {
            bits: |x| f16::from_f32(x).to_bits(),
            value: |x| f16::from_bits(x).to_f64(),
            step: 1.0 / 1024.0,
        },
    }
}

/// A matrix, and the number of elements from one row to the next.
struct Matrix {
    data: Vec<u16>,
    stride: usize,
}

impl Matrix {
    fn new(random: &mut Random, format: Format, rows: usize, columns: usize) -> Matrix {
        let stride = columns.next_multiple_of(8) + 8;
        let data = random.floats((rows - 1) * stride + columns);
        Matrix { data: data.into_iter().map(format.bits).collect(), stride }
    }
}

/// Boxes of `rows` x 64 elements of a matrix, swizzled.
fn map(bench: &mut Bench, at: Buffer, [rows, columns, stride]: [usize; 3], tile: u32) {
    let map = TensorMap {
        address: at.address(),
        element: TensorElement::U16,
        rank: 2,
        sizes: [columns as u64, rows as u64, 1, 1, 1],
        strides: [stride as u64 * 2, 0, 0, 0],
        tile: [64, tile, 1, 1, 1],
        steps: [1; 5],
        swizzle: 128,
        nan_fill: false,
        interleave: 0,
    };
    map.check().expect("there is such a map");
    bench.bytes(&map.encode());
}

/// What a product takes.
struct Operands {
    sizes: [usize; 3],
    a: Matrix,
    b: Matrix,
    /// The elements from one row of c to the next.
    stride: usize,
}

impl Operands {
    fn new(format: Format, [m, n, k]: [usize; 3], stride: usize) -> Operands {
        let mut random = Random((m * n + k) as u64);
        let a = Matrix::new(&mut random, format, m, k);
        let b = Matrix::new(&mut random, format, k, n);
        Operands { sizes: [m, n, k], a, b, stride }
    }

    /// Compares each element with its sum in double precision. What lies behind a row is left as it was.
    fn check(&self, program: &Program, before: &[u16], got: &[u16]) {
        let (format, [m, n, k]) = (format(program), self.sizes);
        for (at, &bits) in got.iter().enumerate() {
            let (row, column) = (at / self.stride, at % self.stride);
            if column >= n {
                assert_eq!(bits, before[at], "behind row {row}: {program:?}");
                continue;
            }
            let term = |l: usize| {
                (format.value)(self.a.data[row * self.a.stride + l])
                    * (format.value)(self.b.data[l * self.b.stride + column])
            };
            let (sum, size) = (0..k).map(term).fold((0.0, 0.0), |(s, a), x| (s + x, a + x.abs()));
            let value = (format.value)(bits);
            let tolerance = sum.abs() * format.step / 2.0 + size * 1e-5;
            assert!(
                (value - sum).abs() <= tolerance,
                "{value}, not {sum} at ({row}, {column}) of {m} x {n} x {k}: {program:?}"
            );
        }
    }
}

fn hopper(program: &Program, module: &Module, sizes: [usize; 3], clusters: u32) {
    let of = |name| number(program, name);
    let (rows, columns, cluster) = (of("BM"), of("BN"), of("CLUSTER"));
    let bulk = of("TMA_STORE") == 1;
    let [m, n, k] = sizes;
    let stride = if bulk { n.next_multiple_of(8) + 8 } else { n + 1 };
    let operands = Operands::new(format(program), sizes, stride);
    let mut bench = Bench::default();
    let a = bench.array("a", &operands.a.data);
    let b = bench.array("b", &operands.b.data);
    let c = bench.unwritten::<u16>("c", (m - 1) * stride + n);
    map(&mut bench, a, [m, k, operands.a.stride], rows);
    map(&mut bench, b, [k, n, operands.b.stride], 64);
    match bulk {
        true => map(&mut bench, c, [m, n, stride], 64),
        false => map(&mut bench, a, [m, k, operands.a.stride], rows),
    }
    bench.buffer(c);
    bench.value(stride as u64);
    for size in sizes {
        bench.value(size as u32);
    }
    let before = bench.read::<u16>(c);
    let stored = if bulk { rows / 64 * of("CHUNKS") * 64 * 128 } else { 0 };
    let grid = Grid {
        blocks: clusters * cluster,
        threads: (rows / 64 + 1) * 128,
        shared: of("STAGES") * ((rows + columns) * 64 * 2 + 16) + stored,
    };
    bench.launch(module, program, grid);
    operands.check(program, &before, &bench.read(c));
}

/// Edges on each side, a ring of stages that goes round, and a cluster that computes more than one tile.
#[test]
fn on_hopper() {
    for program in programs("kernels_matmul_16") {
        let module = compiled(&program);
        let depth = number(&program, "STAGES") as usize * 64 + 24;
        // A bulk store writes whole pieces of 16 bytes.
        let [wide, narrow] = if number(&program, "TMA_STORE") == 1 { [88, 24] } else { [90, 20] };
        hopper(&program, &module, [70, wide, depth], 1);
        hopper(&program, &module, [260, narrow, 136], 1);
    }
}

#[test]
fn on_every_device() {
    for program in programs("kernels_matmul_16_sync") {
        let module = compiled(&program);
        let of = |name| number(&program, name);
        for sizes in [[1, 1, 1], [70, 90, 280], [140, 30, 64]] {
            let [m, n, _] = sizes;
            let stride = n + 1;
            let operands = Operands::new(format(&program), sizes, stride);
            let mut bench = Bench::default();
            bench.input("a", &operands.a.data);
            bench.input("b", &operands.b.data);
            let c = bench.output::<u16>("c", (m - 1) * stride + n);
            for size in sizes {
                bench.value(size as u32);
            }
            for stride in [operands.a.stride, operands.b.stride, stride] {
                bench.value(stride as u64);
            }
            let before = bench.read::<u16>(c);
            let blocks = (m as u32).div_ceil(of("BM")) * (n as u32).div_ceil(of("BN"));
            let threads = of("BM") / of("WM") * (of("BN") / of("WN")) * 32;
            let shared = of("STAGES") * of("BK") * (of("BM") + of("BN")) * 2;
            bench.launch(&module, &program, Grid { blocks, threads, shared });
            operands.check(&program, &before, &bench.read(c));
        }
    }
}
