//! Generates programs: random, but each with one right answer.
//!
//! Nothing that C++ or CUDA leaves open may decide a result. So every operation is chosen together with
//! operands for which it is defined ([`integer`], [`float`], [`half`]); what warps and blocks do together
//! is done where all of them arrive ([`together`]); and NaNs count as one value, because their payloads
//! differ even between two builds of one kernel.
//!
//! | module | what it makes |
//! | --- | --- |
//! | `random`, `types`, `expression` | random numbers; C++'s arithmetic types; expressions with their precedence and range |
//! | `scope` | what a kernel may read and write at a place |
//! | `integer`, `float`, `half`, `condition`, `value` | expressions |
//! | `declare`, `class` | variables, arrays, structs, unions, vectors, references, pointers, lambdas; objects |
//! | `statement`, `control` | assignments; branches and loops |
//! | `function` | device functions, templates, recursion |
//! | `together` | shared memory and barriers, warps, atomics, cooperative groups |
//! | `kernel`, `program` | a kernel with its inputs; a file of them with `main` |
//! | `instructions`, `tiles` | programs of another kind: PTX instructions and tensor cores on random operands |

mod class;
mod condition;
mod control;
mod declare;
mod expression;
mod float;
mod function;
mod half;
mod instructions;
mod integer;
mod kernel;
mod program;
mod random;
mod scope;
mod statement;
mod tiles;
mod together;
mod types;
mod value;

pub use program::{Batch, Family, Kind};

use class::Class;
use declare::Struct;
use function::Function;
use random::Random;
use scope::Place;
use types::Type;

/// How a kernel writes sums and products of floats. The compiler may contract `a * b + c`; in all but
/// the last, no product that it could contract stands beside a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    /// Every operation names its rounding.
    Named,
    /// `a + b`, and products by name.
    PlainSums,
    /// `a * b`, and sums by name.
    PlainProducts,
    /// `a * b + c` where it is clear what is contracted.
    Contracted,
}

/// What one kernel is made of while it grows.
struct Generator {
    random: Random,
    family: Family,
    rounding: Rounding,
    /// What is in scope.
    places: Vec<Place>,
    functions: Vec<Function>,
    /// The structs that the kernel may use.
    structs: Vec<Struct>,
    classes: Vec<Class>,
    /// The declarations before the kernel.
    items: String,
    /// The statements so far.
    body: String,
    indent: usize,
    /// Distinguishes the kernels of a file in the names of items.
    kernel: usize,
    /// Names given so far.
    names: u32,
    /// Statements that may still be generated.
    left: i32,
    /// Marks set so far ([`Generator::mark`]).
    marks: u32,
    /// Whether all threads of the block come here together.
    uniform: bool,
    /// Whether this is the kernel itself, not a function.
    in_kernel: bool,
    /// How many loops surround this place; each repeats at most eight times.
    loops: u32,
    /// What `return` gives back here, in a function.
    returns: Option<Type>,
    /// Whether all threads of the block run the innermost loop together.
    loop_together: bool,
    /// Threads per block and blocks.
    threads: u32,
    blocks: u32,
}

impl Generator {
    /// A line of the body.
    fn line(&mut self, text: impl AsRef<str>) {
        self.body.extend(std::iter::repeat_n("    ", self.indent));
        self.body += text.as_ref();
        self.body.push('\n');
    }

    /// A new name.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A new name at file scope.
    fn item_name(&mut self, prefix: &str) -> String {
        let name = self.name(prefix);
        format!("{name}_{}", self.kernel)
    }

    /// A type of variables.
    fn scalar(&mut self) -> Type {
        let roll = self.random.below(100);
        match self.family {
            Family::Halves if roll < 25 => Type::F16,
            Family::Halves if roll < 45 => Type::Bf16,
            _ if roll < 60 => self.random.pick(&Type::INTEGERS),
            _ if roll < 65 => Type::Bool,
            _ if roll < 85 => Type::F32,
            _ if roll < 93 => Type::F64,
            _ => self.random.pick(&Type::PROMOTED),
        }
    }

    /// One spelling of the type, for a declaration.
    fn spelled(&mut self, ty: Type) -> &'static str {
        self.random.pick(ty.spellings())
    }

    /// Generates into a body of its own, and returns that.
    fn aside(&mut self, indent: usize, generate: impl FnOnce(&mut Generator)) -> String {
        let body = std::mem::take(&mut self.body);
        let outer = std::mem::replace(&mut self.indent, indent);
        generate(self);
        self.indent = outer;
        std::mem::replace(&mut self.body, body)
    }

    /// With `-DTRACE` a program says which values each statement gave, so that the first one at which
    /// two machines part can be found.
    fn mark(&mut self, place: &str) {
        if self.in_kernel {
            let number = self.marks;
            self.marks += 1;
            self.line(format!("MARK({number}, {place});"));
        }
    }
}
