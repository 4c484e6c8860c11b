//! Some six hundred small launches that were profiled on an H200, each of one kind of access, must
//! give the same bytes and the same memory counters.
//!
//! `hardware/micro/` holds the kernels, one family per file, and their launches;
//! `hardware/record.py` recorded them in `hardware/micro.json`.

use crate::support::{digest, extent, filled};
use serde_json::Value;
use simt::{Arg, Buffer, Config, Counters, Launch, Memory, Module, Outcome, Report, Sources};

/// A family: its name, its kernels, its launches.
struct Family(&'static str, &'static str, &'static str);

macro_rules! families {
    ($($name:literal),*) => {
        [$(Family(
            $name,
            include_str!(concat!("../hardware/micro/", $name, ".cu")),
            include_str!(concat!("../hardware/micro/", $name, ".json")),
        )),*]
    };
}

const FAMILIES: [Family; 11] = families!(
    "atomics",
    "lanes",
    "loops",
    "scatter",
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

/// Runs a launch, and returns its report and the digests of its arrays.
fn run(module: &Module, entry: &Value) -> Result<(Report, Vec<String>), String> {
    let (mut memory, mut buffers) = (Memory::new(), Vec::new());
    let args = entry["args"].as_array().unwrap().iter();
    let args: Vec<Arg> = args.map(|arg| argument(arg, &mut memory, &mut buffers)).collect();
    let launch = Launch {
        kernel: module.kernel(entry["kernel"].as_str().unwrap()).ok_or("no such kernel")?,
        grid: extent(&entry["grid"]),
        block: extent(&entry["block"]),
        dynamic_shared: entry.get("shared").and_then(Value::as_u64).unwrap_or(0) as u32,
        args: &args,
    };
    let report =
        simt::launch(module, &launch, &mut memory, &Config::default()).map_err(|e| e.message)?;
    if report.outcome != Outcome::Completed || !report.findings.is_empty() {
        let all: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
        return Err(format!("{:?}\n{all}", report.outcome));
    }
    let digests = buffers.iter().map(|b| digest(&memory.download(*b))).collect();
    Ok((report, digests))
}

/// Our counters, under the names of the recording.
fn counted(c: &Counters) -> [(&'static str, u64); 16] {
    [
        ("gld_requests", c.global_load_requests),
        ("gld_sectors", c.global_load_sectors),
        ("gst_requests", c.global_store_requests),
        ("gst_sectors", c.global_store_sectors),
        ("red_requests", c.global_reduction_requests),
        ("red_sectors", c.global_reduction_sectors),
        ("atom_requests", c.global_atomic_requests),
        ("atom_sectors", c.global_atomic_sectors),
        ("sld_inst", c.shared_load_instructions),
        ("sld_wavefronts", c.shared_load_wavefronts),
        ("sld_conflicts", c.shared_load_conflicts),
        ("sst_inst", c.shared_store_instructions),
        ("sst_wavefronts", c.shared_store_wavefronts),
        ("sst_conflicts", c.shared_store_conflicts),
        ("satom_inst", c.shared_atomic_instructions),
        ("local_requests", c.local_requests),
    ]
}

/// Counters in which some launches may differ from the hardware.
struct Exception {
    /// The start of the launches' names.
    launches: &'static str,
    counters: &'static [&'static str],
    why: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        launches: "shared_max_u64/groups of 4",
        counters: &["sld_inst", "sld_wavefronts", "satom_inst"],
        why: "a lane whose maximum is there already does not try again",
    },
    Exception { launches: "shared_one_counter", counters: &["sst_inst"], why: PREDICATE },
    Exception { launches: "shared_one_sum", counters: &["sst_inst"], why: PREDICATE },
    Exception { launches: "tile16_f32/50 x 37", counters: &["sst_inst"], why: PREDICATE },
    Exception { launches: "padded16_f32/50 x 37", counters: &["sst_inst"], why: PREDICATE },
    Exception { launches: "tile32_f64/50 x 37", counters: &["sst_inst"], why: PREDICATE },
];

const PREDICATE: &str = "a short `if` became a predicate: a warp of which no lane takes part \
    executes the store, which then asks nothing of the memory";

/// A counter of a recorded launch; one that is missing was 0.
fn theirs(recorded: &Value, counter: &str) -> u64 {
    let of = |key: &str| recorded.get(key).and_then(Value::as_u64).unwrap_or(0);
    match counter {
        "local_requests" => of("lld_requests") + of("lst_requests"),
        other => of(other),
    }
}

#[test]
fn the_micro_kernels_give_the_same_bytes_and_counters() {
    let recording: Value = serde_json::from_str(include_str!("../hardware/micro.json")).unwrap();
    let mut wrong = Vec::new();
    let mut needed = vec![false; EXCEPTIONS.len()];
    let mut compared = 0;
    for family in &FAMILIES {
        for (name, text) in [("cu", family.1), ("json", family.2)] {
            let name = format!("{}.{name}", family.0);
            if recording["sources"][&name] != digest(text.as_bytes()) {
                wrong.push(format!("{name} is not what was recorded: run hardware/record.py"));
            }
        }
        let module = family.compile();
        for entry in family.launches() {
            let name = entry["name"].as_str().unwrap();
            let (report, digests) = match run(&module, &entry) {
                Ok(ran) => ran,
                Err(why) => {
                    wrong.push(format!("{name}: {why}"));
                    continue;
                }
            };
            let recorded = &recording["launches"][name];
            if recorded["arrays"] != Value::from(digests) {
                wrong.push(format!("{name}: other arrays than on the hardware"));
            }
            compared += 1;
            for (counter, ours) in counted(&report.counters) {
                let theirs = theirs(&recorded["counters"], counter);
                if ours == theirs {
                    continue;
                }
                let known =
                    |e: &Exception| name.starts_with(e.launches) && e.counters.contains(&counter);
                match EXCEPTIONS.iter().position(known) {
                    Some(at) => needed[at] = true,
                    None => {
                        let again = &recorded["again"][counter];
                        wrong.push(format!(
                            "{name}: {counter} is {ours}, and {theirs} on the hardware (again: {again})"
                        ));
                    }
                }
            }
        }
    }
    for (exception, needed) in EXCEPTIONS.iter().zip(needed) {
        if !needed {
            wrong.push(format!("{} agrees, and is among the exceptions", exception.launches));
        }
    }
    let why: Vec<_> = EXCEPTIONS.iter().map(|e| format!("{}: {}", e.launches, e.why)).collect();
    let (count, why) = (wrong.len(), why.join("\n"));
    assert!(wrong.is_empty(), "{count} differ\n{}\nexcused:\n{why}", wrong.join("\n"));
    assert_eq!(compared, 630);
}
