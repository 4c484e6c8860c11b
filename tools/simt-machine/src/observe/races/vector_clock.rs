//! Vector clocks as persistent trees: copies share what they have in common.
//!
//! If every block passes on what it knows to the next one, each knows nearly what the one before knew.
//! Separate clocks would take the square of the number of blocks, in memory and in time per poll. So a
//! clock is an immutable radix tree over block numbers. The join of two clocks shares the subtrees that
//! only one has, and skips subtrees that are the same in memory.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// For each lane of a warp a segment.
pub(crate) type LaneSegments = [u32; 32];

/// The part of a clock for one block.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct BlockKnowledge {
    /// By warp and lane, the last segment that is known to be before; 0: none. (Rows per warp, since a
    /// thread that synchronises with one thread mostly does so with its whole warp.)
    pub(crate) rows: BTreeMap<u32, LaneSegments>,
    /// Everything before so many barriers is known; 0: nothing is.
    pub(crate) before: u32,
}

impl BlockKnowledge {
    fn covers(&self, other: &BlockKnowledge) -> bool {
        let upto =
            |row: &LaneSegments, other: &LaneSegments| row.iter().zip(other).all(|(a, b)| a >= b);
        self.before >= other.before
            && other.rows.iter().all(|(w, row)| self.rows.get(w).is_some_and(|own| upto(own, row)))
    }

    fn joined(&self, other: &BlockKnowledge) -> BlockKnowledge {
        let mut all = self.clone();
        for (&warp, theirs) in &other.rows {
            for (mine, upto) in all.rows.entry(warp).or_default().iter_mut().zip(theirs) {
                *mine = (*upto).max(*mine);
            }
        }
        all.before = all.before.max(other.before);
        all
    }
}

/// A radix tree over block numbers.
#[derive(Debug)]
enum Node {
    Block(u32, BlockKnowledge),
    /// Blocks whose numbers agree above a bit: one of them, the bit, and the subtrees by that bit.
    Fork(u32, u32, [Arc<Node>; 2]),
}

impl Node {
    /// One of the blocks, and how many of the low bits differ.
    fn span(&self) -> (u32, u32) {
        match self {
            Node::Block(block, _) => (*block, 0),
            Node::Fork(block, bit, _) => (*block, bit + 1),
        }
    }
}

/// The side of a fork.
fn half(block: u32, bit: u32) -> usize {
    (block >> bit & 1) as usize
}

/// Whether two numbers agree except in so many low bits.
fn agree(a: u32, b: u32, bits: u32) -> bool {
    u64::from(a ^ b) >> bits == 0
}

fn join(a: &Arc<Node>, b: &Arc<Node>) -> Arc<Node> {
    if Arc::ptr_eq(a, b) {
        return a.clone();
    }
    let ((one, wide), (other, narrow)) = (a.span(), b.span());
    if !agree(one, other, wide.max(narrow)) {
        let bit = 31 - (one ^ other).leading_zeros();
        let (a, b) = (a.clone(), b.clone());
        return Arc::new(Node::Fork(one, bit, if half(one, bit) == 0 { [a, b] } else { [b, a] }));
    }
    match (&**a, &**b) {
        (Node::Block(_, mine), Node::Block(_, theirs)) => {
            if mine.covers(theirs) {
                a.clone()
            } else if theirs.covers(mine) {
                b.clone()
            } else {
                Arc::new(Node::Block(one, mine.joined(theirs)))
            }
        }
        (Node::Fork(_, bit, mine), Node::Fork(_, other, theirs)) if bit == other => {
            let both = [join(&mine[0], &theirs[0]), join(&mine[1], &theirs[1])];
            let same = |halves: &[Arc<Node>; 2]| {
                Arc::ptr_eq(&both[0], &halves[0]) && Arc::ptr_eq(&both[1], &halves[1])
            };
            if same(mine) {
                a.clone()
            } else if same(theirs) {
                b.clone()
            } else {
                Arc::new(Node::Fork(one, *bit, both))
            }
        }
        (Node::Fork(_, bit, halves), _) if wide > narrow => within(a, *bit, halves, other, b),
        (_, Node::Fork(_, bit, halves)) => within(b, *bit, halves, one, a),
        // The wider one is a fork.
        (Node::Fork(..), Node::Block(..)) => a.clone(),
    }
}

/// Joins a tree with one side of a fork.
fn within(
    fork: &Arc<Node>,
    bit: u32,
    halves: &[Arc<Node>; 2],
    at: u32,
    b: &Arc<Node>,
) -> Arc<Node> {
    let side = half(at, bit);
    let joined = join(&halves[side], b);
    if Arc::ptr_eq(&joined, &halves[side]) {
        return fork.clone();
    }
    let mut halves = halves.clone();
    halves[side] = joined;
    Arc::new(Node::Fork(at, bit, halves))
}

/// The tree without a block, and the part of that block.
fn without(node: &Arc<Node>, block: u32) -> (Option<Arc<Node>>, Option<BlockKnowledge>) {
    match &**node {
        Node::Block(own, heard) if *own == block => (None, Some(heard.clone())),
        Node::Block(..) => (Some(node.clone()), None),
        Node::Fork(own, bit, halves) => {
            let side = half(block, *bit);
            let (left, heard) = without(&halves[side], block);
            if heard.is_none() {
                return (Some(node.clone()), None);
            }
            let other = halves[1 - side].clone();
            let Some(left) = left else { return (Some(other), heard) };
            let halves = if side == 0 { [left, other] } else { [other, left] };
            (Some(Arc::new(Node::Fork(*own, *bit, halves))), heard)
        }
    }
}

/// The last segment of each thread that may be known: by block and warp, to other blocks and to its own
/// block.
#[derive(Debug, Default)]
pub(crate) struct SegmentBounds(FxHashMap<u32, Vec<[LaneSegments; 2]>>);

impl SegmentBounds {
    /// Limits what may be known of a thread to segments before `from`; `near`: in its own block, too.
    pub(crate) fn add(&mut self, (block, thread): (u32, u32), from: u32, near: bool) {
        let rows = self.0.entry(block).or_default();
        let (warp, lane) = (thread as usize / 32, thread as usize % 32);
        rows.resize(rows.len().max(warp + 1), [[u32::MAX; 32]; 2]);
        for row in &mut rows[warp][..1 + usize::from(near)] {
            row[lane] = row[lane].min(from - 1);
        }
    }

    /// Whether a segment of a thread is beyond the bounds, for threads of other blocks.
    pub(crate) fn exclude(&self, (block, thread): (u32, u32), segment: u32) -> bool {
        let rows = self.0.get(&block).and_then(|rows| rows.get(thread as usize / 32));
        rows.is_some_and(|[others, _]| others[thread as usize % 32] < segment)
    }
}

/// A tree within bounds, for threads of block `own`. Subtrees shared with `before` are within them.
fn bounded(
    node: &Arc<Node>,
    before: Option<&Arc<Node>>,
    bounds: &SegmentBounds,
    own: Option<u32>,
) -> Arc<Node> {
    if before.is_some_and(|before| Arc::ptr_eq(before, node)) {
        return node.clone();
    }
    match &**node {
        Node::Block(block, heard) => {
            let Some(rows) = bounds.0.get(block) else { return node.clone() };
            let limits =
                |warp: u32| rows.get(warp as usize).map(|r| &r[usize::from(own == Some(*block))]);
            let beyond = |(warp, row): (&u32, &LaneSegments)| {
                limits(*warp).is_some_and(|most| row.iter().zip(most).any(|(x, most)| x > most))
            };
            if !heard.rows.iter().any(beyond) {
                return node.clone();
            }
            let mut heard = heard.clone();
            for (warp, row) in &mut heard.rows {
                for (x, most) in row.iter_mut().zip(limits(*warp).into_iter().flatten()) {
                    *x = (*x).min(*most);
                }
            }
            Arc::new(Node::Block(*block, heard))
        }
        Node::Fork(block, bit, halves) => {
            let part = |side: usize| {
                let before = before.and_then(|before| match &**before {
                    Node::Fork(other, b, halves) if b == bit && agree(*block, *other, bit + 1) => {
                        Some(&halves[side])
                    }
                    _ => {
                        let (other, wide) = before.span();
                        let inside = wide <= *bit && agree(*block, other, bit + 1);
                        Some(before).filter(|_| inside && half(other, *bit) == side)
                    }
                });
                bounded(&halves[side], before, bounds, own)
            };
            let both = [part(0), part(1)];
            if Arc::ptr_eq(&both[0], &halves[0]) && Arc::ptr_eq(&both[1], &halves[1]) {
                return node.clone();
            }
            Arc::new(Node::Fork(*block, *bit, both))
        }
    }
}

/// What is known to happen before.
#[derive(Debug, Default, Clone)]
pub(crate) struct Clock(Option<Arc<Node>>);

impl Clock {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the two are the same in memory.
    pub(crate) fn same(&self, other: &Clock) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        self.0 = match (&self.0, &other.0) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
    }

    /// Takes out the part of a block.
    pub(crate) fn take(&mut self, block: u32) -> Option<BlockKnowledge> {
        let (left, heard) = without(self.0.as_ref()?, block);
        self.0 = left;
        heard
    }

    /// Adds the part of a block of which nothing is known.
    pub(crate) fn put(&mut self, block: u32, heard: BlockKnowledge) {
        self.join(&Clock(Some(Arc::new(Node::Block(block, heard)))));
    }

    /// Takes out the part of a block, as a clock of its own.
    pub(crate) fn extract(&mut self, block: u32) -> Clock {
        let mut own = Clock::default();
        if let Some(heard) = self.take(block) {
            own.put(block, heard);
        }
        own
    }

    fn heard(&self, block: u32) -> Option<&BlockKnowledge> {
        let mut node = self.0.as_ref()?;
        loop {
            match &**node {
                Node::Block(own, heard) => return Some(heard).filter(|_| *own == block),
                Node::Fork(_, bit, halves) => node = &halves[half(block, *bit)],
            }
        }
    }

    /// Drops what is beyond the bounds; threads of block `own` may know more of their block. `before` was
    /// within them.
    pub(crate) fn keep_within(&mut self, before: &Clock, bounds: &SegmentBounds, own: Option<u32>) {
        self.0 = self.0.as_ref().map(|node| bounded(node, before.0.as_ref(), bounds, own));
    }

    /// Whether anything of a block is known.
    pub(crate) fn knows(&self, block: u32) -> bool {
        self.heard(block).is_some()
    }

    /// Whether a thread's access in a segment, after so many barriers, is known to be before.
    pub(crate) fn holds(&self, (block, thread): (u32, u32), segment: u32, phase: u32) -> bool {
        self.heard(block).is_some_and(|heard| {
            let row = heard.rows.get(&(thread / 32));
            heard.before > phase || row.is_some_and(|row| row[thread as usize % 32] >= segment)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that knows these blocks, by barriers.
    fn of(blocks: &[(u32, u32)]) -> Clock {
        let mut clock = Clock::default();
        for &(block, before) in blocks {
            clock.put(block, BlockKnowledge { before, ..BlockKnowledge::default() });
        }
        clock
    }

    fn knows(clock: &Clock, block: u32) -> u32 {
        clock.heard(block).map_or(0, |heard| heard.before)
    }

    #[test]
    fn who_joins_knows_what_either_knew() {
        let numbers = |seed: u32| {
            (1..200u32).map(move |i| (i.wrapping_mul(seed) >> (i % 32), i.wrapping_mul(seed) % 9))
        };
        let (one, other): (Vec<_>, Vec<_>) =
            (numbers(0x9E37_79B9).collect(), numbers(77).collect());
        let mut all = of(&one);
        all.join(&of(&other));
        let most = |block| {
            one.iter().chain(&other).filter(|b| b.0 == block).map(|b| b.1).max().unwrap_or(0)
        };
        for block in one.iter().chain(&other).map(|b| b.0).chain(0..300) {
            assert_eq!(knows(&all, block), most(block), "{block}");
        }
        for (block, _) in one.iter().chain(&other) {
            let before = most(*block);
            let taken = all.take(*block).map_or(0, |heard| heard.before);
            assert!(taken == before || taken == 0, "{block}: {taken}, not {before}");
            assert_eq!(knows(&all, *block), 0);
        }
        assert!(all.is_empty());
    }

    #[test]
    fn what_says_nothing_new_is_not_copied() {
        let all = of(&(0..1000).map(|block| (block, 3)).collect::<Vec<_>>());
        let mut same = all.clone();
        same.join(&of(&[(7, 2), (500, 3)]));
        let (Some(a), Some(b)) = (&all.0, &same.0) else { panic!("both know something") };
        assert!(Arc::ptr_eq(a, b));
    }

    /// Otherwise every lock would cost as much as all locks before it.
    #[test]
    fn what_was_within_bounds_is_not_looked_at_again() {
        let before = of(&(0..1000).map(|block| (block, 1)).collect::<Vec<_>>());
        let mut all = before.clone();
        let row = |upto| BlockKnowledge { rows: BTreeMap::from([(0, [upto; 32])]), before: 0 };
        all.put(700, row(9));
        let mut bounds = SegmentBounds::default();
        (0..1000).for_each(|block| bounds.add((block, 0), 5, false));
        let mut new = all.clone();
        new.keep_within(&before, &bounds, None);
        assert!(new.holds((700, 0), 4, 2) && !new.holds((700, 0), 5, 2));
        assert!(new.holds((700, 1), 9, 2), "another thread of the block");
        // A traversal would have made a new tree.
        let mut same = all.clone();
        same.keep_within(&all, &bounds, None);
        assert!(same.same(&all));
        fn shared(a: &Arc<Node>, b: &Arc<Node>) -> (usize, usize) {
            match (&**a, &**b) {
                _ if Arc::ptr_eq(a, b) => (1, 0),
                (Node::Fork(_, _, a), Node::Fork(_, _, b)) => {
                    let (x, y) = (shared(&a[0], &b[0]), shared(&a[1], &b[1]));
                    (x.0 + y.0, x.1 + y.1 + 1)
                }
                _ => (0, 1),
            }
        }
        let (Some(new), Some(all)) = (&new.0, &all.0) else { panic!("both know something") };
        let (_, made) = shared(new, all);
        assert!(made <= 12, "{made} nodes are new");
    }

    #[test]
    fn what_is_beyond_bounds_is_forgotten_for_its_thread_alone() {
        let mut all = of(&[(3, 1), (5, 1)]);
        all.put(4, BlockKnowledge { rows: BTreeMap::from([(1, [9; 32])]), before: 2 });
        let mut bounds = SegmentBounds::default();
        bounds.add((4, 33), 6, false);
        for (own, upto) in [(3, 5), (4, 9)] {
            let mut clock = all.clone();
            clock.keep_within(&Clock::default(), &bounds, Some(own));
            assert!(clock.holds((4, 33), upto, 2) && !clock.holds((4, 33), upto + 1, 2));
            assert!(clock.holds((4, 34), 9, 2) && clock.holds((4, 33), 6, 1));
        }
        assert!(bounds.exclude((4, 33), 6) && !bounds.exclude((4, 33), 5));
        bounds.add((4, 33), 8, true);
        bounds.add((4, 33), 7, true);
        all.keep_within(&Clock::default(), &bounds, Some(4));
        assert!(all.holds((4, 33), 6, 2) && !all.holds((4, 33), 7, 2));
    }
}
