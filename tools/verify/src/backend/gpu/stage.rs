//! Prepares a plan on a device: uploads its arrays, loads its kernels, and makes its arguments.
//!
//! Verification and measurement both start from here. The size of each argument is compared with the
//! parameter's size in the loaded kernel, so that no launch reads uninitialised arguments.

use super::device::{Buffer, Device, words};
use crate::backend::nvrtc::Compiled;
use cudarc::driver::sys::{self, CUfunction_attribute as FunctionAttribute};
use cudarc::driver::{
    CudaFunction, CudaModule, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use kernel_file::fill::ElementType;
use kernel_file::map::PlannedMap;
use kernel_file::plan::{Plan, PlannedArgument, PlannedArray, PlannedLaunch};
use kernel_file::reference::parameter_types;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// Dynamic shared memory that needs no function attribute.
const SHARED_WITHOUT_ASKING: u32 = 48 * 1024;

/// Why a plan cannot be staged or launched, with the directive's line (0 for none).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LaunchError {
    /// The line.
    pub(crate) line: u32,
    /// One sentence.
    pub(crate) message: String,
}

impl LaunchError {
    /// At a line.
    pub(crate) fn at(line: u32, message: impl Into<String>) -> LaunchError {
        LaunchError { line, message: message.into() }
    }

    /// An error of the driver.
    pub(crate) fn driver(line: u32, what: &str, error: DriverError) -> LaunchError {
        LaunchError::at(line, format!("{what}: {}", words(error)))
    }
}

/// The bytes of any argument, little-endian: a pointer, a scalar, or a tensor map, which needs the
/// size and the alignment.
#[repr(C, align(128))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slot([u64; 16]);

impl From<u64> for Slot {
    fn from(low: u64) -> Slot {
        let mut words = [0; 16];
        words[0] = low;
        Slot(words)
    }
}

// SAFETY: plain bytes. A launch reads as many as the parameter has, and `Ready::new` has seen that
// these were given.
unsafe impl DeviceRepr for Slot {}

/// A launch with its arguments as the driver takes them.
pub(crate) struct Ready {
    function: CudaFunction,
    config: LaunchConfig,
    /// One per parameter.
    slots: Vec<Slot>,
    /// The directive's line.
    pub(crate) line: u32,
}

impl Ready {
    /// Checks the arguments against the loaded kernel's parameters.
    pub(crate) fn new(
        function: CudaFunction,
        config: LaunchConfig,
        slots: Vec<(impl Into<Slot>, usize)>,
        line: u32,
        name: &str,
    ) -> Result<Ready, LaunchError> {
        let sizes = parameter_sizes(&function);
        let given: Vec<usize> = slots.iter().map(|s| s.1).collect();
        if sizes != given {
            return Err(LaunchError::at(
                line,
                format!("`{name}` takes parameters of {sizes:?} bytes, and is given {given:?}"),
            ));
        }
        if config.shared_mem_bytes > SHARED_WITHOUT_ASKING {
            let most = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = i32::try_from(config.shared_mem_bytes).unwrap_or(i32::MAX);
            function.set_attribute(most, bytes).map_err(|e| {
                LaunchError::driver(
                    line,
                    &format!("`{name}` asks for {bytes} bytes of dynamic shared memory"),
                    e,
                )
            })?;
        }
        let slots = slots.into_iter().map(|s| s.0.into()).collect();
        Ok(Ready { function, config, slots, line })
    }

    /// Queues the launch.
    pub(crate) fn launch(&self, device: &Device) -> Result<(), DriverError> {
        let mut launch = device.stream.launch_builder(&self.function);
        self.slots.iter().for_each(|slot| {
            launch.arg(slot);
        });
        // SAFETY: every parameter gets a slot of at least its size, as `new` checked. What the
        // kernel does with its pointers is what is being verified: a bad access faults the context
        // and is reported.
        unsafe { launch.launch(self.config) }.map(|_| ())
    }
}

/// A plan's arrays and launches on a device.
pub(crate) struct Stage {
    /// In the order of the plan.
    pub(crate) arrays: Vec<Buffer>,
    /// In the order of the plan.
    pub(crate) launches: Vec<Ready>,
    maps: Vec<Slot>,
    module: Arc<CudaModule>,
    symbols: Vec<(String, String)>,
}

impl Stage {
    /// Uploads `initial` (one for each array) and makes every launch of the plan ready. `kernels`
    /// are the names that `compiled` has symbols for, `text` is where their parameters' types are
    /// read.
    pub(crate) fn new(
        device: &Device,
        plan: &Plan,
        initial: &[&[u8]],
        compiled: &Compiled,
        kernels: &[String],
        text: &str,
    ) -> Result<Stage, LaunchError> {
        let mut arrays = Vec::new();
        for (array, bytes) in plan.arrays.iter().zip(initial) {
            let buffer = device.upload(bytes).map_err(|e| {
                LaunchError::driver(0, &format!("`{}` of {} bytes", array.name, bytes.len()), e)
            })?;
            arrays.push(buffer);
        }
        let module = device
            .context
            .load_module(Ptx::from_binary(compiled.cubin.clone()))
            .map_err(|e| LaunchError::driver(0, "the machine code does not load", e))?;
        let symbols = kernels.iter().cloned().zip(compiled.symbols.iter().cloned()).collect();
        let maps = plan.maps.iter().map(|map| {
            let PlannedArray { element, .. } = plan.arrays[map.array];
            encode(map, element, arrays[map.array].pointer)
                .map_err(|e| LaunchError::driver(0, &format!("no tensor map `{}`", map.name), e))
        });
        let maps = maps.collect::<Result<_, _>>()?;
        let mut stage = Stage { arrays, launches: Vec::new(), maps, module, symbols };
        for launch in &plan.launches {
            let ready = stage.ready(launch, text)?;
            stage.launches.push(ready);
        }
        Ok(stage)
    }

    /// A loaded kernel by the name that the file gives it.
    pub(crate) fn function(&self, kernel: &str, line: u32) -> Result<CudaFunction, LaunchError> {
        let symbol = self.symbols.iter().find(|(name, _)| name == kernel);
        let symbol = symbol.map_or(kernel, |(_, symbol)| symbol);
        self.module
            .load_function(symbol)
            .map_err(|e| LaunchError::driver(line, &format!("no kernel `{kernel}`"), e))
    }

    fn ready(&self, launch: &PlannedLaunch, text: &str) -> Result<Ready, LaunchError> {
        let PlannedLaunch { kernel, grid, block, line, .. } = launch;
        if grid.contains(&0) || block.contains(&0) {
            let message = format!("`{kernel}` is launched with grid {grid:?} and block {block:?}");
            return Err(LaunchError::at(*line, message));
        }
        let function = self.function(kernel, *line)?;
        let sizes = parameter_sizes(&function);
        let types = parameter_types(text, kernel).unwrap_or_default();
        let mut slots = Vec::new();
        for (at, argument) in launch.args.iter().enumerate() {
            let size = sizes.get(at).copied().unwrap_or(0);
            let ty = types.get(at).map(String::as_str);
            slots.push(match argument {
                PlannedArgument::Array(array) => (self.arrays[*array].pointer.into(), 8),
                PlannedArgument::Map(map) => (self.maps[*map], size_of::<Slot>()),
                scalar => scalar_slot(*scalar, ty, size)
                    .map(|(low, size)| (Slot::from(low), size))
                    .ok_or_else(|| {
                        let message = format!("argument {} of `{kernel}` is no scalar", at + 1);
                        LaunchError::at(*line, message)
                    })?,
            });
        }
        let config = LaunchConfig {
            grid_dim: grid.to_owned().into(),
            block_dim: block.to_owned().into(),
            shared_mem_bytes: launch.shared,
        };
        Ready::new(function, config, slots, *line, kernel)
    }
}

/// The map of an array at `pointer`, as the driver writes it. Beyond the array's edge there are
/// zeros.
fn encode(map: &PlannedMap, element: ElementType, pointer: u64) -> Result<Slot, DriverError> {
    use sys::CUtensorMapDataType::*;
    use sys::{CUtensorMapInterleave as Interleave, CUtensorMapSwizzle as Swizzle};
    let ty = match element {
        ElementType::I8 | ElementType::U8 => CU_TENSOR_MAP_DATA_TYPE_UINT8,
        ElementType::I16 | ElementType::U16 => CU_TENSOR_MAP_DATA_TYPE_UINT16,
        ElementType::I32 => CU_TENSOR_MAP_DATA_TYPE_INT32,
        ElementType::U32 => CU_TENSOR_MAP_DATA_TYPE_UINT32,
        ElementType::I64 => CU_TENSOR_MAP_DATA_TYPE_INT64,
        ElementType::U64 => CU_TENSOR_MAP_DATA_TYPE_UINT64,
        ElementType::F16 => CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        ElementType::BF16 => CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        ElementType::F32 => CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        ElementType::F64 => CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    };
    let swizzle = match map.swizzle {
        32 => Swizzle::CU_TENSOR_MAP_SWIZZLE_32B,
        64 => Swizzle::CU_TENSOR_MAP_SWIZZLE_64B,
        128 => Swizzle::CU_TENSOR_MAP_SWIZZLE_128B,
        _ => Swizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
    };
    // Bytes from one row to the next, from one layer to the next, ...; the last axis needs none.
    let mut strides = Vec::new();
    map.sizes.iter().fold(element.bytes() as u64, |bytes, size| {
        strides.push(bytes * size);
        bytes * size
    });
    let steps = vec![1u32; map.sizes.len()];
    let mut words = MaybeUninit::<sys::CUtensorMap>::zeroed();
    // SAFETY: every pointer is to as many numbers as there are axes; the driver checks what they
    // say, and does not look at the array.
    let words = unsafe {
        sys::cuTensorMapEncodeTiled(
            words.as_mut_ptr(),
            ty,
            map.sizes.len() as u32,
            pointer as *mut _,
            map.sizes.as_ptr(),
            strides.as_ptr(),
            map.tile.as_ptr(),
            steps.as_ptr(),
            Interleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
            sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
        .result()?;
        words.assume_init()
    };
    Ok(Slot(words.opaque))
}

/// The size of each parameter, as the loaded kernel has it.
fn parameter_sizes(function: &CudaFunction) -> Vec<usize> {
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: a loaded function and two places to write to. Past the last parameter the driver
        // says so, and writes nothing.
        let code = unsafe {
            sys::cuFuncGetParamInfo(function.cu_function(), sizes.len(), &mut offset, &mut size)
        };
        if code != sys::CUresult::CUDA_SUCCESS {
            return sizes;
        }
        sizes.push(size);
    }
}

/// A scalar in a slot, and its size. The type in the text decides; if it is not a known type (a
/// template's), the parameter's size does.
fn scalar_slot(argument: PlannedArgument, ty: Option<&str>, size: usize) -> Option<(u64, usize)> {
    let bytes = ty.and_then(|ty| argument.scalar_bytes(ty)).or(match (argument, size) {
        (PlannedArgument::Integer(v), 1 | 2 | 4 | 8) => Some(v.to_le_bytes()[..size].to_vec()),
        (PlannedArgument::Float(v), 4) => Some((v as f32).to_le_bytes().to_vec()),
        (PlannedArgument::Float(v), 8) => Some(v.to_le_bytes().to_vec()),
        _ => None,
    })?;
    let mut slot = [0; 8];
    slot.get_mut(..bytes.len())?.copy_from_slice(&bytes);
    Some((u64::from_le_bytes(slot), bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_have_the_type_of_the_parameter() {
        let slot = |argument, ty, size| scalar_slot(argument, ty, size);
        let integer = PlannedArgument::Integer(-2);
        assert_eq!(slot(integer, Some("unsigned int"), 4), Some((0xFFFF_FFFE, 4)));
        assert_eq!(slot(integer, Some("const long long"), 8), Some((-2i64 as u64, 8)));
        assert_eq!(slot(integer, Some("float"), 4), Some((u64::from((-2f32).to_bits()), 4)));
        assert_eq!(slot(integer, Some("T"), 2), Some((0xFFFE, 2)));
        assert_eq!(slot(PlannedArgument::Float(0.5), None, 8), Some((0.5f64.to_bits(), 8)));
        assert_eq!(slot(PlannedArgument::Array(0), Some("int"), 4), None);
        assert_eq!(slot(integer, None, 16), None);
    }
}
