//! Twenty-one launches that were profiled on an H200: the same bytes must come out, and the same
//! memory counters.
//!
//! `hardware/counters.json` was recorded there, with the optimiser on (`optimised`) and off
//! (`debug`). What the source says is `debug`; where noise of the hardware counter is known to
//! stand in it, `optimised` is asked instead.

use serde_json::Value;
use sha2::{Digest, Sha256};
use simt::{Arg, Config, Counters, Dim3, Launch, Memory, Outcome, Sources};

fn hash(i: u64, s: u64) -> u64 {
    let mut z = i.wrapping_add(s).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z ^= z >> 30;
    z = z.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^= z >> 27;
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn element(fill: &str, float: bool, i: u64) -> [u8; 4] {
    let fraction = |s| (((hash(i, s) % 2001) as i64 - 1000) as f64 / 1000.0) as f32;
    let whole = match fill {
        "zero" => 0,
        "iota" => i,
        "lcg256" => hash(i, 12345) % 256,
        "frac" => return fraction(12345).to_le_bytes(),
        "frac2" => return fraction(777).to_le_bytes(),
        other => panic!("unknown fill {other}"),
    };
    if float { (whole as f32).to_le_bytes() } else { (whole as i32).to_le_bytes() }
}

fn dim(v: &Value) -> Dim3 {
    let at = |i: usize| v.get(i).and_then(Value::as_u64).unwrap_or(1) as u32;
    Dim3 { x: at(0), y: at(1), z: at(2) }
}

#[test]
fn the_launches_that_were_profiled_give_the_same_bytes_and_counters() {
    let text = include_str!("hardware/kernels.cu");
    let recorded: Value = serde_json::from_str(include_str!("hardware/counters.json")).unwrap();
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
        let float = arg["type"] == "f32";
        let bytes: Vec<u8> = (0..count).flat_map(|i| element(fill, float, i)).collect();
        let buffer = memory.alloc("array", if float { "float" } else { "int" }, 4, bytes.len());
        memory.upload(buffer, &bytes);
        buffers.push(buffer);
        args.push(Arg::Buffer(buffer));
    }
    let kernel = module.kernel(name).ok_or("no such kernel")?;
    let launch = Launch {
        kernel,
        grid: dim(&entry["grid"]),
        block: dim(&entry["block"]),
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
        let digest = Sha256::digest(memory.download(*buffer));
        let hex: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
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
