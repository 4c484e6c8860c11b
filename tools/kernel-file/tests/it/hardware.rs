//! Twenty-one launches that were profiled on an H200 must give the same bytes and the same memory
//! counters.
//!
//! `hardware/counters.json` was recorded there with the optimiser on (`optimised`) and off
//! (`debug`). The test compares with `debug`, which is closest to the source, except where that
//! recording has known noise: there it compares with `optimised`.

use crate::support::{digest, extent, filled};
use serde_json::Value;
use simt::{Arg, Config, Counters, Launch, Memory, Outcome, Sources};

#[test]
fn the_launches_that_were_profiled_give_the_same_bytes_and_counters() {
    let text = include_str!("../hardware/kernels.cu");
    let recorded: Value = serde_json::from_str(include_str!("../hardware/counters.json")).unwrap();
    let module = simt::compile(Sources::single("kernels.cu", text)).unwrap_or_else(|f| {
        panic!("{}", f.diagnostics.iter().map(|d| d.render(&f.sources)).collect::<String>())
    });
    let mut wrong = Vec::new();
    for (name, entry) in recorded.as_object().unwrap() {
        if let Err(why) = check(&module, entry) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(recorded.as_object().unwrap().len(), 21);
}

fn check(module: &simt::Module, entry: &Value) -> Result<(), String> {
    let name = entry["kernel"].as_str().unwrap();
    let mut memory = Memory::new();
    let (mut args, mut buffers) = (Vec::new(), Vec::new());
    for arg in entry["args"].as_array().unwrap() {
        if let Some(value) = arg.get("value") {
            args.push(Arg::Value((value.as_i64().unwrap() as i32).to_le_bytes().to_vec()));
            continue;
        }
        let (count, fill) = (arg["count"].as_u64().unwrap(), arg["fill"].as_str().unwrap());
        let ty = arg["type"].as_str().unwrap();
        let (bytes, size) = filled(ty, count, fill);
        let buffer = memory.alloc("array", ty, size, bytes.len());
        memory.upload(buffer, &bytes);
        buffers.push(buffer);
        args.push(Arg::Buffer(buffer));
    }
    let kernel = module.kernel(name).ok_or("no such kernel")?;
    let launch = Launch {
        kernel,
        grid: extent(&entry["grid"]),
        block: extent(&entry["block"]),
        dynamic_shared: 0,
        args: &args,
    };
    let report =
        simt::launch(module, &launch, &mut memory, &Config::default()).map_err(|e| e.message)?;
    if report.outcome != Outcome::Completed {
        let all: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
        return Err(format!("{:?}\n{all}", report.outcome));
    }
    for (buffer, wanted) in
        buffers.iter().zip(entry["sha256_16_of_each_array_after"].as_array().unwrap())
    {
        let hex = digest(&memory.download(*buffer));
        if hex != wanted.as_str().unwrap() {
            return Err(format!("array {hex}, the hardware has {wanted}"));
        }
    }
    let column = if name == "reduce_shared" { "optimised" } else { "debug" };
    let c: Counters = report.counters;
    let pairs = [
        ("gld_requests", c.global_load_requests),
        ("gld_sectors", c.global_load_sectors),
        ("gst_requests", c.global_store_requests),
        ("gst_sectors", c.global_store_sectors),
        ("red_requests", c.global_reduction_requests),
        ("red_sectors", c.global_reduction_sectors),
        ("sld_inst", c.shared_load_instructions),
        ("sld_wavefronts", c.shared_load_wavefronts),
        ("sld_conflicts", c.shared_load_conflicts),
        ("sst_inst", c.shared_store_instructions),
        ("sst_wavefronts", c.shared_store_wavefronts),
        ("sst_conflicts", c.shared_store_conflicts),
    ];
    for (key, ours) in pairs {
        let theirs = entry[column][key].as_f64().unwrap() as u64;
        if ours != theirs {
            return Err(format!("{key} {ours}, the hardware has {theirs}"));
        }
    }
    Ok(())
}
