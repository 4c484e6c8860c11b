//! Matrices: `<mma.h>` with fragments of every shape, type and layout, on small whole numbers whose
//! products are exact; loads and stores of matrices of 8 by 8, and what a profiler counts of them.

use crate::support::{Asm, run as run_asm};
use simt::isa::{Addr, Index, Inst, MemTy};
use simt::{Arg, Config, Launch, Memory, Outcome, Sources};

/// What a case multiplies.
struct Case {
    /// The type of the factors: of a fragment, and in memory.
    factor: (&'static str, &'static str),
    sum: &'static str,
    shape: (usize, usize, usize),
}

const CASES: [Case; 13] = {
    const fn case(
        factor: (&'static str, &'static str),
        sum: &'static str,
        shape: (usize, usize, usize),
    ) -> Case {
        Case { factor, sum, shape }
    }
    const HALF: (&str, &str) = ("__half", "__half");
    const BF16: (&str, &str) = ("__nv_bfloat16", "__nv_bfloat16");
    const SIGNED: (&str, &str) = ("signed char", "signed char");
    const UNSIGNED: (&str, &str) = ("unsigned char", "unsigned char");
    [
        case(HALF, "float", (16, 16, 16)),
        case(HALF, "float", (32, 8, 16)),
        case(HALF, "float", (8, 32, 16)),
        case(HALF, "__half", (16, 16, 16)),
        case(HALF, "__half", (8, 32, 16)),
        case(BF16, "float", (16, 16, 16)),
        case(BF16, "float", (32, 8, 16)),
        case(BF16, "float", (8, 32, 16)),
        case(SIGNED, "int", (16, 16, 16)),
        case(SIGNED, "int", (8, 32, 16)),
        case(UNSIGNED, "int", (32, 8, 16)),
        case(("wmma::precision::tf32", "float"), "float", (16, 16, 8)),
        case(("double", "double"), "double", (8, 8, 4)),
    ]
};

/// Element `i` of the left factor, of the right one, and of the sums, as they are in memory.
const LEFT: &str = "(int)(i * 7 % 5)";
const RIGHT: &str = "(int)(i * 5 % 4)";
const BEFORE: &str = "(int)(i % 9)";

fn kernel(case: &Case, rows: [bool; 3], shared: bool) -> String {
    let Case { factor: (factor, memory), sum, shape: (m, n, k) } = case;
    let layout = |rows| if rows { "wmma::row_major" } else { "wmma::col_major" };
    let [a, b, c] = rows;
    let line = |rows, down, across| if rows { across } else { down };
    let (lda, ldb, ldc) = (line(a, m, k), line(b, k, n), line(c, m, n));
    let order = if c { "wmma::mem_row_major" } else { "wmma::mem_col_major" };
    let (storage, global) = if shared {
        (
            format!(
                "__shared__ __align__(32) {memory} a[{}]; __shared__ __align__(32) {memory} b[{}]; __shared__ __align__(32) {sum} c[{}];",
                m * k,
                k * n,
                m * n
            ),
            String::new(),
        )
    } else {
        (
            String::new(),
            format!(
                "__device__ {memory} a[{}]; __device__ {memory} b[{}]; __device__ {sum} c[{}];",
                m * k,
                k * n,
                m * n
            ),
        )
    };
    format!(
        "#include <mma.h>
using namespace nvcuda;
{global}
__global__ void k(float* out) {{
    {storage}
    for (int i = threadIdx.x; i < {mk}; i += 32) a[i] = ({memory})(float){LEFT};
    for (int i = threadIdx.x; i < {kn}; i += 32) b[i] = ({memory})(float){RIGHT};
    for (int i = threadIdx.x; i < {mn}; i += 32) c[i] = ({sum})(float){BEFORE};
    __syncthreads();
    wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {factor}, {la}> x;
    wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {factor}, {lb}> y;
    wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sum}> s, t;
    wmma::load_matrix_sync(x, a, {lda});
    wmma::load_matrix_sync(y, b, {ldb});
    wmma::load_matrix_sync(s, c, {ldc}, {order});
    wmma::fill_fragment(t, 0.0f);
    wmma::mma_sync(t, x, y, s);
    __syncthreads();
    wmma::store_matrix_sync(c, t, {ldc}, {order});
    __syncthreads();
    for (int i = threadIdx.x; i < {mn}; i += 32) out[i] = (float)c[i];
}}",
        la = layout(a),
        lb = layout(b),
        mk = m * k,
        kn = k * n,
        mn = m * n,
    )
}

/// What the kernel leaves, and a description of what went wrong.
fn run(text: String, count: usize) -> Vec<f32> {
    let module = simt::compile(Sources::single("case.cu", text.clone())).unwrap_or_else(|e| {
        let all = e.diagnostics.iter().map(|d| d.render(&e.sources));
        panic!("{text}\n{}", all.collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "float", 4, count * 4);
    let args = [Arg::Buffer(out)];
    let kernel = module.kernel("k").unwrap();
    let launch =
        Launch { kernel, grid: 1.into(), block: 32.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{text}");
    memory.download(out).as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

#[test]
fn fragments_of_every_shape_type_and_layout() {
    for case in &CASES {
        let (m, n, k) = case.shape;
        for kind in 0..16 {
            let rows = [kind & 1 != 0, kind & 2 != 0, kind & 4 != 0];
            let shared = kind & 8 != 0;
            let got = run(kernel(case, rows, shared), m * n);
            let place = |rows, down, across, i, j| if rows { i * across + j } else { j * down + i };
            for i in 0..m {
                for j in 0..n {
                    let at = place(rows[2], m, n, i, j);
                    let products = (0..k).map(|l| {
                        let (x, y) = (place(rows[0], m, k, i, l), place(rows[1], k, n, l, j));
                        (x * 7 % 5) * (y * 5 % 4)
                    });
                    let expected = (at % 9 + products.sum::<usize>()) as f32;
                    let Case { factor, sum, shape } = case;
                    assert_eq!(
                        got[at], expected,
                        "{shape:?} {factor:?} {sum} {rows:?} {shared} ({i}, {j})"
                    );
                }
            }
        }
    }
}

#[test]
fn a_shape_that_is_none_is_refused() {
    let text = "#include <mma.h>
__global__ void k() { nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 8, 16, __half, nvcuda::wmma::row_major> x; }";
    let failure = simt::compile(Sources::single("case.cu", text)).unwrap_err();
    let message = &failure.diagnostics[0].message;
    assert!(message.contains("no fragment has this shape and type"), "{message}");
}

/// Copies 256 words to shared memory, loads matrices whose rows are `stride` bytes apart, stores
/// the registers to the second array, and the matrices to the third: the three arrays, and wavefronts
/// and conflicts of the load.
fn load_and_store(count: u8, transpose: bool, stride: u32) -> ([Vec<u16>; 3], (u64, u64)) {
    let mut asm = Asm::new();
    let (input, registers, output) = (asm.array("in"), asm.array("regs"), asm.array("out"));
    let shared = asm.shared("tile", 1024);
    let (lane, mask) = (asm.tid(), asm.int(-1));
    let (d, rows) = (asm.next_four(), asm.next_four());
    let at = |base, scale| Addr { base, index: Index::U32(lane), scale, offset: 0 };
    asm.line("fill");
    for part in 0..16 {
        let offset = part * 128;
        let from = Addr { offset, ..at(input, 4) };
        asm.push(Inst::Load { ty: MemTy::B32, n: 1, volatile: false, d, addr: from });
        let to = Addr { offset, ..at(shared, 4) };
        asm.push(Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a: d, addr: to });
    }
    asm.syncwarp(!0);
    asm.line("load");
    let addr = at(shared, stride);
    asm.push(Inst::LoadMatrix { count, transpose, d, rows, addr, mask });
    let addr = at(registers, 16);
    asm.push(Inst::Store { ty: MemTy::B32, n: 4, volatile: false, a: d, addr });
    asm.syncwarp(!0);
    asm.line("store");
    let addr = Addr { offset: 2048, ..at(shared, 16) };
    asm.push(Inst::StoreMatrix { count, transpose, a: d, rows, addr, mask });
    asm.syncwarp(!0);
    for part in 0..i32::from(count) {
        let addr = Addr { offset: 2048 + part * 128, ..at(shared, 4) };
        asm.push(Inst::Load { ty: MemTy::B32, n: 1, volatile: false, d, addr });
        let addr = Addr { offset: part * 128, ..at(output, 4) };
        asm.push(Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a: d, addr });
    }
    let words: Vec<i32> = (0..512).map(|i| (i * 2) | ((i * 2 + 1) << 16)).collect();
    let ran = run_asm(asm, 1, 32, &[words, vec![0; 128], vec![0; 128]]);
    assert_eq!(ran.rendered(), "");
    let lines = &ran.report.lines;
    let load = &lines.iter().find(|line| line.line == 2).expect("the load's line").counters;
    let halves = |words: &Vec<i32>| -> Vec<u16> {
        words.iter().flat_map(|w| [*w as u16, (*w >> 16) as u16]).collect()
    };
    let arrays = [0, 1, 2].map(|at| halves(&ran.arrays[at]));
    (arrays, (load.shared_load_wavefronts, load.shared_load_conflicts))
}

#[test]
fn matrices_are_loaded_and_stored() {
    for count in [1u8, 2, 4] {
        for transpose in [false, true] {
            let ([memory, registers, stored], _) = load_and_store(count, transpose, 16);
            for lane in 0..32 {
                for matrix in 0..usize::from(count) {
                    for part in 0..2 {
                        let (row, column) = (lane / 4, lane % 4 * 2 + part);
                        let (row, column) = if transpose { (column, row) } else { (row, column) };
                        let expected = memory[matrix * 64 + row * 8 + column];
                        let got = registers[lane * 8 + matrix * 2 + part];
                        assert_eq!(got, expected, "x{count} {transpose} lane {lane}");
                    }
                }
            }
            let size = usize::from(count) * 64;
            assert_eq!(stored[..size], memory[..size], "x{count} {transpose}");
        }
    }
}

/// Each matrix is read on its own: 8 rows of 16 bytes, in one pass if they are in different banks.
#[test]
fn matrices_conflict_where_their_rows_share_banks() {
    for (count, stride, expected) in [
        (4, 16, (4, 0)),
        (2, 16, (2, 0)),
        (1, 16, (1, 0)),
        (4, 32, (8, 4)),
        (4, 48, (4, 0)),
        (4, 64, (16, 12)),
        (2, 64, (8, 6)),
    ] {
        let (_, counted) = load_and_store(count, false, stride);
        assert_eq!(counted, expected, "x{count}, rows {stride} bytes apart");
    }
}

#[test]
fn a_row_out_of_bounds_is_reported() {
    let mut asm = Asm::new();
    let shared = asm.shared("tile", 32);
    let mask = asm.int(-1);
    let lane = asm.tid();
    let (d, rows) = (asm.next_four(), asm.next_four());
    asm.line("load");
    let addr = Addr { base: shared, index: Index::U32(lane), scale: 16, offset: 0 };
    asm.push(Inst::StoreMatrix { count: 2, transpose: false, a: d, rows, addr, mask });
    let ran = run_asm(asm, 1, 32, &[]);
    assert_eq!(ran.findings(), ["bounds error 1"], "{}", ran.rendered());
}
