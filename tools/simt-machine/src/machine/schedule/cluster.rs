//! Clusters: blocks that run at the same time and can access each other's shared memory.
//!
//! The blocks of a cluster become resident together, in the order of their ranks, and end together.
//! While one of them has its turn, it has the others in
//! [`Interpreter::peers`](crate::machine::interpreter::Interpreter::peers).

use crate::machine::Dim3;
use crate::machine::schedule::block::Block;

/// Blocks of a cluster at most. (More than 8 need an attribute of the kernel.)
pub(crate) const MOST: u64 = 16;

/// The clusters of a grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster {
    /// The blocks of each, along the axes.
    pub(crate) dim: Dim3,
    /// All blocks of each: 1 where the launch has no clusters.
    pub(crate) blocks: u32,
    grid: Dim3,
}

impl Cluster {
    /// Clusters of this extent; `Err`: why there are none.
    pub(crate) fn new(dim: Option<Dim3>, grid: Dim3) -> Result<Cluster, String> {
        let Some(dim) = dim else { return Ok(Cluster { dim: 1.into(), blocks: 1, grid }) };
        if dim.count() == 0 || dim.count() > MOST {
            return Err(format!("a cluster of {dim} has {} blocks: 1 to {MOST}", dim.count()));
        }
        let whole = |all: u32, part: u32| all.is_multiple_of(part);
        if !(whole(grid.x, dim.x) && whole(grid.y, dim.y) && whole(grid.z, dim.z)) {
            return Err(format!("clusters of {dim} blocks do not divide a grid of {grid}"));
        }
        Ok(Cluster { dim, blocks: dim.count() as u32, grid })
    }

    fn index(&self, block: u32) -> [u32; 3] {
        let Dim3 { x, y, .. } = self.grid;
        [block % x, block / x % y, block / x / y]
    }

    /// The rank of a block in its cluster, `x` fastest.
    pub(crate) fn rank(&self, block: u32) -> u32 {
        let (d, [x, y, z]) = (self.dim, self.index(block));
        (z % d.z * d.y + y % d.y) * d.x + x % d.x
    }

    /// The block of a rank in the cluster whose first block has this index.
    fn member(&self, [x, y, z]: [u32; 3], rank: u32) -> u32 {
        let (d, g) = (self.dim, self.grid);
        let [x, y, z] = [x + rank % d.x, y + rank / d.x % d.y, z + rank / d.x / d.y];
        (z * g.y + y) * g.x + x
    }

    /// The block of a rank in the cluster of a block, if there is one.
    pub(crate) fn peer(&self, block: u32, rank: u32) -> Option<u32> {
        let (d, [x, y, z]) = (self.dim, self.index(block));
        let first = [x - x % d.x, y - y % d.y, z - z % d.z];
        (rank < self.blocks).then(|| self.member(first, rank))
    }

    /// The block that starts as number `at`: cluster by cluster.
    pub(crate) fn started(&self, at: u32) -> u32 {
        if self.blocks == 1 {
            return at;
        }
        let (d, g, cluster) = (self.dim, self.grid, at / self.blocks);
        let (across, down) = (g.x / d.x, g.y / d.y);
        let first =
            [cluster % across * d.x, cluster / across % down * d.y, cluster / across / down * d.z];
        self.member(first, at % self.blocks)
    }

    /// The block of which an event of this block names the shared memory
    /// ([`Access::object`](crate::event::Access)), and its storage.
    pub(crate) fn holder(&self, (block, slot): (u32, usize), number: u32) -> (u32, usize) {
        match number.checked_sub(1).and_then(|rank| self.peer(block, rank)) {
            Some(other) => (other, self.slot(block, slot, other)),
            None => (block, slot),
        }
    }

    /// The storage of another block of the cluster. Clusters start in the order of ranks, so their
    /// storage is adjacent.
    pub(crate) fn slot(&self, block: u32, slot: usize, other: u32) -> usize {
        slot + self.rank(other) as usize - self.rank(block) as usize
    }
}

/// The block of that number: the running one, or another of its cluster.
pub(crate) fn owner<'b>(block: &'b Block, peers: &'b [Block], number: u32) -> &'b Block {
    peers.iter().find(|peer| peer.linear == number).unwrap_or(block)
}

/// The same, to change it.
pub(crate) fn owner_mut<'b>(
    block: &'b mut Block,
    peers: &'b mut [Block],
    number: u32,
) -> &'b mut Block {
    peers.iter_mut().find(|peer| peer.linear == number).unwrap_or(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_starts_once_and_in_the_order_of_ranks() {
        let (grid, dim) = (Dim3 { x: 4, y: 6, z: 2 }, Dim3 { x: 2, y: 3, z: 1 });
        let cluster = Cluster::new(Some(dim), grid).unwrap();
        let order: Vec<u32> = (0..48).map(|at| cluster.started(at)).collect();
        assert_eq!(order[..7], [0, 1, 4, 5, 8, 9, 2]);
        for (at, block) in (0..).zip(&order) {
            assert_eq!(cluster.rank(*block), at % 6);
            assert_eq!(cluster.peer(*block, 0), Some(order[at as usize / 6 * 6]));
            assert_eq!(cluster.peer(*block, 6), None);
        }
        let mut all = order;
        all.sort_unstable();
        assert!(all.into_iter().eq(0..48));
    }

    #[test]
    fn what_no_cluster_can_be_is_refused() {
        let grid = Dim3 { x: 34, y: 2, z: 1 };
        for dim in [17, 0, 3].map(Dim3::from) {
            assert!(Cluster::new(Some(dim), grid).is_err(), "{dim}");
        }
        assert!(Cluster::new(Some(2.into()), grid).is_ok());
    }
}
