//! Launches like earlier ones: which are not run again, and that nobody can tell but by that.

use crate::world::*;

/// Which launches of a program were not run.
fn known(body: &str) -> Vec<bool> {
    let text = format!(
        "#include <cstdio>
        __device__ int step = 1;
        __global__ void twice(const int* from, int* to) {{
            to[threadIdx.x] = 2 * from[threadIdx.x] + step;
        }}
        __global__ void more(int* to) {{ atomicAdd(&to[threadIdx.x], 1); }}
        int main() {{
            int host[32], *from, *to;
            for (int i = 0; i < 32; ++i) host[i] = i;
            cudaMalloc(&from, sizeof host);
            cudaMallocManaged(&to, sizeof host);
            cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
            {body}
            cudaDeviceSynchronize();
            printf(\"%d\\n\", to[31]);
            return 0;
        }}"
    );
    let (output, report) = run("program.cu", &text);
    assert_eq!((output.as_str(), report.code), ("63\n", 0), "{:?}", report.diagnostics);
    let twice = report.launches.iter().filter(|l| l.kernel == "twice");
    let mut counted = twice.map(|l| format!("{:?}", l.report.counters));
    let first = counted.next();
    assert!(counted.all(|other| Some(other) == first));
    report.launches.iter().map(|l| l.cached).collect()
}

#[test]
fn a_launch_that_changes_nothing_is_not_run_again() {
    let same = "for (int i = 0; i < 5; ++i) twice<<<1, 32>>>(from, to);";
    assert_eq!(known(same), [false, false, true, true, true]);
    let (f, t) = (false, true);
    // Something changed: what it reads, what it writes, a variable, another kernel's doing.
    for change in
        ["cudaMemset(to, 0, 8);", "to[3] = 5;", "to[3] += 1; to[4] -= 1;", "more<<<1, 32>>>(to);"]
    {
        let body = format!("{same} cudaDeviceSynchronize(); {change} twice<<<1, 32>>>(from, to);");
        let mut expected = vec![f, f, t, t, t, f];
        if change.starts_with("more") {
            expected.insert(5, f);
        }
        assert_eq!(known(&body), expected, "{change}");
    }
    // What was changed and changed back is as it was.
    for change in [
        "to[3] += 1; to[3] -= 1;",
        "int one = 3; cudaMemcpyToSymbol(step, &one, 4); one = 1; cudaMemcpyToSymbol(step, &one, 4);",
    ] {
        let body = format!("{same} cudaDeviceSynchronize(); {change} twice<<<1, 32>>>(from, to);");
        assert_eq!(known(&body), [f, f, t, t, t, t], "{change}");
    }
    // The same bytes once more are no change; nor is another launch that changes nothing.
    let body = "for (int i = 0; i < 4; ++i) {
        cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
        twice<<<1, 32>>>(from, to);
        twice<<<dim3(1), dim3(32), 64>>>(from, to);
    }";
    assert_eq!(known(body), [f, f, f, f, t, t, t, t]);
}

#[test]
fn a_launch_that_changes_memory_each_time_is_run_each_time() {
    let body = "for (int i = 0; i < 9; ++i) more<<<1, 32>>>(from);
        cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
        for (int i = 0; i < 2; ++i) twice<<<1, 32>>>(from, to);";
    assert_eq!(known(body), [false; 11]);
    let (output, _) = run(
        "program.cu",
        "#include <cstdio>
        __device__ int count;
        __global__ void one() { count++; }
        int main() {
            int host;
            for (int i = 0; i < 40; ++i) one<<<1, 1>>>();
            cudaMemcpyFromSymbol(&host, count, 4);
            printf(\"%d\\n\", host);
        }",
    );
    assert_eq!(output, "40\n");
}

#[test]
fn what_a_known_launch_prints_is_printed() {
    let (output, report) = run(
        "program.cu",
        "#include <cstdio>
        __global__ void hello() { printf(\"hello\\n\"); }
        int main() {
            for (int i = 0; i < 4; ++i) hello<<<1, 1>>>();
            cudaDeviceSynchronize();
        }",
    );
    assert_eq!(output, "hello\n".repeat(4));
    assert_eq!(report.launches.iter().filter(|l| l.cached).count(), 2);
}

/// What a program prints, and for each launch whether it was known and all that came of it.
fn seen(text: &str) -> (String, Vec<bool>, Vec<String>) {
    let (output, report) = run("program.cu", text);
    assert_eq!(report.code, 0, "{:?}", report.diagnostics);
    let again = report.launches.iter().map(|l| l.cached).collect();
    let all = report.launches.iter().map(|l| format!("{} {:?}", l.kernel, l.report)).collect();
    (output, again, all)
}

/// A program that does something `rounds` times, with an array of ten and a variable.
fn rounds(kernels: &str, rounds: usize, body: &str) -> String {
    format!(
        "#include <cstdio>
        __device__ int total;
        {kernels}
        int main() {{
            int host[64], back[64], *a, *b;
            for (int i = 0; i < 64; ++i) host[i] = 3 * i;
            cudaMalloc(&a, sizeof host);
            cudaMalloc(&b, sizeof host);
            cudaMemset(b, 0, sizeof host);
            for (int round = 0; round < {rounds}; ++round) {{
                {body}
                cudaMemcpy(back, a, sizeof host, cudaMemcpyDeviceToHost);
                int sum = 0;
                for (int i = 0; i < 64; ++i) sum = 31 * sum + back[i];
                printf(\"%d\\n\", sum);
            }}
            return 0;
        }}"
    )
}

#[test]
fn memory_that_is_filled_anew_is_the_same_memory() {
    let kernels = "__global__ void scan(int* a) {
            for (int i = 1; i < 64; i *= 2) {
                int x = threadIdx.x >= i ? a[threadIdx.x - i] : 0;
                __syncthreads();
                a[threadIdx.x] += x;
                __syncthreads();
            }
        }
        __global__ void add(int* a, int* b) {
            b[threadIdx.x] = a[threadIdx.x] + 1;
            if (threadIdx.x == 5) printf(\"five: %d\\n\", b[5]);
        }
        __global__ void minus(const int* b, int* a) { a[threadIdx.x] -= b[threadIdx.x]; }";
    let body = "cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
        scan<<<1, 64>>>(a);
        add<<<1, 64>>>(a, b);
        minus<<<1, 64>>>(b, a);";
    let (output, again, all) = seen(&rounds(kernels, 6, body));
    let mut lines: Vec<&str> = output.lines().collect();
    lines.dedup();
    assert_eq!(output.lines().count(), 12, "{output}");
    assert!(output.lines().step_by(2).all(|line| line == "five: 46"), "{output}");
    let sums: Vec<_> = output.lines().skip(1).step_by(2).collect();
    assert!(sums.windows(2).all(|two| two[0] == two[1]), "{output}");
    // The first round finds `b` as nobody left it later; the second is recorded.
    assert_eq!(again[..6], [false; 6]);
    assert_eq!(again[9..], [true; 9], "{again:?}");
    // What came of them is told all the same.
    for launch in 3..again.len() {
        assert_eq!(all[launch], all[launch % 3 + 3]);
    }
}

#[test]
fn steps_that_return_are_known_one_by_one() {
    let kernels = "__global__ void step(int* a, int* b) {
            b[threadIdx.x] = a[threadIdx.x] * 5 + 1 + b[threadIdx.x] / 2;
        }";
    let body = "cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
        cudaMemset(b, 0, sizeof host);
        for (int i = 0; i < 7; ++i) { step<<<1, 64>>>(a, b); step<<<1, 64>>>(b, a); }";
    let (output, again, all) = seen(&rounds(kernels, 5, body));
    let first = output.lines().next();
    assert!(output.lines().all(|line| Some(line) == first), "{output}");
    assert_eq!(again[..14], [false; 14]);
    assert_eq!(again[42..], [true; 28], "{again:?}");
    for launch in 14..again.len() {
        assert_eq!(all[launch], all[launch % 14]);
    }
}

#[test]
fn what_a_kernel_cannot_reach_makes_no_difference_to_it() {
    let kernels = "__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
        __global__ void count(int* b) { b[threadIdx.x] += 1; }";
    let body = "cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
        twice<<<1, 64>>>(a);
        count<<<1, 64>>>(b);";
    let (_, again, _) = seen(&rounds(kernels, 5, body));
    let (f, t) = (false, true);
    assert_eq!(again, [f, f, f, f, t, f, t, f, t, f]);
}

#[test]
fn a_variable_and_what_a_pointer_leads_to_make_a_difference() {
    // `a` holds where to write; and a launch of another kernel changes the variable.
    let kernels = "__global__ void point(int** a, int* b) { a[threadIdx.x] = b + total; }
        __global__ void follow(int** a) { *a[threadIdx.x] += threadIdx.x + total; }
        __global__ void next() { total = (total + 1) % 2; }";
    let body = "point<<<1, 1>>>((int**)a, b);
        follow<<<1, 1>>>((int**)a);
        next<<<1, 1>>>();
        cudaMemset(b, 0, sizeof host);
        cudaMemcpy(back, a, 4, cudaMemcpyDeviceToHost);
        int t; cudaMemcpyFromSymbol(&t, total, 4);
        printf(\"%d \", t);
        cudaMemset(a, 0, sizeof host);";
    let (output, again, all) = seen(&rounds(kernels, 12, body));
    let lines: Vec<_> = output.lines().map(|line| &line[..1]).collect();
    let wanted: Vec<_> = ["1", "0"].iter().cycle().take(12).copied().collect();
    assert_eq!(lines, wanted);
    assert!(again[24..].iter().all(|again| *again), "{again:?}");
    for launch in 12..again.len() {
        assert_eq!(all[launch], all[launch % 6 + 6]);
    }
}

#[test]
fn a_kernel_that_asks_for_memory_is_run_each_time() {
    let kernels = "__global__ void heap(int* a) {
            int* p = (int*)malloc(4);
            *p = threadIdx.x;
            a[threadIdx.x] = *p;
            free(p);
        }";
    let (_, again, _) = seen(&rounds(kernels, 6, "heap<<<1, 64>>>(a);"));
    assert_eq!(again, [false; 6]);
}
