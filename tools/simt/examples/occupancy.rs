//! Reads launches, one per line, as `capability block registers shared`, and answers each with the
//! blocks and warps that fit on a multiprocessor, and the blocks that warps, blocks, registers and
//! shared memory would each allow (`-`: as many as you like).
//!
//! ```console
//! $ echo 9.0 256 40 0 | cargo run -q -p simt --example occupancy
//! 6 48 8 32 6 228
//! ```

use simt::occupancy::{Architecture, Usage, occupancy};
use std::io::{BufRead as _, Write as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [capability, block, registers, shared] = words.as_slice() else {
            return Err(format!("`{line}`: expected `capability block registers shared`").into());
        };
        let arch = Architecture::parse(capability)
            .ok_or_else(|| format!("unknown compute capability `{capability}`"))?;
        let (block, registers, shared) = (block.parse()?, registers.parse()?, shared.parse()?);
        let found = occupancy(arch, Usage { block, registers, shared });
        let limits = found.limits.map(|limit| limit.map_or("-".to_owned(), |l| l.to_string()));
        writeln!(out, "{} {} {}", found.blocks, found.warps, limits.join(" "))?;
    }
    Ok(())
}
