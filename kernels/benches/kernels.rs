//! The kernels through criterion: `cargo bench -p kernels --bench kernels`.
//!
//! Times are the device's, by a pair of CUDA events around as many runs as criterion asks for: one
//! pair a run would measure the events where a run takes microseconds. The caches stay as the runs
//! leave them; for cold ones, and for ratios, see the bench `measure`. Criterion plans its warm-up by
//! the host's clock, so each run waits for the device.
//!
//! Without a driver it says so and ends.

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaEvent, CudaStream};
use half::bf16;
use kernels::reduce::{Fold, Order};
use kernels::{Error, Kernels, Shape};
use std::sync::Arc;

/// Nanoseconds of the device, between two events.
struct CudaTime {
    stream: Arc<CudaStream>,
    begin: CudaEvent,
    end: CudaEvent,
}

impl CudaTime {
    fn new(stream: &Arc<CudaStream>) -> Result<CudaTime, Error> {
        let event = || stream.context().new_event(Some(CU_EVENT_DEFAULT));
        Ok(CudaTime { stream: Arc::clone(stream), begin: event()?, end: event()? })
    }

    /// What so many runs take together.
    fn of(&self, times: u64, mut run: impl FnMut() -> Result<(), Error>) -> f64 {
        self.start();
        for _ in 0..times {
            run().expect("a run");
        }
        self.end(())
    }
}

impl Measurement for CudaTime {
    type Intermediate = ();
    type Value = f64;

    fn start(&self) {
        self.begin.record(&self.stream).expect("an event");
    }

    fn end(&self, (): ()) -> f64 {
        self.end.record(&self.stream).expect("an event");
        // It waits for both.
        f64::from(self.begin.elapsed_ms(&self.end).expect("a time")) * 1e6
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Units
    }
}

/// Microseconds; GB/s of bytes and, of elements, 10^9 a second.
struct Units;

impl ValueFormatter for Units {
    fn scale_values(&self, _typical: f64, values: &mut [f64]) -> &'static str {
        values.iter_mut().for_each(|v| *v /= 1e3);
        "us"
    }

    fn scale_throughputs(
        &self,
        _typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (work, unit) = match throughput {
            Throughput::Bytes(n) | Throughput::BytesDecimal(n) => (*n, "GB/s"),
            Throughput::Elements(n) => (*n, "G/s"),
            _ => (1, "G runs/s"),
        };
        values.iter_mut().for_each(|v| *v = work as f64 / *v);
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}

fn main() -> Result<(), Error> {
    let context = match kernels::open(0) {
        Ok(context) => context,
        Err(error) => {
            say(&format!("not measured: {error}"));
            return Ok(());
        }
    };
    let stream = context.new_stream()?;
    let mut criterion =
        Criterion::default().with_measurement(CudaTime::new(&stream)?).configure_from_args();
    memory(&mut criterion, &stream)?;
    products(&mut criterion, &stream)?;
    criterion.final_summary();
    Ok(())
}

/// A line for the person who started it.
#[expect(clippy::print_stdout, reason = "a program whose output is a table")]
fn say(line: &str) {
    println!("{line}");
}

/// Adds one benchmark. `work` is of one run.
fn bench(
    criterion: &mut Criterion<CudaTime>,
    stream: &Arc<CudaStream>,
    (name, size): (&str, usize),
    work: Throughput,
    mut run: impl FnMut() -> Result<(), Error>,
) -> Result<(), Error> {
    let clock = CudaTime::new(stream)?;
    let mut group = criterion.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat).sample_size(20).throughput(work);
    group.bench_function(BenchmarkId::from_parameter(size), |b| {
        b.iter_custom(|times| clock.of(times, &mut run));
    });
    group.finish();
    Ok(())
}

fn memory(criterion: &mut Criterion<CudaTime>, stream: &Arc<CudaStream>) -> Result<(), Error> {
    const SIDE: usize = 8192;
    let n = SIDE * SIDE;
    let kernels = Kernels::new(stream)?;
    let host: Vec<f32> =
        (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32).collect();
    let x = stream.clone_htod(&host)?;
    let mut y = stream.alloc_zeros::<f32>(n)?;
    let mut one = stream.alloc_zeros::<f32>(1)?;
    let row = stream.clone_htod(&host[..SIDE])?;
    let shape = Shape::new(SIDE, SIDE);
    let moved = || Throughput::BytesDecimal(8 * n as u64);
    bench(criterion, stream, ("sum", n), Throughput::BytesDecimal(4 * n as u64), || {
        kernels.reduce_into(Fold::Sum, Order::Fixed, &x, &mut one)
    })?;
    bench(criterion, stream, ("copy", n), moved(), || kernels.copy(&x, &mut y))?;
    bench(criterion, stream, ("relu", n), moved(), || kernels.relu(&x, &mut y))?;
    bench(criterion, stream, ("transpose", SIDE), moved(), || {
        kernels.transpose(&x, shape, &mut y, SIDE)
    })?;
    bench(criterion, stream, ("softmax", SIDE), moved(), || {
        kernels.softmax(&x, shape, &mut y, SIDE)
    })?;
    bench(criterion, stream, ("layernorm", SIDE), moved(), || {
        kernels.layernorm(&x, shape, &row, &row, 1e-5, &mut y, SIDE)
    })
}

fn products(criterion: &mut Criterion<CudaTime>, stream: &Arc<CudaStream>) -> Result<(), Error> {
    let kernels = Kernels::new(stream)?;
    for side in [1024usize, 2048, 4096] {
        let n = side * side;
        let number = |i: u32| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 23) as f32 - 1.0;
        let host: Vec<f32> = (0..n as u32).map(number).collect();
        let half: Vec<bf16> = host.iter().map(|x| bf16::from_f32(*x)).collect();
        let shape = Shape::new(side, side);
        let work = || Throughput::Elements(2 * (side as u64).pow(3));
        let a = stream.clone_htod(&host)?;
        let mut c = stream.alloc_zeros::<f32>(n)?;
        bench(criterion, stream, ("matmul f32", side), work(), || {
            kernels.matmul_f32(&a, shape, &a, shape, &mut c, shape)
        })?;
        let a = stream.clone_htod(&half)?;
        let mut c = stream.alloc_zeros::<bf16>(n)?;
        bench(criterion, stream, ("matmul bf16", side), work(), || {
            kernels.matmul_16(&a, shape, &a, shape, &mut c, shape)
        })?;
    }
    Ok(())
}
