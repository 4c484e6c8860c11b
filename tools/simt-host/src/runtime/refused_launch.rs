//! Launches that CUDA refuses: why, and what to do about it.

use super::error::{Error, INVALID_CLUSTER_SIZE, INVALID_VALUE, SUCCESS};
use super::launch::Shape;
use crate::interpreter::Interpreter;
use simt::isa::Kernel;
use simt::machine::Dim3;
use simt::{Diagnostic, Severity};

impl Interpreter<'_> {
    /// A launch that never starts: notes why, and returns its error. Whether the program looks at the
    /// error decides how serious it is.
    pub(super) fn not_started(&mut self, kernel: &Kernel, why: &str, error: Error) -> Error {
        let help = self
            .called_as("`cudaGetLastError` after a launch tells of it", "its result tells of it");
        self.not_started_because(kernel, why, help, error)
    }

    /// The same, with what to do about it.
    fn not_started_because(
        &mut self,
        kernel: &Kernel,
        why: &str,
        help: &str,
        error: Error,
    ) -> Error {
        let message = format!("`{}` does not start: {why}", kernel.name);
        self.tell_unchecked();
        self.runtime.unchecked =
            Some(Diagnostic::error("launch", self.span(), message).with_help(help));
        error
    }

    /// The program has looked at the error of a launch: a warning tells why it did not start.
    pub(super) fn tell_checked(&mut self) {
        if let Some(mut diagnostic) = self.runtime.unchecked.take() {
            diagnostic.severity = Severity::Warning;
            self.report(diagnostic);
        }
    }

    /// Reports a launch error that the program has not checked: it continues as if the kernel had run.
    pub(crate) fn tell_unchecked(&mut self) {
        if let Some(diagnostic) = self.runtime.unchecked.take() {
            self.report(diagnostic);
        }
    }

    /// The error of a launch of this shape, if CUDA refuses it.
    pub(super) fn launchable(&mut self, kernel: &Kernel, shape: Shape, shared: u64) -> Error {
        let Shape { grid, block, .. } = shape;
        let limits = &self.config.limits;
        let fits = |d: Dim3, max: [u32; 3]| {
            [d.x, d.y, d.z].iter().zip(max).all(|(d, max)| (1..=max).contains(d))
        };
        let most = limits.threads_per_block;
        let dynamic = self.shared_limit(kernel);
        let why = if [grid.x, grid.y, grid.z].contains(&0) {
            let help = "a grid has at least one block: round up, as `(n + 255) / 256`";
            let why = format!("no grid may be {grid}");
            return self.not_started_because(kernel, &why, help, INVALID_VALUE);
        } else if !fits(grid, [i32::MAX as u32, 65_535, 65_535]) {
            format!(
                "no grid may be {grid}: it has {} blocks at most in x, and 65535 in y and in z",
                i32::MAX
            )
        } else if [block.x, block.y, block.z].contains(&0) {
            let help = "a block has at least one thread in each direction";
            let why = format!("no block may be {block}");
            return self.not_started_because(kernel, &why, help, INVALID_VALUE);
        } else if block.z > 64 {
            format!("no block may be {block}: it has 64 threads at most in z")
        } else if !fits(block, [1024, 1024, 64]) || block.count() > u64::from(most) {
            format!("no block may be {block}: it has {most} threads at most")
        } else if shared > u64::from(dynamic) {
            return self.too_much_shared(kernel, shared, dynamic);
        } else if let Some(max) = kernel.max_threads.filter(|max| block.count() > u64::from(*max)) {
            format!("its __launch_bounds__ allow {max} threads per block")
        } else if let Some(why) = self.no_cluster(kernel, shape) {
            return self.not_started(kernel, &why, INVALID_CLUSTER_SIZE);
        } else {
            return SUCCESS;
        };
        self.not_started(kernel, &why, INVALID_VALUE)
    }

    /// A launch asks for more dynamic shared memory than its kernel may have.
    fn too_much_shared(&mut self, kernel: &Kernel, shared: u64, dynamic: u32) -> Error {
        let why =
            format!("a block may have {dynamic} bytes of dynamic shared memory, not {shared}");
        let most = self.most_shared(kernel);
        let beside = match kernel.shared_bytes {
            0 => String::new(),
            own => format!(" beside its {own} bytes of `__shared__` variables"),
        };
        let help = match shared > u64::from(most) {
            true => format!(
                "this device has {most} bytes per block at most{beside}, with cudaFuncAttributeMaxDynamicSharedMemorySize: give each block less"
            ),
            false => format!(
                "`cudaFuncSetAttribute` with cudaFuncAttributeMaxDynamicSharedMemorySize asks for more: up to {most} bytes on this device"
            ),
        };
        self.not_started_because(kernel, &why, &help, INVALID_VALUE)
    }

    /// The most dynamic shared memory per block that the kernel can ask for.
    pub(super) fn most_shared(&self, kernel: &Kernel) -> u32 {
        self.config.limits.shared_per_block_optin.saturating_sub(kernel.shared_bytes)
    }

    /// Why a kernel cannot be launched in clusters of this shape.
    fn no_cluster(&self, kernel: &Kernel, shape: Shape) -> Option<String> {
        let own = kernel.cluster.map(|[x, y, z]| Dim3 { x, y, z });
        let cluster = shape.cluster.or(own)?;
        let grid = shape.grid;
        let axes = [(grid.x, cluster.x), (grid.y, cluster.y), (grid.z, cluster.z)];
        let wide = self.runtime.wide_clusters.contains(&self.number_of(kernel));
        let (most, blocks) = (if wide { 16 } else { 8 }, cluster.count());
        if let Some(own) = own.filter(|own| *own != cluster) {
            Some(format!("its __cluster_dims__ are {own}, and the launch says {cluster}"))
        } else if blocks == 0 || blocks > most {
            let by = " without cudaFuncAttributeNonPortableClusterSizeAllowed";
            let by = if wide { "" } else { by };
            Some(format!("a cluster of {cluster} has {blocks} blocks; {most} are possible{by}"))
        } else if axes.iter().any(|(all, part)| !all.is_multiple_of(*part)) {
            Some(format!("clusters of {cluster} blocks do not divide a grid of {grid}"))
        } else {
            None
        }
    }
}
