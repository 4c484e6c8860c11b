//! A kernel, its inputs and outputs, and the host function that launches it.

use super::declare::Struct;
use super::function::Function;
use super::program::Family;
use super::random::Random;
use super::scope::Place;
use super::types::Type::{self, F32, F64, I32, U32};
use super::{Generator, Rounding};
use std::fmt::Write as _;

/// Elements of an input.
const ELEMENTS: u32 = 64;

/// A kernel as text.
pub(crate) struct Kernel {
    /// `k3`, or `c3` if the compiler contracts in it.
    pub(crate) name: String,
    /// What it needs before it, itself, and the function `run_k3` that launches it.
    pub(crate) text: String,
}

/// Generates a kernel.
pub(crate) fn kernel(mut random: Random, family: Family, number: usize) -> Kernel {
    let rounding = random.pick(&[
        Rounding::Named,
        Rounding::PlainSums,
        Rounding::PlainProducts,
        Rounding::Contracted,
    ]);
    let threads = random.pick(&[32, 64, 64, 64, 96, 128, 33, 40]);
    let blocks = random.within(1, 3);
    let left = random.within(8, 32) as i32;
    let generator = Generator {
        random,
        family,
        rounding,
        places: Vec::new(),
        functions: Vec::<Function>::new(),
        structs: Vec::<Struct>::new(),
        classes: Vec::new(),
        items: String::new(),
        body: String::new(),
        indent: 0,
        kernel: number,
        names: 0,
        left,
        marks: 0,
        uniform: false,
        in_kernel: false,
        loops: 0,
        loop_together: false,
        returns: None,
        threads,
        blocks,
    };
    generator.assemble()
}

/// The parameters beyond those that each kernel has, and the arguments that the host gives.
#[derive(Default)]
struct Parameters {
    list: String,
    arguments: String,
    /// The statements of the host that make them.
    host: String,
}

impl Parameters {
    /// A buffer of the host's. Each is made by a statement of its own: the order in which C++ evaluates
    /// the arguments of a call is open.
    fn buffer(&mut self, ty: &str, name: &str, made: &str) {
        let _ = writeln!(self.host, "    {ty}* {name} = {made};");
        let _ = write!(self.arguments, ", {name}");
    }
}

impl Generator {
    fn assemble(mut self) -> Kernel {
        for _ in 0..self.random.below(3) {
            self.define_struct();
        }
        for _ in 0..self.random.below(4) {
            self.define_function();
        }
        if self.random.chance(35) {
            self.define_class();
        }
        let mut parameters = Parameters::default();
        self.tables();
        self.inputs(&mut parameters);
        self.in_kernel = true;
        self.uniform = true;
        let locals = self.places.len();
        let plane = self.threads.is_multiple_of(8) && self.random.chance(15);
        self.indent = 1;
        let tid = if plane { "threadIdx.y * 8 + threadIdx.x" } else { "threadIdx.x" };
        self.line(format!("const int tid = {tid};"));
        self.line(format!("const int gid = blockIdx.x * {} + tid;", self.threads));
        let start = self.random.next() as u32;
        self.line(format!("u32 h = {start}u;"));
        self.places.push(Place::variable("threadIdx.x", U32).constant().bounded(7));
        self.places.push(Place::variable("tid", I32).constant().bounded(7));
        self.places.push(Place::variable("gid", I32).constant().bounded(9));
        self.places.push(Place::variable("blockIdx.x", U32).constant().bounded(2).uniform());
        if !self.classes.is_empty() {
            self.declare_object();
        }
        while self.left > 0 {
            self.statement(2);
        }
        self.fold(locals);
        self.outputs(&mut parameters);
        self.line("out[gid] = h;");
        let letter = if self.rounding == Rounding::Contracted { 'c' } else { 'k' };
        let name = format!("{letter}{}", self.kernel);
        let text = self.text(&name, plane, &parameters);
        Kernel { name, text }
    }

    /// Constant and global arrays that are initialised where they are declared.
    fn tables(&mut self) {
        for _ in 0..self.random.below(3) {
            let ty = self.host_type();
            let name = self.item_name("table");
            let values: Vec<String> = (0..8).map(|_| self.host_literal(ty)).collect();
            let space = self.random.pick(&["__constant__", "__constant__", "__device__"]);
            let _ = writeln!(
                self.items,
                "{space} {} {name}[8] = {{{}}};",
                ty.name(),
                values.join(", ")
            );
            self.places.push(Place::variable(format!("{name}[@]"), ty).constant().indexed(7));
        }
    }

    /// A type that the host can write literals of.
    fn host_type(&mut self) -> Type {
        let types =
            [Type::I8, Type::U8, Type::I16, Type::U16, I32, U32, Type::I64, Type::U64, F32, F64];
        self.random.pick(&types)
    }

    fn host_literal(&mut self, ty: Type) -> String {
        if ty.is_float() {
            return self.float_literal(ty).text;
        }
        if ty == Type::Bool {
            return self.random.pick(&["true", "false"]).to_owned();
        }
        let value = self.random.next() >> (65 - u32::from(ty.width()) + self.random.below(6));
        let suffix = if ty.width() == 64 { "ll" } else { "" };
        let sign = if ty.is_signed() { self.random.pick(&["", "-"]) } else { "" };
        format!("{sign}{value}{suffix}")
    }

    /// Arrays to read, numbers, and sometimes a struct.
    fn inputs(&mut self, parameters: &mut Parameters) {
        for at in 0..self.random.within(2, 4) {
            let ty = match self.scalar() {
                // A contracted product needs a factor that is no constant.
                _ if at == 0 && self.rounding == Rounding::Contracted => F32,
                Type::Bool => U32,
                other => other,
            };
            let name = self.name("in");
            let restrict = self.random.pick(&["", " __restrict__"]);
            let _ = write!(parameters.list, ", const {}*{restrict} {name}", ty.name());
            let seed = self.random.next();
            let made = match ty {
                Type::F16 => "floats<__half>(5, 10".to_owned(),
                Type::Bf16 => "floats<__nv_bfloat16>(8, 7".to_owned(),
                F32 => "floats<float>(8, 23".to_owned(),
                F64 => "floats<double>(11, 52".to_owned(),
                _ => format!("integers<{}>({}", ty.name(), ty.width()),
            };
            let made = format!("{made}, {ELEMENTS}, {seed}ull)");
            parameters.buffer(ty.name(), &name, &made);
            self.places
                .push(Place::variable(format!("{name}[@]"), ty).constant().indexed(ELEMENTS - 1));
        }
        for _ in 0..self.random.below(3) {
            let (ty, name) = (self.host_type(), self.name("n"));
            let _ = write!(parameters.list, ", {} {name}", self.spelled(ty));
            let literal = self.host_literal(ty);
            let _ = write!(parameters.arguments, ", ({})({literal})", ty.name());
            self.places.push(Place::variable(name, ty).constant().uniform());
        }
        let plain = |of: &&Struct| of.fields.iter().all(|(_, _, ty)| !ty.is_half());
        if let Some(of) = self.structs.iter().rfind(plain).cloned()
            && self.random.chance(50)
        {
            let name = self.name("n");
            let _ = write!(parameters.list, ", {} {name}", of.name);
            let _ = writeln!(parameters.host, "    {} {name} = {{}};", of.name);
            for (path, mask, ty) in &of.fields {
                for at in 0..=mask.unwrap_or(0) {
                    let path = path.replace('@', &at.to_string());
                    let literal = self.host_literal(*ty);
                    let _ = writeln!(parameters.host, "    {name}.{path} = {literal};");
                }
            }
            let _ = write!(parameters.arguments, ", {name}");
            self.adopt(&name, &of);
        }
    }

    /// Results that are written as they are, beside the hash.
    fn outputs(&mut self, parameters: &mut Parameters) {
        for _ in 0..self.random.below(3) {
            let ty = self.scalar();
            let value = self.argument(ty, 2);
            let (name, variable) = (self.name("o"), self.name("v"));
            let (bits, of) = match ty {
                F32 => ("u32", "bits_of"),
                F64 => ("u64", "bits_of"),
                Type::F16 | Type::Bf16 => ("u16", "bits_of"),
                _ => (ty.name(), ""),
            };
            self.line(format!("{} {variable} = {value};", ty.name()));
            self.line(format!("{name}[gid] = {of}({variable});"));
            let _ = write!(parameters.list, ", {bits}* {name}");
            let made = format!("output<{bits}>({})", self.threads * self.blocks);
            parameters.buffer(bits, &name, &made);
        }
        if self.random.chance(15) {
            let condition = self.condition(2);
            self.line(format!("if ({}) {{", condition.text));
            self.line("    out[gid] = ~h;");
            self.line("    return;");
            self.line("}");
        }
    }

    fn text(&self, name: &str, plane: bool, parameters: &Parameters) -> String {
        let Parameters { list, arguments, host } = parameters;
        let (threads, blocks, items, body) = (self.threads, self.blocks, &self.items, &self.body);
        let block = if plane { format!("dim3(8, {})", threads / 8) } else { threads.to_string() };
        let total = threads * blocks;
        format!(
            "{items}__global__ void {name}(u32* out, u32* words, u64* wides, float* sums, u32* own{list}) {{\n{body}}}\n\
             static void run_{name}() {{\n    u32* out = output<u32>({total});\n    u32* words = output<u32>(16);\n    \
             u64* wides = output<u64>(4);\n    float* sums = output<float>(1);\n    u32* own = output<u32>({total});\n{host}    \
             {name}<<<{blocks}, {block}>>>(out, words, wides, sums, own{arguments});\n    finish(\"{name}\");\n}}\n\n"
        )
    }
}
