//! Threads run one after another, each to its end when it is made. What a thread has of its own are its
//! `thread_local` variables: it gets new objects, and gives them back when it ends.

use super::{Cleanup, Executed, Interpreter};
use crate::bytecode::Global;
use crate::host_memory::{Allocator, parts};

/// The running thread, and those that wait for its end.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// The `thread_local` variables.
    variables: Vec<u32>,
    /// How many threads were made beside `main`'s.
    made: u64,
    /// The number of the running one; 0 is `main`'s.
    running: u64,
    /// What destroys its variables when it ends.
    pub(super) exits: Vec<Cleanup>,
    waiting: Vec<Waiting>,
}

/// A thread that made the one that runs.
#[derive(Debug)]
struct Waiting {
    number: u64,
    exits: Vec<Cleanup>,
    /// Of its variables: the address, and whether it has begun.
    variables: Vec<(u64, bool)>,
}

impl Threads {
    pub(super) fn new(globals: &[Global]) -> Threads {
        let local = globals.iter().enumerate().filter(|(_, global)| global.thread_local);
        Threads { variables: local.map(|(at, _)| at as u32).collect(), ..Threads::default() }
    }
}

impl Interpreter<'_> {
    /// A thread begins (1) or ends (0), or neither. The number of the thread that runs then.
    pub(crate) fn thread(&mut self, what: i32) -> Executed<u64> {
        match what {
            1 => self.begin_thread()?,
            0 => self.end_thread()?,
            _ => {}
        }
        Ok(self.threads.running)
    }

    fn begin_thread(&mut self) -> Executed<()> {
        let program = self.program;
        let mut variables = Vec::new();
        for &at in &self.threads.variables {
            let global = &program.code.globals[at as usize];
            let (name, element, by) =
                (global.name.clone(), global.element.clone(), Allocator::Program);
            let made = self.heap.allocate(name, element, global.bytes, by, global.span);
            let address = std::mem::replace(&mut self.globals[at as usize], made.unwrap_or(0));
            variables.push((address, std::mem::take(&mut self.begun[at as usize])));
        }
        let threads = &mut self.threads;
        threads.made += 1;
        let number = std::mem::replace(&mut threads.running, threads.made);
        let exits = std::mem::take(&mut threads.exits);
        threads.waiting.push(Waiting { number, exits, variables });
        for at in self.threads.variables.clone() {
            let global = &program.code.globals[at as usize];
            if !global.lazy {
                if let Some(init) = global.init {
                    self.call(init, &[])?;
                }
                self.at_exit(at);
            }
        }
        Ok(())
    }

    fn end_thread(&mut self) -> Executed<()> {
        while let Some(guard) = self.threads.exits.pop() {
            self.call(guard.function, &[guard.object])?;
        }
        let Some(waiting) = self.threads.waiting.pop() else { return Ok(()) };
        let span = self.span();
        for (&at, (address, begun)) in self.threads.variables.iter().zip(waiting.variables) {
            let ended = std::mem::replace(&mut self.globals[at as usize], address);
            self.heap.free(parts(ended).0, span);
            self.begun[at as usize] = begun;
        }
        (self.threads.running, self.threads.exits) = (waiting.number, waiting.exits);
        Ok(())
    }
}
