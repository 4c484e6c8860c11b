//! A set of bytes of an array: one bit per byte, in chunks that take memory once a part of them is in
//! the set.

use std::ops::Range;

/// Bytes per chunk.
const CHUNK: u64 = 1 << 15;

/// Words of bits per chunk.
const WORDS: usize = CHUNK as usize / 64;

/// A set of bytes, by their offsets.
#[derive(Debug, Clone, Default)]
pub struct ByteSet {
    chunks: Vec<Chunk>,
}

#[derive(Debug, Clone, Default)]
enum Chunk {
    #[default]
    Empty,
    Part(Box<[u64; WORDS]>),
    Full,
}

impl Chunk {
    /// The bits of a word.
    fn word(&self, at: usize) -> u64 {
        match self {
            Chunk::Empty => 0,
            Chunk::Part(bits) => bits[at],
            Chunk::Full => u64::MAX,
        }
    }

    /// The first word that satisfies a condition on the words of both.
    fn find(&self, other: &Chunk, holds: impl Fn(u64, u64) -> u64) -> Option<u64> {
        let word = |at: &usize| holds(self.word(*at), other.word(*at)) != 0;
        let at = (0..WORDS).find(word)?;
        let bit = holds(self.word(at), other.word(at)).trailing_zeros();
        Some(at as u64 * 64 + u64::from(bit))
    }
}

impl ByteSet {
    /// These bytes.
    pub fn of(range: Range<u64>) -> ByteSet {
        let mut set = ByteSet::default();
        set.insert(range);
        set
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chunks.iter().all(|chunk| match chunk {
            Chunk::Empty => true,
            Chunk::Part(bits) => bits.iter().all(|word| *word == 0),
            Chunk::Full => false,
        })
    }

    /// Adds a range of bytes.
    #[inline]
    pub fn insert(&mut self, range: Range<u64>) {
        let mut from = range.start;
        while from < range.end {
            let chunk = from / CHUNK;
            let end = range.end.min((chunk + 1) * CHUNK);
            self.insert_in_chunk(chunk as usize, from % CHUNK, end - chunk * CHUNK);
            from = end;
        }
    }

    #[inline]
    fn insert_in_chunk(&mut self, chunk: usize, from: u64, end: u64) {
        if chunk >= self.chunks.len() {
            self.chunks.resize_with(chunk + 1, Chunk::default);
        }
        let chunk = &mut self.chunks[chunk];
        if end - from == CHUNK {
            *chunk = Chunk::Full;
        }
        if let Chunk::Empty = chunk {
            *chunk = Chunk::Part(Box::new([0; WORDS]));
        }
        let Chunk::Part(bits) = chunk else { return };
        let (first, last) = (from as usize / 64, (end - 1) as usize / 64);
        let above = u64::MAX << (from % 64);
        let below = u64::MAX >> (63 - (end - 1) % 64);
        if first == last {
            bits[first] |= above & below;
            return;
        }
        bits[first] |= above;
        bits[first + 1..last].fill(u64::MAX);
        bits[last] |= below;
    }

    /// Adds another set.
    pub fn unite(&mut self, other: &ByteSet) {
        if self.chunks.len() < other.chunks.len() {
            self.chunks.resize_with(other.chunks.len(), Chunk::default);
        }
        for (to, from) in self.chunks.iter_mut().zip(&other.chunks) {
            match (&mut *to, from) {
                (Chunk::Full, _) | (_, Chunk::Empty) => {}
                (Chunk::Part(to), Chunk::Part(from)) => {
                    to.iter_mut().zip(&from[..]).for_each(|(to, from)| *to |= from);
                }
                (_, from) => *to = from.clone(),
            }
        }
    }

    /// Gives back the memory of chunks that are wholly in the set.
    pub fn compact(&mut self) {
        for chunk in &mut self.chunks {
            if let Chunk::Part(bits) = chunk
                && bits.iter().all(|word| *word == u64::MAX)
            {
                *chunk = Chunk::Full;
            }
        }
    }

    /// The first byte that is in both sets.
    pub fn first_common(&self, other: &ByteSet) -> Option<u64> {
        self.chunks.iter().zip(&other.chunks).enumerate().find_map(|(at, (a, b))| {
            let start = at as u64 * CHUNK;
            match (a, b) {
                (Chunk::Empty, _) | (_, Chunk::Empty) => None,
                (Chunk::Full, Chunk::Full) => Some(start),
                (a, b) => a.find(b, |a, b| a & b).map(|bit| start + bit),
            }
        })
    }

    /// Whether every byte of another set is in this one.
    pub fn includes(&self, other: &ByteSet) -> bool {
        other.chunks.iter().enumerate().all(|(at, theirs)| {
            match (self.chunks.get(at).unwrap_or(&Chunk::Empty), theirs) {
                (_, Chunk::Empty) | (Chunk::Full, _) => true,
                (ours, theirs) => theirs.find(ours, |theirs, ours| theirs & !ours).is_none(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Random ranges, in bits and in a plain set.
    #[test]
    fn is_a_set_of_bytes() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for round in 0..30 {
            let mut sets = [ByteSet::default(), ByteSet::default()];
            let mut plain = [BTreeSet::new(), BTreeSet::new()];
            for _ in 0..6 {
                let which = random(2) as usize;
                let from = random(3 * CHUNK);
                let most = if random(3) == 0 { 2 * CHUNK } else { 200 };
                let range = from..from + random(most);
                sets[which].insert(range.clone());
                plain[which].extend(range);
            }
            if round % 2 == 0 {
                sets.iter_mut().for_each(ByteSet::compact);
            }
            let [a, b] = &sets;
            let [x, y] = &plain;
            assert_eq!(a.first_common(b), x.intersection(y).next().copied());
            assert_eq!((a.includes(b), b.includes(a)), (x.is_superset(y), y.is_superset(x)));
            assert_eq!(a.is_empty(), x.is_empty());
            let mut both = a.clone();
            both.unite(b);
            assert!(both.includes(a) && both.includes(b));
            let all: BTreeSet<u64> = x.union(y).copied().collect();
            let outside = (0..5 * CHUNK).find(|at| !all.contains(at)).unwrap_or_default();
            assert_eq!(both.first_common(&ByteSet::of(outside..outside + 1)), None);
        }
    }

    #[test]
    fn whole_chunks_take_no_memory() {
        let mut set = ByteSet::of(0..2 * CHUNK);
        assert!(set.chunks.iter().all(|chunk| matches!(chunk, Chunk::Full)));
        for byte in 2 * CHUNK..3 * CHUNK {
            set.insert(byte..byte + 1);
        }
        assert!(matches!(set.chunks[2], Chunk::Part(_)));
        set.compact();
        assert!(matches!(set.chunks[2], Chunk::Full));
    }
}
