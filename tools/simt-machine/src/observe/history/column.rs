//! A column: the rows of 32 lanes that a register or word held, each with the time of its change.
//!
//! A row is stored whole whenever it changes, so the row at any time is found by binary search. Most rows
//! are compressed: a loop counter is equal in all lanes, an index grows by one from lane to lane.

use crate::lanes::lanes_of;

/// The values of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LaneRow {
    /// For each of the low four bytes (and the upper four with them) the lanes in which it was written.
    pub(super) valid: [u32; 4],
    pub(super) values: [u64; 32],
}

impl LaneRow {
    pub(super) const EMPTY: LaneRow = LaneRow { valid: [0; 4], values: [0; 32] };

    /// Lanes in which some byte was written.
    fn lanes(&self) -> u32 {
        self.valid.iter().fold(0, |all, lanes| all | lanes)
    }

    /// Whether both look the same.
    pub(super) fn same(&self, other: &LaneRow) -> bool {
        self.valid == other.valid
            && lanes_of(self.lanes()).all(|l| self.values[l] == other.values[l])
    }
}

/// All rows of a recording, one after the other: a header, the lanes, the values.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool {
    words: Vec<u32>,
}

/// Bits of the header: each byte has its own lanes; each lane has its own value; values have 64 bits.
const BYTEWISE: u32 = 1;
const EACH: u32 = 2;
const WIDE: u32 = 4;

impl Pool {
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 4
    }

    /// Stores a row, and returns its index.
    pub(super) fn put(&mut self, row: &LaneRow, wide: bool) -> u32 {
        let at = self.words.len() as u32;
        let lanes = row.lanes();
        let bytewise = row.valid != [lanes; 4];
        let line = line(&row.values, lanes, wide);
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        let header = flag(bytewise, BYTEWISE) | flag(line.is_none(), EACH) | flag(wide, WIDE);
        self.words.push(header);
        self.words.extend_from_slice(if bytewise { &row.valid } else { &row.valid[..1] });
        match line {
            Some((base, step)) => [base, step].into_iter().for_each(|v| self.value(v, wide)),
            None => row.values.into_iter().for_each(|v| self.value(v, wide)),
        }
        at
    }

    fn value(&mut self, value: u64, wide: bool) {
        self.words.push(value as u32);
        if wide {
            self.words.push((value >> 32) as u32);
        }
    }

    pub(super) fn get(&self, at: u32) -> LaneRow {
        let mut words = self.words[at as usize..].iter().copied();
        let mut next = || words.next().unwrap_or_default();
        let header = next();
        let first = next();
        let mut valid = [first; 4];
        if header & BYTEWISE != 0 {
            valid[1..].fill_with(&mut next);
        }
        let wide = header & WIDE != 0;
        let mut value = || {
            let low = u64::from(next());
            if wide { low | u64::from(next()) << 32 } else { low }
        };
        let values = if header & EACH != 0 {
            std::array::from_fn(|_| value())
        } else {
            let (base, step) = (value(), value());
            std::array::from_fn(|l| narrow(base.wrapping_add(step.wrapping_mul(l as u64)), wide))
        };
        LaneRow { valid, values }
    }
}

fn narrow(value: u64, wide: bool) -> u64 {
    if wide { value } else { value & 0xffff_ffff }
}

/// The value of lane 0 and the step to the next lane, if the values of these lanes are equally spaced.
fn line(values: &[u64; 32], lanes: u32, wide: bool) -> Option<(u64, u64)> {
    let mut some = lanes_of(lanes);
    let Some(first) = some.next() else { return Some((0, 0)) };
    let step = match some.next() {
        Some(second) => {
            let gap = values[second].wrapping_sub(values[first]);
            let gap = if wide { gap as i64 } else { i64::from(gap as i32) };
            let far = (second - first) as i64;
            if gap % far != 0 {
                return None;
            }
            (gap / far) as u64
        }
        None => 0,
    };
    let base = values[first].wrapping_sub(step.wrapping_mul(first as u64));
    let fits = |l: usize| narrow(base.wrapping_add(step.wrapping_mul(l as u64)), wide) == values[l];
    lanes_of(lanes).all(fits).then_some((narrow(base, wide), narrow(step, wide)))
}

/// The rows of one register or word, oldest first: the time of the change, and the index in the pool.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    rows: Vec<(u32, u32)>,
}

impl Column {
    pub(super) fn bytes(&self) -> usize {
        self.rows.len() * 8
    }

    /// The newest row.
    pub(super) fn newest(&self, pool: &Pool) -> LaneRow {
        self.rows.last().map_or(LaneRow::EMPTY, |(_, at)| pool.get(*at))
    }

    /// From this time on, which is not before the newest row's, this row holds.
    pub(super) fn push(&mut self, time: u32, row: &LaneRow, wide: bool, pool: &mut Pool) {
        let at = pool.put(row, wide);
        match self.rows.last_mut() {
            Some(last) if last.0 == time => last.1 = at,
            _ => self.rows.push((time, at)),
        }
    }

    /// The row at a time, and whether it changed just then.
    pub(super) fn at(&self, time: u32, pool: &Pool) -> (LaneRow, bool) {
        let next = self.rows.partition_point(|(since, _)| *since <= time);
        match next.checked_sub(1).map(|i| self.rows[i]) {
            Some((since, at)) => (pool.get(at), since == time),
            None => (LaneRow::EMPTY, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, LaneRow, Pool};

    fn row(valid: u32, value: impl Fn(u64) -> u64) -> LaneRow {
        LaneRow { valid: [valid; 4], values: std::array::from_fn(|l| value(l as u64)) }
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let mut pool = Pool::default();
        let minus = |l: u64| u64::from((l as i32 - 5) as u32);
        let mut bytes = row(u32::MAX, |l| l * l);
        bytes.valid = [1, 2, 4, u32::MAX];
        let rows = [
            (row(0, |_| 7), false, 4),
            (row(u32::MAX, |_| 7), false, 4),
            (row(0xff00, minus), false, 4),
            (row(0x8000_0001, |l| l * 3), true, 6),
            (row(u32::MAX, |l| l << 40), true, 6),
            (row(u32::MAX, |l| l * l % 7), false, 34),
            (row(u32::MAX, |l| u64::MAX - l * l), true, 66),
            (bytes, false, 37),
        ];
        for (row, wide, words) in rows {
            let before = pool.bytes();
            let at = pool.put(&row, wide);
            assert_eq!(pool.bytes() - before, words * 4, "{row:x?}");
            assert!(pool.get(at).same(&row), "{row:x?}");
        }
    }

    #[test]
    fn the_row_that_holds_is_the_last_that_came() {
        let (mut pool, mut column) = (Pool::default(), Column::default());
        for (time, value) in [(3, 30), (5, 50), (5, 51), (9, 90)] {
            column.push(time, &row(1, |_| value), false, &mut pool);
        }
        let seen: Vec<(u64, bool)> = (2..11)
            .map(|time| {
                let (row, new) = column.at(time, &pool);
                (if row.valid[0] == 0 { 0 } else { row.values[0] }, new)
            })
            .collect();
        let expected = [
            (0, false),
            (30, true),
            (30, false),
            (51, true),
            (51, false),
            (51, false),
            (51, false),
        ];
        assert_eq!(seen[..7], expected);
        assert_eq!(seen[7..], [(90, true), (90, false)]);
    }
}
