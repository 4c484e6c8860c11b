//! Whole programs, run: what they print and how they end.
//!
//! `programs/NAME.cu` is a program, and `programs/NAME.out` what it writes to standard output on a
//! GPU (`programs/record.py` records it), with a last line for an exit code that is not 0.
//! Its arguments stand in a line `// args:`.
//! `PROGRAM=NAME` runs that one alone.

use crate::world::*;
use std::path::Path;

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
        let compiled = compile(&format!("{name}.cu"), &text);
        // The page's module has neither Thrust nor CUB.
        let library = ["<thrust/", "<cub/"].iter().find(|name| text.contains(**name));
        if cfg!(target_arch = "wasm32")
            && let (Some(library), Err(said)) = (library, &compiled)
            && said.contains(&format!("does not support the header {library}"))
        {
            continue;
        }
        // Nor textures.
        let textures = |said: &String| said.contains("(textures)");
        if cfg!(target_arch = "wasm32") && compiled.as_ref().err().is_some_and(textures) {
            continue;
        }
        let said = match compiled {
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
    let bounds = "byte 40 of `malloc(40)` is out of bounds: it has 40 bytes, and this is just \
                  past the end";
    assert_eq!(ended(text), (139, bounds.to_owned()));
    let text = "#define malloc __host_malloc
        int main() { int* p = (int*)malloc(40); __host_free(p); __host_free(p); return 0; }";
    assert_eq!(ended(text), (134, "`malloc(40)` is freed twice".to_owned()));
    let text = "#define malloc __host_malloc
        int main() { int* p = (int*)malloc(40); __host_free(p); return *p; }";
    assert_eq!(ended(text).1, "the host reads `malloc(40)`, which has been freed");
    let text = "int main() { int* p = new int[10]; delete p; return 3; }";
    let message = "`delete` of `new int[]`, which `delete[]` takes back";
    assert_eq!(ended(text), (3, message.to_owned()), "usual allocators go on");
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
fn clock_counts_from_the_start_of_the_program() {
    let text = "#include <cstdio>
        #include <ctime>
        int main() {
            clock_t now = clock();
            printf(\"%d\", now >= 0 && now < 3600L * CLOCKS_PER_SEC);
        }";
    assert_eq!(printed(text), ("1".to_owned(), 0));
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

#[test]
fn memory_that_nobody_wrote_is_zero() {
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <new>
        struct Big { char bytes[64]; };
        int main() {
            const size_t n = (size_t)1 << 22;
            long* a = (long*)malloc(n * 8 * sizeof(long));
            if (!a) return 1;
            Big* big = new (std::nothrow) Big[3];
            big[2].bytes[63] = 7;
            printf("%ld %ld %d\n", a[0], a[n * 8 - 1], big[2].bytes[63]);
            delete[] big;
            free(a);
        }"#;
    assert_eq!(printed(text), ("0 0 7\n".to_owned(), 0));
    let at = "#include <new>
        int main() { char room[64]; int* p = new (room) int[4]{1, 2, 3, 4}; return p[0]; }";
    let said = compile("at.cu", at).expect_err("it is refused");
    assert!(said.contains("an array that `new` makes at a place"), "{said}");
}

#[test]
fn a_member_goes_before_a_function_of_its_name() {
    let text = "int k() { return 1; }
        struct S { int k; int get() const { return k; } };
        int main() { S s{7}; auto f = [k = 5] { return k; }; return s.get() + f() + ::k(); }";
    let (code, said) = ended(text);
    assert_eq!(code, 13, "{said}");
}

#[test]
fn a_declaration_says_const_or_array_as_it_likes() {
    let text = r#"
        #include <stdio.h>
        struct M { int n; };
        __global__ void k(const M, int a[], const int);
        int sum(const int v[], int n);
        int main() {
            int *d, h[4];
            cudaMalloc(&d, sizeof(h));
            k<<<1, 4>>>(M{3}, d, 4);
            cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d\n", sum(h, 4));
        }
        __global__ void k(M m, int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = m.n; }
        int sum(const int* v, const int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }"#;
    assert_eq!(printed(text), ("12\n".to_owned(), 0));
}

#[test]
fn a_function_beside_its_arguments_type_goes_before_a_built_in_one() {
    let text = r#"
        #include <stdio.h>
        #include <complex>
        namespace v {
            struct pair { int x, y; };
            pair min(pair a, pair b) { return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y}; }
        }
        int main() {
            std::complex<double> z = exp(std::complex<double>(0.0, 0.5));
            v::pair p = min(v::pair{1, 5}, v::pair{3, 2});
            printf("%.3f %.3f %d %d %d\n", real(z), imag(z), p.x, p.y, min(4, 3));
        }"#;
    assert_eq!(printed(text), ("0.878 0.479 1 2 3\n".to_owned(), 0));
}

#[test]
fn kernels_read_string_literals_and_make_objects_in_place() {
    // What the constructor leaves out is not read: there is no copy of the object.
    let text = r#"
        #include <stdio.h>
        struct Key {
            unsigned char bytes[4], rest[64];
            int n;
            __device__ Key(int n) : n(n) {
                const unsigned char* magic = (unsigned char*)"expand";
                for (int i = 0; i < 4; i++) bytes[i] = magic[i + n];
            }
        };
        __global__ void k(char* out) {
            for (int n = 0; n < 2; n++) {
                Key key(n);
                const char* word = n ? "one" : "zero";
                out[n] = key.bytes[1];
                out[n + 2] = word[3];
            }
        }
        int main() {
            char *d, h[4];
            cudaMalloc(&d, 4);
            k<<<1, 1>>>(d);
            cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
            printf("%c%c%c%d\n", h[0], h[1], h[2], h[3]);
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!((&*output, report.diagnostics.len()), ("xpo0\n", 0), "{:?}", report.diagnostics);
}
