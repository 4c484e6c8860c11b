//! Sums, products, smallest and largest.

use crate::{Test, handle, noise, refusal};
use kernels::reduce::{Fold, Order};
use libtest_mimic::Failed;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("sums_at_the_edges", sums_at_the_edges),
    ("every_type_and_fold", every_type_and_fold),
    ("floats_give_the_same_bits", floats_give_the_same_bits),
    ("views_begin_anywhere", views_begin_anywhere),
    ("nan_and_infinities", nan_and_infinities),
    ("nothing_to_fold", nothing_to_fold),
    ("a_sum_wraps_and_can_be_repeated", a_sum_wraps_and_can_be_repeated),
    ("threads_may_share_a_handle", threads_may_share_a_handle),
    ("more_elements_than_2_to_the_31", more_elements_than_2_to_the_31),
];

const EDGES: [usize; 14] =
    [1, 2, 3, 4, 5, 31, 32, 33, 2047, 16383, 16384, 16385, 1_000_003, 1 << 24];

/// Numbers that neither repeat nor cancel.
fn numbers(count: usize) -> Vec<i32> {
    (0..count as u32).map(|i| i.wrapping_mul(2_654_435_761) as i32).collect()
}

fn wrapped(numbers: &[i32]) -> i32 {
    numbers.iter().copied().fold(0, i32::wrapping_add)
}

fn sums_at_the_edges() -> Result<(), Failed> {
    let kernels = handle()?;
    for count in EDGES {
        let host = numbers(count);
        let data = kernels.stream().clone_htod(&host)?;
        assert_eq!(kernels.reduce(Fold::Sum, &data)?, wrapped(&host), "{count} numbers");
    }
    Ok(())
}

fn every_type_and_fold() -> Result<(), Failed> {
    let kernels = handle()?;
    for count in [1, 7, 33, 1000, 100_003] {
        let host = numbers(count);
        macro_rules! integers {
            ($type:ty) => {{
                let host: Vec<$type> = host.iter().map(|x| *x as $type | 1).collect();
                let data = kernels.stream().clone_htod(&host)?;
                let all = host.iter().copied();
                let sum = all.clone().fold(0, <$type>::wrapping_add);
                let product = all.clone().fold(1, <$type>::wrapping_mul);
                assert_eq!(kernels.reduce(Fold::Sum, &data)?, sum);
                assert_eq!(kernels.reduce(Fold::Product, &data)?, product);
                assert_eq!(Some(kernels.reduce(Fold::Min, &data)?), all.clone().min());
                assert_eq!(Some(kernels.reduce(Fold::Max, &data)?), all.max());
            }};
        }
        integers!(i32);
        integers!(u32);
        integers!(i64);
        macro_rules! floats {
            ($type:ty, $close:expr) => {{
                let host: Vec<$type> = noise(count, 7).into_iter().map(<$type>::from).collect();
                let data = kernels.stream().clone_htod(&host)?;
                let exact: f64 = host.iter().map(|x| f64::from(*x)).sum();
                let size: f64 = host.iter().map(|x| f64::from(*x).abs()).sum();
                let sum = f64::from(kernels.reduce(Fold::Sum, &data)?);
                assert!((sum - exact).abs() <= $close * size, "{sum} for {exact} of {count}");
                let least = host.iter().copied().fold(<$type>::INFINITY, <$type>::min);
                let most = host.iter().copied().fold(<$type>::NEG_INFINITY, <$type>::max);
                assert_eq!(kernels.reduce(Fold::Min, &data)?, least);
                assert_eq!(kernels.reduce(Fold::Max, &data)?, most);
                let near_one: Vec<$type> = host.iter().map(|x| 1.0 + x / 1000.0).collect();
                let exact: f64 = near_one.iter().map(|x| f64::from(*x)).product();
                let data = kernels.stream().clone_htod(&near_one)?;
                let product = f64::from(kernels.reduce(Fold::Product, &data)?);
                assert!((product / exact - 1.0).abs() < $close * 100.0, "{product} for {exact}");
            }};
        }
        floats!(f32, 1e-6);
        floats!(f64, 1e-14);
    }
    Ok(())
}

fn floats_give_the_same_bits() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let host = noise(3_000_001, 3);
    let exact: f64 = host.iter().map(|x| f64::from(*x)).sum();
    let data = stream.clone_htod(&host)?;
    let first = kernels.reduce(Fold::Sum, &data)?;
    let mut out = stream.alloc_zeros::<f32>(1)?;
    for _ in 0..50 {
        assert_eq!(kernels.reduce(Fold::Sum, &data)?.to_bits(), first.to_bits());
        kernels.reduce_into(Fold::Sum, Order::Any, &data, &mut out)?;
        let any = stream.clone_dtoh(&out)?[0];
        assert!((f64::from(any) - exact).abs() < 1.0, "{any} for {exact}");
    }
    Ok(())
}

fn views_begin_anywhere() -> Result<(), Failed> {
    let kernels = handle()?;
    let host = numbers(10_000);
    let data = kernels.stream().clone_htod(&host)?;
    for begin in [1, 2, 3, 5, 9_998, 9_999] {
        for end in [begin + 1, 10_000] {
            let sum = kernels.reduce(Fold::Sum, &data.slice(begin..end))?;
            assert_eq!(sum, wrapped(&host[begin..end]), "{begin}..{end}");
        }
    }
    let host: Vec<f64> = noise(1001, 5).into_iter().map(f64::from).collect();
    let data = kernels.stream().clone_htod(&host)?;
    let most = kernels.reduce(Fold::Max, &data.slice(1..))?;
    assert_eq!(most, host[1..].iter().copied().fold(f64::MIN, f64::max));
    Ok(())
}

fn nan_and_infinities() -> Result<(), Failed> {
    let kernels = handle()?;
    let mut host = noise(5000, 11);
    host[4321] = f32::NAN;
    host[17] = f32::NEG_INFINITY;
    let data = kernels.stream().clone_htod(&host)?;
    assert!(kernels.reduce(Fold::Sum, &data)?.is_nan());
    assert_eq!(kernels.reduce(Fold::Min, &data)?, f32::NEG_INFINITY);
    let most = host.iter().copied().fold(f32::MIN, f32::max);
    assert_eq!(kernels.reduce(Fold::Max, &data)?, most, "NaN is passed over");
    let none = kernels.stream().clone_htod(&[f32::NAN; 3])?;
    assert!(kernels.reduce(Fold::Max, &none)?.is_nan());
    Ok(())
}

fn nothing_to_fold() -> Result<(), Failed> {
    let kernels = handle()?;
    let one = kernels.stream().clone_htod(&[5.0f32])?;
    let none = one.slice(0..0);
    assert_eq!(kernels.reduce(Fold::Sum, &none)?, 0.0);
    assert_eq!(kernels.reduce(Fold::Product, &none)?, 1.0);
    let refused = refusal(kernels.reduce(Fold::Min, &none).map(drop))?;
    assert_eq!(refused, "`data` is empty: min and max are undefined");
    Ok(())
}

fn a_sum_wraps_and_can_be_repeated() -> Result<(), Failed> {
    let kernels = handle()?;
    let host = vec![i32::MAX; 100_000];
    let data = kernels.stream().clone_htod(&host)?;
    for _ in 0..100 {
        assert_eq!(kernels.reduce(Fold::Sum, &data)?, wrapped(&host));
    }
    Ok(())
}

fn threads_may_share_a_handle() -> Result<(), Failed> {
    let kernels = handle()?;
    std::thread::scope(|scope| {
        for count in [1000, 50_000, 1_000_000] {
            let kernels = &kernels;
            scope.spawn(move || {
                let host = numbers(count);
                let data = kernels.stream().clone_htod(&host).expect("an upload");
                for _ in 0..50 {
                    let sum = kernels.reduce(Fold::Sum, &data).expect("a sum");
                    assert_eq!(sum, wrapped(&host));
                }
            });
        }
    });
    Ok(())
}

/// 2^31 + 3 ints, 8 GiB: where the device has room.
fn more_elements_than_2_to_the_31() -> Result<(), Failed> {
    let kernels = handle()?;
    let count = (1usize << 31) + 3;
    let mut data = kernels.stream().alloc_zeros::<i32>(count)?;
    kernels.stream().memcpy_htod(&[7, 8, 9], &mut data.slice_mut(count - 3..))?;
    assert_eq!(kernels.reduce(Fold::Sum, &data)?, 24);
    assert_eq!(kernels.reduce(Fold::Max, &data)?, 9);
    Ok(())
}
