//! What programs that were written elsewhere do: each case was a program that failed.

use crate::world::*;
use simt::Sources;

#[test]
fn a_template_member_defined_outside_names_its_class() {
    let text = r#"
        #include <stdio.h>
        template <class T> struct Box {
            T value;
            explicit Box(T v);
            static T twice(T v);
            Box plus(const Box& other) const;
        };
        template <class T> Box<T>::Box(T v) : value(v) {}
        template <class T> T Box<T>::twice(T v) { return Box(v).value + Box(v).value; }
        template <class T> Box<T> Box<T>::plus(const Box& other) const {
            Box sum(value + other.value);
            return sum;
        }
        int main() { printf("%d %d\n", Box<int>::twice(3), Box<int>(4).plus(Box<int>(5)).value); }"#;
    prints(text, "6 9\n");
}

#[test]
fn a_plain_function_beside_a_template_leaves_it_one() {
    let text = r#"
        #include <stdio.h>
        template <int N, bool B> __global__ void k(int* a) { a[threadIdx.x] = B ? N : -N; }
        void k(int n, int* a) {
            switch (n) {
                case 1: k<1, true><<<1, 2>>>(a); break;
                default: k<9, false>
                    <<<1, 2>>>(a);
            }
        }
        int main() {
            int* a;
            cudaMallocManaged(&a, 8);
            for (int n = 1; n < 3; ++n) {
                k(n, a);
                cudaDeviceSynchronize();
                printf("%d ", a[1]);
            }
        }"#;
    prints(text, "1 -9 ");
}

#[test]
fn words_of_a_declaration_come_in_any_order() {
    let text = r#"
        #include <stdio.h>
        const static char* name = "x";
        int next() { const static int step = 2; volatile static int n = 0; n = n + step; return n; }
        int main() { next(); printf("%s%d\n", name, next()); }"#;
    prints(text, "x4\n");
}

#[test]
fn braces_around_an_array_inside_may_be_left_out() {
    let text = r#"
        #include <stdio.h>
        struct P { char name[8]; int n; int pair[2]; };
        const char usage[] = {"one\n" "two\n"};
        int main() {
            cudaDeviceProp properties = {0};
            P zero = {0}, some = {'a', 'b', 0, 0, 0, 0, 0, 0, 7, 8, 9}, text = {"hi", 1, 2, 3};
            printf("%d %d %s %d %d %s %d ", properties.name[0], zero.n, some.name, some.n, some.pair[1],
                   text.name, text.pair[1]);
            printf("%d %s", (int)sizeof(usage), usage);
        }"#;
    prints(text, "0 0 ab 7 9 hi 3 9 one\ntwo\n");
    let said = compile("p.cu", "struct P { int a[2]; int b; }; P p = {1, 2, 3, 4}; int main() {}");
    let said = said.err().unwrap_or_default();
    assert!(said.contains("4 values for `P`"), "{said}");
}

#[test]
fn an_array_may_be_announced_without_its_length() {
    let text = r#"
        #include <stdio.h>
        struct entry { int a, b[2]; };
        extern const struct entry table[];
        extern const char* names[];
        int get(int i) { return table[i].b[1] + names[i][0]; }
        const struct entry table[] = {{1, {2, 3}}, {4, {5, 6}}};
        const char* names[] = {"a", "b"};
        int main() { printf("%d %d\n", get(0), get(1)); }"#;
    prints(text, "100 104\n");
}

#[test]
fn constants_have_addresses() {
    let text = r#"
        #include <stdio.h>
        const float tolerance = 0.5f;
        __constant__ float limit;
        __constant__ unsigned table[2][2];
        __global__ void k(float f, int n, float* out) {
            unsigned* row = &table[1][0];
            out[0] = f * n + limit + row[1];
        }
        int main() {
            const int n = 3;
            const float f = 1.5f;
            float* out;
            unsigned rows[] = {1, 2, 3, 4};
            cudaMallocManaged(&out, 4);
            cudaMemcpyToSymbol(limit, &tolerance, sizeof(tolerance));
            cudaMemcpyToSymbol(table, rows, sizeof(rows));
            void* args[] = {(void*)&f, (void*)&n, &out};
            cudaLaunchKernel((void*)k, dim3(1), dim3(1), args, 0, 0);
            cudaDeviceSynchronize();
            printf("%g %d\n", out[0], &n == &n);
        }"#;
    prints(text, "9 1\n");
    let text = "__constant__ int c[2];
        __global__ void k() { int* p = &c[1]; *p = 1; }
        int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() != 0; }";
    assert_eq!(printed(text).1, 1, "it is not for writing all the same");
}

#[test]
fn long_lists_need_no_room_for_each_value() {
    let values: Vec<String> =
        (0..70_000 / 7).map(|i| format!("{{{i}, {{1, 2, 3, 4, 5, 6}}}}")).collect();
    let text = format!(
        "#include <stdio.h>
        struct line {{ int n, m[6]; }};
        const line lines[] = {{{}}};
        int main() {{ printf(\"%d %d\\n\", lines[9999].n, lines[9999].m[5]); }}",
        values.join(", ")
    );
    prints(&text, "9999 6\n");
}

#[test]
fn strings_are_searched_for_one_of_many() {
    let text = r#"
        #include <stdio.h>
        #include <string>
        #include <strings.h>
        int main() {
            std::string s("a/b/c.cu"), none;
            printf("%d %d %d %d ", (int)s.find_last_of('/'), (int)s.find_last_of("/", 2),
                   (int)s.find_first_of(std::string("b/")), (int)s.find_first_not_of('a'));
            printf("%d %d %d ", (int)s.find_last_not_of("uc."), (int)s.rfind("b/", 3), (int)s.rfind('/', 0));
            printf("%d %d %d\n", none.find_last_of('x') == std::string::npos, ffs(0), ffs(40));
        }"#;
    prints(text, "3 1 1 1 3 2 -1 1 0 4\n");
}

#[test]
fn the_system_says_who_it_is_and_gives_memory() {
    let text = r#"
        #include <stdio.h>
        #include <sys/mman.h>
        #include <sys/utsname.h>
        #pragma diag_suppress 177
        int main() {
            utsname system;
            uname(&system);
            int* p = (int*)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
            printf("%s %d ", system.sysname, p[1023]);
            printf("%d ", munmap(p, 4096));
            printf("%d\n", mmap(NULL, 8, PROT_READ, MAP_SHARED, 3, 0) == MAP_FAILED);
            cudaSetDeviceFlags(cudaDeviceBlockingSync);
        }"#;
    prints(text, "Linux 0 0 1\n");
}

#[test]
fn numbers_of_a_file_are_read() {
    let text = r#"
        #include <helper_functions.h>
        int main() {
            float *all = NULL, two[2];
            float* pair = two;
            unsigned int n = 0, wrong = 2;
            FILE* file = fopen("plain", "w");
            fprintf(file, " 1.5 -2\n3e2\n");
            fclose(file);
            printf("%d ", sdkReadFile("plain", &all, &n, false));
            printf("%u %g %g %g ", n, all[0], all[1], all[2]);
            printf("%d ", sdkReadFile("plain", &pair, &wrong, false));
            printf("%d", sdkReadFile("none", &all, &n, true));
        }"#;
    prints(text, "1 3 1.5 -2 300 0 Unable to open input file: none\n0");
}

#[test]
fn each_file_keeps_its_own_names() {
    let unit = "#include \"a.cu\"\n#include \"b.cu\"\n";
    let a = "#include <stdio.h>
        static __constant__ int c[2] = {1, 2};
        static inline int f(int x) { return x + 1; }
        template <typename T> __global__ void k(T* out) { out[0] = c[0]; }
        struct S { int f; static int g(); };
        int S::g() { return f(40); }
        int first(S s, int* out) { k<<<1, 1>>>(out); return f(s.f); }";
    let b = "__constant__ int c[1] = {7};
        static int f(int x) { return x * 100; }
        template <typename T> __global__ void k(T* out) { out[1] = c[0]; }
        int first(S s, int* out);
        extern \"C\" {
        int main() {
            S s;
            s.f = 3;
            int* out;
            cudaMallocManaged(&out, 8);
            k<<<1, 1>>>(out);
            int one = first(s, out);
            cudaDeviceSynchronize();
            printf(\"%d %d %d %d %d\\n\", one, f(s.f), S::g(), out[0], out[1]);
        }
        }";
    let files = [("all", unit), ("a.cu", a), ("b.cu", b)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let program = simt_host::compile(Sources::with_units(files.to_vec(), 2));
    let program = program.unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
    assert_eq!(execute(&program).0, "4 300 41 1 7\n");
    let program = simt_host::compile(Sources::with_headers(files.to_vec()));
    assert!(program.is_err(), "in one file there is one of a name");
}

/// What the host sees comes from its system, which hands out zeros: a sum that nobody cleared is
/// right on every computer, and a mistake all the same.
#[test]
fn memory_that_the_host_sees_starts_as_zeros() {
    let text = r#"
        #include <stdio.h>
        __global__ void add(int* sum) { atomicAdd(sum, 2); }
        int main() {
            int *sum, *pinned;
            cudaMallocManaged(&sum, 4);
            cudaMallocHost(&pinned, 4);
            add<<<1, 1>>>(sum);
            cudaDeviceSynchronize();
            printf("%d %d\n", *sum, *pinned);
        }"#;
    let program = compile("main.cu", text).unwrap_or_else(|said| panic!("{said}"));
    let (said, report) = execute(&program);
    assert_eq!(said, "2 0\n");
    let findings: Vec<_> = report.launches.iter().flat_map(|l| &l.report.findings).collect();
    let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`sum[0]` is read, but nothing was written there"]);
}
