//! Matrix multiplication: c = a b, row-major, of any shape.
//!
//! - [`Kernels::matmul_f32`] multiplies in full single precision, without tensor cores.
//! - [`Kernels::matmul_16`] multiplies bf16 or f16 on the tensor cores and adds up in single
//!   precision; the result is rounded once.
//!
//! The order of additions depends on the shapes alone, so every run gives the same bits.

mod fp32;
mod half_precision;
mod tensor_core;

pub use half_precision::{Half, bf16, f16};

pub(crate) use fp32::programs as single_programs;
pub(crate) use tensor_core::{HopperTiling, ampere_programs, hopper, pad};

use crate::{Error, Shape};

/// The longest side: the kernels use 32-bit indices and round up to tiles.
const MOST: usize = 1 << 30;

/// Rows of a, columns of both and columns of b.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
}

/// The shapes of a product fit each other.
///
/// # Errors
/// Which argument does not fit, and to what.
fn sizes(a: Shape, b: Shape, c: Shape) -> Result<Sizes, Error> {
    for (name, shape) in [("a", a), ("b", b), ("c", c)] {
        shape.check(name)?;
        shape.check_sides(name, MOST)?;
    }
    let misfit = |name, what: &str, has: usize, needs: usize| {
        let why = format!("has {has} {what}, and the product needs {needs}");
        Err(Error::Argument { name, why })
    };
    if b.rows != a.columns {
        return misfit("b", "rows", b.rows, a.columns);
    }
    if c.rows != a.rows {
        return misfit("c", "rows", c.rows, a.rows);
    }
    if c.columns != b.columns {
        return misfit("c", "columns", c.columns, b.columns);
    }
    Ok(Sizes { m: a.rows as u32, n: b.columns as u32, k: a.columns as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_named() {
        let shape = Shape::new;
        let fits = sizes(shape(2, 3), shape(3, 4), shape(2, 4).strided(9));
        assert_eq!(fits, Ok(Sizes { m: 2, n: 4, k: 3 }));
        let said = |a, b, c| sizes(a, b, c).unwrap_err().to_string();
        assert_eq!(
            said(shape(2, 3), shape(2, 4), shape(2, 4)),
            "`b` has 2 rows, and the product needs 3"
        );
        assert_eq!(
            said(shape(2, 3), shape(3, 4), shape(2, 5)),
            "`c` has 5 columns, and the product needs 4"
        );
        assert!(said(shape(2, 3), shape(3, 4), shape(3, 4)).starts_with("`c` has 3 rows"));
        assert!(said(shape(2, 3).strided(2), shape(3, 4), shape(2, 4)).contains("overlap"));
        assert!(said(shape(MOST + 1, 0), shape(0, 4), shape(MOST + 1, 4)).contains("a side"));
    }
}
