//! Products of whole matrices, for the host's libraries: arithmetic alone.
//!
//! Each element is a sum in rising order, from zero on: of floats, each product is fused into its
//! addition. So it is what one thread gives that goes along a row and a column.

use super::simd::{Task, Wide};

/// Rows of a tile.
const ROWS: usize = 16;

/// Columns of a tile.
const COLUMNS: usize = 4;

/// Terms that are added at once, so that what they come from fits the caches.
const DEEP: usize = 256;

/// A number of a matrix.
pub trait Term: Copy + Default {
    /// `a * b + self`, rounded once; of integers, modulo their size.
    #[must_use]
    fn plus_product(self, a: Self, b: Self) -> Self;
}

impl Term for f32 {
    #[inline(always)]
    fn plus_product(self, a: f32, b: f32) -> f32 {
        a.mul_add(b, self)
    }
}

impl Term for f64 {
    #[inline(always)]
    fn plus_product(self, a: f64, b: f64) -> f64 {
        a.mul_add(b, self)
    }
}

impl Term for i32 {
    #[inline(always)]
    fn plus_product(self, a: i32, b: i32) -> i32 {
        self.wrapping_add(a.wrapping_mul(b))
    }
}

/// The product of a matrix of `m` rows and `k` columns with one of `k` rows and `n` columns. All are
/// stored by columns.
pub fn product<T: Term>(a: &[T], b: &[T], [m, n, k]: [usize; 3]) -> Vec<T> {
    let task = Product { a, b, m, n, k };
    match Wide::detect() {
        Some(wide) => wide.run(task),
        None => task.run::<false>(),
    }
}

struct Product<'a, T> {
    a: &'a [T],
    b: &'a [T],
    m: usize,
    n: usize,
    k: usize,
}

/// The sums of one tile, by columns.
type Tile<T> = [[T; ROWS]; COLUMNS];

impl<T: Term> Task for Product<'_, T> {
    type Output = Vec<T>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Vec<T> {
        let Product { a, b, m, n, k } = self;
        let across = m.div_ceil(ROWS);
        let mut sums = vec![Tile::<T>::default(); across * n.div_ceil(COLUMNS)];
        for first in (0..k).step_by(DEEP) {
            let terms = first..k.min(first + DEEP);
            // What a tile's rows and columns meet, term by term: outside the matrices there are zeros.
            let mut rows = vec![[T::default(); ROWS]; across * terms.len()];
            for (at, term) in terms.clone().enumerate() {
                for (i, value) in a[term * m..][..m].iter().enumerate() {
                    rows[i / ROWS * terms.len() + at][i % ROWS] = *value;
                }
            }
            let mut columns = vec![[T::default(); COLUMNS]; terms.len()];
            for (j, sums) in sums.chunks_mut(across.max(1)).enumerate() {
                for (column, at) in (j * COLUMNS..n).take(COLUMNS).zip(0..) {
                    let values = &b[column * k..][terms.clone()];
                    for (to, value) in columns.iter_mut().zip(values) {
                        to[at] = *value;
                    }
                }
                for (sum, rows) in sums.iter_mut().zip(rows.chunks(terms.len())) {
                    *sum = added(*sum, rows, &columns);
                }
            }
        }
        let mut all = vec![T::default(); m * n];
        for (j, column) in all.chunks_mut(m.max(1)).enumerate() {
            let tiles = &sums[j / COLUMNS * across..][..across];
            for (to, tile) in column.chunks_mut(ROWS).zip(tiles) {
                to.copy_from_slice(&tile[j % COLUMNS][..to.len()]);
            }
        }
        all
    }
}

/// A tile's sums with more terms.
#[inline(always)]
fn added<T: Term>(mut sum: Tile<T>, rows: &[[T; ROWS]], columns: &[[T; COLUMNS]]) -> Tile<T> {
    for (row, column) in rows.iter().zip(columns) {
        for (sum, b) in sum.iter_mut().zip(column) {
            for (sum, a) in sum.iter_mut().zip(row) {
                *sum = sum.plus_product(*a, *b);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{Term, product};

    fn plainly<T: Term>(a: &[T], b: &[T], [m, n, k]: [usize; 3]) -> Vec<T> {
        let element = |i: usize, j: usize| {
            (0..k).fold(T::default(), |sum, p| sum.plus_product(a[p * m + i], b[j * k + p]))
        };
        (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).map(|(i, j)| element(i, j)).collect()
    }

    #[test]
    fn sums_are_in_rising_order() {
        let numbers = |count: usize, of: u32| -> Vec<f32> {
            let mixed = |i: u32| i.wrapping_mul(2_654_435_761).wrapping_add(of);
            (0..count as u32).map(|i| (mixed(i) >> 8) as f32 * 1e-7 - 0.8).collect()
        };
        for sizes in [[1, 1, 1], [16, 4, 256], [17, 5, 257], [3, 70, 600], [40, 3, 2], [2, 2, 0]] {
            let [m, n, k] = sizes;
            let (a, b) = (numbers(m * k, 3), numbers(k * n, 7));
            let bits =
                |values: Vec<f32>| -> Vec<u32> { values.into_iter().map(f32::to_bits).collect() };
            assert_eq!(bits(product(&a, &b, sizes)), bits(plainly(&a, &b, sizes)), "{sizes:?}");
            let whole = |values: &[f32]| -> Vec<i32> {
                values.iter().map(|v| v.to_bits() as i32).collect()
            };
            let (a, b) = (whole(&a), whole(&b));
            assert_eq!(product(&a, &b, sizes), plainly(&a, &b, sizes), "{sizes:?}");
        }
    }
}
