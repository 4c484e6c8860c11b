//! Exercises that are complete programs: what their check accepts and rejects.

use kernel_file::exercise::{Checked, Checker};
use kernel_file::{Exercise, Problem};

/// Two halves of an array in two streams.
const HALVES: &str = "\
//! # Two streams
//! Process each half in a stream of its own.
//! ## Hint
//! Issue, then wait.
//! ## Why it works
//! The streams overlap.
//@ exercise write, 20 minutes
//@ program
//@ gate steps <= 4
//@ gate unfreed = 0
//@ gate undestroyed = 0
//@ test 2, 32, 66
//@ page 128

#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>

__constant__ int offset;

__global__ void work(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += offset;
}

void process(int* host, int* device, int n, cudaStream_t* streams) {
    //@ begin
    int half = n / 2;
    for (int k = 0; k < 2; k++) {
        int *from = host + k * half, *to = device + k * half;
        cudaMemcpyAsync(to, from, half * sizeof(int), cudaMemcpyHostToDevice, streams[k]);
        work<<<1, 64, 0, streams[k]>>>(to, half);
        cudaMemcpyAsync(from, to, half * sizeof(int), cudaMemcpyDeviceToHost, streams[k]);
    }
    cudaDeviceSynchronize();
    //@ starter
    //| // Your turn.
    //@ wrong host-race: nothing waits
    //| cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
    //| work<<<2, 64, 0, streams[0]>>>(device, n);
    //| cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
    //@ wrong gate unfreed: memory is left
    //| int* more;
    //| cudaMalloc(&more, 4);
    //| int half = n / 2;
    //| for (int k = 0; k < 2; k++) {
    //|     int *from = host + k * half, *to = device + k * half;
    //|     cudaMemcpyAsync(to, from, half * sizeof(int), cudaMemcpyHostToDevice, streams[k]);
    //|     work<<<1, 64, 0, streams[k]>>>(to, half);
    //|     cudaMemcpyAsync(from, to, half * sizeof(int), cudaMemcpyDeviceToHost, streams[k]);
    //| }
    //| cudaDeviceSynchronize();
    //@ wrong result: only one half
    //| cudaMemcpy(device, host, n / 2 * sizeof(int), cudaMemcpyHostToDevice);
    //| work<<<1, 64>>>(device, n / 2);
    //| cudaMemcpy(host, device, n / 2 * sizeof(int), cudaMemcpyDeviceToHost);
    //@ end
}

__host__ int number(int seed, int i) { return (seed % 1009 + 1) * (i + 7) % 1021; }

int main(int argc, char** argv) {
    int n = atoi(argv[1]) / 2 * 2, seed = atoi(argv[2]);
    int constant = seed % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    int *host, *device;
    cudaMallocHost(&host, (n + 1) * sizeof(int));
    cudaMalloc(&device, (n + 1) * sizeof(int));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) host[i] = number(seed, i);
    cudaDeviceSynchronize();
    cudaProfilerStart();
    process(host, device, n, streams);
    cudaProfilerStop();
    for (int i = 0; i < n; i++) {
        if (host[i] != number(seed, i) + constant) {
            std::printf(\"element %d is wrong\\n\", i);
            return 1;
        }
    }
    return 0;
}
";

/// A missing wait that no finding tells of: registered memory takes no part in races.
const REGISTERED: &str = "\
    size_t bytes = (n + 1) * sizeof(int);
    int* own = (int*)malloc(bytes);
    for (int i = 0; i <= n; i++) own[i] = 0;
    cudaHostRegister(own, bytes, 0);
    cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
    work<<<n / 64 + 1, 64, 0, streams[0]>>>(device, n);
    cudaStreamSynchronize(streams[0]);
    cudaMemcpyAsync(own, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
    for (int i = 0; i < n; i++) host[i] = own[i];
    cudaDeviceSynchronize();
    cudaHostUnregister(own);
    free(own);
";

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(|p| format!("{}: {}\n", p.line, p.message)).collect()
}

fn parse(text: &str) -> Exercise {
    Exercise::parse("x.cu", text.to_owned()).unwrap_or_else(|p| panic!("{}", lines(&p)))
}

fn check(region: &str) -> Checked {
    let exercise = parse(HALVES);
    let checker = Checker::new(&exercise, Vec::new()).unwrap_or_else(|p| panic!("{}", lines(&p)));
    checker.check("mine.cu", &exercise.starter().replace("    // Your turn.\n", region), 7)
}

#[test]
fn the_file_keeps_its_promises() {
    let exercise = parse(HALVES);
    assert!(exercise.is_program);
    assert_eq!(lines(&exercise.audit(Vec::new())), "");
    let solved = Checker::new(&exercise, Vec::new()).unwrap().check("x.cu", &exercise.solved(), 1);
    let gates: Vec<(&str, i64)> = solved.gates.iter().map(|row| (row.word, row.yours)).collect();
    assert_eq!(gates, [("steps", 4), ("unfreed", 0), ("undestroyed", 0)]);
}

#[test]
fn wrong_answers_and_ways_around_are_rejected_each_with_its_code() {
    let right = |wait: &str| {
        format!(
            "cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
             work<<<n / 64 + 1, 64, 0, streams[0]>>>(device, n);
             cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
             {wait}\n"
        )
    };
    for (wanted, region) in [
        ("passes", right("cudaStreamSynchronize(streams[0]);")),
        (
            "passes",
            right(
                "cudaMemcpyAsync(host, device, 0, cudaMemcpyDefault, 0); cudaDeviceSynchronize();",
            ),
        ),
        ("host-race", right("cudaStreamSynchronize(streams[1]);")),
        ("host-race", right("cudaStreamSynchronize(0);")),
        ("order", REGISTERED.to_owned()),
        ("result", String::new()),
        ("compile", "int x = ;\n".to_owned()),
        ("endless", "for (;;) { }\n".to_owned()),
        ("host", "exit(0);\n".to_owned()),
        ("host", "} int main() { return 0;\n".to_owned()),
        ("frame", "#define main other\n".to_owned()),
        ("frame", "__host_exit(0);\n".to_owned()),
        ("reference", "host[0] = number(1, 0);\n".to_owned()),
        ("reference", "cudaMemcpyFromSymbol(host, offset, 4);\n".to_owned()),
        ("launch", "work<<<1, 2048>>>(device, n);\n".to_owned()),
        ("bounds", right("work<<<2, 64>>>(device + 1, n + 64); cudaDeviceSynchronize();")),
        (
            "gate undestroyed",
            right("cudaStream_t more; cudaStreamCreate(&more); cudaDeviceSynchronize();"),
        ),
        ("gate unfreed", right("int* more; cudaMalloc(&more, 4); cudaDeviceSynchronize();")),
    ] {
        let checked = check(&region);
        let failure = checked.failure.as_ref();
        let code = failure.map_or("passes", |failure| &failure.code);
        assert_eq!(code, wanted, "{region}\n{failure:#?}");
    }
}

#[test]
fn the_host_may_not_do_what_the_device_should() {
    // What the kernel adds is known from one element.
    let region = "cudaMemset(device, 0, sizeof(int));
        work<<<1, 1>>>(device, 1);
        int more;
        cudaMemcpy(&more, device, sizeof(int), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) host[i] += more;\n";
    assert_eq!(check(region).failure.unwrap().code, "host");
}

#[test]
fn gates_of_host_code_and_directives_of_kernels_are_kept_apart() {
    let said = |from: &str, to: &str| {
        assert!(HALVES.contains(from), "{from}");
        lines(&Exercise::parse("x.cu", HALVES.replacen(from, to, 1)).unwrap_err())
    };
    let kernel = "//@ launch work(n) grid = 1, block = 1\n";
    let message = said("//@ program\n", &format!("//@ program\n{kernel}"));
    assert!(message.contains("remove `//@ launch`"), "{message}");
    let message = said("//@ program\n", kernel);
    assert!(message.contains("only a program has this gate"), "{message}");
}

/// No thread of a kernel writes what a program finds wrong.
#[test]
fn a_wrong_result_sends_the_reader_to_the_host() {
    let failure = check("").failure.unwrap();
    assert_eq!(failure.code, "result");
    assert!(failure.next.contains("follow the calls of the host"), "{}", failure.next);
    assert!(!failure.next.contains("thread"), "{}", failure.next);
}
