//! The roofline model of a device, and where measured kernels lie under it (Williams, Waterman and
//! Patterson, "Roofline: an insightful visual performance model", 2009).

/// The two roofs of a device, and the kernels under them.
#[derive(Debug, Clone)]
pub(crate) struct Roofline {
    /// The device, and when it was recorded.
    pub(crate) machine: String,
    /// The bandwidth roof, GB/s.
    pub(crate) memory_gbps: f64,
    /// Whether that was measured; else it is the maker's figure.
    pub(crate) memory_measured: bool,
    /// The arithmetic roof, GFLOP/s, computed from the clock.
    pub(crate) peak_gflops: f64,
    pub(crate) points: Vec<RooflinePoint>,
}

/// A kernel under the roofs.
#[derive(Debug, Clone)]
pub(crate) struct RooflinePoint {
    pub(crate) label: String,
    /// The size at which it was measured.
    pub(crate) n: u64,
    /// Arithmetic intensity: operations per byte.
    pub(crate) intensity: f64,
    pub(crate) gflops: f64,
}
