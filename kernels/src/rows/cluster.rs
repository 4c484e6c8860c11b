//! Layernorm of long rows on Hopper: the blocks of a cluster hold one row together in distributed
//! shared memory. See `include/layernorm_cluster.cuh`.

use super::{ALIGNED, Scale};
use crate::handle::device_arg::DeviceArg;
use crate::handle::program::{Program, Source, Value};
use crate::handle::{Device, Kernels};
use crate::{Error, Shape};
use cudarc::driver::{DevicePtr, LaunchConfig, PushKernelArg};

const SOURCE: Source = Source {
    name: "layernorm_cluster.cuh",
    text: include_str!("../../include/layernorm_cluster.cuh"),
};

/// Blocks per row, threads per block's piece of it, vectors of four floats per thread; rows that a
/// block works on at a time, and pieces of each in shared memory. Measured: clusters of 8 and
/// two rows at a time are the fastest of a dozen; one row at a time is slower.
const CLUSTER: u32 = 8;
const THREADS: u32 = 512;
const VECTORS: u32 = 4;
const GROUPS: u32 = 2;
const STAGES: u32 = 2;

/// Bytes of shared memory: the pieces, and a part of gain and bias.
const SHARED: u32 = (GROUPS * STAGES + 2) * VECTORS * THREADS * 16;

/// Whether a cluster is faster than a block: where a block would need shared memory to hold the row.
pub(super) fn holds(columns: usize, device: Device) -> bool {
    let most = (CLUSTER * THREADS * VECTORS * 4) as usize;
    device.is_hopper() && (ALIGNED[8].capacity() + 1..=most).contains(&columns)
}

pub(crate) fn program() -> Program {
    let constants = vec![
        ("CLUSTER", Value::Number(CLUSTER)),
        ("THREADS", Value::Number(THREADS)),
        ("VECTORS", Value::Number(VECTORS)),
        ("GROUPS", Value::Number(GROUPS)),
        ("STAGES", Value::Number(STAGES)),
    ];
    Program { file: SOURCE, entry: "kernels_layernorm_cluster", constants }
}

impl Kernels {
    /// The caller has checked the arguments.
    pub(super) fn launch_layernorm_cluster(
        &self,
        from: &DeviceArg<'_>,
        shape: Shape,
        to: &DeviceArg<'_>,
        to_stride: usize,
        scale: &Scale<'_>,
    ) -> Result<(), Error> {
        let function = self.function(&program(), SHARED)?;
        let config = |clusters: u32| LaunchConfig {
            grid_dim: (clusters * CLUSTER, 1, 1),
            block_dim: (THREADS * GROUPS, 1, 1),
            shared_mem_bytes: SHARED,
        };
        // A persistent grid: as many clusters as are resident at a time.
        let fit = match self.clusters.get() {
            Some(fit) => *fit,
            None => {
                let all = config(self.device.multiprocessors);
                let fit = function.occupancy_max_active_clusters(all, &self.stream)?.max(1);
                *self.clusters.get_or_init(|| fit)
            }
        };
        let clusters = fit.min(u32::try_from(shape.rows).unwrap_or(u32::MAX));
        let sizes = [shape.rows, shape.columns, shape.stride, to_stride].map(|s| s as u64);
        let (claims, _keeps) = self.scratch.device_ptr(&self.stream);
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&from.span.pointer).arg(&to.span.pointer);
        for size in &sizes {
            launch.arg(size);
        }
        launch.arg(&scale.gain.span.pointer).arg(&scale.bias.span.pointer).arg(&scale.epsilon);
        launch.arg(&claims);
        // SAFETY: the kernel takes (const float*, float*, u64 x 4, const float*, const float*, float,
        // u32*). It reads and writes the elements of the shape, which the arrays were seen to have. The
        // scratch memory has room for two words, which are zero; only kernels of this stream use it, one
        // after the other, and a kernel leaves it as it found it.
        unsafe { launch.launch(config(clusters)) }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_for_clusters_where_there_are_any() {
        let device = |capability| Device { capability, multiprocessors: 132, shared_per_block: 0 };
        let hopper = device((9, 0));
        assert!(!holds(32_768, hopper) && holds(32_772, hopper));
        assert!(holds(65_536, hopper) && !holds(65_540, hopper));
        assert!(!holds(65_536, device((8, 0))) && !holds(65_536, device((10, 0))));
        const { assert!(SHARED < 227 * 1024) }
    }
}
