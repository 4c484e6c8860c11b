//! The shape of a row-major matrix in memory.

use crate::Error;

/// Rows and columns, and how far apart the rows begin.
///
/// ```
/// use kernels::Shape;
/// let whole = Shape::new(3, 4);
/// assert_eq!(whole.stride, 4);
/// let part = Shape::new(3, 4).strided(10); // of a wider matrix
/// assert_eq!(part.elements(), Some(24)); // up to the last one
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Rows.
    pub rows: usize,
    /// Elements in a row.
    pub columns: usize,
    /// Elements from the beginning of a row to the beginning of the next: the leading dimension.
    pub stride: usize,
}

impl Shape {
    /// Rows that follow each other without gaps.
    pub fn new(rows: usize, columns: usize) -> Shape {
        Shape { rows, columns, stride: columns }
    }

    /// The same with rows so far apart.
    pub fn strided(self, stride: usize) -> Shape {
        Shape { stride, ..self }
    }

    /// Elements from the first to the last, gaps included; `None` beyond all memory.
    pub fn elements(&self) -> Option<usize> {
        match (self.rows, self.columns) {
            (0, _) | (_, 0) => Some(0),
            (rows, columns) => (rows - 1).checked_mul(self.stride)?.checked_add(columns),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    /// # Errors
    /// Where rows overlap.
    pub(crate) fn check(&self, name: &'static str) -> Result<(), Error> {
        if self.rows <= 1 || self.stride >= self.columns {
            return Ok(());
        }
        let (columns, stride) = (self.columns, self.stride);
        let why = format!("has rows of {columns} elements that begin {stride} apart; they overlap");
        Err(Error::Argument { name, why })
    }

    /// # Errors
    /// Where a side is longer than the kernels count.
    pub(crate) fn check_sides(&self, name: &'static str, most: usize) -> Result<(), Error> {
        let side = self.rows.max(self.columns);
        if side <= most {
            return Ok(());
        }
        let why = format!("has a side of {side} elements, and the kernel counts to {most}");
        Err(Error::Argument { name, why })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_has_no_gap() {
        assert_eq!(Shape::new(2, 3).elements(), Some(6));
        assert_eq!(Shape::new(2, 3).strided(8).elements(), Some(11));
        assert_eq!(Shape::new(0, 3).strided(8).elements(), Some(0));
        assert_eq!(Shape::new(usize::MAX, 3).elements(), None);
    }

    #[test]
    fn rows_that_overlap_are_refused() {
        assert!(Shape::new(1, 3).strided(0).check("a").is_ok());
        let error = Shape::new(2, 3).strided(2).check("a").unwrap_err();
        assert!(error.to_string().starts_with("`a` has rows of 3 elements that begin 2 apart"));
        assert!(Shape::new(1 << 20, 1).check_sides("a", 1 << 20).is_ok());
        assert!(Shape::new(1, (1 << 20) + 1).check_sides("a", 1 << 20).is_err());
    }
}
