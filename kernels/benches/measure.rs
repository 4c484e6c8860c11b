//! The library against CUB, cuBLAS, the device's copy and what can be foretold: each row of the
//! library's promise, measured in one process.
//!
//! `cargo bench -p kernels --bench measure -- results/h200.json` writes what it sees there, besides
//! printing it. As `verify::measure` does: all contestants in each round, once and then once more in
//! reverse order; before each run the stream reads four times the cache, which makes it cold and keeps
//! the device busy until the run is queued; one pair of events a run; medians, and ratios within a
//! round. The ratio of a contestant's own two laps is the noise. Inputs are pseudo-random, and every
//! result is held against the other's before anything is timed.
//!
//! Without a driver it says so and ends. Without nvcc or cuBLAS their rows are missing.

#[path = "measure/comparison.rs"]
mod comparison;
#[path = "measure/libraries.rs"]
mod libraries;
#[path = "measure/memory.rs"]
mod memory;
#[path = "measure/overlap.rs"]
mod overlap;
#[path = "measure/probes.rs"]
mod probes;
#[path = "measure/products.rs"]
mod products;

use comparison::Comparison;
use std::error::Error;

type Done = Result<(), Box<dyn Error>>;
type Part = fn(&mut Comparison) -> Done;

fn main() -> Done {
    // `cargo test` runs benches too, and `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let context = match kernels::open(0) {
        Ok(context) if !arguments.iter().any(|a| a == "--test") => context,
        Ok(_) => return Ok(()),
        Err(error) => {
            say(&format!("not measured: {error}"));
            return Ok(());
        }
    };
    let mut bench = Comparison::new(&context)?;
    let parts: [(&str, Part); 6] = [
        ("reductions", memory::reductions),
        ("moves", memory::moves),
        ("rows", memory::rows),
        ("single products", products::single),
        ("half products", products::half),
        ("overlap", overlap::overlap),
    ];
    for (name, part) in parts {
        if let Err(error) = part(&mut bench) {
            say(&format!("{name}: {error}"));
        }
    }
    if let Some(path) = arguments.iter().find(|a| a.ends_with(".json")) {
        bench.write(path)?;
    }
    Ok(())
}

/// A line for the person who started it.
#[expect(clippy::print_stdout, reason = "a program whose output is a table")]
fn say(line: &str) {
    println!("{line}");
}
