//! Code generation: the typed tree of host code to [`crate::bytecode`].
//!
//! ```text
//! statement   control flow, scopes and cleanups
//! value       scalar expressions, into registers
//! store       objects in memory: loads, stores, initialisation, assignment
//! place       lvalues: where variables, elements and members are
//! intrinsic   branches on conditions, and built-in functions
//! call        calls, launches, new and delete
//! goto        labels
//! assigned    reads of variables to which nothing was assigned
//! unwinding   what an exception destroys of objects that are not complete
//! ```
//!
//! A scalar variable lives in a register. If its address is taken, the function is lowered once more
//! with that variable in memory.

mod assigned;
mod call;
mod goto;
mod intrinsic;
mod place;
mod statement;
mod store;
mod unwinding;
mod value;

use crate::bytecode::{Code, Function, Global, Inst, Local, ObjectType, Pc, Reg};
use place::Place;
use simt::Sources;
use simt::diagnostic::{Diagnostic, Span};
use simt::isa::Ty;
use simt::sema::tree::{self, VarId};
use simt::sema::types::{Kind, Type, Types, align_up};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// An error that is already among the diagnostics.
#[derive(Debug)]
pub(super) struct Reported;

type Lowered<T> = Result<T, Reported>;

/// Added to the index of a kernel, so that its address differs from every host function's.
pub(super) const KERNELS: u32 = 1 << 20;

/// The most registers of one function.
const MAX_REGISTERS: u32 = 60_000;

/// The most bytes of one function's frame: more than the stack has.
const MAX_FRAME: u64 = 1 << 30;

/// The state that all functions of the program share.
pub(super) struct Unit<'a> {
    types: &'a Types,
    sources: &'a Sources,
    code: Code,
    /// The kernels, in the module's order.
    kernels: &'a [Rc<tree::Function>],
    host_globals: &'a [tree::HostGlobal],
    begin_thread: Option<&'a (tree::HostGlobalId, Rc<tree::Function>)>,
    device_globals: &'a [tree::Global],
    lifetimes: &'a tree::HostLifetimes,
    /// Whether a function may end by an exception, by the address of its tree.
    throwing: HashMap<*const tree::Function, bool>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Functions by the address of their tree, and whether each is called with an object.
    known: HashMap<(*const tree::Function, bool), u32>,
    queue: Vec<(Rc<tree::Function>, bool)>,
    texts: HashMap<Vec<u8>, u32>,
    elements: HashMap<Type, u32>,
}

/// Lowers `main` and all functions that it reaches. `None` after an error, which is reported.
pub(super) fn lower<'a>(
    program: &'a tree::Program,
    types: &'a Types,
    sources: &'a Sources,
    diagnostics: &'a mut Vec<Diagnostic>,
) -> Option<Code> {
    let mut unit = Unit {
        types,
        sources,
        code: Code::default(),
        kernels: &program.kernels,
        host_globals: &program.host_globals,
        begin_thread: program.begin_thread.as_ref(),
        device_globals: &program.globals,
        lifetimes: &program.lifetimes,
        throwing: HashMap::new(),
        diagnostics,
        known: HashMap::new(),
        queue: Vec::new(),
        texts: HashMap::new(),
        elements: HashMap::new(),
    };
    let Some(main) = &program.main else {
        unit.diagnostics.push(
            Diagnostic::error("main", Span::default(), "the program has no `main`")
                .with_help("a program begins with `int main()`"),
        );
        return None;
    };
    for global in &program.host_globals {
        let init = global.init.as_ref().map(|init| unit.function(init, false));
        let made = Global {
            name: global.name.to_string(),
            bytes: types.size_of(&global.ty),
            element: unit.element_of(&global.ty),
            span: global.span,
            init,
            lazy: global.lazy,
            thread_local: global.thread_local,
            destroy: global.destroy.as_ref().map(|f| unit.function(f, true)),
        };
        unit.code.globals.push(made);
    }
    unit.code.begins = program.begins.iter().map(|index| index.index() as u32).collect();
    unit.code.main = unit.function(main, false);
    unit.code.arguments = main.params == 2;
    let mut at = 0;
    let mut failed = false;
    while at < unit.queue.len() {
        let (function, object) = unit.queue[at].clone();
        match unit.lower_function(&function, object) {
            Ok(lowered) => unit.code.functions.push(lowered),
            Err(Reported) => {
                failed = true;
                unit.code.functions.push(Function::default());
            }
        }
        at += 1;
    }
    (!failed).then_some(unit.code)
}

impl Unit<'_> {
    /// Whether the function gives that variable its first value.
    fn initialises(&self, index: tree::HostGlobalId, function: &Rc<tree::Function>) -> bool {
        let global = self.host_globals.get(index.index());
        global.and_then(|g| g.init.as_ref()).is_some_and(|init| Rc::ptr_eq(init, function))
    }

    /// The number of a function; it is queued for lowering if it is new.
    fn function(&mut self, function: &Rc<tree::Function>, object: bool) -> u32 {
        let next = self.queue.len() as u32;
        let queue = &mut self.queue;
        *self.known.entry((Rc::as_ptr(function), object)).or_insert_with(|| {
            queue.push((function.clone(), object));
            next
        })
    }

    /// A kernel's number in the module.
    fn kernel(&self, kernel: &Rc<tree::Function>) -> Option<u32> {
        self.kernels.iter().position(|k| Rc::ptr_eq(k, kernel)).map(|at| at as u32)
    }

    fn text(&mut self, text: &[u8]) -> u32 {
        if let Some(at) = self.texts.get(text) {
            return *at;
        }
        let at = self.code.literals.len() as u32;
        self.code.literals.push(text.to_owned());
        self.texts.insert(text.to_owned(), at);
        at
    }

    /// The number of a type whose objects are allocated or thrown.
    fn element(&mut self, ty: &Type) -> u32 {
        // Two lambdas, and local classes of two functions, may be spelled alike.
        let plain = ty.unqualified();
        if let Some(at) = self.elements.get(&plain) {
            return *at;
        }
        let at = self.code.object_types.len() as u32;
        let (name, bytes) = (self.types.spell(&plain), self.types.size_of(ty));
        self.code.object_types.push(ObjectType { name, bytes, ..ObjectType::default() });
        self.elements.insert(plain, at);
        let mut bases = Vec::new();
        if let Kind::Struct(index) = ty.kind {
            let info = self.types.get(index);
            for base in &info.fields[..info.bases.min(info.fields.len())] {
                let number = self.element(&base.ty);
                bases.push((number, base.offset));
                let further = &self.code.object_types[number as usize].bases;
                bases.extend(further.iter().map(|(b, offset)| (*b, offset + base.offset)));
            }
        }
        self.code.object_types[at as usize].bases = bases;
        at
    }

    /// The element type of an array, for messages.
    fn element_of(&self, ty: &Type) -> simt::isa::Element {
        let mut inner = ty;
        while let Kind::Array(element, _) = &inner.kind {
            inner = element;
        }
        simt::isa::Element {
            name: self.types.spell(&inner.unqualified()),
            size: self.types.size_of(inner).max(1) as u32,
        }
    }

    fn lower_function(&mut self, function: &Rc<tree::Function>, object: bool) -> Lowered<Function> {
        let mut memory = HashSet::new();
        let (globals, tracked) = (self.code.globals.len(), self.code.tracked.len());
        loop {
            let known = memory.len();
            self.code.globals.truncate(globals);
            self.code.tracked.truncate(tracked);
            let mut lower = Lower::new(self, function, memory);
            lower.body(object)?;
            memory = lower.memory;
            if memory.len() == known {
                return Ok(finish(lower.out, &lower.labels));
            }
        }
    }
}

/// A label: an index into [`Lower::labels`].
type Label = u32;

/// A scope that control may leave, with what that takes.
#[derive(Debug, Clone, Copy)]
enum Scope {
    /// A block: the register with the depth of the cleanup stack at its start, and whether it pushes
    /// a cleanup.
    Block {
        mark: Reg,
        at: usize,
        guarded: bool,
    },
    /// The members that a constructor has built: the register with the depth of the cleanup stack
    /// before them. They are destroyed only if an exception ends the constructor.
    Building {
        mark: Reg,
    },
    Try,
    Catch,
}

/// Where `break` and `continue` jump, and how many scopes are open there.
struct Target {
    exit: Label,
    next: Option<Label>,
    scopes: usize,
}

/// Lowers one function.
struct Lower<'u, 'a> {
    unit: &'u mut Unit<'a>,
    function: Rc<tree::Function>,
    out: Function,
    labels: Vec<Pc>,
    /// The `static` variable whose first value is computed.
    begins: Option<tree::HostGlobalId>,
    /// Variables that live in memory.
    memory: HashSet<VarId>,
    homes: Vec<Option<Place>>,
    /// The local arrays: each is an object, a [`Global`].
    arrays: HashMap<VarId, u32>,
    /// The variables that have a home, in order of declaration.
    declared: Vec<VarId>,
    /// The next free register and byte of the frame.
    next: u32,
    frame: u64,
    scopes: Vec<Scope>,
    targets: Vec<Target>,
    /// The enclosing lists of statements that have labels.
    labelled: Vec<goto::Labelled>,
    /// The labels of the function, and where jumps into blocks enter scopes.
    inner: HashMap<tree::Name, goto::Inner>,
    entered: Vec<(usize, tree::Name, Span)>,
    /// What [`tree::ExprKind::Current`] means, innermost last; the variable, if it is one.
    current: Vec<(Place, Type, Option<assigned::Part>)>,
    /// Of tracked variables and members: the register that says whether it was assigned, and its number
    /// in [`Code::tracked`].
    assigned: HashMap<assigned::Part, (Reg, u32)>,
    /// The object of a method.
    this: Option<Reg>,
    span: Span,
    depth: usize,
}

impl<'u, 'a> Lower<'u, 'a> {
    fn new(
        unit: &'u mut Unit<'a>,
        function: &Rc<tree::Function>,
        memory: HashSet<VarId>,
    ) -> Lower<'u, 'a> {
        Lower {
            unit,
            function: function.clone(),
            out: Function {
                name: function.name.to_string(),
                noexcept: function.noexcept,
                ..Function::default()
            },
            labels: Vec::new(),
            begins: None,
            memory,
            homes: vec![None; function.vars.len()],
            arrays: HashMap::new(),
            declared: Vec::new(),
            next: 0,
            frame: 0,
            scopes: Vec::new(),
            targets: Vec::new(),
            labelled: Vec::new(),
            inner: HashMap::new(),
            entered: Vec::new(),
            current: Vec::new(),
            assigned: HashMap::new(),
            this: None,
            span: function.span,
            depth: 0,
        }
    }

    fn unsupported<T>(&mut self, span: Span, what: impl std::fmt::Display) -> Lowered<T> {
        self.unit.diagnostics.push(Diagnostic::unsupported(span, what));
        Err(Reported)
    }

    /// The error for `threadIdx` and its kin in code that the host runs.
    fn of_the_device<T>(&mut self, span: Span) -> Lowered<T> {
        let message = "the host has no `threadIdx`, `blockIdx`, `blockDim` and `gridDim`";
        let help = "kernels and `__device__` functions have them";
        self.unit.diagnostics.push(Diagnostic::error("type", span, message).with_help(help));
        Err(Reported)
    }

    fn emit(&mut self, inst: Inst) {
        self.out.code.push(inst);
        self.out.spans.push(self.span);
    }

    fn label(&mut self) -> Label {
        self.labels.push(Pc::MAX);
        self.labels.len() as u32 - 1
    }

    fn bind(&mut self, label: Label) {
        self.labels[label as usize] = self.out.code.len() as Pc;
    }

    /// Allocates `count` consecutive registers.
    fn registers(&mut self, count: u32) -> Lowered<Reg> {
        let at = self.next;
        self.next += count;
        if self.next > MAX_REGISTERS {
            return self.unsupported(
                self.span,
                format!("a function with more than {MAX_REGISTERS} values"),
            );
        }
        self.out.registers = self.out.registers.max(self.next);
        Ok(at as Reg)
    }

    fn temp(&mut self) -> Lowered<Reg> {
        self.registers(1)
    }

    /// Allocates bytes in the frame.
    fn frame_slot(&mut self, bytes: u64, align: u64) -> Lowered<u32> {
        let at = align_up(self.frame, align.max(1));
        self.frame = at.saturating_add(bytes.max(1));
        if self.frame > MAX_FRAME {
            return self.unsupported(
                self.span,
                format!("variables of more than {MAX_FRAME} bytes in a function"),
            );
        }
        self.out.frame = self.out.frame.max(self.frame as u32);
        self.out.frame_rest |= (align as u32).max(1) - 1;
        let (at, bytes) = (at as u32, bytes as u32);
        let (name, span) = (String::new(), self.span);
        self.out.locals.push(Local { name, at, bytes, vector: false, span });
        Ok(at)
    }

    fn size(&self, ty: &Type) -> u64 {
        self.unit.types.size_of(ty)
    }

    /// Whether values of the type are held in registers.
    fn is_scalar(&self, ty: &Type) -> bool {
        self.unit.types.scalar(ty).is_some()
    }

    /// Whether a variable of the type is an array, or a class that holds one.
    fn is_array(&self, ty: &Type) -> bool {
        match ty.kind {
            Kind::Array(..) => true,
            Kind::Struct(class) => {
                let fields = &self.unit.types.get(class).fields;
                fields.iter().any(|field| matches!(field.ty.kind, Kind::Array(..)))
            }
            _ => false,
        }
    }

    /// The array in a class that holds nothing else.
    fn array_in<'t>(&'t self, ty: &'t Type) -> &'t Type {
        match ty.kind {
            Kind::Struct(class) => match &self.unit.types.get(class).fields[..] {
                [field] => &field.ty,
                _ => ty,
            },
            _ => ty,
        }
    }

    /// The type in which arithmetic on values of a type is done.
    fn ty(&self, ty: &Type) -> Ty {
        self.unit.types.scalar(ty).map_or(Ty::I32, |p| p.ty())
    }
}

/// Resolves labels to instructions, and removes those that do nothing.
fn finish(mut function: Function, labels: &[Pc]) -> Function {
    for inst in &mut function.code {
        if let Some(to) = inst.target() {
            *to = labels.get(*to as usize).copied().unwrap_or(Pc::MAX);
        }
    }
    function.remove_nops();
    function
}
