//! The machine code of a kernel, as NVIDIA's disassembler prints it.

use crate::backend::nvrtc::{Nvrtc, launched};
use crate::project::Project;
use anyhow::{Context, Result, anyhow, ensure};
use kernel_file::KernelFile;
use std::process::Command;

/// The instructions of the file's kernels, one per line, without addresses and encodings.
pub(super) fn of(
    nvrtc: &Nvrtc,
    architecture: &str,
    file: &KernelFile,
    project: &Project,
) -> Result<String> {
    let compiled = nvrtc
        .compile(&project.unit(file), architecture, &launched(file))
        .map_err(|p| anyhow!("{}", p[0].rendered))?;
    let folder = project.root.join("target/verify/sass");
    std::fs::create_dir_all(&folder)?;
    let cubin = folder.join(format!("{}_{}.cubin", file.stem, std::process::id()));
    std::fs::write(&cubin, &compiled.cubin)?;
    let output = Command::new("cuobjdump").arg("-sass").arg(&cubin).output();
    let _ = std::fs::remove_file(&cubin);
    let output = output.context("no `cuobjdump` on the PATH")?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "cuobjdump: {}", String::from_utf8_lossy(&output.stderr));
    Ok(instructions(&said))
}

/// `        /*0090*/              @P0 EXIT ;     /* 0x... */` becomes `@P0 EXIT`. What follows the last
/// exit is padding.
fn instructions(said: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in said.lines() {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("Function : ") {
            lines.push(format!("{}:", crate::backend::nvrtc::log::plain_name(name.trim())));
            continue;
        }
        let Some(rest) = line.strip_prefix("/*") else { continue };
        let Some((address, rest)) = rest.split_once("*/") else { continue };
        let Some((text, _)) = rest.split_once(';') else { continue };
        if address.len() != 4 || !address.bytes().all(|b| b.is_ascii_hexdigit()) {
            continue;
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text != "NOP" {
            lines.push(format!("    {text}"));
        }
    }
    // A branch to itself closes the code, so that nothing is fetched beyond it.
    if lines.last().is_some_and(|line| line.trim_start().starts_with("BRA ")) {
        lines.pop();
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_encodings_are_left_out() {
        let said = "\tcode for sm_90a\n\t\tFunction : f\n\t.headerflags\t@\"EF_CUDA_SM90\"\n\
            \x20       /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n\
            \x20                                                            /* 0x000fe20000000800 */\n\
            \x20       /*0090*/              @P0 EXIT ;                    /* 0x000000000000094d */\n\
            \x20       /*00a0*/                   BRA 0xa0;                /* 0xfffffffc00fc7947 */\n\
            \x20       /*00b0*/                   NOP;                     /* 0x0000000000007918 */\n";
        assert_eq!(instructions(said), "f:\n    LDC R1, c[0x0][0x28]\n    @P0 EXIT\n");
    }
}
