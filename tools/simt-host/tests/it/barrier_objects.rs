//! `cuda::barrier`: what it orders, what it does not, and who waits in vain.

use crate::world::*;
use simt::{Class, Code, Config};

/// What a kernel of two blocks of 64 prints, and the codes of what was found.
fn run_kernel(body: &str) -> (String, Vec<Code>) {
    let text = format!(
        "#include <cstdio>
        #include <cuda/barrier>
        #include <utility>
        using barrier = cuda::barrier<cuda::thread_scope_block>;
        __global__ void k(int* o, const int* in) {{
            __shared__ barrier bar;
            __shared__ int s[64];
            const int t = threadIdx.x;
            o += blockIdx.x * 64;
            in += blockIdx.x * 64;
            if (t == 0) init(&bar, blockDim.x);
            __syncthreads();
            {body}
        }}
        int main() {{
            int h[128], *d;
            for (int i = 0; i < 128; i++) h[i] = i;
            cudaMalloc(&d, 1024);
            cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
            k<<<2, 64>>>(d + 128, d);
            cudaDeviceSynchronize();
            cudaMemcpy(h, d + 128, 512, cudaMemcpyDeviceToHost);
            printf(\"%d %d %d\", h[0], h[63], h[127]);
        }}"
    );
    let program = compile("program.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    let mut world = World::default();
    let config = Config { budget: 1_000_000, ..Config::default() };
    let report = simt_host::run(&program, &["program".to_owned()], &config, &mut world);
    let found = report.launches.iter().flat_map(|l| &l.report.findings);
    let found = found.filter(|f| f.class() != Class::Uninitialised).map(|f| f.code).collect();
    (String::from_utf8_lossy(&world.output).into_owned(), found)
}

#[test]
fn what_was_done_before_arriving_is_seen_after_waiting() {
    let phases = "for (int i = 0; i < 3; i++) {
            s[t] = in[t] + i;
            barrier::arrival_token token = bar.arrive();
            bar.wait(std::move(token));
            o[t] = s[63 - t];
            bar.arrive_and_wait();
        }";
    assert_eq!(run_kernel(phases), ("65 2 66".to_owned(), vec![]));
    let copies = "cuda::memcpy_async(s + t, in + t, sizeof(int), bar);
        bar.arrive_and_wait();
        o[t] = s[63 - t];";
    assert_eq!(run_kernel(copies), ("63 0 64".to_owned(), vec![]));
}

#[test]
fn producers_arrive_and_go_on() {
    // The second warp waits for the first, which does not wait.
    let body = "if (t < 32) { s[t] = in[t]; s[t + 32] = 1; bar.arrive(); }
        else { bar.arrive_and_wait(); o[t - 32] = s[t - 32]; o[t] = s[t]; }";
    assert_eq!(run_kernel(body), ("0 1 1".to_owned(), vec![]));
    // Half of the threads are awaited once only.
    let drop = "s[t] = in[t];
        if (t < 32) { bar.arrive_and_drop(); return; }
        bar.arrive_and_wait();
        o[t - 32] = s[t - 32];
        bar.arrive_and_wait();
        o[t] = s[t];";
    assert_eq!(run_kernel(drop), ("0 63 127".to_owned(), vec![]));
}

#[test]
fn arriving_is_not_waiting() {
    let (_, found) = run_kernel("s[t] = in[t]; bar.arrive(); o[t] = s[63 - t];");
    assert_eq!(found, [Code::SharedRace]);
}

#[test]
fn who_waits_for_somebody_who_does_not_come_makes_no_progress() {
    let (_, found) = run_kernel("if (t < 32) bar.arrive_and_wait(); o[t] = 1;");
    assert!(found.contains(&Code::NoProgress), "{found:?}");
}

#[test]
fn pipelines_hand_stages_from_producers_to_consumers() {
    let text = r#"
        #include <cstdio>
        #include <cooperative_groups.h>
        #include <cuda/pipeline>
        namespace cg = cooperative_groups;
        __global__ void k(const int* in, int* out, int rounds) {
            __shared__ int s[3][32];
            __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
            auto block = cg::this_thread_block();
            const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
            auto pipe = cuda::make_pipeline(block, &state, role);
            const int lane = threadIdx.x % 32;
            int sum = 0;
            for (int i = 0; i < rounds; i++) {
                if (role == cuda::pipeline_role::producer) {
                    pipe.producer_acquire();
                    cuda::memcpy_async(&s[i % 3][lane], &in[i * 32 + lane], sizeof(int), pipe);
                    pipe.producer_commit();
                } else {
                    pipe.consumer_wait();
                    sum += s[i % 3][31 - lane];
                    pipe.consumer_release();
                }
            }
            if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
        }
        int main() {
            int h[320], *d;
            for (int i = 0; i < 320; i++) h[i] = i;
            cudaMalloc(&d, 1280 + 256);
            cudaMemcpy(d, h, 1280, cudaMemcpyHostToDevice);
            k<<<1, 96>>>(d, d + 320, 10);
            cudaMemcpy(h, d + 320, 256, cudaMemcpyDeviceToHost);
            printf("%d %d %d", h[0], h[31], h[32]);
        }"#;
    let program = compile("program.cu", text).unwrap_or_else(|said| panic!("{said}"));
    let (said, report) = execute(&program);
    assert_eq!(said, "1750 1440 1750");
    assert!(report.diagnostics.is_empty(), "a stage is handed on with what was written to it");
}

#[test]
fn a_copy_of_a_threads_own_pipeline_is_there_after_its_stage() {
    let program = |left: u32, wait: &str| {
        format!(
            "#include <cooperative_groups.h>
            #include <cooperative_groups/memcpy_async.h>
            #include <cuda/pipeline>
            namespace cg = cooperative_groups;
            __global__ void own(const int* from, int* to) {{
                __shared__ int s[2][64];
                int t = threadIdx.x;
                auto pipe = cuda::make_pipeline();
                for (int i = 0; i < 2; i++) {{
                    pipe.producer_acquire();
                    cuda::memcpy_async(&s[i][t], from + 64 * i + t, sizeof(int), pipe);
                    pipe.producer_commit();
                }}
                cuda::pipeline_consumer_wait_prior<{left}>(pipe);
                to[t] = s[1][t];
                pipe.consumer_release();
            }}
            __global__ void of_a_group(const int* from, int* to) {{
                __shared__ int s[64];
                auto block = cg::this_thread_block();
                cg::memcpy_async(block, s, from, sizeof(s));
                {wait};
                to[threadIdx.x] = s[63 - threadIdx.x];
                cg::wait(block);
            }}
            int main() {{
                int *from, *to;
                cudaMalloc(&from, 1024);
                cudaMalloc(&to, 1024);
                cudaMemset(from, 0, 1024);
                own<<<1, 64>>>(from, to);
                of_a_group<<<1, 64>>>(from, to);
                return cudaDeviceSynchronize();
            }}"
        )
    };
    let found = |text: &str| {
        let program =
            crate::world::compile("main.cu", text).unwrap_or_else(|said| panic!("{said}"));
        let report = crate::world::execute(&program).1;
        report.findings.into_iter().map(|(_, text)| text).collect::<String>()
    };
    assert_eq!(found(&program(0, "cg::wait(block)")), "");
    let early = found(&program(1, "cg::wait(block)"));
    assert!(early.contains("error[copy-not-awaited]") && !early.contains("of_a_group"), "{early}");
    let early = found(&program(0, "block.sync()"));
    assert!(early.contains("error[copy-not-awaited]") && early.contains("of_a_group"), "{early}");
}

#[test]
fn labels_of_any_integer_part_a_group() {
    for label in
        ["threadIdx.x % 5", "(int)threadIdx.x % 5", "threadIdx.x % 5ull", "(char)(threadIdx.x % 5)"]
    {
        let text = format!(
            "#include <cooperative_groups.h>
            #include <cstdio>
            namespace cg = cooperative_groups;
            __managed__ int sizes[5];
            __global__ void k() {{
                auto warp = cg::tiled_partition<32>(cg::this_thread_block());
                auto part = cg::labeled_partition(warp, {label});
                if (part.thread_rank() == 0) sizes[threadIdx.x % 5] = part.size();
            }}
            int main() {{
                k<<<1, 32>>>();
                cudaDeviceSynchronize();
                for (int size : sizes) printf(\"%d \", size);
            }}"
        );
        assert_eq!(crate::world::printed(&text).0, "7 7 6 6 6 ", "{label}");
    }
}
