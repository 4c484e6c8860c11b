//! Products of tensor cores against an oracle: the published model in exact arithmetic on binary64,
//! one element at a time, written without the code that it tests.

use super::{Product, TensorCore, multiply_f64};
use crate::isa::{Accumulator, Factor, Ty, half};
use crate::random::SplitMix64;

const FLOATS: [(Factor, usize); 5] = [
    (Factor::F16, 16),
    (Factor::Bf16, 16),
    (Factor::Tf32, 8),
    (Factor::E4m3, 32),
    (Factor::E5m2, 32),
];

/// The value of an encoding, by other means than the code under test, and the least exponent.
fn value(format: Factor, bits: u32) -> (f64, i32) {
    let fp8 = |fraction: u32, exponent: u32, bias: i32| {
        let field = (bits >> fraction & ((1 << exponent) - 1)) as i32;
        let part = f64::from(bits & ((1 << fraction) - 1)) / f64::from(1 << fraction);
        let magnitude = match field {
            0 => part * 2f64.powi(1 - bias),
            _ => (1.0 + part) * 2f64.powi(field - bias),
        };
        if bits & 0x80 == 0 { magnitude } else { -magnitude }
    };
    match format {
        Factor::F16 => (half::decode(Ty::F16, bits as u16), -14),
        Factor::Bf16 => (half::decode(Ty::Bf16, bits as u16), -126),
        Factor::Tf32 => (f64::from(f32::from_bits(bits & !0x1FFF)), -126),
        Factor::E4m3 if bits & 0x7F == 0x7F => (f64::NAN, -6),
        Factor::E4m3 => (fp8(3, 4, 7), -6),
        _ if bits & 0x7C == 0x7C => match (bits & 3, bits & 0x80) {
            (0, 0) => (f64::INFINITY, -14),
            (0, _) => (f64::NEG_INFINITY, -14),
            _ => (f64::NAN, -14),
        },
        _ => (fp8(2, 5, 15), -14),
    }
}

/// The exponent of a number, at least that of a subnormal of its format.
fn exponent((x, least): (f64, i32)) -> i32 {
    if x == 0.0 {
        return -1000;
    }
    ((x.to_bits() >> 52 & 0x7FF) as i32 - 1023).max(least)
}

/// The exponent of a factor. Those of 8 bits are binary16 but in `wgmma`.
fn factor_exponent(product: &Product, (x, least): (f64, i32)) -> i32 {
    let converted = product.a.bits() == 8 && !product.warp_group;
    exponent((x, if converted { -14 } else { least }))
}

/// One element of a product.
fn dot(product: &Product, kept: i32, digits: i32, pairs: &[(u32, u32)], c: u32) -> u32 {
    let c = match product.sum {
        Accumulator::F16 => (half::decode(Ty::F16, c as u16), -14),
        _ => (f64::from(f32::from_bits(c)), -126),
    };
    let (nan, infinity) = match product.sum {
        Accumulator::F16 => (0x7FFF, 0x7C00),
        _ => (0x7FFF_FFFF, 0x7F80_0000),
    };
    let sign = if product.sum == Accumulator::F16 { 0x8000 } else { 0x8000_0000 };
    let mut terms = vec![(c.0, exponent(c))];
    for &(x, y) in pairs {
        let (x, y) = (value(product.a, x), value(product.b, y));
        let exponents = factor_exponent(product, x) + factor_exponent(product, y);
        terms.push((x.0 * y.0, exponents));
    }
    let total: f64 = terms.iter().map(|t| t.0).sum();
    if total.is_nan() {
        return nan;
    }
    if total.is_infinite() {
        return if total > 0.0 { infinity } else { sign | infinity };
    }
    let largest = terms.iter().map(|t| t.1).max().unwrap_or(0).max(-133);
    // In units of 2^(largest - kept); a term below 4 * 2^largest is an integer of few digits there.
    let scale = |x: f64, by: i32| x * 2f64.powi(by / 2) * 2f64.powi(by - by / 2);
    let total: i128 = terms.iter().map(|t| scale(t.0, kept - largest).trunc() as i128).sum();
    let exact = scale(total as f64, largest - kept);
    if product.sum == Accumulator::F16 {
        let bits = half::encode(Ty::F16, exact);
        return if bits == sign as u16 { 0 } else { bits.into() };
    }
    if exact.abs() >= 2f64.powi(128) {
        return if exact > 0.0 { infinity } else { sign | infinity };
    }
    let unit = exponent((exact, -126)) - digits;
    let cut = scale(scale(exact, -unit).trunc(), unit);
    (cut as f32 + 0.0).to_bits()
}

/// The accumulator and the products of 8-bit floats, rounded to nearest.
fn added(sum: Accumulator, c: u32, products: u32) -> u32 {
    if sum == Accumulator::F16 {
        let [x, y] = [c, products].map(|bits| half::decode(Ty::F16, bits as u16));
        return if (x + y).is_nan() { 0x7FFF } else { half::encode(Ty::F16, x + y).into() };
    }
    let total = f32::from_bits(c) + f32::from_bits(products);
    if total.is_nan() { 0x7FFF_FFFF } else { total.to_bits() }
}

/// Encodings of a format: any bits, numbers near 1, or edges.
fn sample(random: &mut SplitMix64, format: Factor, kind: u64) -> u32 {
    let bits = random.next_u64() as u32;
    let width = format.bits();
    let any = if width == 32 { bits } else { bits & ((1 << width) - 1) };
    let (fraction, exponent) = match format {
        Factor::F16 => (10, 5),
        Factor::Bf16 => (7, 8),
        Factor::E4m3 => (3, 4),
        Factor::E5m2 => (2, 5),
        _ => (23, 8),
    };
    let field = |value: u32| any & !(((1 << exponent) - 1) << fraction) | value << fraction;
    let middle = (1u32 << (exponent - 1)) - 1;
    match kind {
        0 => any,
        1 => field(middle - 1 + bits % 3),
        2 => field(bits >> 7 & 1),
        // All bits of the exponent, so infinities and NaNs; but not everywhere.
        3 if bits >> 8 & 7 == 0 => field((1 << exponent) - 1),
        3 => field(middle),
        _ => [0, 1 << (width - 1), field(0), field((1 << exponent) - 2)][bits as usize >> 9 & 3],
    }
}

/// Tiles of each kind of sample, in every format, and the accumulator's.
fn check(warp_group: bool, tiles: u64) {
    let mut core = TensorCore::new();
    let mut random = SplitMix64(7);
    for (a, k) in FLOATS {
        for sum in [Accumulator::F32, Accumulator::F16] {
            if sum == Accumulator::F16 && matches!(a, Factor::Bf16 | Factor::Tf32) {
                continue;
            }
            for tile in 0..tiles {
                let (m, n) = (16, 8);
                let product = Product { m, n, k, a, b: a, sum, warp_group };
                let kind = tile % 5;
                let mut some = |count, format, kind| -> Vec<u32> {
                    (0..count).map(|_| sample(&mut random, format, kind)).collect()
                };
                let (x, y) = (some(m * k, a, kind), some(k * n, a, kind));
                let of_sum = if sum == Accumulator::F16 { Factor::F16 } else { Factor::Tf32 };
                let before = some(m * n, of_sum, tile / 5 % 5);
                let mut after = before.clone();
                core.multiply(&product, &x, &y, &mut after);
                let narrow = warp_group && a.bits() == 8;
                let (kept, digits) = if narrow { (13, 13) } else { (25, 23) };
                for at in 0..m * n {
                    let (i, j) = (at / n, at % n);
                    let pairs: Vec<_> = (0..k).map(|l| (x[i * k + l], y[l * n + j])).collect();
                    let steps = |pairs: &[(u32, u32)], c| {
                        let steps = pairs.chunks(if narrow { k } else { 16 });
                        steps.fold(c, |c, pairs| dot(&product, kept, digits, pairs, c))
                    };
                    let expected = if a.bits() == 8 && !warp_group {
                        let half = |upper: bool| -> Vec<_> {
                            let each = pairs.iter().enumerate();
                            each.filter(|(l, _)| l % 4 / 2 == usize::from(upper))
                                .map(|(_, pair)| *pair)
                                .collect()
                        };
                        let lower = steps(&half(false), 0);
                        added(sum, before[at], steps(&half(true), lower))
                    } else {
                        steps(&pairs, before[at])
                    };
                    assert_eq!(
                        after[at], expected,
                        "{a} {sum} tile {tile}: {:x} is not {expected:x}; {pairs:x?} + {:x}",
                        after[at], before[at]
                    );
                }
            }
        }
    }
}

#[test]
fn products_of_mma_are_the_models() {
    check(false, 50);
}

#[test]
fn products_of_wgmma_are_the_models() {
    check(true, 50);
}

/// One element `1 * x + c`, the other products zero.
fn one(format: Factor, sum: Accumulator, pairs: &[(u32, u32)], c: u32, warp_group: bool) -> u32 {
    let k = if format == Factor::E4m3 { 32 } else { 16 };
    let (mut a, mut b) = (vec![0; k], vec![0; k * 8]);
    for (l, &(x, y)) in pairs.iter().enumerate() {
        (a[l], b[l * 8]) = (x, y);
    }
    let mut sums = [c, 0, 0, 0, 0, 0, 0, 0];
    let product = Product { m: 1, n: 8, k, a: format, b: format, sum, warp_group };
    TensorCore::new().multiply(&product, &a, &b, &mut sums);
    sums[0]
}

#[test]
fn terms_are_cut_off_below_the_largest() {
    const ONE: u32 = 0x3F80;
    let tiny = |e: u32| (127 - e) << 7; // 2^-e
    let f32_of = |bits| f64::from(f32::from_bits(bits));
    let sum = |pairs: &[(u32, u32)], c: f32| {
        f32_of(one(Factor::Bf16, Accumulator::F32, pairs, c.to_bits(), false))
    };
    // 2^-25 is the last bit that is kept: two of them reach the last bit but one of a sum below 2.
    let two = [(ONE, ONE), (ONE, tiny(24)), (ONE, tiny(24))];
    assert_eq!(sum(&two, 0.0), 1.0 + 2f64.powi(-23));
    let four = [(ONE, ONE), (ONE, tiny(25)), (ONE, tiny(25)), (ONE, tiny(25)), (ONE, tiny(25))];
    assert_eq!(sum(&four, 0.0), 1.0 + 2f64.powi(-23));
    // 2^-26 is lost, however many there are.
    let lost = [(ONE, tiny(26)); 15];
    assert_eq!(sum(&lost, 1.0), 1.0);
    // Cancellation shows what was lost.
    let cancelled = [(ONE, ONE), (0xBF80, ONE), (ONE, tiny(26))];
    assert_eq!(sum(&cancelled, 0.0), 0.0);
    assert_eq!(sum(&[(ONE, ONE), (0xBF80, ONE), (ONE, tiny(25))], 0.0), 2f64.powi(-25));
    // Toward zero.
    assert_eq!(sum(&[(ONE, tiny(24)), (ONE, tiny(25))], 1.0), 1.0);
    assert_eq!(sum(&[(0xBF80, tiny(24))], -1.0), -1.0);
}

/// What an H100 gave: -3362 units of the smallest subnormal, and a product of less than a thousandth of one.
#[test]
fn terms_are_cut_off_below_the_smallest_numbers() {
    let pairs = [
        (0x8100_11B9, 0x3952_3EBF),
        (0x0064_597E, 0xA691_4474),
        (0x8047_362E, 0x99AD_0B5B),
        (0x003E_DDA2, 0x2EB6_A300),
    ];
    let sum = one(Factor::Tf32, Accumulator::F32, &pairs, 0x8000_0000, false);
    assert_eq!(sum, 0x8000_0D22);
}

#[test]
fn eight_bit_floats_keep_thirteen_bits_in_wgmma() {
    let one_e4m3 = 0x38;
    let sum = |c: f32, warp_group| {
        let pairs = [(one_e4m3, one_e4m3)];
        f32::from_bits(one(Factor::E4m3, Accumulator::F32, &pairs, c.to_bits(), warp_group))
    };
    let small = 2f32.powi(-14);
    assert_eq!(sum(small, false), 1.0 + small);
    assert_eq!(sum(small, true), 1.0);
    assert_eq!(sum(2.0 * small, true), 1.0 + 2.0 * small);
}

#[test]
fn special_values() {
    let (one_, infinity, nan) = (0x3F80, 0x7F80, 0x7FC0);
    let sum = |pairs: &[(u32, u32)], c: u32| one(Factor::Bf16, Accumulator::F32, pairs, c, false);
    const CANONICAL: u32 = 0x7FFF_FFFF;
    assert_eq!(sum(&[(one_, infinity)], 0), 0x7F80_0000);
    assert_eq!(sum(&[(0xBF80, infinity)], 0), 0xFF80_0000);
    assert_eq!(sum(&[(0, infinity)], 0), CANONICAL);
    assert_eq!(sum(&[(one_, infinity), (one_, 0xFF80)], 0), CANONICAL);
    assert_eq!(sum(&[(one_, infinity)], 0xFF80_0000), CANONICAL);
    assert_eq!(sum(&[(one_, nan)], 0), CANONICAL);
    assert_eq!(sum(&[(one_, one_)], 0x7FC0_1234), CANONICAL);
    assert_eq!(sum(&[(one_, one_)], 0xFF80_0000), 0xFF80_0000);
    // Beyond the largest number, and exactly minus zero.
    assert_eq!(sum(&[(0x7F00, 0x4000)], 0), 0x7F80_0000);
    assert_eq!(sum(&[(0x8000, one_)], 0x8000_0000), 0);
    // An infinity beside a sum that is too large.
    assert_eq!(sum(&[(0x7F00, 0x4000), (one_, 0xFF80)], 0), 0xFF80_0000);
}

#[test]
fn integers_wrap_or_saturate() {
    let tile = |sum, a, b, x: u32, y: u32, c: i32| {
        let product = Product { m: 1, n: 8, k: 16, a, b, sum, warp_group: false };
        let mut sums = [c as u32; 8];
        TensorCore::new().multiply(&product, &[x; 16], &[y; 128], &mut sums);
        sums[3] as i32
    };
    use Accumulator::{S32, S32Sat};
    assert_eq!(tile(S32, Factor::S8, Factor::U8, 0x80, 0xFF, 5), -128 * 255 * 16 + 5);
    assert_eq!(tile(S32, Factor::U8, Factor::U8, 0xFF, 0xFF, i32::MAX), i32::MIN + 1_040_399);
    assert_eq!(tile(S32Sat, Factor::U8, Factor::U8, 0xFF, 0xFF, i32::MAX), i32::MAX);
    assert_eq!(tile(S32Sat, Factor::S4, Factor::U4, 8, 15, i32::MIN), i32::MIN);
    assert_eq!(tile(S32, Factor::S4, Factor::U4, 8, 15, 0), -8 * 15 * 16);
}

#[test]
fn binary64_is_a_chain_of_fused_multiply_adds() {
    let tiny = 2f64.powi(-60);
    let a = [1.0 + 2f64.powi(-52), 1.0].map(f64::to_bits);
    let b = [1.0 - 2f64.powi(-53), tiny].map(f64::to_bits);
    let mut sums = [(-1.0f64).to_bits()];
    multiply_f64((1, 1, 2), &a, &b, &mut sums);
    let first = (1.0 + 2f64.powi(-52)).mul_add(1.0 - 2f64.powi(-53), -1.0);
    assert_eq!(f64::from_bits(sums[0]), first + tiny);
}
