//! Groups of operations: a thread commits what it has issued as a group, and waits until at most so many
//! of its groups are left.
//!
//! A product (`wgmma`) is one operation of a warp group, issued by its four warps. So a wait for groups
//! of products ends only when all lanes of the four have committed their parts of them.

use super::{Turn, queue};
use crate::event::{Awaited, Channel, SplitState};
use crate::isa::GroupKind;
use crate::lanes::{lanes_of, lanes_where};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;

/// How many groups each lane of a warp has committed, by kind. So it is the number of the group that is
/// open.
#[derive(Debug, Default, Clone)]
pub(crate) struct Groups {
    committed: [[u32; 32]; 3],
}

impl Groups {
    /// The number of a lane's open group.
    pub(crate) fn open(&self, kind: GroupKind, lane: usize) -> u32 {
        self.committed[kind as usize][lane]
    }

    /// Lanes close their open group.
    pub(crate) fn commit(&mut self, kind: GroupKind, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.committed[kind as usize][lane] += 1;
        }
    }

    /// Lanes by the number of their open group: mostly all have the same.
    pub(crate) fn by_open(&self, kind: GroupKind, lanes: u32) -> Vec<(u32, u32)> {
        let mut left = lanes;
        let mut out = Vec::new();
        while left != 0 {
            let number = self.open(kind, left.trailing_zeros() as usize);
            let same = lanes_where(left, |lane| self.open(kind, lane) == number);
            out.push((number, same));
            left &= !same;
        }
        out
    }
}

/// Whether all lanes of the running warp's group have committed the groups of products that `waiting` lanes
/// wait for. Those that have exited have nothing to commit.
pub(crate) fn products_committed(block: &Block, warp: &Warp, waiting: u32, left: u16) -> bool {
    let kind = GroupKind::Matrix;
    let committed = lanes_of(waiting).map(|lane| warp.groups.open(kind, lane)).max().unwrap_or(0);
    let before = committed.saturating_sub(left.into());
    let numbers = kind.sharing_warps(warp.number);
    // In place of the running warp the block has one without lanes.
    let others = numbers.filter_map(|number| block.warps.get(number as usize));
    others
        .chain([warp])
        .all(|warp| lanes_of(warp.live).all(|lane| warp.groups.open(kind, lane) >= before))
}

/// Lanes of the running warp have committed products, or have exited: those of its warp group that wait
/// look again whether they may go on.
pub(crate) fn wake_warp_group(vm: &mut Interpreter<'_>, block: &mut Block, warp: &mut Warp) {
    let numbers = GroupKind::Matrix.sharing_warps(warp.number);
    let others = block.warps.iter_mut().skip(numbers.start as usize).take(numbers.len());
    for split in others.chain([warp]).flat_map(|warp| &mut warp.splits) {
        if split.state == SplitState::WarpGroup {
            split.state = SplitState::Ready;
            vm.changed = true;
        }
    }
}

impl Turn<'_, '_> {
    /// Closes the open group of each lane.
    pub(super) fn commit_group(&mut self, kind: GroupKind) {
        self.warp.groups.commit(kind, self.lanes);
        if kind == GroupKind::Matrix {
            wake_warp_group(self.vm, self.block, self.warp);
        }
    }

    /// Waits until at most `left` groups of each lane are not complete.
    pub(super) fn wait_group(&mut self, kind: GroupKind, left: u16, read: bool) {
        for (open, lanes) in self.warp.groups.by_open(kind, self.lanes) {
            let before = open.saturating_sub(left.into());
            let warps = kind.sharing_warps(self.warp.number);
            queue::complete_where(self.vm, self.block, Some(self.warp), |op| {
                let earlier =
                    matches!(op.channel, Channel::Group(of, group) if of == kind && group < before);
                let theirs = kind == GroupKind::Matrix || op.lanes & lanes != 0;
                earlier && theirs && warps.contains(&op.warp)
            });
            if self.vm.interests.checks {
                self.begin_segment(lanes);
                let awaited = Awaited::Groups { kind, before, read };
                self.vm.observer.awaited(&self.warp.context(self.block), lanes, awaited);
            }
        }
    }
}
