//! A launch on the simulator: arrays, values, and no finding.

use kernels::programs::{Program, Value, all};
use simt::{Arg, Buffer, Config, Finding, Launch, Memory, Module, Outcome, Sources};

/// A number as a kernel sees it.
pub(crate) trait Plain: Copy + PartialEq + std::fmt::Debug {
    const NAME: &'static str;
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! plain {
    ($($type:ty, $name:literal;)*) => {$(
        impl Plain for $type {
            const NAME: &'static str = $name;
            fn bytes(self) -> Vec<u8> { self.to_le_bytes().to_vec() }
            fn of(bytes: &[u8]) -> Self { <$type>::from_le_bytes(bytes.try_into().unwrap()) }
        }
    )*};
}

plain! {
    u8, "unsigned char"; u16, "unsigned short"; u32, "unsigned int"; u64, "unsigned long long";
    i32, "int"; i64, "long long"; f32, "float"; f64, "double";
}

/// The library's programs of one kernel.
pub(crate) fn programs(entry: &str) -> Vec<Program> {
    let found: Vec<Program> = all().into_iter().filter(|p| p.entry == entry).collect();
    assert!(!found.is_empty(), "no program has a kernel `{entry}`");
    found
}

pub(crate) fn number(program: &Program, name: &str) -> u32 {
    match constant(program, name) {
        Value::Number(number) => number,
        Value::Token(word) => panic!("`{name}` is `{word}`"),
    }
}

pub(crate) fn word(program: &Program, name: &str) -> &'static str {
    match constant(program, name) {
        Value::Token(word) => word,
        Value::Number(number) => panic!("`{name}` is {number}"),
    }
}

fn constant(program: &Program, name: &str) -> Value {
    let found = program.constants.iter().find(|c| c.0 == name);
    found.unwrap_or_else(|| panic!("{program:?} has no `{name}`")).1
}

/// A program's text, understood; or all that the simulator says against it.
pub(crate) fn compile(program: &Program, text: String) -> Result<Module, String> {
    simt::compile(Sources::single(program.file.name, text)).map_err(|failure| {
        let said = failure.diagnostics.iter().map(|d| d.render(&failure.sources));
        said.collect::<Vec<_>>().join("\n")
    })
}

/// A program's text, understood.
pub(crate) fn compiled(program: &Program) -> Module {
    compile(program, program.source()).unwrap_or_else(|why| panic!("{program:?}: {why}"))
}

/// A kernel's operands, in its order.
#[derive(Default)]
pub(crate) struct Bench {
    memory: Memory,
    args: Vec<Arg>,
}

/// What there is of a launch besides operands.
pub(crate) struct Grid {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    pub(crate) shared: u32,
}

impl Bench {
    pub(crate) fn input<T: Plain>(&mut self, name: &str, data: &[T]) -> Buffer {
        let buffer = self.array(name, data);
        self.buffer(buffer);
        buffer
    }

    /// Exactly so long, and junk that may not be read.
    pub(crate) fn output<T: Plain>(&mut self, name: &str, length: usize) -> Buffer {
        let buffer = self.unwritten::<T>(name, length);
        self.buffer(buffer);
        buffer
    }

    /// An array that is no operand by itself.
    pub(crate) fn array<T: Plain>(&mut self, name: &str, data: &[T]) -> Buffer {
        let buffer = self.unwritten::<T>(name, data.len());
        self.upload(buffer, data);
        buffer
    }

    /// The same, of junk.
    pub(crate) fn unwritten<T: Plain>(&mut self, name: &str, length: usize) -> Buffer {
        let size = size_of::<T>();
        self.memory.alloc(name, T::NAME, size as u32, length * size)
    }

    pub(crate) fn buffer(&mut self, buffer: Buffer) {
        self.args.push(Arg::Buffer(buffer));
    }

    pub(crate) fn value<T: Plain>(&mut self, value: T) {
        self.args.push(Arg::Value(value.bytes()));
    }

    /// A tensor map, or another structure.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.args.push(Arg::Value(bytes.to_vec()));
    }

    pub(crate) fn upload<T: Plain>(&mut self, buffer: Buffer, data: &[T]) {
        let bytes: Vec<u8> = data.iter().flat_map(|x| x.bytes()).collect();
        self.memory.upload(buffer, &bytes);
    }

    pub(crate) fn read<T: Plain>(&self, buffer: Buffer) -> Vec<T> {
        self.memory.download(buffer).chunks_exact(size_of::<T>()).map(T::of).collect()
    }

    /// Runs to the end, with nothing found.
    pub(crate) fn launch(&mut self, module: &Module, program: &Program, grid: Grid) {
        let found = self.launch_with(module, program, grid);
        assert!(found.is_empty(), "{program:?}: {found:#?}");
    }

    /// Runs to the end, and tells what was found.
    pub(crate) fn launch_with(
        &mut self,
        module: &Module,
        program: &Program,
        grid: Grid,
    ) -> Vec<Finding> {
        let kernel = module.kernel(program.entry).expect("the entry is a kernel of the text");
        let launch = Launch {
            kernel,
            grid: grid.blocks.into(),
            block: grid.threads.into(),
            dynamic_shared: grid.shared,
            args: &self.args,
        };
        let report = simt::launch(module, &launch, &mut self.memory, &Config::default());
        let report = report.unwrap_or_else(|error| panic!("{program:?}: {error}"));
        assert_eq!(report.outcome, Outcome::Completed, "{program:?}: {:?}", report.findings);
        report.findings
    }
}

/// Numbers that look random: the same each time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    /// From -4 to 4.
    pub(crate) fn float(&mut self) -> f32 {
        (self.bits() % 65_536) as f32 / 8192.0 - 4.0
    }

    pub(crate) fn floats(&mut self, length: usize) -> Vec<f32> {
        (0..length).map(|_| self.float()).collect()
    }
}

/// The same, but for so much; NaN is NaN, and infinities have a sign.
pub(crate) fn is_close(got: f32, want: f64, tolerance: f64) -> bool {
    let got = f64::from(got);
    got == want || got.is_nan() && want.is_nan() || (got - want).abs() <= tolerance
}
