//! The table of `benches/README.md`, written anew: `cargo bench -p simt`.
//!
//! Times are criterion's medians, as the benchmark `speed` left them. Ratios are measured here, the
//! two sides in turn in one process, so that whatever else the computer does meets both.

#![allow(clippy::print_stdout, reason = "a command that says what it did")]

#[allow(dead_code, reason = "some of it is for the other benchmark")]
mod workloads;

use simt::Checks;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};
use workloads::Workload;

/// Turns that each side of a ratio gets.
const ROUNDS: usize = 31;

/// Asks for the memory alone, in a process of its own: a peak is a process's.
const MEMORY: &str = "--memory";

/// MiB of arrays in the launch whose memory is measured.
const ARRAYS: u32 = 256;

const BEGIN: &str = "<!-- table: written by `cargo bench -p simt` -->\n";
const END: &str = "<!-- end of table -->\n";

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` runs this, too, and wants no measurement.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    if std::env::args().any(|arg| arg == MEMORY) {
        println!("{}", peak());
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = table(root)?;
    print!("{table}");
    let path = root.join("benches/README.md");
    let text = std::fs::read_to_string(&path)?;
    let (before, rest) = text.split_once(BEGIN).ok_or("benches/README.md has no table")?;
    let (_, after) = rest.split_once(END).ok_or("the table of benches/README.md has no end")?;
    std::fs::write(&path, format!("{before}{BEGIN}\n{table}\n{END}{after}"))?;
    Ok(())
}

fn table(root: &Path) -> Result<String, Box<dyn Error>> {
    let target = root.join("../../target/criterion");
    let mut out = format!("{}\n\n", machine());
    out += "| | time | warp-instructions a second | ratio |\n|---|--:|--:|--:|\n";
    let (bare, counters, races) = (Checks::Bare, Checks::Counters, Checks::All);
    type Make = fn() -> Workload;
    let all: [Make; 4] =
        [workloads::arithmetic, workloads::tiled_product, workloads::saxpy, workloads::gather];
    for make in all {
        let mut work = make();
        let instructions = work.run(counters, 1).counters.instructions;
        let rows = [
            ("bare", None, ""),
            ("counters", Some(((counters, 1), (bare, 1))), "bare"),
            ("races", Some(((races, 1), (counters, 1))), "counters"),
            ("bare, two threads", Some(((bare, 1), (bare, 2))), "one thread"),
        ];
        for (mode, sides, other) in rows {
            let median = estimate(&target, work.name, mode)?;
            let rate = instructions as f64 / median.as_secs_f64() / 1e6;
            let ratio = match sides {
                Some(_) if other == "one thread" => {
                    let (faster, more) = two_cores(&mut work, &mut make());
                    format!(
                        "{faster:.2} times as fast as {other}; two launches at once: {more:.2} times the work"
                    )
                }
                Some((one, two)) => format!("{:.2} x {other}", ratio(&mut work, one, two)),
                None => String::new(),
            };
            let time = median.as_secs_f64() * 1e3;
            out += &format!(
                "| {}, {mode} | {time:.2} ms | {rate:.0} million | {ratio} |\n",
                work.name
            );
        }
    }
    let child = Command::new(std::env::current_exe()?).args(["--bench", MEMORY]).output()?;
    let peak: u64 = String::from_utf8(child.stdout)?.trim().parse()?;
    out += &format!(
        "\nA launch over {ARRAYS} MiB of arrays, races on: {:.2} times the arrays, all told ({peak} MiB).\n",
        peak as f64 / f64::from(ARRAYS)
    );
    Ok(out)
}

/// The most memory, in MiB, that this process held, after a launch over [`ARRAYS`] MiB.
fn peak() -> u64 {
    // Two arrays of four bytes an element.
    workloads::saxpy_of((ARRAYS << 20) / 8).run(Checks::All, 1);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.trim().strip_suffix(" kB")).and_then(|n| n.trim().parse().ok());
    kib.unwrap_or(0_u64) >> 10
}

/// The median of the ratios of neighbouring turns.
fn ratio(work: &mut Workload, one: (Checks, usize), two: (Checks, usize)) -> f64 {
    let mut time = |(checks, threads)| {
        let start = Instant::now();
        work.run(checks, threads);
        start.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| time(one) / time(two)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

/// The speed-up of a launch by a second thread; and the speed-up of two independent launches, one per
/// core, which is the most that this computer allows. Medians of interleaved rounds.
fn two_cores(work: &mut Workload, other: &mut Workload) -> (f64, f64) {
    let since = |start: Instant| start.elapsed().as_secs_f64();
    let turn = |_| {
        let start = Instant::now();
        work.run(Checks::Bare, 1);
        let one = since(start);
        let start = Instant::now();
        work.run(Checks::Bare, 2);
        let two = since(start);
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| other.run(Checks::Bare, 1));
            work.run(Checks::Bare, 1);
        });
        (one / two, 2.0 * one / since(start))
    };
    let turns: Vec<(f64, f64)> = (0..ROUNDS).map(turn).collect();
    let median = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = turns.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[ROUNDS / 2]
    };
    (median(|turn| turn.0), median(|turn| turn.1))
}

/// What criterion found.
fn estimate(target: &Path, group: &str, mode: &str) -> Result<Duration, Box<dyn Error>> {
    let path = target.join(group).join(mode).join("new/estimates.json");
    let text = std::fs::read_to_string(&path)
        .map_err(|e| format!("{}: {e}; run the benchmark `speed` first", path.display()))?;
    let all: serde_json::Value = serde_json::from_str(&text)?;
    let nanos = all["median"]["point_estimate"].as_f64().ok_or("criterion writes no median")?;
    Ok(Duration::from_nanos(nanos as u64))
}

/// Where and when, in one line.
fn machine() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|l| l.split(':').nth(1)).map_or("?".to_owned(), |v| v.trim().to_owned())
    };
    let info = read("/proc/cpuinfo");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let vectors = if field(&info, "flags").contains("avx2") { "AVX2" } else { "no AVX2" };
    let load = read("/proc/loadavg");
    let load = load.split(' ').take(3).collect::<Vec<_>>().join(", ");
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map_or("?".to_owned(), |o| String::from_utf8_lossy(&o.stdout).into());
    format!(
        "{}, {cores} cores, {vectors}; {}; {}. Load over the last 1, 5 and 15 minutes, of which the measurement is 1 to 2: {load}.",
        field(&info, "model name"),
        compiler.trim(),
        today()
    )
}

/// The date in UTC.
fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Days since 1 March of year 0, in eras of 400 years.
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (date, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{}-{month:02}-{date:02}", era * 400 + year + u64::from(month <= 2))
}
