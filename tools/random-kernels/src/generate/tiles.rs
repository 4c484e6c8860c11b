//! Programs that multiply random tiles with tensor cores, by `mma.sync` and `wgmma`, in every shape and
//! type, and print a hash of the sums.
//!
//! Every fourth tile is multiplied once more onto the negated result, so that all but the rounding
//! errors cancels. `wgmma` reads its tiles from shared memory without a swizzle; which byte is which
//! element is a matter of other tests, and here of no importance.

use super::random::Random;
use std::fmt::Write as _;

/// One multiplication: the shape and types.
#[derive(Debug, Clone, Copy)]
struct Product {
    /// A warp group's, or a warp's.
    group: bool,
    m: usize,
    n: usize,
    k: usize,
    a: Format,
    b: Format,
    sum: Sum,
}

/// A format of elements: its name, its bits, and its letter in `elements.cu`.
type Format = (&'static str, usize, char);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sum {
    F16,
    F32,
    F64,
    S32,
    S32Sat,
}

const F16: Format = ("f16", 16, 'h');
const BF16: Format = ("bf16", 16, 'b');
const TF32: Format = ("tf32", 32, 'f');
const F64: Format = ("f64", 64, 'd');
const E4M3: Format = ("e4m3", 8, '4');
const E5M2: Format = ("e5m2", 8, '5');
const S8: Format = ("s8", 8, 'i');
const U8: Format = ("u8", 8, 'i');
const S4: Format = ("s4", 4, 'i');
const U4: Format = ("u4", 4, 'i');

/// The formats of both factors, the sums, and `m` and `k` of the shapes of `mma.sync`.
type Row = (&'static [(Format, Format)], &'static [Sum], &'static [(usize, usize)]);
const WARP: [Row; 6] = [
    (&[(F16, F16)], &[Sum::F16, Sum::F32], &[(16, 8), (16, 16)]),
    (&[(BF16, BF16)], &[Sum::F32], &[(16, 8), (16, 16)]),
    (&[(TF32, TF32)], &[Sum::F32], &[(16, 4), (16, 8)]),
    (&[(F64, F64)], &[Sum::F64], &[(8, 4), (16, 4), (16, 8), (16, 16)]),
    (EIGHT_BIT_FLOATS, &[Sum::F16, Sum::F32], &[(16, 16), (16, 32)]),
    (BYTES, &[Sum::S32, Sum::S32Sat], &[(8, 16), (16, 16), (16, 32)]),
];
const NIBBLES: Row = (
    &[(S4, S4), (S4, U4), (U4, S4), (U4, U4)],
    &[Sum::S32, Sum::S32Sat],
    &[(8, 32), (16, 32), (16, 64)],
);
const EIGHT_BIT_FLOATS: &[(Format, Format)] =
    &[(E4M3, E4M3), (E4M3, E5M2), (E5M2, E4M3), (E5M2, E5M2)];
const BYTES: &[(Format, Format)] = &[(S8, S8), (S8, U8), (U8, S8), (U8, U8)];

/// The formats and the sums of `wgmma`, whose factors have 32 bytes along `k`.
type GroupRow = (&'static [(Format, Format)], &'static [Sum]);
const GROUP: [GroupRow; 5] = [
    (&[(F16, F16)], &[Sum::F16, Sum::F32]),
    (&[(BF16, BF16)], &[Sum::F32]),
    (&[(TF32, TF32)], &[Sum::F32]),
    (EIGHT_BIT_FLOATS, &[Sum::F16, Sum::F32]),
    (BYTES, &[Sum::S32, Sum::S32Sat]),
];
/// The columns of `wgmma` that are tried.
const COLUMNS: [usize; 2] = [8, 64];

/// All products; each is a program.
fn products() -> Vec<Product> {
    let mut out = Vec::new();
    for (factors, sums, shapes) in WARP.into_iter().chain([NIBBLES]) {
        for &(a, b) in factors {
            for &sum in sums {
                let one =
                    |&(m, k): &(usize, usize)| Product { group: false, m, n: 8, k, a, b, sum };
                out.extend(shapes.iter().map(one));
            }
        }
    }
    for (factors, sums) in GROUP {
        for &(a, b) in factors {
            for &sum in sums {
                let one = |n| Product { group: true, m: 64, n, k: 256 / a.1, a, b, sum };
                out.extend(COLUMNS.map(one));
            }
        }
    }
    out
}

/// How many programs hold all products.
pub(super) fn files() -> usize {
    products().len()
}

/// The program that multiplies so many tiles of one shape and type.
pub(super) fn program(seed: u64, tiles: usize, file: usize) -> String {
    let mut text = format!(
        "{}{}{}{}",
        include_str!("program/prelude.cu"),
        include_str!("operands.cu"),
        include_str!("elements.cu"),
        include_str!("report.cu")
    );
    let mut main = String::from("int main() {\n");
    if let Some(product) = products().get(file) {
        let seed = Random::of(&[seed, file as u64]).next();
        text += &if product.group { product.group_kernel(seed) } else { product.warp_kernel(seed) };
        let (name, lanes) = (product.name(), if product.group { 128 } else { 32 });
        let _ = writeln!(main, "    report(\"{name}\", tiles, {tiles}, 128, {lanes});");
    }
    text + &main + "    return 0;\n}\n"
}

impl Sum {
    /// The name in the instruction, the type of a register, its constraint, and how it is made of its bits
    /// and turned back.
    fn cpp(self) -> (&'static str, &'static str, char, &'static str, &'static str) {
        match self {
            Sum::F16 => ("f16", "u32", 'r', "", ""),
            Sum::F32 => ("f32", "float", 'f', "__uint_as_float", "__float_as_uint"),
            Sum::F64 => ("f64", "double", 'd', "__longlong_as_double", "(u64)__double_as_longlong"),
            Sum::S32 | Sum::S32Sat => ("s32", "u32", 'r', "", ""),
        }
    }

    /// A random register, and one that is negated (`x`).
    fn random_and_negated(self) -> (&'static str, &'static str) {
        match self {
            Sum::F16 => ("element_register(from, 'h', mode_c)", "x ^ 0x80008000u"),
            Sum::F32 => ("element_register(from, 'f', mode_c)", "x ^ 0x80000000u"),
            Sum::F64 => ("float_element(from.next(), mode_c, 11, 52)", "x ^ (1ull << 63)"),
            Sum::S32 | Sum::S32Sat => ("whole_sum(from, mode_c)", "0 - x"),
        }
    }

    fn bits(self) -> usize {
        match self {
            Sum::F16 => 16,
            Sum::F64 => 64,
            Sum::F32 | Sum::S32 | Sum::S32Sat => 32,
        }
    }
}

/// `{%4, %5}` for registers from `first` on.
fn braces(first: usize, count: usize) -> String {
    let each: Vec<String> = (first..first + count).map(|i| format!("%{i}")).collect();
    format!("{{{}}}", each.join(", "))
}

/// The operands of an `asm` statement: the elements of an array.
fn elements(constraint: &str, array: &str, count: usize) -> String {
    let each: Vec<String> = (0..count).map(|i| format!("\"{constraint}\"({array}[{i}])")).collect();
    each.join(", ")
}

impl Product {
    fn name(&self) -> String {
        let Product { m, n, k, a, b, sum, group } = self;
        let instruction = if *group { "wgmma" } else { "mma" };
        let saturated = if *sum == Sum::S32Sat { ".satfinite" } else { "" };
        format!("{instruction}.m{m}n{n}k{k}{saturated}.{}.{}.{}", sum.cpp().0, a.0, b.0)
    }

    /// Registers of sums per lane.
    fn sums(&self) -> usize {
        let lanes = if self.group { 128 } else { 32 };
        self.m * self.n * self.sum.bits() / lanes / self.sum.bits().max(32)
    }

    /// What is the same in both kernels: the loop over tiles around `load` and `multiply`.
    fn kernel(&self, seed: u64, shared: &str, load: &str, multiply: &str) -> String {
        let (_, ty, _, make, bits) = self.sum.cpp();
        let (random, negated) = self.sum.random_and_negated();
        let (count, lanes) = (self.sums(), if self.group { 128 } else { 32 });
        let word = if self.sum == Sum::F64 { "u64" } else { "u32" };
        format!(
            "__global__ void tiles(u64* hash, u32 tiles) {{
{shared}    const u32 lane = threadIdx.x % {lanes}, each = blockDim.x / {lanes};
    u64 sum = 0;
    for (u32 tile = blockIdx.x * each + threadIdx.x / {lanes}; tile < tiles; tile += gridDim.x * each) {{
        const u64 modes = mixed({seed:#x}ull + tile);
        const u32 mode_a = mode_of(modes), mode_b = mode_of(modes >> 4), mode_c = mode_of(modes >> 8);
        Row from({seed:#x}ull, (u64)tile * {lanes} + lane);
        {ty} d[{count}];
        for (u32 i = 0; i < {count}; i++) d[i] = {make}({random});
{load}        for (u32 once = 0; once < ((modes >> 12 & 3) == 0 ? 2 : 1); once++) {{
            if (once) for (u32 i = 0; i < {count}; i++) {{
                const {word} x = {bits}(d[i]);
                d[i] = {make}({negated});
            }}
{multiply}            for (u32 i = 0; i < {count}; i++) sum += term(((u64)tile * {lanes} + lane) * 256 + i * 2 + once, {bits}(d[i]));
        }}
    }}
    atomicAdd(hash, sum);
}}
"
        )
    }

    fn warp_kernel(&self, seed: u64) -> String {
        let Product { m, n, k, a, b, sum, .. } = self;
        let registers =
            |elements: usize, format: Format| elements * format.1 / 32 / format.1.max(32);
        let (left, right, sums) = (registers(m * k, *a), registers(k * n, *b), self.sums());
        let (ty, constraint) = if *a == F64 { ("double", "d") } else { ("u32", "r") };
        let random = |format: Format, mode: &str| match format.2 {
            'd' => format!("__longlong_as_double(float_element(from.next(), {mode}, 11, 52))"),
            letter => format!("element_register(from, '{letter}', {mode})"),
        };
        let load = format!(
            "        {ty} a[{left}], b[{right}];
        for (u32 i = 0; i < {left}; i++) a[i] = {};
        for (u32 i = 0; i < {right}; i++) b[i] = {};
",
            random(*a, "mode_a"),
            random(*b, "mode_b")
        );
        let (name, _, letter, ..) = sum.cpp();
        let saturated = if *sum == Sum::S32Sat { ".satfinite" } else { "" };
        let multiply = format!(
            "            asm volatile(\"mma.sync.aligned.m{m}n{n}k{k}.row.col{saturated}.{name}.{}.{}.{name} {}, {}, {}, {};\"
                : {} : {}, {});
",
            a.0,
            b.0,
            braces(0, sums),
            braces(sums, left),
            braces(sums + left, right),
            braces(0, sums),
            elements(&format!("+{letter}"), "d", sums),
            elements(constraint, "a", left),
            elements(constraint, "b", right),
        );
        self.kernel(seed, "", &load, &multiply)
    }

    fn group_kernel(&self, seed: u64) -> String {
        let Product { m, n, k, a, b, sum, .. } = self;
        let sums = self.sums();
        let shared = format!(
            "    __shared__ __align__(128) u32 left[{}], right[{}];
    // Tiles of 8 rows by 16 bytes: 128 bytes to the next along k, 256 to the next rows.
    const u64 shape = (u64)(128 >> 4) << 16 | (u64)(256 >> 4) << 32;
    const u64 a = shape | (u64)((u32)__cvta_generic_to_shared(left) >> 4);
    const u64 b = shape | (u64)((u32)__cvta_generic_to_shared(right) >> 4);
",
            m * 8,
            n * 8
        );
        let load = format!(
            "        __syncthreads();
        for (u32 i = lane; i < {}; i += 128) left[i] = element_register(from, '{}', mode_a);
        for (u32 i = lane; i < {}; i += 128) right[i] = element_register(from, '{}', mode_b);
        asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");
        __syncthreads();
",
            m * 8,
            a.2,
            n * 8,
            b.2
        );
        let numbers = match a.2 {
            'i' => "",
            'h' | 'b' => ", 1, 1, 0, 0",
            _ => ", 1, 1",
        };
        let (name, _, letter, ..) = sum.cpp();
        let saturated = if *sum == Sum::S32Sat { ".satfinite" } else { "" };
        let multiply = format!(
            "            asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");
            asm volatile(\"{{ .reg .pred p; setp.eq.u32 p, 1, 1; wgmma.mma_async.sync.aligned.m{m}n{n}k{k}{saturated}.{name}.{}.{} {}, %{}, %{}, p{numbers}; }}\"
                : {} : \"l\"(a), \"l\"(b) : \"memory\");
            asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");
            asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");
",
            a.0,
            b.0,
            braces(0, sums),
            sums,
            sums + 1,
            elements(&format!("+{letter}"), "d", sums),
        );
        self.kernel(seed, &shared, &load, &multiply)
    }
}
