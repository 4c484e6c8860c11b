//! Products of matrices.

use crate::{Test, handle, noise, refusal};
use half::{bf16, f16};
use kernels::matmul::Half;
use kernels::{Kernels, Shape};
use libtest_mimic::Failed;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("single_products_of_any_shape", single_products_of_any_shape),
    ("half_products_of_any_shape", half_products_of_any_shape),
    ("large_products", large_products),
    ("products_of_nothing", products_of_nothing),
    ("products_that_do_not_fit", products_that_do_not_fit),
    ("a_copy_that_has_no_room", a_copy_that_has_no_room),
];

/// m, n, k; each with every gap.
const SHAPES: [(usize, usize, usize); 9] = [
    (1, 1, 1),
    (1, 300, 5),
    (300, 1, 65),
    (17, 33, 64),
    (64, 64, 64),
    (128, 256, 72),
    (130, 260, 100),
    (257, 129, 333),
    (300, 520, 136),
];
/// With a gap of 7 some rows are no whole number of 16 bytes and begin at one all the same.
const GAPS: [usize; 4] = [0, 3, 7, 8];
const POISON: f32 = -1234.5;

/// Rows of a times columns of b, in float64, and the same of their sizes.
fn expected(a: &[f32], sa: Shape, b: &[f32], sb: Shape) -> (Vec<f64>, Vec<f64>) {
    let mut sums = vec![0.0; sa.rows * sb.columns];
    let mut sizes = sums.clone();
    for r in 0..sa.rows {
        for i in 0..sa.columns {
            let x = f64::from(a[r * sa.stride + i]);
            for c in 0..sb.columns {
                let product = x * f64::from(b[i * sb.stride + c]);
                sums[r * sb.columns + c] += product;
                sizes[r * sb.columns + c] += product.abs();
            }
        }
    }
    (sums, sizes)
}

fn single_products_of_any_shape() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    for (m, n, k) in SHAPES {
        for gap in GAPS {
            let (sa, sb) = (Shape::new(m, k).strided(k + gap), Shape::new(k, n).strided(n + gap));
            let sc = Shape::new(m, n).strided(n + gap);
            let (a, b) = (noise(m * sa.stride, 1), noise(k * sb.stride, 2));
            let (da, db) = (stream.clone_htod(&a)?, stream.clone_htod(&b)?);
            let mut dc = stream.clone_htod(&vec![POISON; m * sc.stride])?;
            kernels.matmul_f32(&da, sa, &db, sb, &mut dc, sc)?;
            let got = stream.clone_dtoh(&dc)?;
            let (sums, sizes) = expected(&a, sa, &b, sb);
            for (i, (sum, size)) in sums.iter().zip(sizes).enumerate() {
                let g = got[i / n * sc.stride + i % n];
                let off = (f64::from(g) - sum).abs();
                assert!(off <= 1e-5 * size, "{m} x {n} x {k} + {gap} at {i}: {g} for {sum}");
            }
            let gaps = got.chunks(sc.stride).flat_map(|row| &row[n..]);
            assert!(gaps.into_iter().all(|x| *x == POISON), "a gap was written");
        }
    }
    Ok(())
}

fn half_products_of_any_shape() -> Result<(), Failed> {
    let kernels = handle()?;
    half_products::<bf16>(&kernels, 1.0 / 256.0)?;
    half_products::<f16>(&kernels, 1.0 / 2048.0)
}

fn half_products<T: Half + PartialEq>(kernels: &Kernels, unit: f64) -> Result<(), Failed> {
    let stream = kernels.stream();
    for (m, n, k) in SHAPES {
        for gap in GAPS {
            let (sa, sb) = (Shape::new(m, k).strided(k + gap), Shape::new(k, n).strided(n + gap));
            let sc = Shape::new(m, n).strided(n + gap);
            let half = |count, seed| -> Vec<T> {
                noise(count, seed).into_iter().map(T::from_f32).collect()
            };
            let (a, b) = (half(m * sa.stride, 3), half(k * sb.stride, 4));
            let (da, db) = (stream.clone_htod(&a)?, stream.clone_htod(&b)?);
            let wide = |x: &[T]| -> Vec<f32> { x.iter().map(|x| x.to_f32()).collect() };
            let (sums, sizes) = expected(&wide(&a), sa, &wide(&b), sb);
            let poison = T::from_f32(POISON);
            for sync in [false, true] {
                let mut dc = stream.clone_htod(&vec![poison; m * sc.stride])?;
                if sync {
                    kernels.matmul_16_sync(&da, sa, &db, sb, &mut dc, sc)?;
                } else {
                    kernels.matmul_16(&da, sa, &db, sb, &mut dc, sc)?;
                }
                let got = stream.clone_dtoh(&dc)?;
                for (i, (sum, size)) in sums.iter().zip(&sizes).enumerate() {
                    let g = f64::from(got[i / n * sc.stride + i % n].to_f32());
                    let close = (g - sum).abs() <= unit * sum.abs() + 1e-5 * size;
                    let what = T::NAME;
                    assert!(close, "{what} {m} x {n} x {k} + {gap} {sync} at {i}: {g} for {sum}");
                }
                let gaps = got.chunks(sc.stride).flat_map(|row| &row[n..]);
                assert!(gaps.into_iter().all(|x| *x == poison), "a gap was written");
            }
        }
    }
    Ok(())
}

/// Enough tiles for every shape of the kernels, and their paths held against each other.
fn large_products() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    for side in [1024, 2048, 2304] {
        let (sa, sb) = (Shape::new(side, 520), Shape::new(520, side));
        let sc = Shape::new(side, side);
        let half = |seed| -> Vec<bf16> {
            noise(side * 520, seed).into_iter().map(bf16::from_f32).collect()
        };
        let (a, b) = (half(5), half(6));
        let wide = |x: &[bf16]| -> Vec<f32> { x.iter().map(|x| x.to_f32()).collect() };
        let (wa, wb) = (stream.clone_htod(&wide(&a))?, stream.clone_htod(&wide(&b))?);
        let (a, b) = (stream.clone_htod(&a)?, stream.clone_htod(&b)?);
        let mut c = stream.clone_htod(&vec![bf16::from_f32(POISON); side * side])?;
        let mut wc = stream.clone_htod(&vec![POISON; side * side])?;
        kernels.matmul_16(&a, sa, &b, sb, &mut c, sc)?;
        kernels.matmul_f32(&wa, sa, &wb, sb, &mut wc, sc)?;
        let (c, wc) = (stream.clone_dtoh(&c)?, stream.clone_dtoh(&wc)?);
        for (i, (half, single)) in c.iter().zip(&wc).enumerate() {
            let off = (half.to_f32() - single).abs();
            assert!(off <= single.abs() / 250.0 + 1e-3, "{side} at {i}: {half:?}, {single}");
        }
    }
    Ok(())
}

fn products_of_nothing() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let (a, b) = (stream.alloc_zeros::<f32>(1)?, stream.alloc_zeros::<f32>(1)?);
    let mut c = stream.clone_htod(&[POISON; 6])?;
    kernels.matmul_f32(&a, Shape::new(2, 0), &b, Shape::new(0, 3), &mut c, Shape::new(2, 3))?;
    assert_eq!(stream.clone_dtoh(&c)?, [0.0; 6]);
    let (a, b) = (stream.alloc_zeros::<bf16>(1)?, stream.alloc_zeros::<bf16>(1)?);
    let mut c = stream.clone_htod(&[bf16::from_bits(7); 8])?;
    let gaps = Shape::new(2, 3).strided(4);
    kernels.matmul_16(&a, Shape::new(2, 0), &b, Shape::new(0, 3), &mut c, gaps)?;
    let got: Vec<u16> = stream.clone_dtoh(&c)?.iter().map(|x| x.to_bits()).collect();
    assert_eq!(got, [0, 0, 0, 7, 0, 0, 0, 7]);
    kernels.matmul_16(&a, Shape::new(0, 1), &b, Shape::new(1, 1), &mut c, Shape::new(0, 1))?;
    Ok(())
}

fn products_that_do_not_fit() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let a = stream.alloc_zeros::<f32>(12)?;
    let mut c = stream.alloc_zeros::<f32>(9)?;
    let (three, wide) = (Shape::new(3, 4), Shape::new(3, 4).strided(3));
    let turned = Shape::new(4, 3);
    let said = refusal(kernels.matmul_f32(&a, wide, &a, turned, &mut c, Shape::new(3, 3)))?;
    assert!(said.starts_with("`a` has rows of 4 elements that begin 3 apart"), "{said}");
    let said = refusal(kernels.matmul_f32(&a, three, &a, three, &mut c, Shape::new(3, 4)))?;
    assert_eq!(said, "`b` has 3 rows, and the product needs 4");
    let said =
        refusal(kernels.matmul_f32(&a, three, &a, turned, &mut c, Shape::new(3, 3).strided(5)))?;
    assert_eq!(said, "`c` has 9 elements, and its shape needs 13");
    Ok(())
}

/// Rows of 129 begin at no multiple of 16 bytes, so `a` is laid out anew: 2^30 rows of 136.
fn a_copy_that_has_no_room() -> Result<(), Failed> {
    use cudarc::driver::DevicePtr;
    let kernels = handle()?;
    let stream = kernels.stream();
    let shapes = [Shape::new(1 << 30, 129), Shape::new(129, 1), Shape::new(1 << 30, 1)];
    let memory = stream.alloc_zeros::<u16>(1024)?;
    let pointer = memory.device_ptr(stream).0;
    let most = 1u64 << 40;
    // SAFETY: so much memory is not there; the product is refused before anything touches it, and what
    // was not allocated is leaked below, not freed.
    let [a, b, mut c] = [0, 1, 2].map(|i| unsafe {
        let length = shapes[i].elements().unwrap_or(0);
        stream.upgrade_device_ptr::<bf16>(pointer + i as u64 * most, length)
    });
    let said = refusal(kernels.matmul_16(&a, shapes[0], &b, shapes[1], &mut c, shapes[2]));
    std::mem::forget((a, b, c));
    let said = said?;
    let needs = (1u64 << 30) * 136 * 2;
    assert!(said.starts_with(&format!("`a` needs {needs} bytes on the device, and ")), "{said}");
    Ok(())
}
