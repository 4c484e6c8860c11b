//! The bytecode interpreter: registers, call frames, cleanups and the heap of the one host thread.
//!
//! ```text
//! fast         specialised opcodes, state in local variables (native builds)
//! compact      the same role with generic opcodes (WebAssembly, where size matters)
//! strips       several iterations of a loop at once (native builds)
//! slow         what the fast loop leaves: calls out, objects, exceptions, and every failure
//! generic      one generic instruction that touches registers and the host's own memory only
//! arrays       local arrays: an object per activation of their function
//! access, slow_access   loads and stores; device memory that the host may see; faults
//! exceptions   throw, unwind, catch
//! threads      threads, one after the other: each has its own `thread_local` variables
//! ```

mod access;
mod arrays;
mod exceptions;
#[cfg_attr(target_arch = "wasm32", path = "interpreter/compact.rs")]
mod fast;
mod generic;
mod locals;
mod slow;
mod slow_access;
#[cfg(not(target_arch = "wasm32"))]
mod strips;
mod threads;

use crate::bytecode::{Function, Pc, Reg, cleanup};
use crate::host_memory::{Allocator, Heap, STACK_BYTES, function_at, parts};
use crate::report::Findings;
use crate::runtime::{Arena, LoadedModules, Runtime};
use crate::{Os, Program, Report};
use simt::diagnostic::{Diagnostic, Span};
use simt::isa::{Element, MemTy};
use simt::{Config, Memory, Sources};
use std::collections::HashMap;

/// Why the program ends.
#[derive(Debug)]
pub(super) enum Termination {
    /// `exit` with this code.
    Exit(i32),
    /// Killed by a signal: no destructor runs.
    Killed(i32),
}

pub(super) type Executed<T> = Result<T, Termination>;

/// Exit codes of signals, as a shell shows them.
pub(super) const ABORTED: i32 = 134;
const INTERRUPTED: i32 = 130;
const ARITHMETIC: i32 = 136;
pub(super) const SEGMENTATION: i32 = 139;

/// Steps between two checks of the cancellation token.
const SLICE: u64 = 1 << 20;

/// As many registers as a register number can name.
const REGISTER_FILE: usize = 1 << 16;

/// A call frame: the state of a caller.
#[derive(Debug)]
struct Frame {
    function: u32,
    pc: Pc,
    base: usize,
    frame: usize,
}

/// A pending cleanup: a destructor and its object, or one of [`crate::bytecode::cleanup`].
#[derive(Debug, Clone, Copy)]
struct Cleanup {
    object: u64,
    function: u32,
    /// The call depth of the function that it belongs to.
    frames: usize,
}

/// An exception handler: the `catch` clauses of a `try` block.
#[derive(Debug, Clone, Copy)]
struct Handler {
    to: Pc,
    frames: usize,
    cleanups: usize,
}

/// An exception: a type, and the address of the object.
#[derive(Debug, Clone, Copy)]
struct Exception {
    element: u32,
    object: u64,
}

pub(super) struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(super) config: &'p Config,
    pub(super) os: &'p mut dyn Os,
    /// The program's texts, and those that were compiled while it runs.
    pub(super) sources: Sources,
    #[cfg_attr(
        target_arch = "wasm32",
        expect(dead_code, reason = "a program of a page loads no modules")
    )]
    pub(super) loaded: LoadedModules<'p>,
    /// The launch that is recorded.
    pub(super) recording: Option<crate::Recording>,
    pub(super) heap: Heap,
    /// The device's memory.
    pub(super) memory: Memory,
    pub(super) runtime: Runtime,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) findings: Findings,
    interrupted: bool,
    regs: Vec<u64>,
    /// Where the registers and the frame of the running function begin.
    base: usize,
    frame: usize,
    function: u32,
    pc: Pc,
    frames: Vec<Frame>,
    cleanups: Vec<Cleanup>,
    /// The cleanups that run when the program ends.
    exits: Vec<Cleanup>,
    handlers: Vec<Handler>,
    /// The exceptions that are being unwound: that of a destructor behind the one for which it runs.
    unwinding: Vec<exceptions::Unwinding>,
    /// Those whose handlers run, the innermost last.
    caught: Vec<Exception>,
    /// Of each exception, by the address of its object: the type, and how many hold it.
    exceptions: HashMap<u64, (u32, u32)>,
    /// The function of `std::set_terminate`.
    terminate_handler: u64,
    globals: Vec<u64>,
    activations: arrays::Activations,
    texts: Vec<u64>,
    begun: Vec<bool>,
    threads: threads::Threads,
    #[cfg(not(target_arch = "wasm32"))]
    strips: strips::Strips,
    /// Steps until the end of the slice, and those of the budget beyond it.
    steps: u64,
    left: u64,
}

impl<'p> Interpreter<'p> {
    pub(super) fn new(
        program: &'p Program,
        config: &'p Config,
        os: &'p mut dyn Os,
        arena: &'p Arena,
    ) -> Interpreter<'p> {
        let mut heap = Heap::new(crate::HOST_MEMORY);
        let code = &program.code;
        let mut globals = Vec::new();
        for global in &code.globals {
            let (name, element) = (global.name.clone(), global.element.clone());
            let made = heap.allocate(name, element, global.bytes, Allocator::Program, global.span);
            globals.push(made.unwrap_or(0));
        }
        let mut texts = Vec::new();
        for text in &code.literals {
            texts.push(heap.text(text));
        }
        let mut memory = Memory::new();
        memory.prepare(&program.module.globals, config.limits.memory);
        let begun = vec![false; code.globals.len()];
        let mut runtime = Runtime::default();
        runtime.begin(&program.module, &program.code);
        Interpreter {
            program,
            config,
            os,
            sources: program.module.sources.clone(),
            loaded: LoadedModules::new(arena),
            recording: None,
            heap,
            memory,
            runtime,
            diagnostics: Vec::new(),
            findings: Findings::default(),
            interrupted: false,
            regs: vec![0; 2 * REGISTER_FILE],
            base: 0,
            frame: 0,
            function: 0,
            pc: 0,
            frames: Vec::new(),
            cleanups: Vec::new(),
            exits: Vec::new(),
            handlers: Vec::new(),
            unwinding: Vec::new(),
            caught: Vec::new(),
            exceptions: HashMap::new(),
            terminate_handler: 0,
            globals,
            activations: arrays::Activations::new(code.functions.len()),
            texts,
            begun,
            threads: threads::Threads::new(&code.globals),
            #[cfg(not(target_arch = "wasm32"))]
            strips: strips::Strips::new(code.functions.iter().map(|f| f.strips.len()).sum()),
            steps: config.budget.min(SLICE),
            left: config.budget.saturating_sub(SLICE),
        }
    }

    /// Runs the program. Returns its exit code.
    pub(super) fn run(&mut self, args: &[String]) -> i32 {
        let ended = self.program_body(args).map_err(|stop| match stop {
            Termination::Exit(code) => (true, code),
            Termination::Killed(code) => (false, code),
        });
        let (regular, code) = ended.map_or_else(|ended| ended, |code| (true, code));
        if regular {
            // In reverse order of initialisation, the thread's own variables first.
            while let Some(guard) = self.threads.exits.pop().or_else(|| self.exits.pop()) {
                if let Err(Termination::Killed(code)) = self.call(guard.function, &[guard.object]) {
                    return code;
                }
            }
        }
        code
    }

    fn at_exit(&mut self, global: u32) {
        let variable = &self.program.code.globals[global as usize];
        if let Some(function) = variable.destroy {
            let object = self.globals[global as usize];
            let exits =
                if variable.thread_local { &mut self.threads.exits } else { &mut self.exits };
            exits.push(Cleanup { object, function, frames: 0 });
        }
    }

    /// `atexit`: the function is called when the program ends.
    pub(crate) fn call_at_exit(&mut self, function: u64) -> Executed<u64> {
        if let Some(function) = self.function_at(function)? {
            self.exits.push(Cleanup { object: 0, function, frames: 0 });
        }
        Ok(0)
    }

    fn program_body(&mut self, args: &[String]) -> Executed<i32> {
        let code = &self.program.code;
        for &number in &code.begins {
            if let Some(init) = code.globals[number as usize].init {
                self.call(init, &[])?;
            }
            self.at_exit(number);
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
                self.heap.allocate(name, char.clone(), bytes, Allocator::Program, Span::default());
            let at = made.unwrap_or(0);
            self.heap.fill(at, arg.as_bytes());
            pointers.extend_from_slice(&at.to_le_bytes());
        }
        pointers.extend_from_slice(&[0; 8]);
        let element = Element { name: "char*".to_owned(), size: 8 };
        let bytes = pointers.len() as u64;
        let made = self.heap.allocate(
            "argv".to_owned(),
            element,
            bytes,
            Allocator::Program,
            Span::default(),
        );
        let at = made.unwrap_or(0);
        self.heap.fill(at, &pointers);
        at
    }

    /// Calls a function from outside of the bytecode. Returns its result.
    fn call(&mut self, function: u32, args: &[u64]) -> Executed<u64> {
        let window = self.code_of(self.function).registers as Reg;
        let base = self.base + usize::from(window);
        self.reserve_registers(base + args.len() + 1);
        self.regs[base..base + args.len()].copy_from_slice(args);
        let floor = self.frames.len();
        self.enter(function, window)?;
        self.interpret(floor)?;
        Ok(self.regs[base])
    }

    #[inline(always)]
    fn code_of(&self, function: u32) -> &'p Function {
        &self.program.code.functions[function as usize]
    }

    fn reserve_registers(&mut self, registers: usize) {
        if self.regs.len() < registers {
            self.regs.resize(registers.next_power_of_two(), 0);
        }
    }

    /// Enters a function: pushes the running one as a frame.
    #[inline(always)]
    fn enter(&mut self, function: u32, window: Reg) -> Executed<()> {
        let code = self.code_of(self.function);
        let callee = self.code_of(function);
        let rest = callee.frame_rest as usize | 15;
        let frame = (self.frame + code.frame as usize + rest) & !rest;
        let base = self.base + usize::from(window);
        self.frames.push(Frame {
            function: self.function,
            pc: self.pc,
            base: self.base,
            frame: self.frame,
        });
        // A compiler would also have spilled registers and pushed return addresses.
        let used = frame + callee.frame as usize + 16 * self.frames.len() + 4 * base;
        if used > STACK_BYTES {
            return self.overflow(function);
        }
        // As many as a register number can name, so that no access needs a check.
        if self.regs.len() < base + REGISTER_FILE {
            self.reserve_registers(base + REGISTER_FILE);
        }
        if !callee.arrays.is_empty() {
            self.enter_arrays(function);
        }
        (self.function, self.pc, self.base, self.frame) = (function, 0, base, frame);
        Ok(())
    }

    /// The source position of the running instruction, or of the call that issued the work that runs.
    pub(super) fn span(&self) -> Span {
        if let Some(span) = self.runtime.deferred.as_ref().and_then(|deferred| deferred.running()) {
            return span;
        }
        let spans = &self.code_of(self.function).spans;
        let at = (self.pc as usize).saturating_sub(1);
        let mut span = spans.get(at).copied().unwrap_or_default();
        // For code of a header: the place of the call.
        for frame in self.frames.iter().rev() {
            if !span.is_built_in() {
                break;
            }
            let spans = &self.code_of(frame.function).spans;
            span = spans.get((frame.pc as usize).saturating_sub(1)).copied().unwrap_or_default();
        }
        span
    }

    /// Reports an error at the running instruction.
    pub(super) fn report_error(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        help: Option<&str>,
    ) {
        let mut diagnostic = Diagnostic::error(code, self.span(), message);
        diagnostic.help = help.map(str::to_owned);
        self.report(diagnostic);
    }

    /// A variable is read to which nothing was assigned.
    #[cold]
    fn unassigned_read(&mut self, variable: u32) {
        let (name, span) = &self.program.code.tracked[variable as usize];
        let message = format!("the variable `{name}` is read, but nothing was assigned to it");
        let diagnostic = Diagnostic::error("unassigned-variable", self.span(), message)
            .with_label(*span, "declaration")
            .with_help(format!("give `{name}` a value where it is declared"));
        self.report(diagnostic);
    }

    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        self.runtime.refused.told = true;
        diagnostic.help = diagnostic.help.map(|help| self.advice(help));
        if self.findings.host(&diagnostic, &self.sources, self.os) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Ends the program if its cancellation was requested. `kernel`: where the kernel was that it
    /// waits for.
    pub(super) fn look_for_interrupt(&mut self, kernel: Option<(Span, String)>) -> Executed<()> {
        let Some(reason) = self.config.interrupt.reason() else { return Ok(()) };
        let message = format!("the program is stopped: {reason}");
        let mut diagnostic = Diagnostic::error("interrupted", self.span(), message);
        diagnostic.labels.extend(kernel);
        self.report(diagnostic);
        self.interrupted = true;
        Err(Termination::Killed(INTERRUPTED))
    }

    /// What came of the run.
    pub(super) fn into_report(self, code: i32) -> Report {
        let leaks = self.leaks();
        let Interpreter { sources, runtime, diagnostics, findings, interrupted, .. } = self;
        let Findings { told, in_kernels, repeated, .. } = findings;
        Report {
            code,
            sources,
            interrupted,
            launches: runtime.launches,
            launched: runtime.launched,
            counters: runtime.counters,
            diagnostics,
            in_kernels,
            findings: told,
            repeated,
            leaks,
        }
    }

    /// Returns to the caller.
    #[inline(always)]
    fn leave(&mut self) {
        if !self.code_of(self.function).arrays.is_empty() {
            self.leave_arrays(self.function);
        }
        if let Some(frame) = self.frames.pop() {
            (self.function, self.pc) = (frame.function, frame.pc);
            (self.base, self.frame) = (frame.base, frame.frame);
        }
    }

    /// Enters a destructor, with registers beyond those of the running function.
    fn destroy(&mut self, guard: Cleanup) -> Executed<()> {
        match guard.function {
            cleanup::FREE => return self.free(guard.object, Allocator::New),
            cleanup::FREE_ARRAY => return self.free(guard.object, Allocator::NewArray),
            cleanup::END_CATCH => return self.end_catch(),
            cleanup::NOT_BEGUN => {
                self.begun[guard.object as usize] = false;
                return Ok(());
            }
            _ => {}
        }
        let window = self.code_of(self.function).registers as Reg;
        let at = self.base + usize::from(window);
        self.reserve_registers(at + 1);
        self.regs[at] = guard.object;
        self.enter(guard.function, window)
    }

    #[cold]
    fn division_fault(&mut self, by_zero: bool) -> Executed<()> {
        let message = if by_zero {
            "an integer is divided by zero"
        } else {
            "the quotient of the least integer and -1 does not fit its type"
        };
        self.report_error("arithmetic", message, None);
        Err(Termination::Killed(ARITHMETIC))
    }

    /// The function that a pointer points to; none for a kernel, which needs a launch: it does nothing.
    fn function_at(&mut self, pointer: u64) -> Executed<Option<u32>> {
        let functions = self.program.code.functions.len();
        if let Some(function) = function_at(pointer).filter(|f| (*f as usize) < functions) {
            return Ok(Some(function));
        }
        if let Some(kernel) = self.kernel_at(pointer) {
            self.not_configured(&kernel.name);
            return Ok(None);
        }
        let message = match pointer {
            0 => "a null pointer is called",
            _ => "the pointer that is called points to no function of the host",
        };
        self.report_error("call", message, None);
        Err(Termination::Killed(SEGMENTATION))
    }
}
