//! Plain reads that begin a loop around `atomicCAS`: what is confirmed, and what is only doubtful.
//! The labelled kernels have what is right and wrong; here is how loudly it is said.

use crate::world::*;
use simt::Severity;

/// The severities of the races that a kernel of two blocks is found with.
fn races(kernel: &str) -> Vec<Severity> {
    let text = format!(
        "{kernel}
        int main() {{
            int* d;
            cudaMalloc(&d, 4096);
            cudaMemset(d, 0, 4096);
            k<<<2, 64>>>(d);
            return cudaDeviceSynchronize();
        }}"
    );
    let program = compile("program.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    let (_, report) = execute(&program);
    assert_eq!(report.code, 0);
    let found = report.launches.iter().flat_map(|l| &l.report.findings);
    let races = found.filter(|f| f.class() == simt::Class::Race);
    races.map(|f| f.severity).collect()
}

#[test]
fn a_value_that_also_decides_whether_to_swap_is_doubtful() {
    let kernel = "__global__ void k(int* a) {
            int old = a[0], assumed, mine = threadIdx.x + 1;
            while (mine > old) {
                assumed = old;
                old = atomicCAS(a, assumed, mine);
                if (old == assumed) break;
            }
        }";
    let found = races(kernel);
    assert!(!found.is_empty() && found.iter().all(|s| *s == Severity::Warning), "{found:?}");
}

#[test]
fn an_address_that_changes_is_another_address() {
    let kernel = |step: &str| {
        format!(
            "__global__ void k(int* a) {{
                int* p = a;
                int old = *p, assumed;
                do {{
                    assumed = old;
                    {step}
                    old = atomicCAS(p, assumed, assumed + 1);
                }} while (assumed != old);
                atomicAdd(a, 1);
            }}"
        )
    };
    assert_eq!(races(&kernel("")), []);
    let found = races(&kernel("if (assumed & 1) p = a + 1;"));
    assert!(found.contains(&Severity::Error), "{found:?}");
}

#[test]
fn a_plain_read_beside_a_confirmed_one_is_found() {
    let kernel = "__global__ void k(int* a) {
            int old = a[0], assumed;
            a[64 + blockIdx.x * 64 + threadIdx.x] = a[0];
            do {
                assumed = old;
                old = atomicCAS(a, assumed, assumed + 1);
            } while (assumed != old);
        }";
    assert!(races(kernel).contains(&Severity::Error));
}
