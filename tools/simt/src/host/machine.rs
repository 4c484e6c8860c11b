//! One thread that runs host code.

mod reach;
mod unwind;

use super::code::{Function, Indexed, Inst, Pc, Reg, Width};
use super::memory::{self, Heap, Maker, STACK, STACK_BYTES, function_at, parts};
use super::runtime::Runtime;
use super::{Outside, Program, alu};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{Element, MemTy};
use crate::machine::memory::pointer;
use crate::{Config, Memory};

/// Why the program does not go on.
#[derive(Debug)]
pub(super) enum Stop {
    /// `exit` with this code.
    Exit(i32),
    /// At once, as by a signal.
    Killed(i32),
}

pub(super) type Ran<T> = Result<T, Stop>;

/// Exit codes, as a shell sees what ended a program.
pub(super) const ABORTED: i32 = 134;
const ARITHMETIC: i32 = 136;
pub(super) const SEGMENTATION: i32 = 139;

/// Diagnostics of the host that are kept.
const MAX_DIAGNOSTICS: usize = 100;

/// A caller, to go back to.
#[derive(Debug)]
struct Frame {
    function: u32,
    pc: Pc,
    base: usize,
    frame: usize,
    caught: usize,
}

/// What is to be destroyed.
#[derive(Debug, Clone, Copy)]
struct Guard {
    object: u64,
    function: u32,
}

/// Who takes what is thrown.
#[derive(Debug, Clone, Copy)]
struct Handler {
    to: Pc,
    frames: usize,
    guards: usize,
}

/// What is thrown: a type, and where the object is.
#[derive(Debug, Clone, Copy)]
struct Thrown {
    element: u32,
    object: u64,
}

pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) config: &'p Config,
    pub(super) outside: &'p mut dyn Outside,
    pub(super) heap: Heap,
    /// The device's memory, and what its own.
    pub(super) memory: Memory,
    pub(super) runtime: Runtime,
    pub(super) diagnostics: Vec<Diagnostic>,
    stack: Vec<u8>,
    regs: Vec<u64>,
    /// Where the running function's registers and its frame begin.
    base: usize,
    frame: usize,
    function: u32,
    pc: Pc,
    frames: Vec<Frame>,
    guards: Vec<Guard>,
    /// What is destroyed when the program ends.
    exits: Vec<Guard>,
    handlers: Vec<Handler>,
    /// What is thrown and nobody has caught yet.
    thrown: Option<Thrown>,
    caught: Vec<Thrown>,
    globals: Vec<u64>,
    texts: Vec<u64>,
    begun: Vec<bool>,
    steps: u64,
}

impl<'p> Machine<'p> {
    pub(super) fn new(
        program: &'p Program,
        config: &'p Config,
        outside: &'p mut dyn Outside,
    ) -> Machine<'p> {
        let mut heap = Heap::new(super::MEMORY);
        let code = &program.code;
        let mut globals = Vec::new();
        for global in &code.globals {
            let (name, element) = (global.name.clone(), global.element.clone());
            let made = heap.allocate(name, element, global.bytes, Maker::Program, global.span);
            globals.push(made.unwrap_or(0));
        }
        let mut texts = Vec::new();
        for text in &code.texts {
            texts.push(heap.text(text));
        }
        let mut memory = Memory::new();
        memory.prepare(&program.module.globals, config.limits.memory);
        let begun = vec![false; code.globals.len()];
        Machine {
            program,
            config,
            outside,
            heap,
            memory,
            runtime: Runtime::default(),
            diagnostics: Vec::new(),
            stack: vec![0; STACK_BYTES],
            regs: vec![0; 1 << 12],
            base: 0,
            frame: 0,
            function: 0,
            pc: 0,
            frames: Vec::new(),
            guards: Vec::new(),
            exits: Vec::new(),
            handlers: Vec::new(),
            thrown: None,
            caught: Vec::new(),
            globals,
            texts,
            begun,
            steps: config.budget,
        }
    }

    /// The whole program: its exit code.
    pub(super) fn run(&mut self, args: &[String]) -> i32 {
        let ended = self.program_body(args).map_err(|stop| match stop {
            Stop::Exit(code) => (true, code),
            Stop::Killed(code) => (false, code),
        });
        let (regular, code) = ended.map_or_else(|ended| ended, |code| (true, code));
        if regular {
            // Those that began last end first.
            while let Some(guard) = self.exits.pop() {
                if let Err(Stop::Killed(code)) = self.call(guard.function, &[guard.object]) {
                    return code;
                }
            }
        }
        code
    }

    fn at_exit(&mut self, global: u32) {
        if let Some(function) = self.program.code.globals[global as usize].destroy {
            let object = self.globals[global as usize];
            self.exits.push(Guard { object, function });
        }
    }

    fn program_body(&mut self, args: &[String]) -> Ran<i32> {
        let code = &self.program.code;
        for (number, global) in code.globals.iter().enumerate().filter(|(_, g)| !g.lazy) {
            if let Some(init) = global.init {
                self.call(init, &[])?;
            }
            self.at_exit(number as u32);
        }
        let mut values = Vec::new();
        if code.arguments {
            values = vec![args.len() as u64, self.arguments(args)];
        }
        let result = self.call(code.main, &values)?;
        Ok(result as i32 & 0xFF)
    }

    /// `argv`.
    fn arguments(&mut self, args: &[String]) -> u64 {
        let char = Element { name: "char".to_owned(), size: 1 };
        let mut pointers = Vec::new();
        for arg in args {
            let name = "an argument of the program".to_owned();
            let bytes = arg.len() as u64 + 1;
            let made =
                self.heap.allocate(name, char.clone(), bytes, Maker::Program, Span::default());
            let at = made.unwrap_or(0);
            if let Some(object) = self.heap.get_mut(parts(at).0) {
                object.bytes[..arg.len()].copy_from_slice(arg.as_bytes());
            }
            pointers.extend_from_slice(&at.to_le_bytes());
        }
        pointers.extend_from_slice(&[0; 8]);
        let element = Element { name: "char*".to_owned(), size: 8 };
        let bytes = pointers.len() as u64;
        let made =
            self.heap.allocate("argv".to_owned(), element, bytes, Maker::Program, Span::default());
        let at = made.unwrap_or(0);
        if let Some(object) = self.heap.get_mut(parts(at).0) {
            object.bytes.copy_from_slice(&pointers);
        }
        at
    }

    /// Calls a function from outside of host code: the first register it leaves.
    fn call(&mut self, function: u32, args: &[u64]) -> Ran<u64> {
        let window = self.code_of(self.function).registers as Reg;
        let base = self.base + usize::from(window);
        self.room(base + args.len() + 1);
        self.regs[base..base + args.len()].copy_from_slice(args);
        let floor = self.frames.len();
        self.begin(function, window)?;
        self.interpret(floor)?;
        Ok(self.regs[base])
    }

    #[inline(always)]
    fn code_of(&self, function: u32) -> &'p Function {
        &self.program.code.functions[function as usize]
    }

    fn room(&mut self, registers: usize) {
        if self.regs.len() < registers {
            self.regs.resize(registers.next_power_of_two(), 0);
        }
    }

    /// A call: the running function is put aside.
    #[inline(always)]
    fn begin(&mut self, function: u32, window: Reg) -> Ran<()> {
        let code = self.code_of(self.function);
        let frame = self.frame + (code.frame as usize).next_multiple_of(16);
        let callee = self.code_of(function);
        let base = self.base + usize::from(window);
        self.frames.push(Frame {
            function: self.function,
            pc: self.pc,
            base: self.base,
            frame: self.frame,
            caught: self.caught.len(),
        });
        // What a compiler would have put there: registers, the way back.
        let used = frame + callee.frame as usize + 16 * self.frames.len() + 4 * base;
        if used > STACK_BYTES {
            return self.overflow(function);
        }
        let registers = base + callee.registers as usize + 1;
        if self.regs.len() < registers {
            self.room(registers);
        }
        (self.function, self.pc, self.base, self.frame) = (function, 0, base, frame);
        Ok(())
    }

    #[cold]
    fn overflow(&mut self, function: u32) -> Ran<()> {
        let name = self.code_of(function).name.clone();
        let message = format!("the stack overflows in `{name}`: its 8 MiB are full");
        let help = "a recursion that does not end, or arrays this large in a function";
        self.complain("stack", message, Some(help));
        Err(Stop::Killed(SEGMENTATION))
    }

    /// The text of the instruction that runs.
    pub(super) fn span(&self) -> Span {
        let spans = &self.code_of(self.function).spans;
        let at = (self.pc as usize).saturating_sub(1);
        let mut span = spans.get(at).copied().unwrap_or_default();
        // What a header does was asked for by who called it.
        for frame in self.frames.iter().rev() {
            if !span.is_built_in() {
                break;
            }
            let spans = &self.code_of(frame.function).spans;
            span = spans.get((frame.pc as usize).saturating_sub(1)).copied().unwrap_or_default();
        }
        span
    }

    /// An error at this place.
    pub(super) fn complain(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        help: Option<&str>,
    ) {
        let mut diagnostic = Diagnostic::error(code, self.span(), message);
        diagnostic.help = help.map(str::to_owned);
        self.report(diagnostic);
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        let known = self.diagnostics.contains(&diagnostic);
        if !known && self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Runs until the frames are as many as they were.
    fn interpret(&mut self, floor: usize) -> Ran<()> {
        let mut code = self.code_of(self.function);
        macro_rules! r {
            ($reg:expr) => {
                self.regs[self.base + usize::from($reg)]
            };
        }
        loop {
            let inst = code.code[self.pc as usize];
            self.pc += 1;
            match inst {
                Inst::Const { d, bits } => r!(d) = bits,
                Inst::Move { d, a } => r!(d) = r!(a),
                Inst::Binary { op, ty, d, a, b } => match alu::binary(op, ty, r!(a), r!(b)) {
                    Some(value) => r!(d) = value,
                    None => return self.divided(r!(b) == 0),
                },
                Inst::BinaryConst { op, ty, d, a, b } => {
                    match alu::binary(op, ty, r!(a), i64::from(b) as u64) {
                        Some(value) => r!(d) = value,
                        None => return self.divided(b == 0),
                    }
                }
                Inst::AddI32 { d, a, b } => {
                    r!(d) = u64::from((r!(a) as u32).wrapping_add(r!(b) as u32));
                }
                Inst::AddI32Const { d, a, b } => {
                    r!(d) = u64::from((r!(a) as u32).wrapping_add(b as u32));
                }
                Inst::MulI32 { d, a, b } => {
                    r!(d) = u64::from((r!(a) as u32).wrapping_mul(r!(b) as u32));
                }
                Inst::AddI64 { d, a, b } => r!(d) = r!(a).wrapping_add(r!(b)),
                Inst::AddF32 { d, a, b } => {
                    let sum = f32::from_bits(r!(a) as u32) + f32::from_bits(r!(b) as u32);
                    r!(d) = u64::from(sum.to_bits());
                }
                Inst::MulF32 { d, a, b } => {
                    let product = f32::from_bits(r!(a) as u32) * f32::from_bits(r!(b) as u32);
                    r!(d) = u64::from(product.to_bits());
                }
                Inst::AddF64 { d, a, b } => {
                    r!(d) = (f64::from_bits(r!(a)) + f64::from_bits(r!(b))).to_bits();
                }
                Inst::MulF64 { d, a, b } => {
                    r!(d) = (f64::from_bits(r!(a)) * f64::from_bits(r!(b))).to_bits();
                }
                Inst::Compare { op, ty, d, a, b } => {
                    r!(d) = u64::from(alu::compare(op, ty, r!(a), r!(b)));
                }
                Inst::Unary { op, ty, d, a } => r!(d) = alu::unary(op, ty, r!(a)),
                Inst::Fma { ty, d, a, b, c } => r!(d) = alu::fma(ty, r!(a), r!(b), r!(c)),
                Inst::Math { function, ty, d, operands } => {
                    r!(d) = alu::math(function, ty, operands.map(|a| r!(a)));
                }
                Inst::Convert { from, to, d, a } => r!(d) = alu::convert(from, to, r!(a)),
                Inst::Jump { to } => {
                    self.step()?;
                    self.pc = to;
                }
                Inst::Branch { cond, when, to } => {
                    if (r!(cond) != 0) == when {
                        self.step()?;
                        self.pc = to;
                    }
                }
                Inst::BranchCompare { op, ty, when, a, b, to } => {
                    if alu::compare(op, ty, r!(a), r!(b)) == when {
                        self.step()?;
                        self.pc = to;
                    }
                }
                Inst::BranchConst { op, ty, when, a, b, to } => {
                    if alu::compare(op, ty, r!(a), i64::from(b) as u64) == when {
                        self.step()?;
                        self.pc = to;
                    }
                }
                Inst::LoadIndex { ty, d, at } => {
                    let at = element(r!(at.p), r!(at.index), at);
                    r!(d) = self.load(at, ty)?;
                }
                Inst::StoreIndex { ty, a, at } => {
                    let at = element(r!(at.p), r!(at.index), at);
                    self.store(at, ty, r!(a))?;
                }
                Inst::IndexAddress { d, at } => r!(d) = element(r!(at.p), r!(at.index), at),
                Inst::Load { ty, d, p, offset } => {
                    let at = r!(p).wrapping_add(i64::from(offset) as u64);
                    r!(d) = self.load(at, ty)?;
                }
                Inst::Store { ty, a, p, offset } => {
                    let at = r!(p).wrapping_add(i64::from(offset) as u64);
                    self.store(at, ty, r!(a))?;
                }
                Inst::LoadFrame { ty, d, at } => {
                    let at = self.frame as u64 + u64::from(at);
                    r!(d) = memory::read(&self.stack, at, ty).unwrap_or(0);
                }
                Inst::StoreFrame { ty, a, at } => {
                    let at = self.frame as u64 + u64::from(at);
                    let value = r!(a);
                    memory::write(&mut self.stack, at, ty, value);
                }
                Inst::GlobalAddress { d, global } => r!(d) = self.globals[global as usize],
                Inst::Text { d, text } => r!(d) = self.texts[text as usize],
                Inst::Symbol { d, global } => {
                    let object = crate::machine::memory::GLOBALS + u64::from(global);
                    r!(d) = pointer(object);
                }
                Inst::FrameAddress { d, at } => {
                    r!(d) = pointer(STACK) + self.frame as u64 + u64::from(at);
                }
                Inst::Step { d, a, b, scale } => {
                    let by = r!(b).wrapping_mul(i64::from(scale) as u64);
                    r!(d) = r!(a).wrapping_add(by);
                }
                Inst::Offset { d, a, offset } => {
                    r!(d) = r!(a).wrapping_add(i64::from(offset) as u64);
                }
                Inst::Distance { d, a, b, size } => {
                    let bytes = r!(a).wrapping_sub(r!(b)) as i64;
                    r!(d) = (bytes / i64::from(size)) as u64;
                }
                Inst::Copy { to, from, bytes } => {
                    let (to, from) = (r!(to), r!(from));
                    self.copy(to, from, u64::from(bytes))?;
                }
                Inst::Clear { to, bytes } => {
                    let to = r!(to);
                    self.bytes_mut(to, u64::from(bytes))?.fill(0);
                }
                Inst::Call { function, window } => {
                    self.step()?;
                    self.begin(function, window)?;
                    code = self.code_of(self.function);
                }
                Inst::Through { pointer, window } => {
                    self.step()?;
                    let function = self.function_at(r!(pointer))?;
                    self.begin(function, window)?;
                    code = self.code_of(self.function);
                }
                Inst::Return => {
                    self.end();
                    if self.frames.len() <= floor {
                        return Ok(());
                    }
                    code = self.code_of(self.function);
                }
                Inst::Nothing => {}
                Inst::Library { function, window, count, extra } => {
                    let from = self.base + usize::from(window);
                    let args = &self.regs[from..from + usize::from(count)];
                    let mut fixed = [0u64; 8];
                    let known = args.len().min(8);
                    fixed[..known].copy_from_slice(&args[..known]);
                    if extra == 0 {
                        let value = self.library(function, &fixed, &[])?;
                        r!(window) = value;
                    } else {
                        let prims = &code.extra[usize::from(extra) - 1];
                        let rest = args[args.len() - prims.len()..].iter().copied();
                        let rest: Vec<_> = prims.iter().copied().zip(rest).collect();
                        let value = self.library(function, &fixed, &rest)?;
                        r!(window) = value;
                    }
                }
                Inst::Launch { site, window } => {
                    let from = self.base + usize::from(window);
                    let mut args = [0; 5];
                    args.copy_from_slice(&self.regs[from..from + 5]);
                    let kernel = self.program.code.launches[site as usize].kernel;
                    self.launch(kernel, &args)?;
                }
                Inst::New { element, array, d, count } => {
                    let n = r!(count);
                    r!(d) = self.new_objects(element, array, n)?;
                }
                Inst::Delete { p, array } => {
                    let maker = if array { Maker::NewArray } else { Maker::New };
                    let p = r!(p);
                    self.free(p, maker)?;
                }
                Inst::Length { d, p } => {
                    let object = self.heap.get(parts(r!(p)).0);
                    r!(d) = object.filter(|o| o.freed.is_none()).map_or(0, |o| o.count);
                }
                Inst::Guard { p, function } => {
                    self.guards.push(Guard { object: r!(p), function });
                }
                Inst::Mark { d } => r!(d) = self.guards.len() as u64,
                Inst::Clean { mark } => {
                    if self.guards.len() as u64 > r!(mark)
                        && let Some(guard) = self.guards.pop()
                    {
                        // And then again from here.
                        self.pc -= 1;
                        self.destroy(guard)?;
                        code = self.code_of(self.function);
                    }
                }
                Inst::Forget { p } => {
                    let p = r!(p);
                    if let Some(at) = self.guards.iter().rposition(|g| g.object == p) {
                        self.guards.remove(at);
                    }
                }
                Inst::Try { to } => self.handlers.push(Handler {
                    to,
                    frames: self.frames.len(),
                    guards: self.guards.len(),
                }),
                Inst::EndTry => {
                    self.handlers.pop();
                }
                Inst::Throw { element, p } => {
                    if self.thrown.is_none() {
                        let p = r!(p);
                        self.thrown = Some(self.throw(element, p)?);
                    }
                    self.pass(floor)?;
                    code = self.code_of(self.function);
                }
                Inst::Rethrow => {
                    if self.thrown.is_none() {
                        self.thrown = self.caught.pop();
                    }
                    self.pass(floor)?;
                    code = self.code_of(self.function);
                }
                Inst::Caught { element, d, p } => {
                    let thrown = self.thrown.and_then(|t| self.caught_as(t, element));
                    r!(d) = u64::from(thrown.is_some());
                    if let Some(object) = thrown {
                        r!(p) = object;
                    }
                }
                Inst::Catch => self.caught.extend(self.thrown.take()),
                Inst::EndCatch => {
                    if let Some(caught) = self.caught.pop() {
                        self.heap.free(parts(caught.object).0, Span::default());
                    }
                }
                Inst::Once { global, to } => {
                    if std::mem::replace(&mut self.begun[global as usize], true) {
                        self.pc = to;
                    }
                }
                Inst::AtExit { global } => self.at_exit(global),
                Inst::Abort { text, code } => {
                    let text = String::from_utf8_lossy(&self.program.code.texts[text as usize])
                        .into_owned();
                    self.complain("abort", text, None);
                    return Err(Stop::Killed(i32::from(code)));
                }
            }
        }
    }

    /// One step of those that count.
    #[inline(always)]
    fn step(&mut self) -> Ran<()> {
        self.steps = self.steps.wrapping_sub(1);
        if self.steps == 0 { self.spent() } else { Ok(()) }
    }

    #[cold]
    fn spent(&mut self) -> Ran<()> {
        let message = "the budget of steps is spent: the program is stopped";
        self.complain("budget", message, Some("a loop that does not end, or a larger budget"));
        Err(Stop::Killed(ABORTED))
    }

    /// Goes back to the caller.
    #[inline(always)]
    fn end(&mut self) {
        if let Some(frame) = self.frames.pop() {
            (self.function, self.pc) = (frame.function, frame.pc);
            (self.base, self.frame) = (frame.base, frame.frame);
            self.caught.truncate(frame.caught);
        }
    }

    /// Calls what destroys an object, with registers behind all that are in use.
    fn destroy(&mut self, guard: Guard) -> Ran<()> {
        let window = self.code_of(self.function).registers as Reg;
        let at = self.base + usize::from(window);
        self.room(at + 1);
        self.regs[at] = guard.object;
        self.begin(guard.function, window)
    }

    #[cold]
    fn divided(&mut self, by_zero: bool) -> Ran<()> {
        let message = if by_zero {
            "an integer is divided by zero"
        } else {
            "the quotient of the least integer and -1 does not fit its type"
        };
        self.complain("arithmetic", message, None);
        Err(Stop::Killed(ARITHMETIC))
    }

    /// The function to call.
    fn function_at(&mut self, pointer: u64) -> Ran<u32> {
        let functions = self.program.code.functions.len();
        if let Some(function) = function_at(pointer).filter(|f| (*f as usize) < functions) {
            return Ok(function);
        }
        let message = match pointer {
            0 => "a null pointer is called",
            _ => "the pointer that is called points to no function of the host",
        };
        self.complain("call", message, None);
        Err(Stop::Killed(SEGMENTATION))
    }
}

/// The address of an element.
#[inline(always)]
fn element(p: u64, index: u64, at: Indexed) -> u64 {
    let index = match at.width {
        Width::Signed32 => i64::from(index as i32) as u64,
        Width::Unsigned32 => u64::from(index as u32),
        Width::Full => index,
    };
    p.wrapping_add(index.wrapping_mul(u64::from(at.scale))).wrapping_add(u64::from(at.offset))
}
