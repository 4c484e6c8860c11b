//! Kernels with their parameters and objects, and the translation unit that contains them.

use super::operands::Role;
use super::{Debug, Inst, Pc, Preload, Reg, Ty};
use crate::diagnostic::{Diagnostic, Sources, Span};

/// A kernel's parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type as C++ spells it: `const int*`, `unsigned int`.
    pub ty: String,
    /// Its offset in the argument block.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// For a pointer, what it points to.
    pub pointee: Option<Element>,
    /// For one that is not in registers: the entry of [`Module::globals`] that has its bytes during
    /// the launch, as the constant bank has them on the device.
    pub object: Option<u16>,
}

/// The element type of an array, for messages: "index 1027 of `a` (1024 floats)".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The type's name.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
}

/// A `__shared__`, local or device variable that lives in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its element type.
    pub element: Element,
    /// No array: messages give it no index.
    pub scalar: bool,
    /// Bytes; for `extern __shared__` 0, and [`Object::dynamic`] is set.
    pub size: u32,
    /// Its offset in its memory space, which determines the bank of each word.
    pub offset: u32,
    /// `extern __shared__`: the launch gives the size.
    pub dynamic: bool,
    /// Initial bytes of a `__device__` or `__constant__` variable; empty means zero.
    pub initial: Vec<u8>,
    /// `__constant__`: stores are a finding.
    pub constant: bool,
    /// `__managed__`: the host code of a program may access it too.
    pub managed: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A call of `printf`, or the launch of a kernel by a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Print {
    /// The format, with escape sequences replaced.
    pub format: Vec<u8>,
    /// The types and registers of the arguments. A `%s` argument is a constant text or an
    /// address instead.
    pub args: Vec<PrintArg>,
    /// Dynamic parallelism: nothing is printed, but the kernel of that number is launched. The
    /// arguments are its grid and block, three numbers each, its shared memory, its stream and its
    /// own arguments.
    pub launch: Option<u32>,
}

/// One argument of a `printf`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrintArg {
    /// A value.
    Value(Ty, Reg),
    /// A string literal.
    Text(Vec<u8>),
    /// The address of a string in memory.
    Address(Reg),
}

/// What a load or a store moves as a part of a struct or a union that is copied. A copy needs not all of
/// them to be written: padding and members without a value are copied, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopiedPart {
    /// Where the part is in the whole.
    pub offset: u32,
    /// Bytes of the whole.
    pub size: u32,
    /// What a load has in common with the store that writes its bytes; 0: they stay in registers.
    pub number: u32,
}

/// One kernel, ready to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// Bytes of the argument block.
    pub param_bytes: u32,
    /// The code; execution starts at 0, and every path ends in [`Inst::Exit`].
    pub code: Vec<Inst>,
    /// For each instruction, the source text that it was compiled from.
    pub spans: Vec<Span>,
    /// Registers per warp.
    pub registers: u16,
    /// What some of them hold when a warp starts.
    pub preloads: Vec<(Reg, Preload)>,
    /// Number of convergence barriers.
    pub barriers: u16,
    /// The loads and stores that copy structs and unions, in order.
    pub copied: Vec<(Pc, CopiedPart)>,
    /// Shared objects, the dynamic ones last; all dynamic ones share one offset.
    pub shared: Vec<Object>,
    /// Bytes of static shared memory.
    pub shared_bytes: u32,
    /// Local arrays, and local variables whose address is taken; each thread has its own.
    pub locals: Vec<Object>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Variables whose definedness is tracked ([`Inst::CheckDefined`]): name and declaration.
    pub variables: Vec<(String, Span)>,
    /// Where the source's variables are.
    pub debug: Debug,
    /// Calls of `printf`.
    pub prints: Vec<Print>,
    /// Messages of [`Inst::Trap`]; a second line is the help.
    pub traps: Vec<String>,
    /// `__launch_bounds__`: the maximum number of threads per block.
    pub max_threads: Option<u32>,
    /// `__cluster_dims__`: the blocks of a cluster along each axis.
    pub cluster: Option<[u32; 3]>,
    /// Its name in the source.
    pub span: Span,
}

impl Kernel {
    /// Calls `f` for each register operand of an instruction of this kernel, those that its
    /// `printf` prints included: the first register, how many from there on, and what for.
    pub fn for_each_operand(&self, inst: &Inst, f: &mut dyn FnMut(Reg, u16, Role)) {
        inst.for_each_operand(f);
        let Inst::Print { print } = *inst else { return };
        for arg in &self.prints[usize::from(print)].args {
            match *arg {
                PrintArg::Value(ty, reg) => f(reg, ty.slots(), Role::Read),
                PrintArg::Address(reg) => f(reg, 2, Role::Read),
                PrintArg::Text(_) => {}
            }
        }
    }
}

/// The signature of a function that is not a kernel: what is needed to generate a call of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// What it returns, as C++ spells it.
    pub returns: String,
    /// Parameter types (as C++ spells them) and names.
    pub params: Vec<(String, String)>,
    /// Its name in the source.
    pub span: Span,
}

/// A compiled translation unit.
#[derive(Debug, Clone)]
pub struct Module {
    /// The text, for messages.
    pub sources: Sources,
    /// Every `__global__` function, in source order.
    pub kernels: Vec<Kernel>,
    /// Every other function, in source order.
    pub functions: Vec<Signature>,
    /// `__device__` and `__constant__` variables.
    pub globals: Vec<Object>,
    /// Warnings and notes: lints.
    pub diagnostics: Vec<Diagnostic>,
}

impl Module {
    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<&Signature> {
        self.functions.iter().find(|f| f.name == name)
    }
}
