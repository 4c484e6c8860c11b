//! What the library promises, on a device. Where there is none the tests are ignored, with the
//! reason before their names; `WARPBOOK_REQUIRE=gpu` turns that into failure.

use kernels::Kernels;
use kernels::reduce::Fold;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use verify::backend::gpu::device;
use verify::backend::nvrtc::Nvrtc;

type Test = fn() -> Result<(), Failed>;

const TESTS: [(&str, Test); 3] = [
    ("sums_at_the_edges", sums_at_the_edges),
    ("a_sum_wraps_and_can_be_repeated", a_sum_wraps_and_can_be_repeated),
    ("threads_may_share_a_reducer", threads_may_share_a_reducer),
];

fn main() {
    let arguments = Arguments::from_args();
    // Loads the compiler from wherever the book finds it: a later load by name takes that one.
    let compiler = Nvrtc::find(Some(Path::new("..")));
    let reason = match (device::probe(), &compiler) {
        (Err(absence), _) => Some(absence.reason),
        (Ok(_), Err(_)) => Some("no NVRTC found".to_owned()),
        (Ok(_), Ok(_)) => None,
    };
    let required = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    let required = required.split(',').any(|word| word.trim() == "gpu");
    let trials = TESTS.map(|(name, test)| match reason.clone() {
        None => Trial::test(name, test),
        Some(reason) => {
            let kind = format!("gpu: {reason}");
            Trial::test(name, move || Err(Failed::from(reason)))
                .with_kind(kind)
                .with_ignored_flag(!required)
        }
    });
    libtest_mimic::run(&arguments, trials.into()).exit();
}

/// Numbers that neither repeat nor cancel.
fn numbers(count: usize) -> Vec<i32> {
    (0..count as u32).map(|i| i.wrapping_mul(2_654_435_761) as i32).collect()
}

fn expected(numbers: &[i32]) -> i32 {
    numbers.iter().copied().fold(0, i32::wrapping_add)
}

fn sums_at_the_edges() -> Result<(), Failed> {
    let context = kernels::open(0)?;
    let stream = context.default_stream();
    let reducer = Kernels::new(&context.default_stream())?;
    for count in [1, 2, 3, 4, 5, 31, 32, 33, 2047, 16383, 16384, 16385, 1_000_003, 1 << 24] {
        let host = numbers(count);
        let data = stream.clone_htod(&host)?;
        assert_eq!(reducer.reduce(Fold::Sum, &data)?, expected(&host), "{count} numbers");
    }
    Ok(())
}

fn a_sum_wraps_and_can_be_repeated() -> Result<(), Failed> {
    let context = kernels::open(0)?;
    let reducer = Kernels::new(&context.default_stream())?;
    let host = vec![i32::MAX; 100_000];
    let data = context.default_stream().clone_htod(&host)?;
    for _ in 0..100 {
        assert_eq!(reducer.reduce(Fold::Sum, &data)?, expected(&host));
    }
    Ok(())
}

fn threads_may_share_a_reducer() -> Result<(), Failed> {
    let context = kernels::open(0)?;
    let reducer = Kernels::new(&context.default_stream())?;
    std::thread::scope(|scope| {
        for count in [1000, 50_000, 1_000_000] {
            let (context, reducer) = (&context, &reducer);
            scope.spawn(move || {
                let host = numbers(count);
                let data = context.default_stream().clone_htod(&host).expect("an upload");
                for _ in 0..50 {
                    assert_eq!(reducer.reduce(Fold::Sum, &data).expect("a sum"), expected(&host));
                }
            });
        }
    });
    Ok(())
}
