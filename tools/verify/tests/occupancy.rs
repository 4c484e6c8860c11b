//! The occupancy calculator of `simt` against NVIDIA's: against its header `cuda_occupancy.h`,
//! which is compiled here and asked about thousands of launches, and on a device against the
//! driver.
//!
//! Ignored, with the reason, where the header, a C++ compiler or a device is missing.

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUdevice_attribute as Device, CUfunction_attribute as Function};
use cudarc::nvrtc::Ptx;
use kernel_file::unit::Unit;
use libtest_mimic::{Arguments, Failed, Trial};
use simt::occupancy::{ARCHITECTURES, Architecture, Limit, Usage, best_block, occupancy};
use simt::random::SplitMix64;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use verify::backend::gpu::Gpu;
use verify::backend::nvrtc::{Nvrtc, locate};
use verify::backend::{Backend, required};
use verify::{Availability, BackendName};

fn main() {
    let arguments = Arguments::from_args();
    let project = Path::new("../..");
    let nvrtc = Nvrtc::find(Some(project)).ok().map(Arc::new);
    let gpu = match (Gpu::new(nvrtc.clone()).probe(), nvrtc) {
        (Availability::Present { .. }, Some(nvrtc)) => Ok(nvrtc),
        (Availability::Absent { reason, .. }, _) => Err(reason),
        (_, None) => Err("no NVRTC found".to_owned()),
    };
    let trials = vec![
        trial("the_header_agrees", BackendName::Nvrtc, header(project), the_header_agrees),
        trial("the_driver_agrees", BackendName::Gpu, gpu, |nvrtc| the_driver_agrees(&nvrtc)),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test that needs something; ignored, or failed where it is required, if that is absent.
fn trial<T: Send + 'static>(
    name: &str,
    backend: BackendName,
    needed: Result<T, String>,
    test: fn(T) -> Result<(), Failed>,
) -> Trial {
    match needed {
        Ok(needed) => Trial::test(name, move || test(needed)).with_kind(backend.word()),
        Err(reason) => {
            let message = format!("WARPBOOK_REQUIRE names {backend}, and here is {reason}");
            Trial::test(name, move || Err(Failed::from(message)))
                .with_kind(format!("{backend}: {reason}"))
                .with_ignored_flag(!required(backend))
        }
    }
}

/// The folder of NVIDIA's header, if there is also a compiler for it.
fn header(project: &Path) -> Result<PathBuf, String> {
    let folders = locate::candidates(Some(project), |name| std::env::var_os(name));
    let found = folders
        .into_iter()
        .flat_map(|candidate| candidate.includes)
        .find(|folder| folder.join("cuda_occupancy.h").is_file())
        .ok_or("no cuda_occupancy.h, which is in the wheel nvidia-cuda-runtime")?;
    let compiler = Command::new("g++").arg("--version").stdout(Stdio::null()).status();
    if compiler.is_ok_and(|status| status.success()) { Ok(found) } else { Err("no g++".to_owned()) }
}

/// Reads launches, one per line, and answers each by NVIDIA's header.
const CALCULATOR: &str = r#"
#include "cuda_occupancy.h"
#include <cstdio>

int main() {
    cudaOccDeviceProp device;
    cudaOccFuncAttributes kernel;
    cudaOccDeviceState state;
    device.warpSize = 32;
    device.numSms = 1;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.numBlockBarriers = 1;
    int block;
    size_t fixed, dynamic;
    while (std::scanf("%d %d %d %d %d %d %zu %zu %zu %zu %d %d %zu %zu", &device.computeMajor,
                      &device.computeMinor, &device.maxThreadsPerBlock,
                      &device.maxThreadsPerMultiprocessor, &device.regsPerBlock,
                      &device.regsPerMultiprocessor, &device.sharedMemPerBlock,
                      &device.sharedMemPerMultiprocessor, &device.sharedMemPerBlockOptin,
                      &device.reservedSharedMemPerBlock, &block, &kernel.numRegs, &fixed,
                      &dynamic) == 14) {
        kernel.maxThreadsPerBlock = 1024;
        kernel.sharedSizeBytes = fixed;
        kernel.maxDynamicSharedSizeBytes = dynamic;
        cudaOccResult result;
        int status = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                             block, dynamic);
        int grid, best;
        kernel.maxThreadsPerBlock = block < 1024 ? block : 1024;
        status |= cudaOccMaxPotentialOccupancyBlockSize(&grid, &best, &device, &kernel, &state,
                                                        dynamic);
        std::printf("%d %d %u %d %zu %d %d\n", status, result.activeBlocksPerMultiprocessor,
                    result.limitingFactors & 15, result.allocatedRegistersPerBlock,
                    result.allocatedSharedMemPerBlock, best, grid);
    }
}
"#;

/// Numbers that depend on the seed alone.
struct Draw(SplitMix64);

impl Draw {
    fn below(&mut self, limit: u32) -> u32 {
        (self.0.next_u64() % u64::from(limit)) as u32
    }
}

/// Launches of all sorts: usage, and how much of its shared memory is static.
fn launches(arch: &Architecture, draw: &mut Draw) -> Vec<(Usage, u32)> {
    let mut all = Vec::new();
    for block in [1, 31, 32, 33, 64, 128, 192, 256, 512, 768, 1024, 1025] {
        for registers in [0, 16, 24, 32, 40, 64, 65, 128, 168, 255] {
            all.push((Usage { block, registers, shared: 0 }, 0));
        }
    }
    // The edges of shared memory, and of what fits so and so often.
    let optin = arch.shared_per_block_optin;
    let whole = (1..=8).map(|n| arch.shared_per_sm / n - arch.shared_reserved_per_block);
    for edge in whole.chain([optin, arch.shared_per_block]) {
        for shared in [edge - 1, edge, edge + 1] {
            all.push((Usage { block: 64, registers: 16, shared }, 0));
        }
    }
    for _ in 0..1500 {
        let usage = Usage {
            block: 1 + draw.below(1024),
            registers: draw.below(256),
            shared: draw.below(optin + 2048) >> draw.below(8),
        };
        let fixed = draw.below(usage.shared.min(arch.shared_per_block) + 1);
        all.push((usage, fixed));
    }
    all
}

fn the_header_agrees(includes: PathBuf) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) =
        (folder.path().join("calculator.cpp"), folder.path().join("calculator"));
    std::fs::write(&source, CALCULATOR)?;
    let compiled = Command::new("g++")
        .args([Path::new("-o"), &program, &source])
        .arg(format!("-I{}", includes.display()))
        .output()?;
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    let mut draw = Draw(SplitMix64(1));
    let mut asked = Vec::new();
    let mut questions = String::new();
    for arch in &ARCHITECTURES {
        for (usage, fixed) in launches(arch, &mut draw) {
            writeln!(
                questions,
                "{} {} {} {} {} {} {} {} {} {} {} {} {} {}",
                arch.capability.0,
                arch.capability.1,
                arch.max_threads_per_block,
                arch.max_threads_per_sm,
                arch.registers_per_block,
                arch.registers_per_sm,
                arch.shared_per_block,
                arch.shared_per_sm,
                arch.shared_per_block_optin,
                arch.shared_reserved_per_block,
                usage.block,
                usage.registers,
                fixed,
                usage.shared - fixed
            )?;
            asked.push((arch, usage, fixed));
        }
    }
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| "the writer panicked")??;
    let answers = String::from_utf8(output.stdout)?;
    assert_eq!(answers.lines().count(), asked.len());

    for ((arch, usage, fixed), answer) in asked.into_iter().zip(answers.lines()) {
        let found = occupancy(arch, usage);
        let factors = found.limited_by().fold(0, |bits, limit| {
            bits | match limit {
                Limit::Warps => 1,
                Limit::Registers => 2,
                Limit::Shared => 4,
                Limit::Blocks => 8,
            }
        });
        let best = best_block(arch, usage.registers, usage.block, |_| usage.shared);
        let ours = format!(
            "0 {} {factors} {} {} {} {}",
            found.blocks, found.registers_per_block, found.shared_per_block, best.0, best.1
        );
        assert_eq!(ours, answer, "{} {usage:?}, {fixed} bytes of it static", arch.label());
    }
    Ok(())
}

/// A kernel that takes at most so many registers, and some static shared memory.
fn kernel(registers: u32, fixed: u32) -> String {
    format!(
        "extern \"C\" __global__ void __maxnreg__({registers})\n\
         k{registers}_{fixed}(float* x) {{\n\
             __shared__ float s[{}];\n\
             extern __shared__ float d[];\n\
             float v[96];\n\
             #pragma unroll\n\
             for (int i = 0; i < 96; ++i) v[i] = x[i * 32 + threadIdx.x];\n\
             s[threadIdx.x % {}] = v[0];\n\
             d[threadIdx.x] = v[1];\n\
             __syncthreads();\n\
             #pragma unroll\n\
             for (int i = 0; i < 96; ++i) x[i * 32 + threadIdx.x] = v[95 - i] * s[i % {}] + d[i];\n\
         }}\n",
        fixed / 4,
        fixed / 4,
        fixed / 4,
    )
}

fn the_driver_agrees(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let context = CudaContext::new(0)?;
    let attribute = |which| context.attribute(which).map(|v| v as u32);
    let capability = (
        attribute(Device::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(Device::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    let arch = Architecture::of(capability).ok_or("a device that the table does not have")?;
    for (which, ours) in [
        (Device::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, arch.max_threads_per_sm),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, arch.max_blocks_per_sm),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, arch.max_threads_per_block),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, arch.registers_per_sm),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, arch.registers_per_block),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, arch.shared_per_sm),
        (Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, arch.shared_per_block),
        (
            Device::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            arch.shared_per_block_optin,
        ),
        (
            Device::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
            arch.shared_reserved_per_block,
        ),
    ] {
        assert_eq!(attribute(which)?, ours, "{which:?}");
    }

    let sizes = [(16, 4), (32, 1024), (40, 4), (64, 20_000), (96, 4), (128, 49_152), (168, 4)];
    let text: String = sizes.iter().map(|(registers, fixed)| kernel(*registers, *fixed)).collect();
    let unit =
        Unit { name: "occupancy.cu".to_owned(), text, headers: Vec::new(), ..Unit::default() };
    let suffix = if capability.0 == 9 { "a" } else { "" };
    let architecture = format!("sm_{}{}{suffix}", capability.0, capability.1);
    let compiled = nvrtc
        .compile(&unit, &architecture, &[])
        .map_err(|problems| format!("it does not compile: {problems:?}"))?;
    let module = context.load_module(Ptx::from_binary(compiled.cubin))?;
    let mut draw = Draw(SplitMix64(2));
    let mut compared = 0;
    for (registers, fixed) in sizes {
        let function = module.load_function(&format!("k{registers}_{fixed}"))?;
        let registers = function.num_regs()? as u32;
        let fixed =
            function.get_attribute(Function::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?.cast_unsigned();
        let most = arch.shared_per_block_optin - fixed;
        function.set_attribute(
            Function::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            most as i32,
        )?;
        for _ in 0..500 {
            let block = 1 + draw.below(1024);
            let dynamic = draw.below(most + 1) >> draw.below(8);
            let theirs = function.occupancy_max_active_blocks_per_multiprocessor(
                block,
                dynamic as usize,
                None,
            )?;
            let usage = Usage { block, registers, shared: fixed + dynamic };
            assert_eq!(occupancy(arch, usage).blocks, theirs, "{usage:?}, {fixed} bytes static");
            compared += 1;
        }
    }
    assert_eq!(compared, 3500);
    Ok(())
}
