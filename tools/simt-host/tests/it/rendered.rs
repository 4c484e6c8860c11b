//! What is said, and how often.

use simt::{Severity, Sources};

/// What is said of an initialiser, without errors.
fn warnings(value: &str) -> Vec<String> {
    let text = format!("__global__ void k(int* a) {{ int x = {value}; a[0] = x; }}");
    let module = simt::compile(Sources::single("k.cu", &text))
        .unwrap_or_else(|failure| panic!("{}", failure.diagnostics[0].render(&failure.sources)));
    module.diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn of_an_arm_that_is_never_taken_nothing_is_said() {
    let said = ["this divides by zero"];
    assert_eq!(warnings("1 / 0"), said);
    for taken in ["true ? 1 / 0 : 2", "false ? 2 : 1 / 0", "a[1] ? 1 / 0 : 2"] {
        assert_eq!(warnings(taken), said, "{taken}");
    }
    for dead in ["false ? 1 / 0 : 2", "true ? 2 : 1 / 0", "sizeof(int) == 4 ? 2 : 1 % 0"] {
        assert_eq!(warnings(dead), [""; 0], "{dead}");
    }
    // What is before and behind it stays.
    assert_eq!(warnings("1 / 0 + (false ? 2 / 0 : 2) + 3 / 0").len(), 2);
}

/// Of the errors that a program is found with, the first lines.
fn errors(text: &str) -> Vec<String> {
    let program = crate::world::compile("program.cu", text).unwrap_or_else(|said| panic!("{said}"));
    let (_, report) = crate::world::execute(&program);
    let all = report.findings.iter().filter(|(severity, _)| *severity == Severity::Error);
    all.map(|(_, text)| text.lines().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_each_launch_repeats_is_shown_once() {
    let program = |body: &str| {
        format!(
            "__global__ void shift(int* a, int from) {{
                a[from + threadIdx.x] = a[from + threadIdx.x + 1];
            }}
            __global__ void add(int* a, int from) {{ a[from] += threadIdx.x; }}
            int main() {{
                int* a;
                cudaMalloc(&a, 4096);
                cudaMemset(a, 0, 4096);
                {body}
                return cudaDeviceSynchronize();
            }}"
        )
    };
    let once = errors(&program("shift<<<1, 64>>>(a, 0);"));
    assert_eq!(once.len(), 1, "{once:?}");
    // Another element of the same array is no news.
    let again = errors(&program("for (int i = 0; i < 5; i++) shift<<<1, 64>>>(a, i * 100);"));
    assert_eq!(once, again);
    // Another kernel is.
    let both = errors(&program(
        "for (int i = 0; i < 5; i++) { shift<<<1, 64>>>(a, i); add<<<1, 64>>>(a, i); }",
    ));
    assert!(both.len() > 1 && both[0] == once[0], "{both:?}");
    assert_eq!(both.iter().collect::<std::collections::BTreeSet<_>>().len(), both.len());
}

#[test]
fn what_is_shown_beside_a_finding_is_named() {
    let given = |body: &str, local: &str| {
        let text = format!(
            "__global__ void k(int* a) {{ {body} }}
            int main() {{ int x, y[32]; k<<<1, 32>>>({local}); return cudaDeviceSynchronize(); }}"
        );
        let program =
            crate::world::compile("program.cu", &text).unwrap_or_else(|said| panic!("{said}"));
        let (_, report) = crate::world::execute(&program);
        report.findings.into_iter().map(|(_, text)| text).collect::<String>()
    };
    let shown = |body: &str| given(body, "&x");
    let text = shown("int x; if (threadIdx.x > 40) x = 1; if (x) __syncthreads();");
    assert!(text.contains("note: (2) it is declared here"), "{text}");
    assert!(!text.contains("declaration by"), "{text}");
    let text = shown("a[threadIdx.x] = 1;");
    assert!(text.contains("cannot access the host's local variables"), "{text}");
    let text = given("a[threadIdx.x] = 1;", "y");
    assert!(text.contains("`y` is host memory: a kernel cannot access it"), "{text}");
    // One statement reads and writes: the read of the next round is no write.
    let all = shown("__shared__ int s; s = 0; for (int i = 0; i < 2; i++) s += threadIdx.x / 32;");
    let reads = all.split("= help").filter(|f| f.contains("(1) read"));
    assert!(reads.clone().count() > 1, "{all}");
    for read in reads {
        assert!(read.contains("nothing orders this read and the write"), "{read}");
    }
}
