//! Whole programs, run: what they print and how they end.
//!
//! `programs/NAME.cu` is a program, and `programs/NAME.out` what it writes to standard output on a
//! GPU (`programs/record.py` records it), with a last line for an exit code that is not 0.
//! Its arguments stand in a line `// args:`.
//! `PROGRAM=NAME` runs that one alone.

use simt::host::{self, Outside, Report};
use simt::{Config, Sources};
use std::collections::HashMap;
use std::path::Path;

/// A world of buffers; the clock goes on by a microsecond each time.
#[derive(Default)]
struct World {
    output: Vec<u8>,
    errors: Vec<u8>,
    files: HashMap<String, Vec<u8>>,
    time: i64,
}

impl Outside for World {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        if stream == 2 { &mut self.errors } else { &mut self.output }.extend_from_slice(bytes);
    }

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.get(path).cloned()
    }

    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        self.files.insert(path.to_owned(), bytes.to_owned());
        true
    }
}

fn compile(name: &str, text: &str) -> Result<host::Program, String> {
    host::compile(Sources::single(name, text)).map_err(|f| {
        let all: Vec<_> = f.diagnostics.iter().map(|d| d.render(&f.sources)).collect();
        all.join("\n")
    })
}

/// Runs a program with the arguments that its line `// args:` gives.
fn execute(program: &host::Program) -> (String, Report) {
    let mut world = World::default();
    let text = &program.module.sources.files()[0].1;
    let args = text.lines().find_map(|l| l.strip_prefix("// args:")).unwrap_or_default();
    let args: Vec<String> =
        std::iter::once("./program").chain(args.split_whitespace()).map(str::to_owned).collect();
    let report = host::run(program, &args, &Config::default(), &mut world);
    (String::from_utf8_lossy(&world.output).into_owned(), report)
}

fn run(name: &str, text: &str) -> (String, Report) {
    let program = compile(name, text).unwrap_or_else(|said| panic!("{said}"));
    execute(&program)
}

/// Output and exit code.
fn printed(text: &str) -> (String, i32) {
    let (output, report) = run("program.cu", text);
    for diagnostic in &report.diagnostics {
        eprintln!("{diagnostic:?}");
    }
    (output, report.code)
}

/// How it ended, and the messages.
fn ended(text: &str) -> (i32, String) {
    let (_, report) = run("program.cu", text);
    let said: Vec<_> = report.diagnostics.iter().map(|d| d.message.clone()).collect();
    (report.code, said.join("\n"))
}

#[test]
fn programs_print_what_a_gpu_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let only = std::env::var("PROGRAM").ok();
    let mut wrong = Vec::new();
    let entries = std::fs::read_dir(&folder).expect("the folder of programs");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a program");
        let said = match compile(&format!("{name}.cu"), &text) {
            Ok(program) => {
                let (output, report) = execute(&program);
                let mut said = output;
                if report.code != 0 {
                    said.push_str(&format!("(exit code {})\n", report.code));
                }
                let golden = std::fs::read_to_string(path.with_extension("out"));
                if golden.is_ok_and(|golden| golden == said) {
                    continue;
                }
                for found in &report.diagnostics {
                    said.push_str(&found.render(&program.module.sources));
                }
                for finding in report.launches.iter().flat_map(|l| &l.report.findings) {
                    said.push_str(&finding.render(&program.module.sources));
                }
                said
            }
            Err(said) => said,
        };
        wrong.push(format!("## {name}\n{said}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_kernel_runs() {
    let text = r#"
        #include <stdio.h>
        __global__ void add(const float* a, const float* b, float* c, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) c[i] = a[i] + b[i];
        }
        int main() {
            const int n = 1000;
            float a[n], b[n], c[n];
            for (int i = 0; i < n; i++) { a[i] = i; b[i] = 2 * i; }
            float *d_a, *d_b, *d_c;
            cudaMalloc(&d_a, n * sizeof(float));
            cudaMalloc((void**)&d_b, n * sizeof(float));
            cudaMalloc(&d_c, sizeof(c));
            cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
            cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
            add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
            cudaError_t error = cudaGetLastError();
            cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
            int bad = 0;
            for (int i = 0; i < n; ++i) if (c[i] != 3.0f * i) bad++;
            printf("%s: %d bad, c[999] = %.1f\n", cudaGetErrorString(error), bad, c[999]);
            cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
            return bad ? 1 : 7;
        }"#;
    assert_eq!(printed(text), ("no error: 0 bad, c[999] = 2997.0\n".to_owned(), 7));
}

#[test]
fn wrong_accesses_are_named() {
    let (code, said) = ended("int main() { int* p = nullptr; *p = 1; }");
    assert_eq!((code, said.as_str()), (139, "the host writes through a null pointer"));
    let text = "int main() { int* d_x; cudaMalloc(&d_x, 40); d_x[0] = 1; return 0; }";
    assert_eq!(ended(text), (139, "the host writes `d_x`, which is device memory".to_owned()));
    let text = "#define malloc __host_malloc
        int main() { int* p = (int*)malloc(40); p[10] = 1; return 0; }";
    let bounds = "index 40 of `malloc(40)` is out of bounds: it has 40 bytes, and this is just \
                  past the end";
    assert_eq!(ended(text), (139, bounds.to_owned()));
    let text = "#define malloc __host_malloc
        int main() { int* p = (int*)malloc(40); __host_free(p); __host_free(p); return 0; }";
    assert_eq!(ended(text), (134, "`malloc(40)` is freed twice".to_owned()));
    let text = "#define malloc __host_malloc
        int main() { int* p = (int*)malloc(40); __host_free(p); return *p; }";
    assert_eq!(ended(text).1, "the host reads `malloc(40)`, which has been freed");
    let text = "int down(int n) { int a[100]; a[n % 100] = n; return n ? down(n + 1) + a[0] : 0; }
        int main() { return down(1); }";
    let (code, said) = ended(text);
    assert_eq!(code, 139);
    assert!(said.contains("the stack overflows in `down`"), "{said}");
}

#[test]
fn integers_are_the_processors() {
    let text = "int main(int argc, char** argv) { return 1 / (argc - 1); }";
    assert_eq!(ended(text), (136, "an integer is divided by zero".to_owned()));
}

#[test]
fn the_runtime_refuses_what_cuda_refuses() {
    let text = r#"
        #include <stdio.h>
        __global__ void k(int* a) { a[threadIdx.x] = 1; }
        #define SAY(call) do { cudaError_t error = call; printf("%d %s\n", (int)error, cudaGetErrorName(error)); } while (0)
        int main() {
            int *d, *e, h[4] = {1, 2, 3, 4};
            SAY(cudaMalloc(&d, 16));
            SAY(cudaMalloc(&e, (size_t)1 << 60));
            SAY(cudaGetLastError());
            SAY(cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice));
            SAY(cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice));
            SAY(cudaMemcpy(h, d, 16, (cudaMemcpyKind)9));
            SAY(cudaMemset(d, 0, 17));
            SAY(cudaGetLastError());
            k<<<1, 2000>>>(d);
            SAY(cudaGetLastError());
            k<<<1, 4, 1 << 20>>>(d);
            SAY(cudaPeekAtLastError());
            SAY(cudaGetLastError());
            SAY(cudaFree(d + 1));
            SAY(cudaFree(d));
            SAY(cudaFree(d));
            SAY(cudaSetDevice(1));
            SAY(cudaStreamSynchronize((cudaStream_t)77));
            k<<<1, 1>>>(h);
            SAY(cudaGetLastError());
            SAY(cudaDeviceSynchronize());
            SAY(cudaMalloc(&d, 16));
        }"#;
    let (output, _) = run("program.cu", text);
    let codes: Vec<&str> = output.lines().map(|l| l.split(' ').next().unwrap_or("")).collect();
    let wanted = "0 2 2 1 1 21 1 1 1 1 1 1 0 1 101 400 400 700 700";
    assert_eq!(codes.join(" "), wanted, "{output}");
}

#[test]
fn a_clock_that_does_not_wait_is_noticed() {
    let program = |before: &str, after: &str| {
        format!(
            "#include <stdio.h>
            #include <time.h>
            __global__ void k() {{}}
            int main() {{
                clock_t start = clock();
                k<<<1, 1>>>();
                {before}
                clock_t end = clock();
                {after}
                printf(\"%d\", end - start > 0);
            }}"
        )
    };
    let warned = |text: &str| ended(text).1.contains("the clock is read before `k` has run");
    assert!(warned(&program("", "")));
    assert!(warned(&program("", "cudaDeviceSynchronize();")));
    assert!(!warned(&program("cudaDeviceSynchronize();", "")));
    let both = "cudaDeviceSynchronize(); clock_t all = clock(); printf(\"%d\", all - start > 0);";
    assert!(!warned(&program("", both)));
    let day = "#include <sys/time.h>
        __global__ void k() {}
        int main() {
            struct timeval start, end;
            gettimeofday(&start, nullptr);
            k<<<1, 1>>>();
            gettimeofday(&end, nullptr);
            return end.tv_sec - start.tv_sec < 0;
        }";
    assert!(warned(day), "{}", ended(day).1);
    let seeds = "#include <stdlib.h>
        #include <time.h>
        __global__ void k() {}
        int main() {
            srand(time(nullptr));
            k<<<1, 1>>>();
            clock_t start = clock();
            cudaDeviceSynchronize();
            clock_t end = clock();
            return end - start < 0;
        }";
    assert_eq!(ended(seeds), (0, String::new()));
}

#[test]
fn an_event_is_waited_for_before_it_is_read() {
    let program = |wait: &str| {
        format!(
            "__global__ void k() {{}}
            int main() {{
                cudaEvent_t start, stop;
                cudaEventCreate(&start);
                cudaEventCreate(&stop);
                cudaEventRecord(start);
                k<<<1, 1>>>();
                cudaEventRecord(stop);
                {wait}
                float ms = -1;
                cudaEventElapsedTime(&ms, start, stop);
                return ms < 0;
            }}"
        )
    };
    assert_eq!(ended(&program("cudaEventSynchronize(stop);")), (0, String::new()));
    assert!(ended(&program("")).1.contains("may not have happened yet"));
}

#[test]
fn wild_pointers_and_sizes_do_no_harm() {
    let text = "int main() {
            int* d;
            cudaMalloc(&d, 64);
            char* wild = (char*)~0ULL;
            int failed = 0;
            failed += cudaMemcpy2D(wild, ~0ULL, d, ~0ULL, 4, 3, cudaMemcpyDefault) != cudaSuccess;
            failed += cudaMemset2D(wild, ~0ULL, 0, 4, 3) != cudaSuccess;
            failed += cudaMemset(d, 0, ~0ULL) != cudaSuccess;
            failed += cudaMemcpy(d, wild, ~0ULL, cudaMemcpyDeviceToDevice) != cudaSuccess;
            failed += cudaFree(wild) != cudaSuccess;
            failed += cudaMalloc(&d, ~0ULL) != cudaSuccess;
            failed += cudaHostRegister(wild, ~0ULL, 0) != cudaSuccess;
            return failed;
        }";
    assert_eq!(ended(text).0, 7);
    for call in ["memset(p, 0, ~0ULL)", "memcpy(p, q, ~0ULL)", "*(p + (1LL << 60)) = 1"] {
        let text = format!(
            "#include <string.h>
            int main() {{ int a[4]; int *p = a, *q = a; {call}; return 0; }}"
        );
        assert_eq!(ended(&text).0, 139, "{call}");
    }
}

#[test]
fn random_numbers_memory_and_texts_are_those_of_linux() {
    let text = r#"
        #include <stdio.h>
        int main() {
            __host_srand(42);
            int a = __host_rand(), b = __host_rand();
            char text[32];
            int n = snprintf(text, 8, "%d-%s", 12345, "abcdef");
            printf("%d %d %d %s %d\n", a, b, n, text, (int)__host_strlen(text));
            int* p = (int*)__host_malloc(16);
            __host_memset(p, 0, 16);
            p = (int*)__host_realloc(p, 8 * sizeof(int));
            __host_memset(p + 4, 0xff, 16);
            double number = __host_strtod("2.5e1x", nullptr);
            printf("%d %d %.2f %lld\n", p[3], p[7], number, __host_strtol("0x1fz", nullptr, 0));
            __host_free(p);
            int x; float y; char word[10];
            int got = sscanf("12 3.5 hello", "%d %f %s", &x, &y, word);
            printf("%d %d %.1f %s\n", got, x, y, word);
        }"#;
    let wanted = "71876166 708592740 12 12345-a 7\n0 -1 25.00 31\n3 12 3.5 hello\n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn empty_template_arguments_are_the_defaults() {
    let text = r#"
        #include <cstdio>
        #include <random>
        #include <vector>
        template <typename T = double, int N = 3> struct Box {
            T v;
            Box(T x = 1) : v(x / 2) {}
            Box<> halved() const { return Box<>(v); }
        };
        struct Named : Box<> { Named() : Box<>(5) {} };
        typedef Box<> Plain;
        int main() {
            std::mt19937 g(1);
            std::uniform_real_distribution<> d(0, 1);
            double x = d(g);
            Box<> b;
            Box<int> i(5);
            std::vector<Box<>> all(2, Plain(7));
            printf("%d %g %d %g %g %g\n", x >= 0 && x < 1, b.v, i.v, i.halved().v, all[1].v,
                Named().v);
        }"#;
    assert_eq!(printed(text), ("1 0.5 2 1 3.5 2.5\n".to_owned(), 0));
}

#[test]
fn written_template_arguments_are_not_deduced() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        template <typename T> __device__ T larger(const T& a, const T& b) { return a < b ? b : a; }
        __global__ void k(unsigned n) { printf("%g\n", larger<float>(n, 2.5)); }
        int main() {
            unsigned a = 3;
            size_t n = 12;
            printf("%u %zu %g\n", std::max<unsigned>(a, 7), std::min<size_t>(n, 9),
                std::max<float>(1, 2.5));
            k<<<1, 1>>>(1);
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("7 9 2.5\n2.5\n".to_owned(), 0));
}

#[test]
fn goto_goes_where_its_label_is() {
    let status = r#"
        #include <stdio.h>
        __global__ void k(int* a) { a[threadIdx.x] += 1; }
        int tried(int* d, size_t bytes) {
            int h[4] = {1, 2, 3, 4};
            cudaError_t status = cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
            if (status != cudaSuccess) goto Error;
            k<<<1, 4>>>(d);
            status = cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
        Error:
            printf("%s %d\n", cudaGetErrorName(status), h[3]);
            return status;
        }
        int main() {
            int* d;
            cudaMalloc(&d, 16);
            tried(d, 16);
            return tried(d, 17);
        }"#;
    assert_eq!(printed(status), ("cudaSuccess 5\ncudaErrorInvalidValue 4\n".to_owned(), 1));
    let over = "int main(int n, char**) { if (n) goto end; int x = 3; n = x; end: return n; }";
    let said = compile("program.cu", over).expect_err("it jumps over a value");
    assert!(said.contains("this jumps over the first value of `x`"), "{said}");
    let into = "int main(int n, char**) { goto in; { in: n = 2; } return n; }";
    let said = compile("program.cu", into).expect_err("it jumps into a block");
    assert!(said.contains("`goto in`: its label is in no block around"), "{said}");
}

#[test]
fn arrays_that_only_the_run_knows_are_no_pointers() {
    let address = "int main(int n, char**) { int a[n]; int** p = &a; return p != 0; }";
    let said = compile("program.cu", address).expect_err("its address");
    assert!(said.contains("`&` of an array whose length is not constant"), "{said}");
    let text = "int main(int n, char**) { int a[n]; a[n] = 1; return 0; }";
    assert_eq!(ended(text).0, 139);
}

#[test]
fn kernels_take_parameters_that_hold_arrays() {
    let text = r#"
        #include <stdio.h>
        struct Weights { float w[9]; int shift; };
        struct Large { int v[2000]; };
        __device__ float sum(const Weights& p) {
            float s = 0;
            for (int i = 0; i < 9; i++) s += p.w[i];
            return s + p.shift;
        }
        __global__ void k(Weights p, const __grid_constant__ Large l, float* out) {
            int t = threadIdx.x;
            out[t] = sum(p) * p.w[t % 9] + l.v[t + 1900];
        }
        __global__ void own(Weights p, float* out) {
            p.w[threadIdx.x % 9] += 1;
            float* q = p.w;
            out[threadIdx.x] = q[0] + q[1];
        }
        int main() {
            Weights p;
            Large l;
            for (int i = 0; i < 9; i++) p.w[i] = i;
            p.shift = 2;
            for (int i = 0; i < 2000; i++) l.v[i] = i;
            float *out, h[32];
            cudaMalloc(&out, sizeof(h));
            for (int round = 0; round < 2; ++round) {
                k<<<1, 32>>>(p, l, out);
                cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
                printf("%g %g\n", h[0], h[31]);
                p.shift = 10;
            }
            own<<<1, 32>>>(p, out);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%g %g %g\n", h[0], h[1], h[2]);
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!(output, "1900 2083\n1900 2115\n2 2 1\n");
    assert!(report.launches.iter().all(|l| l.report.findings.is_empty()));
}

#[test]
fn a_type_tells_which_of_several_kernels_is_meant() {
    let text = r#"
        #include <stdio.h>
        __global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
        __global__ void k(const float* in, int* out) { out[threadIdx.x] = (int)(in[threadIdx.x] * 10); }
        int main() {
            void (*whole)(const int*, int*) = k;
            void (*real)(const float*, int*);
            real = k;
            int* out;
            float* in;
            cudaMallocManaged(&out, 16);
            cudaMallocManaged(&in, 16);
            for (int i = 0; i < 4; ++i) { out[i] = i; in[i] = i + 0.5f; }
            (*whole)<<<1, 4>>>(out, out);
            cudaDeviceSynchronize();
            int first = out[3];
            cudaLaunchConfig_t config = {};
            config.gridDim = 1;
            config.blockDim = 4;
            cudaLaunchKernelEx(&config, real, in, out);
            cudaDeviceSynchronize();
            printf("%d %d\n", first, out[3]);
        }"#;
    assert_eq!(printed(text), ("4 35\n".to_owned(), 0));
}

#[test]
fn a_thread_that_waits_for_a_later_one_is_refused() {
    let text = "#include <thread>
        #include <mutex>
        #include <condition_variable>
        std::mutex m;
        std::condition_variable ready;
        bool done = false;
        int main() {
            std::thread first([] {
                std::unique_lock<std::mutex> lock(m);
                ready.wait(lock, [] { return done; });
            });
            done = true;
            first.join();
        }";
    let (code, said) = ended(text);
    assert_eq!(code, 134);
    assert!(said.contains("waiting for another thread: threads run one after the other"), "{said}");
}

#[test]
fn kernels_make_objects() {
    let text = r#"
        #include <stdio.h>
        struct Node {
            int value;
            Node* next;
            __device__ Node(int v, Node* n) : value(v), next(n) {}
        };
        struct Pair { float a; int b; };
        __global__ void list(int* out, int n) {
            Node* head = nullptr;
            for (int i = 0; i < n; ++i) head = new Node(i * i + threadIdx.x, head);
            int sum = 0;
            while (head) {
                sum += head->value;
                Node* next = head->next;
                delete head;
                head = next;
            }
            int* one = new int(5);
            Pair* pair = new Pair{1.5f, 2};
            out[threadIdx.x] = sum + *one + pair->b;
            delete one;
            delete pair;
        }
        __global__ void placed(int* out) {
            __shared__ __align__(8) unsigned char room[sizeof(Node)];
            __shared__ int numbers[4];
            Node* node = nullptr;
            if (threadIdx.x == 0) {
                node = new (room) Node(7, nullptr);
                int* p = new (numbers) int[4];
                p[3] = 30;
            }
            __syncthreads();
            out[threadIdx.x] = ((Node*)room)->value + numbers[3];
        }
        int main() {
            int *out, h[4];
            cudaMalloc(&out, sizeof(h));
            list<<<1, 4>>>(out, 3);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d %d\n", h[0], h[3]);
            placed<<<1, 4>>>(out);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d %s\n", h[3], cudaGetErrorName(cudaDeviceSynchronize()));
        }"#;
    assert_eq!(printed(text), ("12 21\n37 cudaSuccess\n".to_owned(), 0));
}

#[test]
fn a_file_ends_where_somebody_tries_to_read_on() {
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main() {
            FILE* out = fopen("list", "w");
            fprintf(out, "one.txt\ntwo.txt\n");
            fclose(out);
            FILE* in = fopen("list", "r");
            char name[32];
            int n = 0;
            while (!feof(in)) {
                if (fscanf(in, "%s\n", name) != 1) exit(3);
                n++;
            }
            rewind(in);
            int a = fscanf(in, "%*s %s", name), middle = feof(in) != 0, b = fscanf(in, "%s", name);
            fclose(in);
            out = fopen("number", "w");
            fputs("42", out);
            fclose(out);
            in = fopen("number", "r");
            int value = 0, c = fscanf(in, "%d", &value), end = feof(in) != 0;
            char* line = nullptr;
            size_t room = 0;
            rewind(in);
            long length = getline(&line, &room, in);
            printf("%d %d %d %d %d %d %d %ld %s\n", n, a, middle, b, value, c, end, length, line);
            return fopen("nothing", "r") != nullptr;
        }"#;
    assert_eq!(printed(text), ("2 1 0 -1 42 1 1 2 42\n".to_owned(), 0));
}

#[test]
fn launches_give_what_the_kernel_has_by_default() {
    let text = r#"
        #include <stdio.h>
        template <typename T> __global__ void k(T* a, int w, T x = 5, T* p = NULL, int n = sizeof(T)) {
            a[threadIdx.x] = w + x + n + (p != NULL ? 1000 : 0);
        }
        int main() {
            int *d, h[4];
            cudaMalloc(&d, sizeof(h));
            for (int round = 0; round < 3; ++round) {
                if (round == 0) k<<<1, 4>>>(d, 3, 7, d, 9);
                if (round == 1) k<<<1, 4>>>(d, 32);
                if (round == 2) k<int><<<1, 4>>>(d, 32, 6, d);
                cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
                printf("%d ", h[2]);
            }
        }"#;
    assert_eq!(printed(text), ("1019 41 1042 ".to_owned(), 0));
}
