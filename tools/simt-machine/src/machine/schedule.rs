//! Scheduling: which blocks are resident, which warp runs next, and when the launch is stuck.

pub(crate) mod block;
pub(crate) mod block_scheduler;
pub(crate) mod cluster;
pub(crate) mod control_slice;
pub(crate) mod livelock;
pub(crate) mod warp;
