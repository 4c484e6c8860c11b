//! The C library: allocation, `memcmp`, `rand`.

use crate::host_memory::{Allocator, Object, parts};
use crate::interpreter::{Executed, Interpreter};
use simt::isa::Element;

/// The most characters of a name.
const LONGEST: usize = 40;

impl Interpreter<'_> {
    pub(super) fn malloc(&mut self, bytes: u64) -> u64 {
        let span = self.span();
        let element = Element { name: "byte".to_owned(), size: 1 };
        let name = "malloc".to_owned();
        self.heap.allocate(name, element, bytes, Allocator::Malloc, span).unwrap_or(0)
    }

    /// What an object is called in a finding. Memory of `malloc` has the text of the call; where the
    /// library allocates, that is the object or the call of the program.
    pub(crate) fn called(&self, object: &Object) -> String {
        let text = self.sources.text(object.made);
        if object.allocator != Allocator::Malloc || text.is_empty() {
            return object.name.clone();
        }
        let call = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if call.len() <= LONGEST || call.contains("malloc") || call.contains("calloc") {
            return call;
        }
        call.chars().take(LONGEST).chain("..".chars()).collect()
    }

    pub(super) fn realloc(&mut self, at: u64, bytes: u64) -> Executed<u64> {
        let made = self.malloc(bytes);
        if at == 0 || made == 0 {
            return Ok(made);
        }
        let before = self.heap.size(parts(at).0);
        let kept = before.min(bytes);
        self.copy(made, at, kept)?;
        self.free(at, Allocator::Malloc)?;
        Ok(made)
    }
}

impl Interpreter<'_> {
    /// Fills memory with copies of one value: address, value, its size, how many.
    pub(super) fn fill(&mut self, to: u64, value: u64, size: u64, count: u64) -> Executed<()> {
        let Some(bytes) = size.checked_mul(count).filter(|b| *b <= crate::DEVICE_MEMORY) else {
            return Err(self.access_fault(to, "write"));
        };
        let one = self.read_bytes(value, size)?;
        let all = one.repeat((bytes / size.max(1)) as usize);
        self.write_bytes(to, &all)
    }
}

/// The difference of the first bytes that differ, as an `int` in a register.
pub(super) fn difference(x: &[u8], y: &[u8]) -> u64 {
    let found = x.iter().zip(y).find(|(a, b)| a != b);
    u64::from(found.map_or(0, |(a, b)| i32::from(*a) - i32::from(*b)) as u32)
}

/// `rand` of glibc: the additive lagged Fibonacci generator `x[i] = x[i-3] + x[i-31]`, without the
/// lowest bit. A linear congruential generator gives the first 31 numbers; the next 310 are dropped.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    last: [u32; 31],
    at: usize,
}

impl Default for Random {
    fn default() -> Random {
        Random::new(1)
    }
}

impl Random {
    pub(crate) fn new(seed: u32) -> Random {
        let mut last = [0u32; 31];
        let mut x = if seed == 0 { 1 } else { seed as i32 };
        last[0] = x as u32;
        for slot in &mut last[1..] {
            // 16807 * x modulo 2^31 - 1; the remainder has the sign of x.
            let next = i64::from(x) * 16_807 % 2_147_483_647;
            x = if next < 0 { next + 2_147_483_647 } else { next } as i32;
            *slot = x as u32;
        }
        let mut random = Random { last, at: 3 };
        for _ in 0..310 {
            random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u32 {
        let value = self.last[self.at].wrapping_add(self.last[(self.at + 28) % 31]);
        self.last[self.at] = value;
        self.at = (self.at + 1) % 31;
        value >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a C program prints on Linux.
    #[test]
    fn numbers_are_those_of_glibc() {
        let mut random = Random::default();
        let first: Vec<u32> = (0..4).map(|_| random.next()).collect();
        assert_eq!(first, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915]);
        let mut random = Random::new(42);
        assert_eq!((random.next(), random.next()), (71_876_166, 708_592_740));
    }
}
