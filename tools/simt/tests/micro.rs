//! Some five hundred small launches that were profiled on an H200, each of one kind of access: the
//! same bytes must come out, and the same memory counters.
//!
//! `hardware/micro/` holds the kernels, a family a file, and their launches; `hardware/record.py`
//! recorded them in `hardware/micro.json`.

#[path = "support/fill.rs"]
mod fill;

use fill::filled;
use serde_json::Value;
use simt::{Arg, Buffer, Config, Dim3, Launch, Memory, Module, Outcome, Report, Sources};

/// A family: its name, its kernels, its launches.
struct Family(&'static str, &'static str, &'static str);

macro_rules! families {
    ($($name:literal),*) => {
        [$(Family(
            $name,
            include_str!(concat!("hardware/micro/", $name, ".cu")),
            include_str!(concat!("hardware/micro/", $name, ".json")),
        )),*]
    };
}

const FAMILIES: [Family; 10] = families!(
    "atomics",
    "lanes",
    "loops",
    "shared",
    "shared_atomics",
    "spaces",
    "structs",
    "tiles",
    "warps",
    "widths"
);

impl Family {
    fn compile(&self) -> Module {
        simt::compile(Sources::single(format!("{}.cu", self.0), self.1)).unwrap_or_else(|f| {
            panic!("{}", f.diagnostics.iter().map(|d| d.render(&f.sources)).collect::<String>())
        })
    }

    fn launches(&self) -> Vec<Value> {
        serde_json::from_str(self.2).unwrap()
    }
}

fn dim(v: &Value) -> Dim3 {
    let at = |i: usize| v.get(i).and_then(Value::as_u64).unwrap_or(1) as u32;
    Dim3 { x: at(0), y: at(1), z: at(2) }
}

/// `"i32 256 iota"` is an array, `"f32 = 0.5"` a value, a number one of 32 bits.
fn argument(arg: &Value, memory: &mut Memory, buffers: &mut Vec<Buffer>) -> Arg {
    if let Some(number) = arg.as_i64() {
        return Arg::Value((number as u32).to_le_bytes().to_vec());
    }
    let words: Vec<&str> = arg.as_str().unwrap().split(' ').collect();
    let [ty, second, third] = words[..] else { panic!("{arg} is no argument") };
    if second == "=" {
        assert_eq!(ty, "f32");
        return Arg::Value(third.parse::<f32>().unwrap().to_le_bytes().to_vec());
    }
    let (bytes, size) = filled(ty, second.parse().unwrap(), third);
    let buffer = memory.alloc("array", ty, size, bytes.len());
    memory.upload(buffer, &bytes);
    buffers.push(buffer);
    Arg::Buffer(buffer)
}

/// Runs a launch; gives its report, and the digests of its arrays.
fn run(module: &Module, entry: &Value) -> Result<(Report, Vec<String>), String> {
    let (mut memory, mut buffers) = (Memory::new(), Vec::new());
    let args = entry["args"].as_array().unwrap().iter();
    let args: Vec<Arg> = args.map(|arg| argument(arg, &mut memory, &mut buffers)).collect();
    let launch = Launch {
        kernel: module.kernel(entry["kernel"].as_str().unwrap()).ok_or("no such kernel")?,
        grid: dim(&entry["grid"]),
        block: dim(&entry["block"]),
        dynamic_shared: entry.get("shared").and_then(Value::as_u64).unwrap_or(0) as u32,
        args: &args,
    };
    let report =
        simt::launch(module, &launch, &mut memory, &Config::default()).map_err(|e| e.message)?;
    if report.outcome != Outcome::Completed || !report.findings.is_empty() {
        let all: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
        return Err(format!("{:?}\n{all}", report.outcome));
    }
    let digests = buffers.iter().map(|b| fill::digest(&memory.download(*b))).collect();
    Ok((report, digests))
}

#[test]
fn the_launches_run_without_findings() {
    let mut wrong = Vec::new();
    for family in &FAMILIES {
        let module = family.compile();
        for entry in family.launches() {
            if let Err(why) = run(&module, &entry) {
                wrong.push(format!("{}: {why}", entry["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
