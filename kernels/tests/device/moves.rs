//! What reads each number once and writes it once: copies, transposes, rows, the pipeline.

use crate::{Test, handle, noise, refusal};
use kernels::elementwise::Activation;
use kernels::pipeline::Pipeline;
use kernels::{Error, Shape};
use libtest_mimic::Failed;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("copies_of_any_type_and_place", copies_of_any_type_and_place),
    ("activations", activations),
    ("transposes_of_any_shape", transposes_of_any_shape),
    ("transposes_of_every_size", transposes_of_every_size),
    ("softmax_of_any_row", softmax_of_any_row),
    ("softmax_of_the_infinite", softmax_of_the_infinite),
    ("layernorm_of_any_row", layernorm_of_any_row),
    ("layernorm_of_many_long_rows", layernorm_of_many_long_rows),
    ("a_transpose_of_more_than_2_to_the_31", a_transpose_of_more_than_2_to_the_31),
    ("rows_of_more_than_2_to_the_31", rows_of_more_than_2_to_the_31),
    ("what_does_not_fit_is_refused", what_does_not_fit_is_refused),
    ("a_pipeline_moves_everything_once", a_pipeline_moves_everything_once),
    ("a_pipeline_that_has_no_room", a_pipeline_that_has_no_room),
];

/// What no kernel gives.
const POISON: f32 = -1234.5;

fn copies_of_any_type_and_place() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let host: Vec<u8> = (0..100_003u32).map(|i| (i * 7 % 251) as u8).collect();
    let from = stream.clone_htod(&host)?;
    for (begin, end) in [(0, 100_003), (0, 100_000), (1, 100_003), (16, 17), (4, 5000), (5, 5)] {
        let mut to = stream.clone_htod(&vec![255u8; end - begin + 1])?;
        kernels.copy(&from.slice(begin..end), &mut to)?;
        let got = stream.clone_dtoh(&to)?;
        assert!(got[..end - begin] == host[begin..end], "{begin}..{end}");
        assert_eq!(got[end - begin], 255, "beyond the end");
    }
    Ok(())
}

fn activations() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let mut host = noise(4 * 1001, 1);
    host[5] = f32::NAN;
    let bias = noise(1001, 2);
    let from = stream.clone_htod(&host)?;
    let mut to = stream.clone_htod(&vec![POISON; host.len()])?;
    kernels.relu(&from, &mut to)?;
    for (x, y) in host.iter().zip(stream.clone_dtoh(&to)?) {
        assert!(if x.is_nan() { y.is_nan() } else { y == x.max(0.0) }, "{x} became {y}");
    }
    kernels.activation(Activation::Gelu, &from, &mut to)?;
    let gelu = stream.clone_dtoh(&to)?;
    assert!((gelu[0] - gelu_of(host[0])).abs() < 1e-6);
    // Rows of 1001 begin anywhere; rows of 1000 at multiples of 16 bytes.
    for columns in [1001, 1000] {
        let rows = &host[..4 * columns];
        let on_device = stream.clone_htod(&bias[..columns])?;
        kernels.bias_activation(
            Activation::Relu,
            &from.slice(..4 * columns),
            &on_device,
            &mut to,
        )?;
        let got = stream.clone_dtoh(&to)?;
        for (i, x) in rows.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
            assert_eq!(got[i], (x + bias[i % columns]).max(0.0), "element {i}");
        }
    }
    Ok(())
}

/// By the series of the error function, which is short for small numbers.
fn gelu_of(x: f32) -> f32 {
    let z = f64::from(x) / std::f64::consts::SQRT_2;
    let (mut term, mut sum) = (z, z);
    for n in 1..40 {
        term *= -z * z / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    (f64::from(x) / 2.0 * (1.0 + sum * 2.0 / std::f64::consts::PI.sqrt())) as f32
}

fn transposes_of_any_shape() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let shapes =
        [(1, 1), (1, 1000), (1000, 1), (64, 64), (65, 63), (128, 192), (333, 500), (500, 332)];
    for (rows, columns) in shapes {
        for gap in [0, 1, 8] {
            let shape = Shape::new(rows, columns).strided(columns + gap);
            let host = noise(shape.elements().unwrap_or(0), 9);
            let from = stream.clone_htod(&host)?;
            let turned = Shape::new(columns, rows).strided(rows + gap);
            let size = turned.elements().unwrap_or(0) + 3;
            let mut to = stream.clone_htod(&vec![POISON; size])?;
            kernels.transpose(&from, shape, &mut to, turned.stride)?;
            let mut expected = vec![POISON; size];
            for r in 0..rows {
                for c in 0..columns {
                    expected[c * turned.stride + r] = host[r * shape.stride + c];
                }
            }
            assert!(stream.clone_dtoh(&to)? == expected, "{rows} x {columns}, gaps of {gap}");
        }
    }
    Ok(())
}

fn transposes_of_every_size() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    macro_rules! of {
        ($type:ty) => {
            for (rows, columns) in [(256usize, 128usize), (97, 131)] {
                let host: Vec<$type> = (0..rows * columns).map(|i| i as $type).collect();
                let from = stream.clone_htod(&host)?;
                let mut to = stream.alloc_zeros::<$type>(host.len())?;
                kernels.transpose(&from, Shape::new(rows, columns), &mut to, rows)?;
                let got = stream.clone_dtoh(&to)?;
                let right = (0..host.len()).all(|i| got[i] == host[i % rows * columns + i / rows]);
                assert!(right, "{rows} x {columns} of {}", stringify!($type));
            }
        };
    }
    of!(u8);
    of!(u16);
    of!(u32);
    of!(u64);
    Ok(())
}

/// Lengths on both sides of every change of shape.
const ROWS: [usize; 16] =
    [1, 3, 4, 100, 128, 129, 500, 1024, 2047, 2048, 4097, 8192, 16_388, 32_768, 65_536, 70_001];

fn close(got: &[f32], expected: &[f64], what: &str) {
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!(
            (f64::from(*g) - e).abs() <= 2e-5 * e.abs().max(1e-3),
            "{what} at {i}: {g} for {e}"
        );
    }
}

fn softmax_of_any_row() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    for columns in ROWS {
        for gap in [0, 1, 4] {
            let shape = Shape::new(3, columns).strided(columns + gap);
            let host: Vec<f32> =
                noise(shape.elements().unwrap_or(0), 21).iter().map(|x| x * 20.0).collect();
            let from = stream.clone_htod(&host)?;
            let mut to = stream.clone_htod(&vec![POISON; 3 * shape.stride])?;
            kernels.softmax(&from, shape, &mut to, shape.stride)?;
            let got = stream.clone_dtoh(&to)?;
            for (row, got) in got.chunks(shape.stride).enumerate() {
                let x = &host[row * shape.stride..][..columns];
                let most = x.iter().copied().fold(f32::MIN, f32::max);
                let e: Vec<f64> = x.iter().map(|x| f64::from(x - most).exp()).collect();
                let sum: f64 = e.iter().sum();
                let expected: Vec<f64> = e.iter().map(|e| e / sum).collect();
                close(&got[..columns], &expected, &format!("row {row} of {columns} + {gap}"));
                assert!(got[columns..].iter().all(|x| *x == POISON), "a gap was written");
            }
        }
    }
    Ok(())
}

fn softmax_of_the_infinite() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let host = [[0.0, -inf, 0.0, -inf], [1.0, nan, 2.0, 3.0], [inf, 0.0, 0.0, 0.0], [-inf; 4]];
    let from = stream.clone_htod(host.as_flattened())?;
    let mut to = stream.alloc_zeros::<f32>(16)?;
    kernels.softmax(&from, Shape::new(4, 4), &mut to, 4)?;
    let got = stream.clone_dtoh(&to)?;
    assert_eq!(got[..4], [0.5, 0.0, 0.5, 0.0]);
    assert!(got[4..8].iter().all(|x| x.is_nan()), "{got:?}");
    assert!(got[8].is_nan() && got[12..].iter().all(|x| x.is_nan()), "{got:?}");
    Ok(())
}

fn layernorm_of_any_row() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    for columns in ROWS {
        for gap in [0, 3] {
            let shape = Shape::new(3, columns).strided(columns + gap);
            // A mean far from zero is what a single pass over the squares would fail at.
            let host: Vec<f32> =
                noise(shape.elements().unwrap_or(0), 31).iter().map(|x| x + 100.0).collect();
            let (gain, bias) = (noise(columns, 32), noise(columns, 33));
            let from = stream.clone_htod(&host)?;
            let (g, b) = (stream.clone_htod(&gain)?, stream.clone_htod(&bias)?);
            let mut to = stream.clone_htod(&vec![POISON; 3 * shape.stride])?;
            kernels.layernorm(&from, shape, &g, &b, 1e-5, &mut to, shape.stride)?;
            let got = stream.clone_dtoh(&to)?;
            for (row, got) in got.chunks(shape.stride).enumerate() {
                let expected = normal(&host[row * shape.stride..][..columns], &gain, &bias);
                for (c, expected) in expected.into_iter().enumerate() {
                    let off = (f64::from(got[c]) - expected).abs();
                    assert!(off < 2e-4, "row {row} of {columns} at {c}: {} for {expected}", got[c]);
                }
                assert!(got[columns..].iter().all(|x| *x == POISON), "a gap was written");
            }
        }
    }
    Ok(())
}

/// A row's layernorm in double precision.
fn normal(x: &[f32], gain: &[f32], bias: &[f32]) -> Vec<f64> {
    let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let scale = 1.0 / (variance + 1e-5).sqrt();
    let one = |(c, x): (usize, &f64)| (x - mean) * scale * f64::from(gain[c]) + f64::from(bias[c]);
    x.iter().enumerate().map(one).collect()
}

/// More rows than are handed out at the start, more than once: each launch leaves the counter as it was.
fn layernorm_of_many_long_rows() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    for (columns, gap, rows) in [(65_536, 0, 131), (40_004, 4, 131), (32_772, 8, 7), (36_000, 0, 1)]
    {
        let shape = Shape::new(rows, columns).strided(columns + gap);
        let mut host: Vec<f32> = noise(rows * shape.stride, 51).iter().map(|x| x + 100.0).collect();
        host[..columns].fill(3.5); // a variance of nothing
        host[shape.stride * (rows / 2)] = f32::NAN;
        let (gain, bias) = (noise(columns, 52), noise(columns, 53));
        let from = stream.clone_htod(&host)?;
        let (g, b) = (stream.clone_htod(&gain)?, stream.clone_htod(&bias)?);
        for _ in 0..3 {
            let mut to = stream.clone_htod(&vec![POISON; host.len()])?;
            kernels.layernorm(&from, shape, &g, &b, 1e-5, &mut to, shape.stride)?;
            let got = stream.clone_dtoh(&to)?;
            for (row, got) in got.chunks(shape.stride).enumerate() {
                let expected = normal(&host[row * shape.stride..][..columns], &gain, &bias);
                for (c, (got, expected)) in got.iter().zip(&expected).enumerate() {
                    let off = (f64::from(*got) - expected).abs();
                    let right = off < 2e-4 || got.is_nan() && expected.is_nan();
                    assert!(right, "row {row} of {columns} at {c}: {got} for {expected}");
                }
                assert!(got[columns..].iter().all(|x| *x == POISON), "a gap was written");
            }
        }
    }
    Ok(())
}

/// What is at `i` in an array that repeats `piece` throughout.
fn repeated<T: Copy>(piece: &[T], i: usize) -> T {
    piece[i % piece.len()]
}

fn a_transpose_of_more_than_2_to_the_31() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let (rows, columns) = (65_536, 32_800);
    let count = rows * columns;
    // A prime length, so that no row begins as another does.
    let piece: Vec<u8> =
        (0..4_194_301u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut from = stream.alloc_zeros::<u8>(count)?;
    for at in (0..count).step_by(piece.len()) {
        let length = piece.len().min(count - at);
        stream.memcpy_htod(&piece[..length], &mut from.slice_mut(at..at + length))?;
    }
    let mut to = stream.alloc_zeros::<u8>(count)?;
    kernels.transpose(&from, Shape::new(rows, columns), &mut to, rows)?;
    for at in [0, (1 << 31) - 100_000, 1 << 31, count - 200_000] {
        let got = stream.clone_dtoh(&to.slice(at..at + 200_000.min(count - at)))?;
        for (i, got) in (at..).zip(got) {
            let place = i % rows * columns + i / rows;
            assert_eq!(got, repeated(&piece, place), "at {i}");
        }
    }
    Ok(())
}

fn rows_of_more_than_2_to_the_31() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let piece = noise(16_777_213, 61);
    let mut from = stream.alloc_zeros::<f32>((1 << 31) + (1 << 20))?;
    for at in (0..from.len()).step_by(piece.len()) {
        let length = piece.len().min(from.len() - at);
        stream.memcpy_htod(&piece[..length], &mut from.slice_mut(at..at + length))?;
    }
    let mut to = stream.alloc_zeros::<f32>(from.len())?;
    for columns in [1024, 16_384, 65_536] {
        let shape = Shape::new(from.len() / columns, columns);
        let (gain, bias) = (noise(columns, 62), noise(columns, 63));
        let (g, b) = (stream.clone_htod(&gain)?, stream.clone_htod(&bias)?);
        let some = [0, (1 << 31) / columns - 1, (1 << 31) / columns, shape.rows - 1];
        let row = |r: usize| -> Vec<f32> {
            (0..columns).map(|c| repeated(&piece, r * columns + c)).collect()
        };
        kernels.layernorm(&from, shape, &g, &b, 1e-5, &mut to, columns)?;
        for r in some {
            let got = stream.clone_dtoh(&to.slice(r * columns..(r + 1) * columns))?;
            let right = normal(&row(r), &gain, &bias);
            let off = got.iter().zip(right).map(|(g, e)| (f64::from(*g) - e).abs());
            assert!(off.fold(0.0, f64::max) < 2e-4, "layernorm of row {r} of {columns}");
        }
        kernels.softmax(&from, shape, &mut to, columns)?;
        for r in some {
            let got = stream.clone_dtoh(&to.slice(r * columns..(r + 1) * columns))?;
            let e: Vec<f64> = row(r).iter().map(|x| f64::from(*x).exp()).collect();
            let sum: f64 = e.iter().sum();
            let expected: Vec<f64> = e.iter().map(|e| e / sum).collect();
            close(&got, &expected, &format!("softmax of row {r} of {columns}"));
        }
    }
    Ok(())
}

fn what_does_not_fit_is_refused() -> Result<(), Failed> {
    let kernels = handle()?;
    let stream = kernels.stream();
    let from = stream.alloc_zeros::<f32>(100)?;
    let mut to = stream.alloc_zeros::<f32>(99)?;
    let said = refusal(kernels.copy(&from, &mut to))?;
    assert_eq!(said, "`to` has 99 elements, and its shape needs 100");
    let said = refusal(kernels.transpose(&from, Shape::new(10, 11), &mut to, 10))?;
    assert_eq!(said, "`from` has 100 elements, and its shape needs 110");
    let said = refusal(kernels.softmax(&from, Shape::new(3, 10), &mut to, 9))?;
    assert!(said.starts_with("`to` has rows of 10 elements that begin 9 apart"), "{said}");
    // The same memory under two names, as views of raw pointers can have it.
    let size = from.num_bytes();
    let pointer = {
        use cudarc::driver::DevicePtr;
        from.device_ptr(stream).0
    };
    // SAFETY: the memory is there; the kernel is refused and touches nothing; it is leaked below so
    // that it is freed once.
    let mut same = unsafe { stream.upgrade_device_ptr::<f32>(pointer, size / 4) };
    let said = refusal(kernels.copy(&from, &mut same));
    std::mem::forget(from);
    assert_eq!(said?, "`to` overlaps `from`; they must not share memory");
    Ok(())
}

fn a_pipeline_moves_everything_once() -> Result<(), Failed> {
    let context = kernels::open(0)?;
    for (count, piece, slots) in [(0, 10, 2), (1, 10, 3), (1000, 10, 3), (1001, 64, 4), (5, 100, 1)]
    {
        let host = noise(count, 40);
        let mut out = vec![POISON; count + 1];
        let mut pipeline = Pipeline::<f32>::new(&context, slots, piece)?;
        let mut seen = 0;
        pipeline.run(&host, &mut out, |stream, at, part| {
            assert_eq!(at, seen);
            seen += part.len();
            let doubled: Vec<f32> =
                stream.clone_dtoh(&part.as_view())?.iter().map(|x| x * 2.0).collect();
            Ok(stream.memcpy_htod(&doubled, part)?)
        })?;
        assert!(host.iter().zip(&out).all(|(x, y)| *y == x * 2.0), "{count} in pieces of {piece}");
        assert_eq!(out[count], POISON);
        let failed =
            pipeline.run(&host, &mut out, |_, _, _| Err(Error::Unsupported("no".to_owned())));
        assert!(failed.is_err() || count == 0);
    }
    Ok(())
}

fn a_pipeline_that_has_no_room() -> Result<(), Failed> {
    let context = kernels::open(0)?;
    let refused = |piece| match Pipeline::<f32>::new(&context, 2, piece) {
        Ok(_) => Err(Failed::from("there should be no room")),
        Err(error) => Ok(error.to_string()),
    };
    let said = refused(1 << 42)?;
    assert!(said.starts_with("`piece` needs 17592186044416 bytes on the device, and "), "{said}");
    let said = refused(usize::MAX / 2)?;
    assert!(said.starts_with("`piece` needs 9223372036854775807 elements"), "{said}");
    Ok(())
}
