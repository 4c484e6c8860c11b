//! `run`: one program or kernel file.

use crate::folder::{Folder, RACE, TWICE};

#[test]
fn a_program_and_a_kernel_file_run_in_any_folder() {
    let folder = Folder::with(&[("race.cu", RACE), ("twice.cu", TWICE)]);
    let said = folder.says(&["run", "race.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stderr.contains("error[shared-race]"), "{said:#?}");
    assert!(said.stderr.contains("1 launch, 1 error, 0 warnings"), "{said:#?}");
    let said = folder.says(&["run", "twice.cu", "-n", "64"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("smsp__inst_executed.sum"), "{said:#?}");
    assert_eq!(folder.says(&["run", "race.cu", "--error-exitcode", "7"]).code, Some(7));
}

#[test]
fn a_report_has_the_findings_and_a_suppressed_one_does_not_count() {
    let why = "s[63 - threadIdx.x];  // NOLINT(shared-race): a test";
    // The finding stands at the access that came second, or at the first: mark both.
    let text = RACE.replace("s[63 - threadIdx.x];", why);
    let text = text.replace("= threadIdx.x;\n", "= threadIdx.x;  // NOLINT(shared-race): a test\n");
    let folder = Folder::with(&[("race.cu", text.as_str())]);
    let said = folder.says(&["run", "race.cu", "--error-exitcode", "7", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stderr.contains("1 launch, 0 findings, 1 suppressed"), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(finding["code"], "shared-race");
    assert_eq!(finding["standing"]["suppressed"], "a test");
}

#[test]
fn the_counters_of_each_kernel_are_a_table_and_data() {
    let text = "__global__ void fill(int* p) { p[threadIdx.x] = 1; }\n\
                __global__ void spread(int* p) { p[8 * threadIdx.x] = 2; }\n\
                int main() { int* p; cudaMalloc(&p, 1024); fill<<<1, 32>>>(p); \
                spread<<<1, 32>>>(p); fill<<<1, 32>>>(p); return cudaDeviceSynchronize(); }\n";
    let folder = Folder::with(&[("a.cu", text)]);
    let said = folder.says(&["run", "a.cu", "--counters", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.starts_with("fill: 2 launches\n"), "{said:#?}");
    assert!(said.stdout.contains("spread: 1 launch\n"), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let sectors = |kernel: usize| {
        let counters = report["files"][0]["kernels"][kernel]["counters"].as_array().unwrap();
        let name = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
        counters.iter().find(|counter| counter["metric"] == name).unwrap()["value"].clone()
    };
    // 32 numbers are 4 sectors, twice; a stride of 32 bytes takes a sector per number.
    assert_eq!((sectors(0).as_f64(), sectors(1).as_f64()), (Some(8.0), Some(32.0)));
}
