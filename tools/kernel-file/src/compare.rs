//! Compares outputs with the expected values.
//!
//! Integers are compared exactly, floats within the file's tolerance. Without one, floats are
//! compared exactly too, but a NaN equals a NaN and -0 equals 0.

use crate::directive::Tolerance;
use crate::fill::ElementType;
use crate::plan::PlannedArray;

/// The first element that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its index.
    pub index: u64,
    /// `out[3]: expected 17, got 16; 12 of 128 elements differ`.
    pub message: String,
}

/// Compares the elements at `indices`; `expected` holds one value for each of them.
///
/// # Errors
/// If an element differs.
pub fn compare(
    array: &PlannedArray,
    tolerance: Tolerance,
    got: &[u8],
    indices: &[u64],
    expected: &[u8],
) -> Result<(), Difference> {
    let size = array.element.bytes();
    let mut wrong = 0usize;
    let mut first = None;
    for (index, wanted) in indices.iter().zip(expected.chunks_exact(size)) {
        let start = *index as usize * size;
        let value = got.get(start..start + size).unwrap_or(&[]);
        if !equal(array.element, tolerance, value, wanted) {
            wrong += 1;
            first.get_or_insert((*index, value, wanted));
        }
    }
    let Some((index, value, wanted)) = first else { return Ok(()) };
    let of = indices.len();
    let checked = if of == array.count { "" } else { " checked" };
    let message = format!(
        "{}[{index}]: expected {}, got {}; {wrong} of {of}{checked} {} {}",
        array.name,
        show(array.element, wanted),
        show(array.element, value),
        if of == 1 { "element" } else { "elements" },
        if wrong == 1 { "differs" } else { "differ" },
    );
    Err(Difference { index, message })
}

fn equal(element: ElementType, tolerance: Tolerance, got: &[u8], wanted: &[u8]) -> bool {
    if got.len() != wanted.len() {
        return false;
    }
    if !element.is_float() || got == wanted {
        return got == wanted;
    }
    let (got, wanted) = (element.to_float(got), element.to_float(wanted));
    if !got.is_finite() || !wanted.is_finite() {
        return got == wanted || (got.is_nan() && wanted.is_nan());
    }
    (got - wanted).abs() <= tolerance.abs + tolerance.rel * wanted.abs()
}

/// An element as messages show it.
pub fn show(element: ElementType, bytes: &[u8]) -> String {
    match element {
        _ if bytes.len() != element.bytes() => "nothing".to_owned(),
        ElementType::F16 | ElementType::BF16 | ElementType::F32 => {
            (element.to_float(bytes) as f32).to_string()
        }
        ElementType::F64 => element.to_float(bytes).to_string(),
        _ => element.to_integer(bytes).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directive::Role;
    use crate::fill::Fill;

    fn array(element: ElementType, count: usize) -> PlannedArray {
        let (name, fill) = ("out".to_owned(), Fill::Poison);
        PlannedArray { name, role: Role::Output, element, count, fill, seed: 0 }
    }

    #[test]
    fn integers_are_exact() {
        let got: Vec<u8> = [1u8, 2, 3, 255].to_vec();
        let all = [0, 1, 2, 3];
        let out = array(ElementType::I8, 4);
        assert_eq!(compare(&out, Tolerance::default(), &got, &all, &[1, 2, 3, 255]), Ok(()));
        assert_eq!(
            compare(&out, Tolerance::default(), &got, &all, &[1, 2, 4, 0]),
            Err(Difference {
                index: 2,
                message: "out[2]: expected 4, got 3; 2 of 4 elements differ".to_owned()
            })
        );
        assert_eq!(
            compare(&out, Tolerance::default(), &got, &[3], &[1]),
            Err(Difference {
                index: 3,
                message: "out[3]: expected 1, got -1; 1 of 1 checked element differs".to_owned()
            })
        );
    }

    #[test]
    fn floats_lie_within_the_stated_bound_and_no_further() {
        let bytes = |v: f32| v.to_le_bytes().to_vec();
        let out = array(ElementType::F32, 1);
        let at = |abs, rel, got: f32, wanted: f32| {
            compare(&out, Tolerance { abs, rel }, &bytes(got), &[0], &bytes(wanted)).is_ok()
        };
        assert!(at(0.0, 0.0, -0.0, 0.0));
        assert!(!at(0.0, 0.0, 1.0, 1.0 + f32::EPSILON));
        assert!(at(0.0, 1e-5, 100_000.0, 100_000.5));
        assert!(!at(0.0, 1e-5, 100_000.0, 100_002.0));
        assert!(at(1e-5, 0.0, 0.0, 1e-6));
        assert!(at(0.0, 0.0, f32::NAN, f32::NAN));
        assert!(!at(1.0, 1.0, f32::NAN, 1.0));
        assert!(!at(1.0, 0.5, f32::INFINITY, 1.0));
        assert!(!at(1.0, 0.5, 1.0, f32::INFINITY));
        assert!(at(0.0, 0.0, f32::INFINITY, f32::INFINITY));
        let halves = array(ElementType::F16, 1);
        let tolerance = Tolerance { abs: 0.0, rel: 1e-3 };
        // 1 against its right neighbour and the one behind it.
        let (one, next, third) = ([0x00, 0x3C], [0x01, 0x3C], [0x02, 0x3C]);
        assert_eq!(compare(&halves, tolerance, &next, &[0], &one), Ok(()));
        let message = compare(&halves, tolerance, &third, &[0], &one).unwrap_err().message;
        assert!(message.starts_with("out[0]: expected 1, got 1.0019531;"), "{message}");
    }
}
