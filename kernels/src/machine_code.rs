//! What the compiler makes of the kernels, asserted without a device: registers and spills from the
//! assembler's log, and instructions from NVIDIA's disassembler where it is found.
//!
//! These are the properties that the speed rests on. A change that loses one of them gives the right
//! numbers, later.

use crate::handle::program::Program;
use crate::matmul::{self, HopperTiling};
use crate::{programs, reduce, rows, transpose};
use kernel_file::unit::Unit;
use reduce::{Fold, Order};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use verify::backend::nvrtc::{Compiled, Nvrtc};

const AMPERE: &str = "sm_80";
const HOPPER: &str = "sm_90a";

/// The compiler, if there is one; `WARPBOOK_REQUIRE=nvrtc` makes its absence a failure.
fn nvrtc() -> Option<&'static Nvrtc> {
    static FOUND: OnceLock<Option<Nvrtc>> = OnceLock::new();
    let found = FOUND.get_or_init(|| Nvrtc::find(Some(Path::new(".."))).ok()).as_ref();
    let required = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    let required = required.split(',').any(|word| word.trim() == "nvrtc");
    assert!(found.is_some() || !required, "NVRTC is required, and there is none");
    found
}

fn compile(nvrtc: &Nvrtc, program: &Program, architecture: &str) -> Compiled {
    let name = program.file.name.to_owned();
    let unit = Unit { name, text: program.source(), headers: Vec::new(), ..Unit::default() };
    let entry = [program.entry.to_owned()];
    let told = |p: Vec<verify::Problem>| panic!("{program:?}: {}", p[0].rendered);
    nvrtc.compile(&unit, architecture, &entry).unwrap_or_else(told)
}

/// Nothing spills: on Hopper nothing at all, and on the oldest architecture what is tuned closest to
/// the number of registers.
#[test]
fn every_kernel_keeps_to_its_registers() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut tasks: Vec<(Program, &str)> = Vec::new();
    tasks.extend(programs::all().into_iter().map(|program| (program, HOPPER)));
    tasks.extend(programs::general_products().into_iter().map(|program| (program, AMPERE)));
    for (program, architecture) in tasks {
        for kernel in compile(nvrtc, &program, architecture).resources {
            let spilled = (kernel.stack, kernel.spill_stores, kernel.spill_loads);
            assert_eq!(spilled, (0, 0, 0), "{} on {architecture}: {program:?}", kernel.kernel);
        }
    }
}

/// `cuobjdump` of the wheels that NVRTC comes from, or on the path.
fn disassembler() -> Option<PathBuf> {
    let venv = std::env::var_os("WARPBOOK_CUDA").map(PathBuf::from);
    let mut places: Vec<PathBuf> = Vec::new();
    for library in venv.iter().flat_map(|v| std::fs::read_dir(v.join("lib")).into_iter().flatten())
    {
        let packages = library.ok()?.path().join("site-packages");
        places.push(packages.join("nvidia/cu13/bin/cuobjdump"));
    }
    places.extend(venv.map(|v| v.join("bin/cuobjdump")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    places.extend(std::env::split_paths(&path).map(|folder| folder.join("cuobjdump")));
    places.into_iter().find(|place| place.is_file())
}

/// The instructions of a program's kernel, without addresses; none where no disassembler is.
fn instructions(program: &Program) -> Option<Vec<String>> {
    let compiled = compile(nvrtc()?, program, HOPPER);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernel.cubin");
    std::fs::write(&file, &compiled.cubin).unwrap();
    let mut command = Command::new(disassembler()?);
    command.args(["-sass", "-fun", program.entry]).arg(&file);
    // It calls nvdisasm, which lies beside it.
    let beside = Path::new(command.get_program()).parent()?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(beside).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(path).ok()?);
    let said = command.output().ok()?;
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let found: Vec<String> = said.lines().filter_map(instruction).collect();
    assert!(found.len() > 10, "the disassembly is written in another way: {said}");
    Some(found)
}

/// `        /*0090*/     @P0 EXIT ;    /* 0x... */` becomes `@P0 EXIT`.
fn instruction(line: &str) -> Option<String> {
    let (address, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let (text, _) = rest.split_once(';')?;
    address.bytes().all(|b| b.is_ascii_hexdigit()).then(|| text.trim().to_owned())
}

fn count(instructions: &[String], word: &str) -> usize {
    instructions.iter().filter(|i| i.contains(word)).count()
}

#[test]
fn a_reduction_has_eight_loads_of_16_bytes_under_way() {
    let Some(code) = instructions(&reduce::program::<i32>(Fold::Sum, Order::Fixed)) else { return };
    // The longest run of loads into registers of their own, before any of them is used again.
    let mut most = 0;
    let mut into: Vec<&str> = Vec::new();
    for line in &code {
        let Some(rest) = line.split_once("LDG.E.128").map(|(_, rest)| rest) else { continue };
        let register = rest.trim_start_matches(|c| c != 'R').split(',').next().unwrap();
        if into.contains(&register) {
            into.clear();
        }
        into.push(register);
        most = most.max(into.len());
    }
    assert!(most >= 8, "{most} loads in {code:#?}");
}

#[test]
fn memory_is_touched_in_16_bytes() {
    let softmax = rows::program(rows::RowOp::Softmax, Some(rows::ALIGNED[6]));
    for program in
        [programs::moves().swap_remove(0), transpose::program(4, true).unwrap().0, softmax]
    {
        let Some(code) = instructions(&program) else { return };
        assert!(count(&code, "LDG.E.128") > 0, "{program:?}");
        assert!(count(&code, "STG.E.128") + count(&code, "STG.E.STRONG.SYS.128") > 0, "{code:#?}");
        assert_eq!(count(&code, "LDL") + count(&code, "STL"), 0);
    }
}

/// Of the instructions of the inner loop nearly all multiply.
#[test]
fn the_product_multiplies() {
    let Some(code) = instructions(&matmul::single_programs()[0]) else { return };
    let (ffma, lds) = (count(&code, "FFMA"), count(&code, "LDS.128"));
    assert_eq!(ffma, 8 * 16 * 16, "a step of 16, unrolled once");
    assert!(lds <= ffma * 6 / 128 + 6, "{lds} loads from shared memory");
    assert!(count(&code, "LDGSTS") > 0, "the tiles do not pass the registers by");
}

#[test]
fn hopper_uses_its_own_instructions() {
    let program =
        matmul::hopper("bf16", HopperTiling { columns: 256, stages: 4, cluster: 2, bulk: true });
    let Some(code) = instructions(&program) else { return };
    assert_eq!(count(&code, "HGMMA.64x256x16.F32.BF16"), 4, "a step of 64");
    for word in ["UTMALDG.2D.MULTICAST", "UTMASTG.2D", "USETMAXREG", "STSM.16"] {
        assert!(count(&code, word) > 0, "no {word}");
    }
    // A fence of the whole device in the loop costs a third of the speed: the two are those of the
    // cluster's barriers, before it and after it.
    assert!(count(&code, "MEMBAR.ALL.GPU") <= 2, "{}", count(&code, "MEMBAR.ALL.GPU"));
}

#[test]
fn a_long_row_comes_by_the_copy_engine() {
    let Some(code) = instructions(&rows::cluster_program()) else { return };
    for word in ["UBLKCP", "STG.E.128", "LDS.128", "ATOMG"] {
        assert!(count(&code, word) > 0, "no {word} in {code:#?}");
    }
}

#[test]
fn elsewhere_there_is_mma() {
    let Some(code) = instructions(&matmul::ampere_programs()[1]) else { return };
    for word in ["HMMA.16816.F32", "LDSM.16.M88.4", "LDSM.16.MT88.4", "LDGSTS.E.BYPASS"] {
        assert!(count(&code, word) > 0, "no {word} in {code:#?}");
    }
}
