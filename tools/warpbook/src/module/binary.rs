//! Numbers and counted bytes, as a WebAssembly module has them.

use anyhow::{Context, Result, ensure};

/// Reads bytes from the front.
pub(super) struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { left: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, left) =
            self.left.split_at_checked(count).context("the module ends too early")?;
        self.left = left;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Bytes behind their number.
    pub(super) fn counted(&mut self) -> Result<&'a [u8]> {
        let count = self.unsigned()?;
        self.take(usize::try_from(count)?)
    }

    pub(super) fn name(&mut self) -> Result<&'a str> {
        Ok(str::from_utf8(self.counted()?)?)
    }

    /// A number in LEB128: seven bits in each byte, the lowest first.
    pub(super) fn unsigned(&mut self) -> Result<u64> {
        Ok(self.number()?.0)
    }

    /// The same with a sign: the highest bit that is there.
    pub(super) fn signed(&mut self) -> Result<i64> {
        let (value, bits) = self.number()?;
        let unused = 64_u32.saturating_sub(bits);
        Ok((value << unused).cast_signed() >> unused)
    }

    /// A number, and how many bits it has.
    fn number(&mut self) -> Result<(u64, u32)> {
        let (mut value, mut bits) = (0, 0);
        loop {
            let byte = self.byte()?;
            ensure!(bits < 64, "a number of more than 64 bits");
            value |= u64::from(byte & 0x7F) << bits;
            bits += 7;
            if byte < 0x80 {
                return Ok((value, bits));
            }
        }
    }
}

pub(super) fn put_unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(super) fn put_signed(out: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7F);
}

pub(super) fn put_counted(out: &mut Vec<u8>, bytes: &[u8]) {
    put_unsigned(out, bytes.len() as u64);
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_short_as_possible() {
        for (value, length) in [(0, 1), (63, 1), (64, 2), (-64, 1), (-65, 2), (i64::MIN, 10)] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, value);
            assert_eq!(bytes.len(), length, "{value}");
            assert_eq!(Reader::new(&bytes).signed().unwrap(), value);
        }
        for (value, length) in [(0, 1), (127, 1), (128, 2), (u64::MAX, 10)] {
            let mut bytes = Vec::new();
            put_unsigned(&mut bytes, value);
            assert_eq!(bytes.len(), length, "{value}");
            assert_eq!(Reader::new(&bytes).unsigned().unwrap(), value);
        }
        assert_eq!(Reader::new(&[0x85, 0x80, 0x80, 0x80, 0]).unsigned().unwrap(), 5);
        assert_eq!(Reader::new(&[0xFF, 0xFF, 0xFF, 0xFF, 0x7F]).signed().unwrap(), -1);
        assert!(Reader::new(&[0x80]).unsigned().is_err());
        assert!(Reader::new(&[0x80; 12]).unsigned().is_err());
    }
}
