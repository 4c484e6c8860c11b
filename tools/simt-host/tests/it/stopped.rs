//! Programs that would never end, and what has been told of them by then.

use crate::world::compile;
use simt::{Checks, Config, Interrupt};
use simt_host::{FILE_BYTES, Opened, Os, Report, Told};
use std::time::Duration;

/// Keeps what comes, in order: output as it is, findings in brackets. Its files are those that a
/// hostile user would offer.
#[derive(Default)]
struct Diary {
    text: String,
    time: i64,
    /// Requested at the first output that contains this.
    stop: Option<(&'static str, Interrupt)>,
}

impl Os for Diary {
    fn write(&mut self, _stream: i32, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        if let Some((word, interrupt)) = &self.stop
            && text.contains(word)
        {
            interrupt.request("enough");
        }
        self.text += &text;
    }

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        vec![b'y'; 1000]
    }

    fn open(&mut self, path: &str) -> Opened {
        match path {
            "/dev/zero" => Opened::Refused("it is not a regular file".to_owned()),
            "large" => Opened::Contents(vec![0; FILE_BYTES as usize / 2 + 1]),
            _ => Opened::Missing,
        }
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        true
    }

    fn found(&mut self, found: &Told<'_>) {
        let line = found.text.lines().next().unwrap_or_default();
        self.text += &format!("[{:?}: {line}]", found.severity);
    }
}

fn run_as(text: &str, config: &Config, mut diary: Diary) -> (String, Report) {
    let text = format!("#include <cstdio>\n#include <cstdlib>\n#include <string>\n{text}");
    let program = compile("program.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    let report = simt_host::run(&program, &["program".to_owned()], config, &mut diary);
    (diary.text, report)
}

fn run(text: &str) -> (String, Report) {
    run_as(text, &Config::default(), Diary::default())
}

#[test]
fn findings_come_as_each_launch_ends() {
    let (said, report) = run("
        __global__ void k(int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
        int main() {
            int* a; cudaMalloc(&a, 64);
            for (int i = 0; i < 4; ++i) {
                k<<<1, 32>>>(a, i < 2 ? 16 : 20);
                cudaError_t error = cudaDeviceSynchronize();
                printf(\"%d: %d;\", i, (int)error);
            }
        }");
    let finding = "[Error: error[out-of-bounds]: index 16 of `a` is out of bounds: it has 16 ints, \
                   and this is just past the end]";
    assert_eq!(said, format!("0: 0;1: 0;{finding}2: 700;3: 700;"));
    assert_eq!(report.findings.len(), 1);
}

#[test]
fn what_repeats_is_counted() {
    let (said, report) = run("
        __global__ void k(int* a) { a[0] = threadIdx.x; }
        int main() {
            int* a; cudaMalloc(&a, 4);
            for (int i = 0; i < 3000; ++i) k<<<1, 64>>>(a);
            return cudaDeviceSynchronize();
        }");
    assert_eq!(said.matches(": error[").count(), report.findings.len(), "{said}");
    assert_eq!((report.launched, report.launches.len()), (3000, 1000));
    let each = report.launches[0].report.counters.global_store_requests;
    assert_eq!(report.counters.global_store_requests, 3000 * each);
    assert_eq!(report.repeated, 2999 * report.findings.len() as u64);
}

#[test]
fn a_host_that_waits_after_a_sticky_error_ends() {
    let (said, report) = run("
        __global__ void step(int* a, int* more) { if (a[1 << 20] < 3) a[0]++; else *more = 0; }
        int main() {
            int *a, *more, go = 1;
            cudaMalloc(&a, 4); cudaMalloc(&more, 4);
            cudaMemset(a, 0, 4);
            cudaMemcpy(more, &go, 4, cudaMemcpyHostToDevice);
            while (go) {
                step<<<1, 1>>>(a, more);
                cudaMemcpy(&go, more, 4, cudaMemcpyDeviceToHost);
            }
        }");
    assert_eq!(report.code, 134, "{said}");
    let last = report.findings.last().map_or("", |(_, text)| text);
    for word in ["calls have failed with cudaErrorIllegalAddress since `step` failed", "first call"]
    {
        assert!(last.contains(word), "{last}");
    }
    assert!(last.contains("this launch failed"), "{last}");
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "500 million steps take a minute there")]
fn a_host_that_waits_for_a_failed_kernel_ends() {
    let (said, report) = run("
        __global__ void k(volatile int* flag) { flag[1 << 20] = 1; }
        int main() {
            int* flag; cudaMallocManaged(&flag, 4); *flag = 0;
            k<<<1, 1>>>(flag);
            while (*(volatile int*)flag == 0) {}
        }");
    assert_eq!(report.code, 134, "{said}");
    assert!(said.contains("the host loops and calls nothing since `k` failed"), "{said}");
}

#[test]
fn a_launch_that_has_left_its_array_stops_soon() {
    let (_, report) = run("
        __global__ void k(int* a) { while (a[1 << 20] == 0) { atomicAdd(a, 1); } }
        int main() {
            int* a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64);
            k<<<2, 64>>>(a);
            return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 4;
        }");
    assert_eq!(report.code, 3);
    assert!(report.counters.instructions < 40_000_000, "{:?}", report.counters);
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no threads there")]
fn a_request_to_stop_names_host_and_kernel() {
    let interrupt = Interrupt::default();
    let config = Config { interrupt: interrupt.clone(), ..Config::default() };
    let diary = Diary { stop: Some(("7", interrupt)), ..Diary::default() };
    let text = "int main() { for (int i = 0;; ++i) printf(\"%d\", i); }";
    let (said, report) = run_as(text, &config, diary);
    assert!(report.interrupted);
    assert!(
        said.starts_with("01234567[Error: error[interrupted]: the program is stopped: enough]")
    );

    // Before the first step, in a loop that calls nothing; and in a kernel, from another thread.
    for body in ["for (volatile int i = 0;; ++i) {}", "k<<<2, 64>>>(a); cudaDeviceSynchronize();"] {
        for checks in [Checks::Bare, Checks::All] {
            // On a busy machine the request may come before the kernel runs.
            let named = [100, 1_000, 10_000].into_iter().any(|wait| {
                let interrupt = Interrupt::default();
                let config =
                    Config { checks, threads: 2, interrupt: interrupt.clone(), ..config.clone() };
                let text = format!(
                    "__global__ void k(int* a) {{ for (int i = 0;; ++i) a[blockIdx.x * 64 + threadIdx.x] = i; }}
                    int main() {{ int* a; cudaMalloc(&a, 512); {body} }}"
                );
                let waits = std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(wait));
                    interrupt.request("enough");
                });
                let (said, report) = run_as(&text, &config, Diary::default());
                waits.join().expect("it only waits");
                assert!(report.interrupted && said.contains("stopped: enough"), "{said}");
                let text = &report.findings.last().expect("it was told").1;
                text.contains("`k` was here: block (") == body.starts_with('k')
            });
            assert!(named, "{body}: no message says rightly whether the kernel ran");
        }
    }
}

#[test]
fn a_kernel_whose_budget_is_spent_is_told() {
    let config = Config { budget: 1_000_000, ..Config::default() };
    let text = "__global__ void k(int* a) { for (int i = 0;; ++i) a[0] = i; }
        int main() {
            int* a; cudaMalloc(&a, 4);
            k<<<1, 1>>>(a);
            return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 3 : 4;
        }";
    let (said, report) = run_as(text, &config, Diary::default());
    assert_eq!(report.code, 3);
    assert!(said.contains("`k` is stopped after 1000000 warp-instructions"), "{said}");
    assert!(!said.contains("atomic_ref"), "{said}");
    // A loop that only reads waits for what a compiler may have read before it.
    for (read, named) in [("*a", true), ("*(volatile int*)a", false), ("atomicAdd(a, 0)", false)] {
        let text = format!(
            "__global__ void k(int* a, int* b) {{ while ({read} == 0); *b = 1; }}
            int main() {{
                int* a; cudaMalloc(&a, 8); cudaMemset(a, 0, 8);
                k<<<1, 1>>>(a, a + 1);
                return cudaDeviceSynchronize();
            }}"
        );
        let (_, report) = run_as(&text, &config, Diary::default());
        let help = report.diagnostics.iter().filter_map(|d| d.help.as_deref());
        let found = help.filter(|help| help.contains("use `cuda::atomic_ref` or `volatile`"));
        assert_eq!(found.count() > 0, named, "{read}: {:?}", report.diagnostics);
    }
    // The host has a budget, too, which is taken in slices.
    let config = Config { budget: 3_000_000, ..Config::default() };
    let (said, report) = run_as("int main() { for (;;) {} }", &config, Diary::default());
    assert_eq!(report.code, 134);
    assert!(said.contains("the budget of steps is spent"), "{said}");
    let text = "int main() { int x = 0; for (int i = 0; i < 2900000; ++i) x += i; return x != 0; }";
    assert_eq!(run_as(text, &config, Diary::default()).1.code, 1);
}

#[test]
fn a_launch_that_never_starts_is_an_error() {
    for (shape, why) in [
        ("1, 2048", "no block may be (2048, 1, 1)"),
        ("0, 32", "no grid may be (0, 1, 1)"),
        ("1, dim3(32, 0)", "no block may be (32, 0, 1)"),
        (
            "dim3(1, 70000), 32",
            "no grid may be (1, 70000, 1): it has 2147483647 blocks at most in x",
        ),
        ("1, dim3(1, 1, 65)", "no block may be (1, 1, 65): it has 64 threads at most in z"),
        ("1, 32, 1 << 20", "bytes of dynamic shared memory, not 1048576"),
        ("1, 32, 0, (cudaStream_t)77", "its stream does not exist"),
    ] {
        let text = format!("__global__ void k() {{}} int main() {{ k<<<{shape}>>>(); }}");
        let (said, report) = run(&text);
        assert_eq!((report.code, report.launched), (0, 0), "{said}");
        assert!(said.starts_with("[Error: error[launch]: `k` does not start: "), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_launch_error_that_the_program_looks_at_is_a_warning() {
    let kernel = "__global__ void k() {}";
    for (calls, severities) in [
        ("k<<<1, 2048>>>(); return cudaGetLastError() == cudaSuccess;", "Warning"),
        ("k<<<1, 2048>>>(); return cudaPeekAtLastError() == cudaSuccess;", "Warning"),
        (
            "return cudaLaunchKernel((void*)k, dim3(1), dim3(2048), 0, 0, 0) == cudaSuccess;",
            "Warning",
        ),
        // The error of a launch is not that of what it would have done.
        ("k<<<1, 2048>>>(); return cudaDeviceSynchronize() != cudaSuccess;", "Error"),
        (
            "k<<<1, 2048>>>(); k<<<0, 1>>>(); return cudaGetLastError() == cudaSuccess;",
            "Error Warning",
        ),
        ("cudaGetLastError(); k<<<1, 2048>>>(); return 0;", "Error"),
    ] {
        let (_, report) = run(&format!("{kernel} int main() {{ {calls} }}"));
        let found: Vec<_> = report.findings.iter().map(|(s, _)| format!("{s:?}")).collect();
        assert_eq!((report.code, found.join(" ")), (0, severities.to_owned()), "{calls}");
    }
}

#[test]
fn files_are_bounded() {
    let (said, _) = run("int main() {
            printf(\"%d\", fopen(\"/dev/zero\", \"r\") == nullptr);
            printf(\"%d\", fopen(\"nowhere\", \"r\") == nullptr);
            FILE* one = fopen(\"large\", \"r\");
            FILE* two = fopen(\"large\", \"r\");
            printf(\"%d%d\", one != nullptr, two == nullptr);
            fclose(one);
            FILE* again = fopen(\"large\", \"r\");
            printf(\"%d\", again != nullptr);
            int written = 0;
            for (int i = 0; i < 12; ++i) {
                FILE* file = fopen(\"new\", \"w\");
                fseek(file, 100 << 20, SEEK_SET);
                written += fwrite(\"x\", 1, 1, file);
            }
            printf(\" %d\", written);
        }");
    let zero = "[Warning: warning[file]: `/dev/zero` is not opened: it is not a regular file]";
    let large = "[Warning: warning[file]: `large` is not opened: all open files together may have 1024 MiB]";
    let new =
        "[Warning: warning[file]: `new` is not written: all open files together may have 1024 MiB]";
    assert_eq!(said, format!("{zero}11{large}111{new} 5"));
}

#[test]
fn endless_input_takes_no_memory() {
    let (said, _) = run("int main() {
            int n = 0, c = 0;
            for (; n < 3000000 && (c = getchar()) != EOF; ++n) {}
            ungetc('z', stdin);
            printf(\"%d %c %c\", n, c, getchar());
        }");
    assert_eq!(said, "3000000 y y", "the byte is put back, as it was read");
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "the memory of the module itself ends first")]
fn memory_that_ends_is_named() {
    let (said, report) = run("int main() { std::string s = \"x\"; for (;;) s += s; }");
    assert_eq!(report.code, 134);
    assert!(said.contains("bad_alloc"), "{said}");
    let (said, report) = run("int main() { for (;;) new char[1 << 28]; }");
    assert_eq!(report.code, 134);
    assert!(said.contains("`new` of 268435456 times 1 bytes: out of memory; "), "{said}");
}

#[test]
fn thousands_of_streams_events_and_graphs_are_quick() {
    let (said, report) = run("
        __global__ void k(int* a) { a[threadIdx.x] += 1; }
        int main() {
            int* a; cudaMalloc(&a, 128); cudaMemset(a, 0, 128);
            const int n = 20000;
            cudaStream_t* streams = new cudaStream_t[n];
            cudaEvent_t* events = new cudaEvent_t[n];
            for (int i = 0; i < n; ++i) { cudaStreamCreate(&streams[i]); cudaEventCreate(&events[i]); }
            for (int i = 0; i < n; ++i) {
                cudaEventRecord(events[i], streams[i]);
                cudaEventSynchronize(events[i]);
            }
            float ms = 0;
            printf(\"%d \", (int)cudaEventElapsedTime(&ms, events[0], events[n - 1]));
            for (int i = 0; i < 200; ++i) {
                cudaGraph_t graph; cudaGraphExec_t exec;
                cudaStreamBeginCapture(streams[i], cudaStreamCaptureModeGlobal);
                k<<<1, 32, 0, streams[i]>>>(a);
                cudaStreamEndCapture(streams[i], &graph);
                cudaGraphInstantiate(&exec, graph, 0);
                cudaGraphLaunch(exec, streams[i]);
                cudaStreamSynchronize(streams[i]);
                cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);
            }
            for (int i = 0; i < n; ++i) { cudaStreamDestroy(streams[i]); cudaEventDestroy(events[i]); }
            int h; cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost);
            printf(\"%d\", h);
            return cudaGetLastError();
        }");
    assert_eq!((said.as_str(), report.code), ("0 200", 0));
}
