//! Special registers: what `%tid`, `%laneid` and their kin read.

use crate::error::{Lowered, error, unsupported};
use crate::lower::{Lowering, unknown};
use crate::scope::Register;
use crate::types::Type;
use simt_machine::diagnostic::Span;
use simt_machine::isa::{BinOp, Inst, Preload, Reg, Ty};
use simt_machine::machine::MULTIPROCESSORS;

/// What a special register is.
#[derive(Clone, Copy)]
enum Special {
    /// A vector of three: `%tid.x`.
    Axes(fn(u8) -> Preload),
    /// The same, divided by the extent of a cluster: the quotient or the remainder.
    InClusters(BinOp, fn(u8) -> Preload),
    /// A value that is computed.
    Value(Type, fn(&mut Lowering<'_>) -> Reg),
    /// It exists on a GPU and has no meaning here.
    Refused,
}

use Special::{Axes, InClusters, Refused, Value};

const TABLE: &[(&str, Special)] = &[
    ("%clock", Value(Type::U32, clock_low)),
    ("%clock64", Value(Type::U64, clock)),
    ("%clock_hi", Value(Type::U32, clock_high)),
    ("%cluster_ctaid", InClusters(BinOp::Rem, Preload::BlockIdx)),
    ("%cluster_ctarank", Value(Type::U32, cluster_rank)),
    ("%cluster_nctaid", Axes(Preload::ClusterDim)),
    ("%cluster_nctarank", Value(Type::U32, cluster_size)),
    ("%clusterid", InClusters(BinOp::Div, Preload::BlockIdx)),
    ("%ctaid", Axes(Preload::BlockIdx)),
    ("%laneid", Value(Type::U32, lane)),
    ("%lanemask_eq", Value(Type::U32, |l| lane_mask(l, 1, BinOp::Shl))),
    ("%lanemask_ge", Value(Type::U32, |l| lane_mask(l, u32::MAX, BinOp::Shl))),
    ("%lanemask_gt", Value(Type::U32, |l| lane_mask(l, u32::MAX - 1, BinOp::Shl))),
    ("%lanemask_le", Value(Type::U32, lanes_up_to)),
    ("%lanemask_lt", Value(Type::U32, lanes_below)),
    ("%nclusterid", InClusters(BinOp::Div, Preload::GridDim)),
    ("%nctaid", Axes(Preload::GridDim)),
    ("%ntid", Axes(Preload::BlockDim)),
    ("%nsmid", Value(Type::U32, |l| l.constant(MULTIPROCESSORS.into(), false))),
    ("%smid", Value(Type::U32, multiprocessor)),
    ("%tid", Axes(Preload::ThreadIdx)),
    ("%warpid", Value(Type::U32, warp)),
    // No time passes here: it counts as `%clock64` does, one nanosecond per instruction.
    ("%globaltimer", Value(Type::U64, clock)),
    ("%globaltimer_hi", Value(Type::U32, clock_high)),
    ("%globaltimer_lo", Value(Type::U32, clock_low)),
    ("%nwarpid", Refused),
    ("%gridid", Refused),
    ("%total_smem_size", Refused),
    ("%aggr_smem_size", Refused),
    ("%dynamic_smem_size", Refused),
    ("%current_graph_exec", Refused),
    ("%is_explicit_cluster", Refused),
];

/// The names of those that can be read.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|(_, special)| !matches!(special, Refused)).map(|(name, _)| *name)
}

/// Whether it is a special register.
pub(crate) fn is_known(name: &str) -> bool {
    TABLE.iter().any(|(known, _)| *known == name)
}

/// Reads a special register.
pub(crate) fn read(
    l: &mut Lowering<'_>,
    name: &str,
    component: &str,
    span: Span,
) -> Lowered<Register> {
    let Some((_, special)) = TABLE.iter().find(|(known, _)| *known == name) else {
        return unknown(name, span);
    };
    match *special {
        Axes(preload) | InClusters(_, preload) => {
            match ["x", "y", "z"].iter().position(|axis| *axis == component) {
                Some(axis) => {
                    let axis = axis as u8;
                    let reg = match *special {
                        InClusters(op, _) => in_clusters(l, op, preload(axis), axis),
                        _ => l.target.preload(preload(axis), false),
                    };
                    Ok(Register { reg, ty: Type::U32 })
                }
                None if component.is_empty() => unsupported(span, format!("`{name}` as a vector")),
                None => error(span, format!("`{name}` has the components `.x`, `.y` and `.z`")),
            }
        }
        Value(ty, value) if component.is_empty() => Ok(Register { reg: value(l), ty }),
        Value(..) => error(span, format!("`{name}` has no components")),
        Refused => unsupported(span, format!("the special register `{name}`")),
    }
}

fn binary(l: &mut Lowering<'_>, op: BinOp, a: Reg, b: Reg) -> Reg {
    let d = l.temporary(Type::U32);
    l.emit(Inst::Binary { op, ty: Ty::U32, d, a, b });
    d
}

fn lane(l: &mut Lowering<'_>) -> Reg {
    l.target.preload(Preload::LaneId, false)
}

/// `bits` moved by the lane's number.
fn lane_mask(l: &mut Lowering<'_>, bits: u32, op: BinOp) -> Reg {
    let (bits, lane) = (l.constant(bits.into(), false), lane(l));
    binary(l, op, bits, lane)
}

fn lanes_below(l: &mut Lowering<'_>) -> Reg {
    let (bit, one) = (lane_mask(l, 1, BinOp::Shl), l.constant(1, false));
    binary(l, BinOp::Sub, bit, one)
}

fn lanes_up_to(l: &mut Lowering<'_>) -> Reg {
    let (bit, one) = (lane_mask(l, 2, BinOp::Shl), l.constant(1, false));
    binary(l, BinOp::Sub, bit, one)
}

/// `clock64()`: the instructions that the warp has issued.
fn clock(l: &mut Lowering<'_>) -> Reg {
    let d = l.temporary(Type::U64);
    l.emit(Inst::Clock { d });
    d
}

fn clock_low(l: &mut Lowering<'_>) -> Reg {
    let (a, d) = (clock(l), l.temporary(Type::U32));
    l.emit(Inst::Convert { from: Ty::U64, to: Ty::U32, d, a });
    d
}

fn clock_high(l: &mut Lowering<'_>) -> Reg {
    let (a, by, d) = (clock(l), l.constant(32, false), l.temporary(Type::U64));
    l.emit(Inst::Binary { op: BinOp::Shr, ty: Ty::U64, d, a, b: by });
    let low = l.temporary(Type::U32);
    l.emit(Inst::Convert { from: Ty::U64, to: Ty::U32, d: low, a: d });
    low
}

/// The warp's number in its block: the linear thread number divided by 32.
fn warp(l: &mut Lowering<'_>) -> Reg {
    let axis =
        |l: &mut Lowering<'_>, preload: fn(u8) -> Preload, a| l.target.preload(preload(a), false);
    let mut number = axis(l, Preload::ThreadIdx, 2);
    for next in [1, 0] {
        let (size, index) = (axis(l, Preload::BlockDim, next), axis(l, Preload::ThreadIdx, next));
        let rows = binary(l, BinOp::Mul, number, size);
        number = binary(l, BinOp::Add, rows, index);
    }
    let by = l.constant(5, false);
    binary(l, BinOp::Shr, number, by)
}

/// The multiprocessor: the blocks go round them in the order of their numbers.
fn multiprocessor(l: &mut Lowering<'_>) -> Reg {
    let mut number = l.target.preload(Preload::BlockIdx(2), false);
    for axis in [1, 0] {
        let size = l.target.preload(Preload::GridDim(axis), false);
        let index = l.target.preload(Preload::BlockIdx(axis), false);
        let rows = binary(l, BinOp::Mul, number, size);
        number = binary(l, BinOp::Add, rows, index);
    }
    let count = l.constant(MULTIPROCESSORS.into(), false);
    binary(l, BinOp::Rem, number, count)
}

/// A quotient or remainder of an extent or index by the cluster's extent.
fn in_clusters(l: &mut Lowering<'_>, op: BinOp, all: Preload, axis: u8) -> Reg {
    let a = l.target.preload(all, false);
    let b = l.target.preload(Preload::ClusterDim(axis), false);
    binary(l, op, a, b)
}

/// The block's rank in its cluster, `x` fastest.
pub(crate) fn cluster_rank(l: &mut Lowering<'_>) -> Reg {
    let index =
        |l: &mut Lowering<'_>, axis| in_clusters(l, BinOp::Rem, Preload::BlockIdx(axis), axis);
    let mut rank = index(l, 2);
    for axis in [1, 0] {
        let size = l.target.preload(Preload::ClusterDim(axis), false);
        let rows = binary(l, BinOp::Mul, rank, size);
        let next = index(l, axis);
        rank = binary(l, BinOp::Add, rows, next);
    }
    rank
}

/// The blocks of a cluster.
fn cluster_size(l: &mut Lowering<'_>) -> Reg {
    let [x, y, z] = [0, 1, 2].map(|axis| l.target.preload(Preload::ClusterDim(axis), false));
    let plane = binary(l, BinOp::Mul, x, y);
    binary(l, BinOp::Mul, plane, z)
}
