//! The table of counters: names, Nsight Compute's metrics, and what each counts; and their sum.

use crate::observe::{CounterRow, Counters};
use std::ops::AddAssign;

/// How a row's value follows from the counters.
enum Value {
    Count(fn(&Counters) -> u64),
    /// The first number per the second one.
    Ratio(fn(&Counters) -> (u64, u64)),
    /// The first number as a percentage of the second one.
    Percentage(fn(&Counters) -> (u64, u64)),
}

struct Row {
    name: &'static str,
    metric: &'static str,
    meaning: &'static str,
    value: Value,
    unit: &'static str,
}

impl Counters {
    /// Every counter and derived ratio that the book prints, in its order.
    pub fn table(&self) -> Vec<CounterRow> {
        let ratio = |(of, by): (u64, u64), scale| (by != 0).then(|| of as f64 / by as f64 * scale);
        let row = |row: &Row| CounterRow {
            name: row.name,
            metric: row.metric,
            meaning: row.meaning,
            value: match row.value {
                Value::Count(count) => Some(count(self) as f64),
                Value::Ratio(parts) => ratio(parts(self), 1.0),
                Value::Percentage(parts) => ratio(parts(self), 100.0),
            },
            unit: row.unit,
        };
        TABLE.iter().map(row).collect()
    }
}

/// It lists every field, so a counter that is new cannot be forgotten here.
impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, more: &Counters) {
        *self = Counters {
            instructions: self.instructions + more.instructions,
            thread_instructions: self.thread_instructions + more.thread_instructions,
            branches: self.branches + more.branches,
            divergent_branches: self.divergent_branches + more.divergent_branches,
            global_load_requests: self.global_load_requests + more.global_load_requests,
            global_load_sectors: self.global_load_sectors + more.global_load_sectors,
            global_store_requests: self.global_store_requests + more.global_store_requests,
            global_store_sectors: self.global_store_sectors + more.global_store_sectors,
            global_reduction_requests: self.global_reduction_requests
                + more.global_reduction_requests,
            global_reduction_sectors: self.global_reduction_sectors + more.global_reduction_sectors,
            global_atomic_requests: self.global_atomic_requests + more.global_atomic_requests,
            global_atomic_sectors: self.global_atomic_sectors + more.global_atomic_sectors,
            shared_load_instructions: self.shared_load_instructions + more.shared_load_instructions,
            shared_load_wavefronts: self.shared_load_wavefronts + more.shared_load_wavefronts,
            shared_load_conflicts: self.shared_load_conflicts + more.shared_load_conflicts,
            shared_store_instructions: self.shared_store_instructions
                + more.shared_store_instructions,
            shared_store_wavefronts: self.shared_store_wavefronts + more.shared_store_wavefronts,
            shared_store_conflicts: self.shared_store_conflicts + more.shared_store_conflicts,
            shared_atomic_instructions: self.shared_atomic_instructions
                + more.shared_atomic_instructions,
            local_requests: self.local_requests + more.local_requests,
            barriers: self.barriers + more.barriers,
            shuffles: self.shuffles + more.shuffles,
        };
    }
}

const TABLE: [Row; 27] = [
    Row {
        name: "warp instructions",
        metric: "smsp__inst_executed.sum",
        meaning: "Instructions of the simulator's code, each counted once for a warp.",
        value: Value::Count(|c| c.instructions),
        unit: "",
    },
    Row {
        name: "thread instructions",
        metric: "smsp__thread_inst_executed.sum",
        meaning: "The same, counted once for every active lane.",
        value: Value::Count(|c| c.thread_instructions),
        unit: "",
    },
    Row {
        name: "active lanes",
        metric: "smsp__thread_inst_executed_per_inst_executed.ratio",
        meaning: "Lanes that an instruction works for, on average; 32 at best.",
        value: Value::Ratio(|c| (c.thread_instructions, c.instructions)),
        unit: "lanes/instruction",
    },
    Row {
        name: "branches",
        metric: "smsp__sass_branch_targets.sum",
        meaning: "Conditional branches executed by warps.",
        value: Value::Count(|c| c.branches),
        unit: "",
    },
    Row {
        name: "divergent branches",
        metric: "smsp__sass_branch_targets_threads_divergent.sum",
        meaning: "Those of them at which the lanes of a warp parted.",
        value: Value::Count(|c| c.divergent_branches),
        unit: "",
    },
    Row {
        name: "branch efficiency",
        metric: "smsp__sass_average_branch_targets_threads_uniform.pct",
        meaning: "The share of branches at which all lanes of a warp went the same way.",
        value: Value::Percentage(|c| (c.branches - c.divergent_branches, c.branches)),
        unit: "%",
    },
    Row {
        name: "global load requests",
        metric: "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        meaning: "Warp-level loads that reached global memory.",
        value: Value::Count(|c| c.global_load_requests),
        unit: "",
    },
    Row {
        name: "global load sectors",
        metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        meaning: "Sectors of 32 bytes that they touched.",
        value: Value::Count(|c| c.global_load_sectors),
        unit: "",
    },
    Row {
        name: "sectors per load",
        metric: "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
        meaning: "Sectors for one load; 4 is ideal for 32 lanes of 4 bytes, 32 the worst.",
        value: Value::Ratio(|c| (c.global_load_sectors, c.global_load_requests)),
        unit: "sectors/request",
    },
    Row {
        name: "global store requests",
        metric: "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        meaning: "Warp-level stores that reached global memory.",
        value: Value::Count(|c| c.global_store_requests),
        unit: "",
    },
    Row {
        name: "global store sectors",
        metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        meaning: "Sectors of 32 bytes that they touched.",
        value: Value::Count(|c| c.global_store_sectors),
        unit: "",
    },
    Row {
        name: "sectors per store",
        metric: "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
        meaning: "Sectors for one store.",
        value: Value::Ratio(|c| (c.global_store_sectors, c.global_store_requests)),
        unit: "sectors/request",
    },
    Row {
        name: "global reductions",
        metric: "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
        meaning: "Warp-level atomics on global memory whose result is dropped.",
        value: Value::Count(|c| c.global_reduction_requests),
        unit: "",
    },
    Row {
        name: "global reduction sectors",
        metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
        meaning: "Sectors that they touched.",
        value: Value::Count(|c| c.global_reduction_sectors),
        unit: "",
    },
    Row {
        name: "global atomics",
        metric: "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
        meaning: "Warp-level atomics on global memory whose result is used.",
        value: Value::Count(|c| c.global_atomic_requests),
        unit: "",
    },
    Row {
        name: "global atomic sectors",
        metric: "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
        meaning: "Sectors that they touched.",
        value: Value::Count(|c| c.global_atomic_sectors),
        unit: "",
    },
    Row {
        name: "shared loads",
        metric: "smsp__inst_executed_op_shared_ld.sum",
        meaning: "Warp-level loads from shared memory.",
        value: Value::Count(|c| c.shared_load_instructions),
        unit: "",
    },
    Row {
        name: "shared load wavefronts",
        metric: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        meaning: "Passes over the banks that they took.",
        value: Value::Count(|c| c.shared_load_wavefronts),
        unit: "",
    },
    Row {
        name: "shared load conflicts",
        metric: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        meaning: "Passes beyond the ideal.",
        value: Value::Count(|c| c.shared_load_conflicts),
        unit: "",
    },
    Row {
        name: "shared stores",
        metric: "smsp__inst_executed_op_shared_st.sum",
        meaning: "Warp-level stores to shared memory.",
        value: Value::Count(|c| c.shared_store_instructions),
        unit: "",
    },
    Row {
        name: "shared store wavefronts",
        metric: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        meaning: "Passes over the banks that they took.",
        value: Value::Count(|c| c.shared_store_wavefronts),
        unit: "",
    },
    Row {
        name: "shared store conflicts",
        metric: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        meaning: "Passes beyond the ideal.",
        value: Value::Count(|c| c.shared_store_conflicts),
        unit: "",
    },
    Row {
        name: "conflicts per shared access",
        metric: "",
        meaning: "Passes beyond the ideal, for one shared load or store.",
        value: Value::Ratio(|c| {
            (
                c.shared_load_conflicts + c.shared_store_conflicts,
                c.shared_load_instructions + c.shared_store_instructions,
            )
        }),
        unit: "conflicts/request",
    },
    Row {
        name: "shared atomics",
        metric: "smsp__inst_executed_op_shared_atom.sum",
        meaning: "Warp-level atomics on shared memory.",
        value: Value::Count(|c| c.shared_atomic_instructions),
        unit: "",
    },
    Row {
        name: "local requests",
        metric: "",
        meaning: "Warp-level loads and stores of local arrays; the compiler keeps small ones in registers.",
        value: Value::Count(|c| c.local_requests),
        unit: "",
    },
    Row {
        name: "barriers",
        metric: "",
        meaning: "__syncthreads executed by warps.",
        value: Value::Count(|c| c.barriers),
        unit: "",
    },
    Row {
        name: "shuffles",
        metric: "",
        meaning: "Warp shuffles executed.",
        value: Value::Count(|c| c.shuffles),
        unit: "",
    },
];
