//! An open device: its attributes, its memory, and waiting with a timeout.
//!
//! cudarc panics without a driver, so call [`probe`] before anything else here. Event tracking is
//! off: only one stream is used, and cudarc's events would be part of every measured time.

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Why the device is lost to this process. Set once, by the first kernel that faults or does not
/// end.
static LOST: OnceLock<String> = OnceLock::new();

/// Marks the device as lost: this process opens no device from now on.
pub(crate) fn lose(why: String) {
    // Who was first is the cause; what came after it may be a consequence.
    let _ = LOST.set(why);
}

/// Why the device is lost, if it is.
pub(crate) fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// A device's attributes, from the driver.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceInfo {
    /// `NVIDIA H200`.
    pub name: String,
    /// Compute capability: major, minor.
    pub capability: (u32, u32),
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Highest clock of the multiprocessors in MHz.
    pub clock_mhz: f64,
    /// Clock of the memory in MHz.
    pub memory_clock_mhz: f64,
    /// Width of the memory's bus in bits.
    pub bus_bits: u32,
    /// Bytes of the second-level cache.
    pub l2_bytes: u64,
    /// `580.159.04`, or the CUDA version that it supports if nothing else is known.
    pub driver: String,
}

impl DeviceInfo {
    /// The architecture that NVRTC compiles for, with the generation's own features if it has any.
    pub fn architecture(&self) -> String {
        let (major, minor) = self.capability;
        let suffix = if major == 9 { "a" } else { "" };
        format!("sm_{major}{minor}{suffix}")
    }

    /// Peak of the memory in GB/s: two transfers per clock.
    pub fn memory_peak_gbps(&self) -> f64 {
        2.0 * self.memory_clock_mhz * 1e6 * f64::from(self.bus_bits) / 8.0 / 1e9
    }

    /// The name of its results file: `h200` for `NVIDIA H200`.
    pub fn slug(&self) -> String {
        slug(&self.name)
    }
}

/// Lower-case words joined by hyphens, without the maker's name.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(str::to_ascii_lowercase)
        .filter(|w| !w.is_empty() && w != "nvidia" && w != "geforce")
        .collect();
    if words.is_empty() { "gpu".to_owned() } else { words.join("-") }
}

/// Why there is no device, and how to get one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// The reason.
    pub reason: String,
    /// The remedy.
    pub remedy: String,
}

/// Looks for a device, without opening it. Never panics. The driver is called once: after a fault
/// its answers would be wrong.
///
/// # Errors
/// If there is none that can be used.
pub fn probe() -> Result<DeviceInfo, Absence> {
    static ANSWER: OnceLock<Result<DeviceInfo, Absence>> = OnceLock::new();
    ANSWER.get_or_init(ask).clone()
}

fn ask() -> Result<DeviceInfo, Absence> {
    let absent = |reason: String, remedy: &str| Absence { reason, remedy: remedy.to_owned() };
    // SAFETY: loading the driver's library runs its initialisers, which do nothing surprising.
    if !unsafe { sys::is_culib_present() } {
        let remedy = "on a machine with an NVIDIA GPU, install the driver";
        return Err(absent("no CUDA driver found".to_owned(), remedy));
    }
    let remedy = "see what `nvidia-smi` says";
    result::init()
        .map_err(|e| absent(format!("the driver does not start: {}", words(e)), remedy))?;
    let mut supports = 0;
    // SAFETY: a place to write to.
    unsafe { sys::cuDriverGetVersion(&mut supports) };
    if supports < 13000 {
        let reason = format!("the driver supports CUDA {} only", version(supports));
        return Err(absent(reason, "install a driver of the 580 series or newer"));
    }
    info(0, supports).map_err(|e| absent(format!("no device: {}", words(e)), remedy))
}

fn info(ordinal: c_int, supports: c_int) -> Result<DeviceInfo, DriverError> {
    let device = result::device::get(ordinal)?;
    // SAFETY: the device was just given.
    let attribute = |a: Attribute| unsafe { result::device::get_attribute(device, a) };
    let unsigned = |a: Attribute| attribute(a).map(|v| u32::try_from(v).unwrap_or(0));
    let mhz = |a: Attribute| attribute(a).map(|khz| f64::from(khz) / 1e3);
    Ok(DeviceInfo {
        name: result::device::get_name(device)?,
        capability: (
            unsigned(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            unsigned(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        multiprocessors: unsigned(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        clock_mhz: mhz(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
        memory_clock_mhz: mhz(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?,
        bus_bits: unsigned(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
        l2_bytes: u64::from(unsigned(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        driver: driver_version().unwrap_or_else(|| format!("CUDA {}", version(supports))),
    })
}

/// The driver's attributes of device 0; a name ends in its unit. Empty if there is no device.
pub fn properties() -> BTreeMap<String, i64> {
    use sys::CUdevice_attribute_enum as A;
    const ASKED: [(&str, A); 26] = [
        ("max_threads_per_block", A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        ("max_block_dim_x", A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
        ("max_block_dim_y", A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
        ("max_block_dim_z", A::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
        ("max_grid_dim_x", A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
        ("max_grid_dim_y", A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
        ("max_grid_dim_z", A::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
        ("warp_size", A::CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        ("multiprocessors", A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        ("max_threads_per_sm", A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
        ("max_blocks_per_sm", A::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
        ("registers_per_block", A::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
        ("registers_per_sm", A::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
        ("shared_per_block_bytes", A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
        ("shared_per_block_optin_bytes", A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        ("shared_per_sm_bytes", A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
        ("constant_memory_bytes", A::CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY),
        ("l2_cache_bytes", A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        ("clock_khz", A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        ("memory_clock_khz", A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
        ("memory_bus_bits", A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
        ("concurrent_kernels", A::CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS),
        ("compute_mode", A::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE),
        ("ecc_enabled", A::CU_DEVICE_ATTRIBUTE_ECC_ENABLED),
        ("copy_engines", A::CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
        ("memory_pools", A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED),
    ];
    let Ok(device) = probe().map_err(|_| ()).and_then(|_| result::device::get(0).map_err(|_| ()))
    else {
        return BTreeMap::new();
    };
    // SAFETY: the device was just given.
    let ask = |a: A| unsafe { result::device::get_attribute(device, a) };
    let known =
        ASKED.iter().filter_map(|(name, a)| Some(((*name).to_owned(), ask(*a).ok()?.into())));
    let mut all: BTreeMap<String, i64> = known.collect();
    // SAFETY: likewise.
    if let Ok(bytes) = unsafe { result::device::total_mem(device) } {
        all.insert("memory_bytes".to_owned(), i64::try_from(bytes).unwrap_or(i64::MAX));
    }
    all
}

/// `13.0` for 13000.
fn version(number: c_int) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

/// The driver's own version. Only NVML knows it; where it is missing, the kernel module's file.
fn driver_version() -> Option<String> {
    nvml_driver_version().or_else(|| {
        let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
        dotted(&text)
    })
}

/// The first word that looks like `580.159.04`.
fn dotted(text: &str) -> Option<String> {
    let is_version = |word: &&str| {
        let parts: Vec<&str> = word.split('.').collect();
        (2..=3).contains(&parts.len())
            && parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
    };
    text.split_whitespace().find(is_version).map(str::to_owned)
}

fn nvml_driver_version() -> Option<String> {
    type Plain = unsafe extern "C" fn() -> c_int;
    type Version = unsafe extern "C" fn(*mut c_char, u32) -> c_int;
    // SAFETY: NVIDIA's management library; the types are those of `nvml.h`, the buffer is as long
    // as is said, and the text in it ends in zero.
    unsafe {
        let library = libloading::Library::new("libnvidia-ml.so.1").ok()?;
        let init = library.get::<Plain>("nvmlInit_v2").ok()?;
        let version = library.get::<Version>("nvmlSystemGetDriverVersion").ok()?;
        let shutdown = library.get::<Plain>("nvmlShutdown").ok()?;
        if init() != 0 {
            return None;
        }
        let mut text: [c_char; 96] = [0; 96];
        let code = version(text.as_mut_ptr(), 95);
        shutdown();
        (code == 0).then(|| CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned())
    }
}

/// An open device and the one stream on which everything happens.
pub(crate) struct Device {
    /// Its context.
    pub(crate) context: Arc<CudaContext>,
    /// The stream.
    pub(crate) stream: Arc<CudaStream>,
    /// A kernel did not end: waiting for the device would never return.
    hung: Arc<AtomicBool>,
}

impl Device {
    /// In a context of its own: what libraries and measurements hold is in another one.
    ///
    /// # Errors
    /// The driver's error, or which kernel lost the device.
    pub(crate) fn open_apart() -> Result<Device, String> {
        Device::open(|| CudaContext::new_non_primary(0, 0))
    }

    /// In the primary context, which libraries use.
    ///
    /// # Errors
    /// As [`Device::open_apart`].
    pub(crate) fn open_primary() -> Result<Device, String> {
        Device::open(|| CudaContext::new(0))
    }

    fn open(
        context: impl FnOnce() -> Result<Arc<CudaContext>, DriverError>,
    ) -> Result<Device, String> {
        if let Some(why) = lost() {
            return Err(why.to_owned());
        }
        let failed = |e| format!("the device cannot be opened: {}", words(e));
        let context = context().map_err(failed)?;
        // SAFETY: one stream carries all work, so there is nothing to order between streams.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(failed)?;
        Ok(Device { context, stream, hung: Arc::default() })
    }

    /// A new array with these bytes. An empty array gets one byte: the driver makes no empty ones.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer, DriverError> {
        let buffer = self.alloc(bytes.len())?;
        if !bytes.is_empty() {
            // SAFETY: the array is as long as the bytes. In the stream's order: a plain copy goes
            // by the default stream, for which this one does not wait.
            unsafe { result::memcpy_htod_async(buffer.pointer, bytes, self.stream.cu_stream()) }?;
            // The bytes may go away as soon as this returns.
            self.stream.synchronize()?;
        }
        Ok(buffer)
    }

    /// A new, uninitialised array.
    pub(crate) fn alloc(&self, bytes: usize) -> Result<Buffer, DriverError> {
        self.context.bind_to_thread()?;
        // SAFETY: the buffer frees it, once.
        let pointer = unsafe { result::malloc_sync(bytes.max(1)) }?;
        let (context, hung) = (Arc::clone(&self.context), Arc::clone(&self.hung));
        Ok(Buffer { pointer, bytes, context, hung })
    }

    /// All of an array. Only after [`Device::wait`]: this waits without a limit.
    pub(crate) fn download(&self, buffer: &Buffer) -> Result<Vec<u8>, DriverError> {
        self.context.bind_to_thread()?;
        let mut bytes = vec![0; buffer.bytes];
        if !bytes.is_empty() {
            // SAFETY: the array is as long as the bytes.
            unsafe {
                result::memcpy_dtoh_async(&mut bytes, buffer.pointer, self.stream.cu_stream())
            }?;
            self.stream.synchronize()?;
        }
        Ok(bytes)
    }

    /// Waits until all queued work is done; `false` if that takes longer than `limit`.
    pub(crate) fn wait(&self, limit: Duration) -> Result<bool, DriverError> {
        let event = self.stream.record_event(None)?;
        let start = Instant::now();
        while !event.try_is_complete()? {
            if start.elapsed() > limit {
                self.hung.store(true, Ordering::Relaxed);
                return Ok(false);
            }
            // Short work is polled for, so that a test of many sizes does not sleep its time away.
            if start.elapsed() > Duration::from_millis(2) {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        Ok(true)
    }
}

/// An array on the device. Allocated by the plain, synchronous call: such memory is freed with its
/// context after a fault, unlike memory of the driver's pool.
pub(crate) struct Buffer {
    /// Its address.
    pub(crate) pointer: u64,
    /// Its length.
    pub(crate) bytes: usize,
    context: Arc<CudaContext>,
    hung: Arc<AtomicBool>,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Freeing waits for the kernels that run.
        if !self.hung.load(Ordering::Relaxed) && self.context.bind_to_thread().is_ok() {
            // SAFETY: allocated once in this context, freed once. In a spoiled context it fails,
            // and the memory goes with the context.
            let _ = unsafe { result::free_sync(self.pointer) };
        }
    }
}

/// Makes no context current on this thread, so that another thread may destroy it.
pub(crate) fn leave() {
    // SAFETY: null is allowed, and leaves the thread without a context.
    let _ = unsafe { result::ctx::set_current(std::ptr::null_mut()) };
}

/// A driver's error in words: `an illegal memory access was encountered
/// (CUDA_ERROR_ILLEGAL_ADDRESS)`.
pub(crate) fn words(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => format!("{} ({:?})", text.to_string_lossy(), error.0),
        Err(_) => format!("{:?}", error.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_results_files() {
        assert_eq!(slug("NVIDIA H200"), "h200");
        assert_eq!(slug("NVIDIA GeForce RTX 4090"), "rtx-4090");
        assert_eq!(slug("NVIDIA A100-SXM4-80GB"), "a100-sxm4-80gb");
        assert_eq!(slug("NVIDIA"), "gpu");
    }

    #[test]
    fn peak_and_architecture_from_the_attributes() {
        let h200 = DeviceInfo {
            name: "NVIDIA H200".into(),
            capability: (9, 0),
            multiprocessors: 132,
            clock_mhz: 1980.0,
            memory_clock_mhz: 3201.0,
            bus_bits: 6016,
            l2_bytes: 62_914_560,
            driver: "580.159.04".into(),
        };
        assert_eq!(h200.memory_peak_gbps().round(), 4814.0);
        assert_eq!(h200.architecture(), "sm_90a");
        assert_eq!(DeviceInfo { capability: (8, 6), ..h200 }.architecture(), "sm_86");
    }

    #[test]
    fn the_kernel_modules_file() {
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release";
        assert_eq!(dotted(open).as_deref(), Some("580.159.04"));
        assert_eq!(dotted("GCC version:  gcc"), None);
    }

    /// The driver is not called: where there is none, that would panic. No other test of this
    /// executable opens a device.
    #[test]
    fn a_lost_device_is_not_opened() {
        lose("`a.cu` faulted".to_owned());
        lose("`b.cu` faulted".to_owned());
        assert_eq!(Device::open_apart().err().as_deref(), Some("`a.cu` faulted"));
        assert_eq!(Device::open_primary().err().as_deref(), Some("`a.cu` faulted"));
    }

    /// It answers wherever it runs, with or without a driver.
    #[test]
    fn probing_never_panics() {
        match probe() {
            Ok(info) => assert!(info.multiprocessors > 0),
            Err(absence) => assert!(!absence.reason.is_empty() && !absence.remedy.is_empty()),
        }
    }
}
