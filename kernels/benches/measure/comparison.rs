//! Interleaved timing of contestants on one device, and the recorded rows.

use crate::say;
use cudarc::driver::sys;
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaContext, CudaEvent, CudaSlice, CudaStream};
use kernels::Kernels;
use kernels::reduce::{Fold, Order};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use verify::backend::gpu::device::probe;
use verify::backend::nvrtc::Nvrtc;

type Failure = Box<dyn Error>;

/// A contender: its closure queues one run on the comparison's stream.
pub(crate) struct Contestant<'a> {
    pub(crate) name: String,
    pub(crate) run: Box<dyn FnMut() -> Result<(), Failure> + 'a>,
}

/// A contestant from a closure.
pub(crate) fn contestant<'a>(
    name: impl Into<String>,
    run: impl FnMut() -> Result<(), Failure> + 'a,
) -> Contestant<'a> {
    Contestant { name: name.into(), run: Box::new(run) }
}

/// A device, its stream, and the rows measured so far.
pub(crate) struct Comparison {
    pub(crate) context: Arc<CudaContext>,
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) kernels: Kernels,
    begin: CudaEvent,
    end: CudaEvent,
    wash: CudaSlice<i32>,
    sink: CudaSlice<i32>,
    machine: Map<String, Value>,
    rows: Vec<Value>,
}

impl Comparison {
    pub(crate) fn new(context: &Arc<CudaContext>) -> Result<Comparison, Failure> {
        // SAFETY: one stream carries all work; where there are others, they are waited for by hand.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream()?;
        let event = || context.new_event(Some(CU_EVENT_DEFAULT));
        Ok(Comparison {
            kernels: Kernels::new(&stream)?,
            begin: event()?,
            end: event()?,
            wash: stream.alloc_zeros(60 << 20)?,
            sink: stream.alloc_zeros(1)?,
            context: Arc::clone(context),
            stream,
            machine: machine()?,
            rows: Vec::new(),
        })
    }

    /// A library that takes part, with its version.
    pub(crate) fn takes_part(&mut self, name: &str, version: String) {
        say(&version);
        self.machine.insert(name.to_owned(), version.into());
    }

    /// Microseconds of one run after cold caches.
    fn lap(&mut self, run: &mut Contestant<'_>) -> Result<f64, Failure> {
        self.kernels.reduce_into(Fold::Sum, Order::Fixed, &self.wash, &mut self.sink)?;
        self.begin.record(&self.stream)?;
        (run.run)()?;
        self.end.record(&self.stream)?;
        Ok(f64::from(self.begin.elapsed_ms(&self.end)?) * 1e3)
    }

    /// Times all; the last is what the others are held against. `work` is bytes or operations of a
    /// run, `unit` what they are: GB/s or TFLOP/s.
    pub(crate) fn contest(
        &mut self,
        row: &str,
        size: &str,
        (work, unit): (f64, &str),
        mut all: Vec<Contestant<'_>>,
    ) -> Result<Vec<f64>, Failure> {
        let start = Instant::now();
        while start.elapsed().as_millis() < 150 {
            for one in &mut all {
                self.lap(one)?;
            }
        }
        let mut laps: Vec<Vec<[f64; 2]>> = vec![Vec::new(); all.len()];
        let start = Instant::now();
        for round in 0..200 {
            if round >= 15 && start.elapsed().as_millis() > 600 {
                break;
            }
            let order: Vec<usize> = (0..all.len()).map(|i| (i + round) % all.len()).collect();
            let mut times = vec![[0.0; 2]; all.len()];
            for at in &order {
                times[*at][0] = self.lap(&mut all[*at])?;
            }
            for at in order.iter().rev() {
                times[*at][1] = self.lap(&mut all[*at])?;
            }
            laps.iter_mut().zip(times).for_each(|(all, this)| all.push(this));
        }
        let other = laps.last().cloned().unwrap_or_default();
        let mut medians = Vec::new();
        for (one, laps) in all.iter().zip(&laps) {
            let time = spread(laps.iter().flatten().copied().collect());
            let sum = |[a, b]: &[f64; 2]| a + b;
            let ratios = other.iter().zip(laps).map(|(o, t)| sum(o) / sum(t)).collect();
            let ratio = spread(ratios);
            let noise = spread(laps.iter().map(|[a, b]| a / b).collect());
            // A difference that a contestant also has from itself is none.
            let within = noise[0] <= ratio[1] && ratio[1] <= noise[2];
            let counts = if within { 1.0 } else { ratio[1] };
            let rate = work / time[1] / if unit == "GB/s" { 1e3 } else { 1e6 };
            say(&format!(
                "{row} | {size} | {} | {:.2} us | {rate:.1} {unit} | ratio {:.4} [{:.4}, {:.4}] | \
                 noise [{:.4}, {:.4}]",
                one.name, time[1], ratio[1], ratio[0], ratio[2], noise[0], noise[2]
            ));
            self.rows.push(json!({
                "row": row, "size": size, "name": one.name, "unit": unit, "rate": rate,
                "time_us": quantiles(time), "ratio": quantiles(ratio), "noise": quantiles(noise),
                "counts": counts, "rounds": laps.len(),
            }));
            medians.push(time[1]);
        }
        Ok(medians)
    }

    /// A row that is no contest.
    pub(crate) fn note(&mut self, row: &str, size: &str, values: Value) {
        say(&format!("{row} | {size} | {values}"));
        self.rows.push(json!({ "row": row, "size": size, "values": values }));
    }

    pub(crate) fn write(&self, path: &str) -> Result<(), Failure> {
        let all = json!({ "machine": self.machine, "rows": self.rows });
        Ok(std::fs::write(path, serde_json::to_string_pretty(&all)? + "\n")?)
    }
}

/// What a command says, where it is there.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// What it is measured on and with. The clocks are the highest: nothing here sets them.
fn machine() -> Result<Map<String, Value>, Failure> {
    let device = probe().map_err(|absence| absence.reason)?;
    let nvrtc = Nvrtc::find(Some(Path::new(".."))).map_err(|_| "no NVRTC found")?;
    let mut cuda = 0;
    // SAFETY: a place for a number.
    unsafe { sys::cuDriverGetVersion(&mut cuda) }.result()?;
    let values = json!({
        "gpu": device.name,
        "compute_capability": format!("{}.{}", device.capability.0, device.capability.1),
        "multiprocessors": device.multiprocessors,
        "clock_mhz": device.clock_mhz,
        "memory_clock_mhz": device.memory_clock_mhz,
        "memory_peak_gbps": device.memory_peak_gbps(),
        "driver": device.driver,
        "cuda": format!("{}.{}", cuda / 1000, cuda % 1000 / 10),
        "compiler": nvrtc.identity(),
        "host_code": if cfg!(debug_assertions) { "unoptimised" } else { "optimised" },
        "date": said("date", &["-u", "+%F"]),
        "commit": std::env::var("WARPBOOK_COMMIT")
            .ok()
            .or_else(|| said("git", &["rev-parse", "--short=12", "HEAD"])),
    });
    Ok(values.as_object().cloned().unwrap_or_default())
}

/// Tenth percentile, median and ninetieth.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    [0.1, 0.5, 0.9].map(|q| {
        let place = q * last;
        let at = |i: f64| values.get(i as usize).copied().unwrap_or(f64::NAN);
        let (below, above) = (at(place.floor()), at(place.ceil()));
        below + (above - below) * place.fract()
    })
}

fn quantiles([p10, median, p90]: [f64; 3]) -> Value {
    json!({ "p10": p10, "median": median, "p90": p90 })
}

/// Pseudo-random words.
pub(crate) fn words(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..count).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 32) as u32
    })
}

/// About normal: the sum of three evenly spread numbers.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<f32> {
    let even = |bits: u32| bits as f32 / 1023.0 - 0.5;
    words(count, seed)
        .map(|w| 2.0 * (even(w >> 22) + even(w >> 12 & 1023) + even(w >> 2 & 1023)))
        .collect()
}
