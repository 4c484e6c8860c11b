//! The harness: runs an instruction on edges and random operands, and compares each result with an
//! oracle that is written from the text of the PTX ISA.

use simt::{Arg, Code, Config, Launch, Memory, Sources};

/// Random operands per instruction, besides the edges.
const RANDOM: usize = 1000;

/// The result of an instruction for these operands, as bits.
type Oracle<'o> = Box<dyn Fn(&[u64]) -> u64 + 'o>;

/// An instruction and what it computes.
pub(super) struct Case<'o> {
    /// The instruction without its operands, or a whole text with `%0`, `%1`, ...
    pub(super) text: String,
    /// The constraints: of the result first (`p` for a predicate), then of the operands.
    pub(super) classes: &'o str,
    pub(super) oracle: Oracle<'o>,
}

pub(super) fn case<'o>(
    text: &str,
    classes: &'o str,
    oracle: impl Fn(&[u64]) -> u64 + 'o,
) -> Case<'o> {
    Case { text: text.to_owned(), classes, oracle: Box::new(oracle) }
}

/// Values that are at an edge of some type, in the low bits.
fn edges(class: char) -> Vec<u64> {
    let integers = [0u64, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256];
    let around = |bits: u32| {
        let top = 1u64 << (bits - 1);
        [top - 1, top, top + 1, (top << 1).wrapping_sub(1), (top << 1).wrapping_sub(2)]
    };
    let mut out = integers.to_vec();
    match class {
        'h' => {
            out.extend(around(16));
            // Binary16 and bfloat16: one, the largest, infinity, NaN, subnormals.
            out.extend([0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x03ff, 0x8001, 0x0400]);
            out.extend([0x3f80, 0xbf80, 0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0x007f, 0x0080]);
        }
        'r' => {
            out.extend(around(8).into_iter().chain(around(16)).chain(around(32)));
            out.extend([0x3c00_bc00, 0x7bff_0001, 0x7c00_7e00, 0x3f80_bf80, 0x8000_7fff]);
        }
        'f' => {
            out.clear();
            let floats = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                2.5,
                -2.5,
                3.0,
                1e-3,
                65504.0,
                65520.0,
                1e10,
                3e38,
                f32::MIN_POSITIVE,
                f32::MAX,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::NAN,
                2147483520.0,
                2147483648.0,
                -2147483648.0,
                4294967040.0,
                4294967296.0,
                127.5,
                255.5,
            ];
            out.extend(floats.map(|x: f32| u64::from(x.to_bits())));
            out.extend([1, 0x8000_0001, 0x007f_ffff, 0x3f80_0001, 0x3f80_1000, 0x477f_efff]);
        }
        'd' => {
            out.clear();
            let floats = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                2.5,
                -2.5,
                1e-300,
                1e300,
                f64::MIN_POSITIVE,
                f64::MAX,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                9223372036854775808.0,
                -9223372036854775808.0,
                18446744073709551616.0,
                3.4028235677973366e38,
            ];
            out.extend(floats.map(|x: f64| x.to_bits()));
            out.extend([0x7ff0_0000_0000_5678, 0xfff8_0000_dead_beef, 0x7ffa_bcde_f123_4567]);
            out.extend([1, (1 << 63) | 1, 0x3ff0_0000_0000_0001, 0x3ff0_0000_1000_0000]);
        }
        _ => out.extend(around(32).into_iter().chain(around(64))),
    }
    out
}

/// A stream of random numbers (xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// A random value; small numbers and floats of similar size among them.
    fn operand(&mut self, class: char) -> u64 {
        let bits = self.next();
        match (class, self.next() % 4) {
            ('f', 0) => u64::from((bits as i16 as f32 / 64.0).to_bits()),
            ('d', 0) => (bits as i32 as f64 / 64.0).to_bits(),
            ('r' | 'l', 0) => bits % 70,
            ('r' | 'l', 1) => (bits as i16 as i64) as u64,
            _ => bits,
        }
    }
}

/// The rows of operands.
fn inputs(classes: &str, seed: u64) -> Vec<Vec<u64>> {
    let classes: Vec<char> = classes.chars().skip(1).collect();
    let mut random = Random(seed);
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let all: Vec<Vec<u64>> = classes.iter().map(|class| edges(*class)).collect();
    // Every pair of edges of the first two operands; of the others one at random.
    let first = all.first().map_or(1, Vec::len);
    let second = all.get(1).map_or(1, Vec::len);
    for at in 0..first * second {
        let pick = |(i, edges): (usize, &Vec<u64>)| match i {
            0 => edges[at % first],
            1 => edges[at / first],
            _ => edges[random.next() as usize % edges.len()],
        };
        rows.push(all.iter().enumerate().map(pick).collect());
    }
    for _ in 0..RANDOM {
        rows.push(classes.iter().map(|class| random.operand(*class)).collect());
    }
    for row in &mut rows {
        for (value, class) in row.iter_mut().zip(&classes) {
            *value &= match class {
                'h' => 0xffff,
                'r' | 'f' => 0xffff_ffff,
                _ => u64::MAX,
            };
        }
    }
    rows
}

/// The type of a class, and how it is made of 64 bits and turned back.
fn cpp(class: char) -> (&'static str, &'static str, &'static str) {
    match class {
        'h' => ("unsigned short", "(unsigned short)", "(unsigned short)"),
        'f' => ("float", "__uint_as_float", "__float_as_uint"),
        'd' => ("double", "__longlong_as_double", "(unsigned long long)__double_as_longlong"),
        'l' => ("unsigned long long", "(unsigned long long)", ""),
        _ => ("unsigned", "(unsigned)", ""),
    }
}

/// The text of the `asm` statement.
fn assembly(case: &Case<'_>) -> String {
    if case.text.contains('%') {
        return case.text.clone();
    }
    let count = case.classes.len() - 1;
    let operands: Vec<String> = (1..=count).map(|i| format!("%{i}")).collect();
    let operands = operands.join(", ");
    if case.classes.starts_with('p') {
        let text = &case.text;
        return format!("{{ .reg .pred p; {text} p, {operands}; selp.u32 %0, 1, 0, p; }}");
    }
    format!("{} %0, {operands};", case.text)
}

/// The kernel of a case.
fn kernel(case: &Case<'_>) -> String {
    let mut classes = case.classes.chars();
    let result = classes.next().unwrap();
    let constraint = if result == 'p' { 'r' } else { result };
    let (mut declared, mut operands) = (String::new(), Vec::new());
    let count = classes.clone().count();
    for (i, class) in classes.enumerate() {
        let (ty, make, _) = cpp(class);
        declared.push_str(&format!("    {ty} x{i} = {make}(in[{count} * i + {i}]);\n"));
        operands.push(format!("\"{class}\"(x{i})"));
    }
    let (ty, _, bits) = cpp(constraint);
    format!(
        "__global__ void k(const unsigned long long* in, unsigned long long* out, int n) {{\n    \
         int i = blockIdx.x * 128 + threadIdx.x;\n    if (i >= n) return;\n{declared}    {ty} d;\n    \
         asm volatile(\"{}\" : \"={constraint}\"(d) : {});\n    out[i] = {bits}(d);\n}}\n",
        assembly(case),
        operands.join(", ")
    )
}

/// Runs the cases and compares each result.
pub(super) fn check(cases: Vec<Case<'_>>) {
    let mut wrong = Vec::new();
    for case in &cases {
        let text = kernel(case);
        let module = simt::compile(Sources::single("case.cu", &text)).unwrap_or_else(|e| {
            let why: String = e.diagnostics.iter().map(|d| d.render(&e.sources)).collect();
            panic!("{why}")
        });
        let rows = inputs(case.classes, 0x5eed + case.text.len() as u64);
        let mut memory = Memory::new();
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let input = memory.alloc("in", "unsigned long long", 8, bytes.len());
        memory.upload(input, &bytes);
        let out = memory.alloc("out", "unsigned long long", 8, rows.len() * 8);
        let args = [
            Arg::Buffer(input),
            Arg::Buffer(out),
            Arg::Value((rows.len() as i32).to_le_bytes().to_vec()),
        ];
        let grid = rows.len().div_ceil(128) as u32;
        let kernel = module.kernel("k").unwrap();
        let launch =
            Launch { kernel, grid: grid.into(), block: 128.into(), dynamic_shared: 0, args: &args };
        let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
        // PTX defines a count past the width, which C++ does not.
        let wide = report.findings.iter().find(|finding| finding.code == Code::WideShift);
        assert!(wide.is_none(), "{}: {wide:?}", case.text);
        let results = memory.download(out);
        let results = results.chunks(8).map(|b| u64::from_le_bytes(b.try_into().unwrap()));
        let different = rows.iter().zip(results).find_map(|(row, got)| {
            let wanted = (case.oracle)(row);
            (got != wanted)
                .then(|| format!("{}: {row:x?} gives {got:#x}, not {wanted:#x}", case.text))
        });
        wrong.extend(different);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
