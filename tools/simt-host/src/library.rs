//! The library functions that the headers cannot express in C++ themselves.
//!
//! Each is a row of one table: its name in the headers and its types. Semantic analysis gets the
//! table as data ([`FUNCTIONS`]) and refers to a function by its index; [`crate::runtime`] executes
//! it.

use simt::{CType, LibraryFunction};

macro_rules! library {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal
        ($($param:ident)* $(, $variadic:tt)?) $result:ident;)*) => {
        /// A library function.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Library {
            $($(#[doc = $doc])* $variant,)*
        }

        /// Every function, in the order of the variants.
        const ALL: &[Library] = &[$(Library::$variant,)*];

        /// What semantic analysis knows of them, in the same order.
        pub(crate) const FUNCTIONS: &[LibraryFunction] = &[$(LibraryFunction {
            name: $name,
            params: &[$(CType::$param),*],
            variadic: library!(@variadic $($variadic)?),
            result: CType::$result,
        },)*];
    };
    (@variadic) => { false };
    (@variadic ..) => { true };
}

/// Whether a function is one of CUDA's, whose result says whether it was refused.
pub(crate) fn is_of_cuda(name: &str) -> bool {
    let of_driver =
        || name.strip_prefix("cu").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    ["cuda", "nvrtc"].iter().any(|start| name.starts_with(start)) || of_driver()
}

impl Library {
    /// The function at an index of [`FUNCTIONS`].
    pub(crate) fn at(index: u32) -> Library {
        ALL[index as usize]
    }

    /// How many parameters it has, without the variadic ones.
    pub(crate) fn fixed(self) -> usize {
        FUNCTIONS[self as usize].params.len()
    }
}

library! {
    /// `malloc`.
    Malloc "__host_malloc" (Size) Pointer;
    /// `free`.
    Free "__host_free" (Pointer) Void;
    /// `printf`: the format, and its arguments.
    Printf "__host_printf" (Pointer, ..) Int;
    /// `exit`.
    Exit "__host_exit" (Int) Void;
    /// `realloc`: the pointer, bytes.
    Realloc "__host_realloc" (Pointer Size) Pointer;
    /// `memmove`: to, from, bytes.
    Memmove "__host_memmove" (Pointer Pointer Size) Void;
    /// `memset`: address, the byte, how many.
    Memset "__host_memset" (Pointer Int Size) Void;
    /// Fills with copies of one value: address, address of the value, its size, how many.
    Fill "__host_fill" (Pointer Pointer Size Size) Void;
    /// `memcmp`.
    Memcmp "__host_memcmp" (Pointer Pointer Size) Int;
    /// `strlen`.
    Strlen "__host_strlen" (Pointer) Size;
    /// `strcmp`: the difference of the first two bytes (unsigned) that differ.
    Strcmp "__host_strcmp" (Pointer Pointer) Int;
    /// `fprintf`: the number of an open file (1 and 2: standard output and error), the format, ..
    Fprintf "__host_fprintf" (Int Pointer, ..) Int;
    /// `snprintf`: buffer, its size, the format, .. Returns the length of the whole text.
    Snprintf "__host_snprintf" (Pointer Size Pointer, ..) Int;
    /// `vfprintf`: the file, the format, the address of its arguments, eight bytes each.
    Vfprintf "__host_vfprintf" (Int Pointer Pointer) Int;
    /// `vsnprintf`: buffer, its size, the format, the address of its arguments.
    Vsnprintf "__host_vsnprintf" (Pointer Size Pointer Pointer) Int;
    /// `sscanf`: the text, the format, pointers.
    Sscanf "__host_sscanf" (Pointer Pointer, ..) Int;
    /// `fscanf`: the number of an open file, the format, pointers.
    Fscanf "__host_fscanf" (Int Pointer, ..) Int;
    /// `fopen`: path, mode. The number of the open file (3 or more), or -1.
    Fopen "__host_fopen" (Pointer Pointer) Int;
    /// `fclose`: writes the file back. 0, or -1.
    Fclose "__host_fclose" (Int) Int;
    /// `fread` of single bytes: buffer, how many, the file. Returns how many. File 0: standard input.
    Fread "__host_fread" (Pointer Size Int) Size;
    /// `fwrite` of single bytes: buffer, how many, the file. Returns how many.
    Fwrite "__host_fwrite" (Pointer Size Int) Size;
    /// `fgetc`: the next byte, or -1.
    Fgetc "__host_fgetc" (Int) Int;
    /// `ungetc`: the byte, the file.
    Ungetc "__host_ungetc" (Int Int) Int;
    /// `fseek`: the file, the offset, relative to what (0 start, 1 position, 2 end). 0, or -1.
    Fseek "__host_fseek" (Int LongLong Int) Int;
    /// `ftell`.
    Ftell "__host_ftell" (Int) LongLong;
    /// `feof`.
    Feof "__host_feof" (Int) Int;
    /// What lies at a path: a file's bytes, -1 for nothing, -2 for a folder.
    FileFind "__host_file_find" (Pointer) LongLong;
    /// Makes a folder (0), removes (1), renames (2): paths. 0, or -1 and `errno`.
    FileChange "__host_file_change" (Int Pointer Pointer) Int;
    /// The names in a folder, each with a `/` behind it; of a null pointer, the working folder.
    FileNames "__host_file_names" (Pointer) Pointer;
    /// `fflush`; 0.
    Fflush "__host_fflush" (Int) Int;
    /// The address of `errno`.
    Errno "__errno_location" () Pointer;
    /// `strtod`: the text, where to store the pointer behind the number (or null).
    Strtod "__host_strtod" (Pointer Pointer) Double;
    /// `strtoll`: the text, where to store the pointer behind the number (or null), the base.
    Strtol "__host_strtol" (Pointer Pointer Int) LongLong;
    /// `strtoull`, likewise.
    Strtoul "__host_strtoul" (Pointer Pointer Int) Size;
    /// Ends the program: something that is not supported, met at run time. Its name.
    Refuse "__host_refuse" (Pointer) Void;
    /// `abort`.
    Abort "__host_abort" () Void;
    /// A thread begins (1), ends (0), or neither: the number of the one that runs then; `main`'s is 0.
    Thread "__host_thread" (Int) Size;
    /// Nanoseconds since 1970.
    Now "__host_now" () LongLong;
    /// A pause of so many nanoseconds; if the second is 1, until this time since 1970. The clocks go
    /// on by it, and nothing waits. All pauses so far.
    Sleep "__host_sleep" (LongLong Int) LongLong;
    /// `rand`, with the numbers of glibc.
    Rand "__host_rand" () Int;
    /// `srand`.
    Srand "__host_srand" (UInt) Void;
    /// `cudaMalloc` (0), `cudaMallocHost` (1), `cudaMallocManaged` (2), `cudaMallocAsync` (3): where
    /// to store the pointer, bytes, which, the stream.
    CudaMalloc "__host_cuda_malloc" (Pointer Size Int Pointer) Int;
    /// Makes a texture or surface object of a table: its address and its bytes. Without bytes, destroys
    /// the object: whether there was one.
    CudaObject "__host_cuda_object" (Pointer Size) Pointer;
    /// `cudaFree`, or `cudaFreeHost` if the second is 1, `cudaFreeAsync` if it is 3; the stream.
    CudaFree "__host_cuda_free" (Pointer Int Pointer) Int;
    /// `cudaMemcpy`: to, from, bytes, kind, the stream; -1: the default stream, and the host waits.
    CudaMemcpy "__host_cuda_memcpy" (Pointer Pointer Size Int Pointer) Int;
    /// `cudaMemcpy2D`: to, pitch, from, pitch, width, height, kind, the stream or -1.
    CudaMemcpy2D "__host_cuda_memcpy2d" (Pointer Size Pointer Size Size Size Int Pointer) Int;
    /// `cudaMemset2D`: address, pitch, the value, width, height, the stream or -1, the value's bytes.
    CudaMemset2D "__host_cuda_memset2d" (Pointer Size Int Size Size Pointer Int) Int;
    /// Of a symbol: where the device has it (0), its bytes (1); null if it is none.
    CudaSymbol "__host_cuda_symbol" (Pointer Int) Pointer;
    /// `cudaHostRegister`: address, bytes.
    CudaRegister "__host_cuda_register" (Pointer Size) Int;
    /// `cudaHostUnregister`.
    CudaUnregister "__host_cuda_unregister" (Pointer) Int;
    /// An attribute of a pointer: its `cudaMemoryType` (0), its device address (1), its host address (2).
    CudaPointer "__host_cuda_pointer" (Pointer Int) Pointer;
    /// Bytes of device memory: free (0), all (1).
    CudaMemory "__host_cuda_memory" (Int) Size;
    /// `cudaDeviceSetLimit` of the heap of kernels: bytes.
    CudaHeap "__host_cuda_heap" (Size) Int;
    /// `cudaDeviceReset`.
    CudaReset "__host_cuda_reset" () Int;
    /// `cudaDeviceGetAttribute`; -1 if there is no such attribute.
    CudaAttribute "__host_cuda_attribute" (Int) Int;
    /// Creates a stream (0) or event (1), with flags.
    CudaCreate "__host_cuda_create" (Int UInt) Pointer;
    /// Destroys a stream (0) or event (1).
    CudaDestroy "__host_cuda_destroy" (Int Pointer) Int;
    /// The flags of a stream and its priority; -1 if it does not exist.
    CudaStreamFlags "__host_cuda_stream_flags" (Pointer) Int;
    /// `cudaStreamSynchronize`.
    CudaStreamWait "__host_cuda_stream_wait" (Pointer) Int;
    /// `cudaEventRecord`: event, stream.
    CudaEventRecord "__host_cuda_event_record" (Pointer Pointer) Int;
    /// `cudaProfilerStart` (1) and `cudaProfilerStop` (0).
    CudaProfiler "__host_cuda_profiler" (Int) Int;
    /// `cudaEventSynchronize`.
    CudaEventWait "__host_cuda_event_wait" (Pointer) Int;
    /// `cudaStreamWaitEvent`: stream, event.
    CudaWaitEvent "__host_cuda_wait_event" (Pointer Pointer) Int;
    /// A host function of a stream begins (1) or ends (0): stream, which.
    CudaCallback "__host_cuda_callback" (Pointer Int) Void;
    /// `cudaEventElapsedTime`: where to store the milliseconds, from, to.
    CudaElapsed "__host_cuda_elapsed" (Pointer Pointer Pointer) Int;
    /// `cudaLaunchKernel`: kernel, grid, block, pointers to the arguments, shared memory, stream,
    /// and in four bytes whether all blocks must be resident at once, and the blocks of a cluster.
    CudaLaunch "__host_cuda_launch" (Pointer Pointer Pointer Pointer Size Pointer Int) Int;
    /// `cuTensorMapEncodeTiled`: where to store the map; its type, rank, address, swizzle, and five each of
    /// sizes, extents of a box and element strides, then four strides, eight bytes each. A `CUresult`.
    TensorMap "__host_tensor_map" (Pointer Pointer) Int;
    /// Creates a graph, or a copy of another, with flags (1: it frees what its previous launch
    /// allocated); or updates one from the other, all of it (0) or the n-th node: null if they differ
    /// in kind.
    GraphNew "__host_graph_new" (Pointer Pointer LongLong) Pointer;
    /// Destroys a graph.
    GraphDestroy "__host_graph_destroy" (Pointer) Int;
    /// Begins a capture into a graph, and whether `cudaMalloc` is refused; null ends it.
    GraphCapture "__host_graph_capture" (Pointer Int) Int;
    /// Captures a call of a host function: the function, its data, the stream. Whether it was captured.
    GraphHost "__host_graph_host" (Pointer Pointer Pointer) Int;
    /// The nodes that the next node depends on: their handles, how many.
    GraphAfter "__host_graph_after" (Pointer Size) Void;
    GraphLink "__host_graph_link" (Pointer Pointer Pointer) Int;
    /// An attribute of a graph: how many nodes (-1), whether a capture is active (-2), of which graph
    /// (-3), the function (2 n) of host node n and its data (2 n + 1).
    GraphAsk "__host_graph_ask" (Pointer LongLong) Pointer;
    /// Runs a graph from a node on in a stream, up to the next host node: its number. -1 at the end,
    /// less for an error.
    GraphRun "__host_graph_run" (Pointer LongLong Pointer) LongLong;
    /// Bytes of graph memory: in use (0), at most (1), reserved (2), at most (3); or trims the reserve
    /// (4), or resets the maximum in use (5) or reserved (6).
    GraphMemory "__host_graph_memory" (Int) Size;
    /// An attribute of a kernel, -1 if it is none: bytes of shared memory (0), of local memory (1),
    /// threads per block (2), registers (3), the limit of dynamic shared memory (4), the most blocks of a
    /// cluster (5).
    CudaFunction "__host_cuda_function" (Pointer Int) Int;
    /// `cudaFuncSetAttribute`: kernel, attribute, value.
    CudaFunctionSet "__host_cuda_function_set" (Pointer Int Int) Int;
    /// How many blocks of a kernel a multiprocessor holds: kernel, threads, bytes of dynamic shared
    /// memory; -1 if it is no kernel.
    CudaOccupancy "__host_cuda_occupancy" (Pointer Int Size) Int;
    /// `cudaDeviceSynchronize`.
    CudaSynchronise "__host_cuda_synchronise" () Int;
    /// The error of a call is discarded.
    CudaDiscarded "__host_cuda_discarded" (Int) Void;
    /// Sets the last error, and returns it.
    CudaAnswer "__host_cuda_answer" (Int) Int;
    /// The exception that is caught, null if none is. It is held until it is released.
    HoldException "__host_hold_exception" () Pointer;
    /// One more, or one less, holds the exception.
    RetainException "__host_retain_exception" (Pointer) Void;
    ReleaseException "__host_release_exception" (Pointer) Void;
    /// The exception counts as the one that is caught.
    CatchAgain "__host_catch_again" (Pointer) Void;
    /// How many exceptions are on their way to a handler.
    UncaughtExceptions "__host_uncaught_exceptions" () Int;
    /// `atexit`: the function. 0.
    AtExit "__host_at_exit" (Pointer) Int;
    /// `std::terminate`.
    Terminate "__host_terminate" () Void;
    /// `std::set_terminate`: a pointer to a function. The earlier one.
    SetTerminate "__host_set_terminate" (Pointer) Pointer;
    /// The last error; the argument says whether to clear it.
    CudaLastError "__host_cuda_last_error" (Int) Int;
    /// A function of the driver API begins or ends: what, an error. See `driver_calls`.
    DriverCall "__host_driver_call" (Int Int) Int;
    /// The name (0) or the message (1) of a `CUresult`, the name (2) of an `nvrtcResult`; null if there
    /// is no such one.
    DriverErrorText "__host_driver_error_text" (Int Int) Pointer;
    /// Loads an image (0), or one in the file of that name (1): where to store the module.
    ModuleLoad "__host_module_load" (Pointer Int Pointer) Int;
    /// `cuModuleUnload`.
    ModuleUnload "__host_module_unload" (Pointer) Int;
    /// Of a module: the function of that name (0), the variable's address (1) or bytes (2); 0 if there is
    /// none.
    ModuleFind "__host_module_find" (Pointer Pointer Int) Size;
    /// Of a module: how many functions it has (-1), or one by its number.
    ModuleFunction "__host_module_function" (Pointer LongLong) Size;
    /// Of a kernel: its name (-2), how many parameters it has (-1), the offset (2 n) and bytes (2 n + 1) of
    /// one; -1 if it is none, or has no such parameter.
    KernelAsk "__host_kernel_ask" (Pointer LongLong) LongLong;
    /// `nvrtcCreateProgram`: the text, its name, headers with their texts and names; the program.
    NvrtcCreate "__host_nvrtc_create" (Pointer Pointer Int Pointer Pointer) Pointer;
    /// `nvrtcCompileProgram`: the program, its options.
    NvrtcCompile "__host_nvrtc_compile" (Pointer Int Pointer) Int;
    /// `nvrtcAddNameExpression`.
    NvrtcName "__host_nvrtc_name" (Pointer Pointer) Int;
    /// Of a program: its log (0), its image (1), that for a chip (3), the lowered name of an expression
    /// (2); null if there is none.
    NvrtcText "__host_nvrtc_text" (Pointer Int Pointer) Pointer;
    /// `nvrtcDestroyProgram`.
    NvrtcDestroy "__host_nvrtc_destroy" (Pointer) Int;
    /// `cudaGetErrorString` (1), `cudaGetErrorName` (0): the error, which.
    CudaErrorText "__host_cuda_error_text" (Int Int) Pointer;
}
