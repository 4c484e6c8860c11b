//! The library functions: the C library and the CUDA runtime, one family per file.

mod c_memory;
mod cuda_memory;
mod deferred;
mod device;
// The page's module has no driver API.
#[cfg(not(target_arch = "wasm32"))]
mod driver;
mod driver_calls;
mod errno;
mod error;
mod file;
mod folder;
mod graph;
mod graph_memory;
mod graph_order;
mod kernel_attributes;
mod launch;
mod launch_cache;
mod leaks;
#[cfg_attr(target_arch = "wasm32", path = "runtime/own_kernels.rs")]
mod loaded_modules;
// The page's module has no such libraries.
#[cfg(not(target_arch = "wasm32"))]
mod library_kernel;
mod printf;
mod refused;
mod refused_launch;
mod registered_memory;
mod scanf;
mod stream;
mod stream_races;
mod symbol;
mod tensor_map;
// The page's module has no textures.
#[cfg(not(target_arch = "wasm32"))]
mod texture_object;
mod unsynchronised_timing;
mod vector_clock;

use crate::bytecode::Code;
use crate::host_memory::{Allocator, Origin};
use crate::interpreter::{Executed, Interpreter, Termination};
use crate::{Launched, Library};
pub(crate) use c_memory::Random;
use deferred::Deferred;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use driver::module_image;
use error::Error;
pub(crate) use loaded_modules::{Arena, LoadedModules};
use simt::Counters;
use simt::sema::types::Prim;
use std::collections::{HashMap, HashSet};

/// Bytes that a program may write to standard output and error.
const OUTPUT: u64 = 1 << 30;

/// The state of the CUDA runtime and the C library.
#[derive(Debug, Default)]
pub(super) struct Runtime {
    /// The launches that are kept.
    pub(super) launches: Vec<Launched>,
    /// How many launches started, and their counters together.
    pub(super) launched: u64,
    pub(super) counters: Counters,
    /// The error of the last call that failed, for `cudaGetLastError`.
    last: Error,
    /// The error of a kernel, until the host synchronises.
    pending: Error,
    /// A sticky error: after it every call fails.
    sticky: Error,
    after_error: error::AfterError,
    /// What kernels printed since the host last synchronised.
    printed: Vec<u8>,
    /// The state of `rand`.
    pub(super) random: Random,
    /// Why the last launch did not start, until the program looks at its error.
    unchecked: Option<simt::Diagnostic>,
    pub(crate) refused: refused::Refused,
    /// Constant strings that were returned, and their addresses.
    texts: HashMap<&'static str, u64>,
    /// Bytes allocated on the device.
    device_bytes: u64,
    /// The limits that `cudaFuncSetAttribute` set: bytes of dynamic shared memory, by a kernel's number.
    shared_limits: HashMap<usize, u32>,
    /// The kernels that may have clusters of more than eight blocks.
    wide_clusters: HashSet<usize>,
    streams: stream::Streams,
    pending_work: stream_races::Pending,
    graphs: graph::Graphs,
    graph_memory: graph_memory::GraphMemory,
    timer: unsynchronised_timing::Timer,
    files: file::Files,
    /// The address of `errno`; 0 until it is needed.
    errno: u64,
    /// Bytes written to standard output and error.
    written: u64,
    launch_cache: launch_cache::LaunchCache,
    driver: driver_calls::DriverCalls,
    #[cfg(not(target_arch = "wasm32"))]
    compiler: driver::Compiler,
    /// What the program issued, if that is recorded.
    pub(super) deferred: Option<Deferred>,
    /// Registered host memory: its address, the device's copy, bytes.
    registered: Vec<[u64; 3]>,
    /// Memory that host and device share, to which bytes of the device were copied that nothing wrote.
    pub(crate) copied_unwritten: HashMap<u64, Origin>,
    /// What could not be freed because a kernel had failed: it is no leak.
    frees_refused: HashSet<u64>,
    /// The arrays that `cudaMallocAsync` made.
    ordered_by_stream: HashSet<u64>,
}

impl Runtime {
    /// Before the program runs.
    pub(super) fn begin(&mut self, module: &simt::Module, code: &Code) {
        self.note_managed(module);
        // A stream need not wait for what was issued before it was made.
        if code.functions.iter().any(|f| f.name.starts_with("cudaStreamCreateWith")) {
            self.pending_work.note(simt::observe::Noted::All);
        }
    }

    /// Before a module is used: host code may access its managed variables while kernels run.
    pub(super) fn note_managed(&mut self, module: &simt::Module) {
        if module.globals.iter().any(|variable| variable.managed) {
            self.pending_work.note(simt::observe::Noted::Shared);
        }
    }

    /// Before the program runs: what it issues to streams is recorded, and runs in this order.
    pub(super) fn record_streams(&mut self, order: crate::StreamOrder) {
        let deferred = Deferred::new(order);
        if deferred.defers() {
            self.pending_work.switch_off();
        }
        self.deferred = Some(deferred);
    }
}

impl Interpreter<'_> {
    /// Calls a library function. `extra` has the types and values of variadic arguments.
    pub(super) fn library(
        &mut self,
        function: Library,
        args: &[u64; 8],
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        if function == Library::CudaDiscarded {
            self.discarded(args[0] as i32);
            return Ok(0);
        }
        self.before_call(function, args);
        self.look_for_interrupt(None)?;
        self.end_if_flooding()?;
        if self.runtime.graphs.capturing()
            && let Some(answer) = self.captured(function, args)
        {
            return answer;
        }
        if self.records() {
            return self.recorded_call(function, args, extra);
        }
        self.c_memory_function(function, args, extra)
    }

    /// Allocation, strings, output, time and the end of the program.
    fn c_memory_function(
        &mut self,
        function: Library,
        args: &[u64; 8],
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        let [a, b, c, d, ..] = *args;
        Ok(match function {
            Library::Malloc => self.malloc(a),
            Library::Free => {
                self.free(a, Allocator::Malloc)?;
                0
            }
            Library::Realloc => self.realloc(a, b)?,
            Library::Printf => self.print(1, a, extra)?,
            Library::Fprintf => self.print(a as i32, b, extra)?,
            Library::Vfprintf => {
                let listed = self.va_list(b, c)?;
                self.print(a as i32, b, &listed)?
            }
            Library::Vsnprintf => {
                let listed = self.va_list(c, d)?;
                self.print_into(a, b, c, &listed)?
            }
            Library::Snprintf => self.print_into(a, b, c, extra)?,
            Library::Exit => return Err(Termination::Exit(a as i32 & 0xFF)),
            Library::Refuse => {
                let what = String::from_utf8_lossy(&self.text_at(a)?).into_owned();
                let message = format!("not supported by the simulator: {what}");
                self.report_error("unsupported", message, None);
                return Err(Termination::Killed(crate::interpreter::ABORTED));
            }
            Library::HoldException => self.hold_exception(),
            Library::CatchAgain => {
                self.catch_again(a);
                0
            }
            Library::RetainException => {
                self.retain_exception(a);
                0
            }
            Library::ReleaseException => {
                self.release_exception(a)?;
                0
            }
            Library::AtExit => self.call_at_exit(a)?,
            Library::UncaughtExceptions => self.uncaught_exceptions(),
            Library::Terminate => self.terminate()?,
            Library::SetTerminate => self.set_terminate(a),
            Library::Abort => return Err(Termination::Killed(crate::interpreter::ABORTED)),
            Library::Memmove => {
                self.copy(a, b, c)?;
                0
            }
            Library::Memset => {
                let bytes = vec![b as u8; self.checked_length(a, c)?];
                self.write_bytes(a, &bytes)?;
                0
            }
            Library::Memcmp => {
                let (x, y) = (self.read_bytes(a, c)?, self.read_bytes(b, c)?);
                c_memory::difference(&x, &y)
            }
            Library::Strlen => self.text_at(a)?.len() as u64,
            Library::Strcmp => {
                let (x, y) = (self.text_at(a)?, self.text_at(b)?);
                c_memory::difference(&[&x[..], &[0]].concat(), &[&y[..], &[0]].concat())
            }
            Library::Thread => self.thread(a as i32)?,
            Library::Now => self.now(),
            Library::Sleep => self.sleep(a as i64, b as i32 == 1),
            Library::Rand => u64::from(self.runtime.random.next()),
            Library::Srand => {
                self.runtime.random = Random::new(a as u32);
                0
            }
            Library::Fill => {
                self.fill(a, b, c, d)?;
                0
            }
            _ => return self.c_file_function(function, args, extra),
        })
    }

    /// Files, and numbers from text.
    fn c_file_function(
        &mut self,
        function: Library,
        args: &[u64; 8],
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        let [a, b, c, ..] = *args;
        Ok(match function {
            Library::Sscanf => self.scan_text(a, b, extra)?,
            Library::Fscanf => self.scan_file(a as i32, b, extra)?,
            Library::Fopen => self.file_open(a, b)?,
            Library::Fclose => self.file_close(a as i32),
            Library::Fread => self.file_read(a, b, c as i32)?,
            Library::Fwrite => self.file_write(a, b, c as i32)?,
            Library::Fgetc => self.file_get(a as i32),
            Library::Ungetc => self.file_back(a as i32, b as i32),
            Library::Fseek => self.file_seek(a as i32, b as i64, c as i32),
            Library::Ftell => self.file_tell(a as i32),
            Library::Feof => u64::from(self.runtime.files.ended(a as i32)),
            Library::Fflush => 0,
            Library::FileFind => self.file_find(a)?,
            Library::FileChange => self.file_change(a, b, c)?,
            Library::FileNames => self.file_names(a)?,
            Library::Errno => self.errno_location(),
            Library::Strtod => self.number(a, b)?,
            Library::Strtol => self.whole_number(a, b, c as i32, true)?,
            Library::Strtoul => self.whole_number(a, b, c as i32, false)?,
            _ => return self.cuda_function_call(function, args),
        })
    }

    /// The CUDA runtime.
    fn cuda_function_call(&mut self, function: Library, args: &[u64; 8]) -> Executed<u64> {
        self.end_if_spinning()?;
        let [a, b, c, d, ..] = *args;
        if function == Library::DriverCall {
            return Ok(self.driver_call(a as i32, b as i32));
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(done) = self.driver_function(function, args)? {
            return Ok(done);
        }
        self.runtime.driver.used_runtime();
        Ok(match function {
            Library::CudaMalloc => self.cuda_malloc(a, b, c as i32, d)?,
            Library::CudaHeap => self.memory.size_heap(a),
            Library::CudaFree => self.cuda_free(a, b, c)?,
            Library::CudaMemcpy => self.cuda_memcpy([a, b], [c, c], [c, 1], d as i32, args[4])?,
            Library::CudaMemcpy2D => {
                let [to, to_pitch, from, from_pitch, width, height, kind, stream] = *args;
                let (pitches, extent) = ([to_pitch, from_pitch], [width, height]);
                self.cuda_memcpy([to, from], pitches, extent, kind as i32, stream)?
            }
            Library::CudaMemset2D => {
                let value = [c, args[6]];
                self.cuda_memset(a, b, value, [d, args[4]], args[5])?
            }
            #[cfg(not(target_arch = "wasm32"))]
            Library::CudaObject => self.cuda_object(a, b)?,
            Library::CudaSymbol => self.cuda_symbol(a, b != 0),
            Library::CudaRegister => self.cuda_register(a, b),
            Library::CudaUnregister => self.cuda_unregister(a)?,
            Library::CudaPointer => self.cuda_pointer(a, b as i32),
            Library::CudaMemory => self.cuda_memory(a != 0),
            Library::CudaReset => self.cuda_reset(),
            Library::CudaAttribute => self.cuda_attribute(a as i32),
            Library::CudaCreate => self.cuda_create(a != 0, b as u32),
            Library::CudaDestroy => self.cuda_destroy(a != 0, b),
            Library::CudaStreamFlags => self.cuda_stream_flags(a),
            Library::CudaStreamWait => self.cuda_stream_wait(a),
            Library::CudaEventRecord => self.cuda_event_record(a, b),
            Library::CudaProfiler => {
                self.profiler(a != 0);
                0
            }
            Library::CudaEventWait => self.cuda_event_wait(a),
            Library::CudaWaitEvent => self.cuda_wait_event(a, b),
            Library::CudaCallback => {
                self.callback(a, b != 0);
                0
            }
            Library::CudaElapsed => self.cuda_elapsed(a, b, c)?,
            Library::TensorMap => self.tensor_map(a, b)?,
            Library::CudaLaunch => self.cuda_launch([a, b, c], d, [args[4], args[5]], args[6])?,
            Library::GraphNew => self.graph_new(a, b, c as usize),
            Library::GraphDestroy => self.graph_destroy(a),
            Library::GraphCapture => self.graph_capture(a, b != 0),
            Library::GraphHost => self.graph_host(a, b, c),
            Library::GraphAfter => self.graph_after(a, b)?,
            Library::GraphLink => self.graph_link(a, b, c),
            Library::GraphAsk => self.graph_ask(a, b as i64),
            Library::GraphMemory => self.graph_memory(a),
            Library::GraphRun => self.graph_run(a, b, c)?,
            Library::CudaFunction => self.cuda_function(a, b as i32),
            Library::CudaFunctionSet => self.cuda_function_set(a, b as i32, c as i32),
            Library::CudaOccupancy => self.cuda_occupancy(a, b as i32, c),
            Library::CudaSynchronise => {
                let error = self.synchronise();
                self.host_waits(stream_races::Wait::Everything);
                self.answer(error)
            }
            Library::CudaAnswer => self.answer(a as i32),
            Library::CudaLastError => self.last_error(a != 0),
            Library::CudaErrorText => self.error_text(a as i32, b != 0),
            // A page's module has no driver, no textures.
            _ => {
                self.report_error("unsupported", "the library has no such function here", None);
                return Err(Termination::Killed(crate::interpreter::ABORTED));
            }
        })
    }

    /// A pointer to a constant string, the same for each call.
    fn constant_text(&mut self, text: &'static str) -> u64 {
        if let Some(at) = self.runtime.texts.get(text) {
            return *at;
        }
        let at = self.heap.text(text.as_bytes());
        self.runtime.texts.insert(text, at);
        at
    }

    /// A length that some object can have.
    fn checked_length(&mut self, at: u64, count: u64) -> Executed<usize> {
        if count > crate::DEVICE_MEMORY {
            return Err(self.access_fault(at, "write"));
        }
        Ok(count as usize)
    }

    /// Flushes and closes everything when the program ends.
    pub(super) fn finish(&mut self) {
        self.complete_all();
        self.tell_refused(simt::Severity::Note);
        self.tell_unchecked();
        self.timer_end();
        self.tell_unrecorded();
        self.flush();
        self.close_files();
    }

    /// Writes what kernels printed.
    fn flush(&mut self) {
        let printed = std::mem::take(&mut self.runtime.printed);
        self.write_stream(1, &printed);
    }

    /// Writes to standard output or error, up to the limit.
    fn write_stream(&mut self, stream: i32, bytes: &[u8]) {
        let left = OUTPUT.saturating_sub(self.runtime.written);
        let kept = bytes.len().min(left as usize);
        self.runtime.written += bytes.len() as u64;
        if kept > 0 {
            self.os.write(stream, &bytes[..kept]);
        }
    }

    /// Ends a program that writes without end.
    fn end_if_flooding(&mut self) -> Executed<()> {
        if self.runtime.written <= OUTPUT {
            return Ok(());
        }
        let message = format!("the program has written {} MiB: it is stopped", OUTPUT >> 20);
        self.report_error("output", message, Some("a loop that prints and does not end?"));
        Err(Termination::Killed(crate::interpreter::ABORTED))
    }

    /// Reports a warning at the running instruction.
    fn warn(&mut self, code: &'static str, message: &str, help: &str) {
        let mut diagnostic = simt::Diagnostic::error(code, self.span(), message);
        diagnostic.severity = simt::Severity::Warning;
        diagnostic.help = (!help.is_empty()).then(|| help.to_owned());
        self.report(diagnostic);
    }
}
