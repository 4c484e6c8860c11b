//! Programs with headers of the host: what g++ and libstdc++ make of them is the measure.

use crate::world::*;

#[test]
fn programs_end_as_with_gcc() {
    run_sections(&[
        ("headers", include_str!("../host_headers/headers.cu")),
        ("format", include_str!("../host_headers/format.cu")),
        ("ranges", include_str!("../host_headers/ranges.cu")),
        ("regex", include_str!("../host_headers/regex.cu")),
    ]);
}

#[test]
fn the_runtime_tells_what_objects_are_made_of() {
    run_sections(&[("cuda", include_str!("../host_headers/cuda.cu"))]);
}

#[test]
fn a_percent_sign_that_is_no_conversion_takes_no_value() {
    let text = "#include <cstdio>\nint main() { printf(\"d = %.2f%  @ [%d, %d]: %f\\n\", 0.5, 1, 2, 3.0); }";
    let (output, report) = run("program.cu", text);
    assert_eq!((output.as_str(), report.findings.len()), ("d = 0.50%  @ [1, 2]: 3.000000\n", 0));
}

#[test]
fn system_calls_are_refused_by_name() {
    let text = "#include <sys/syscall.h>\nint main() { return syscall(1); }";
    let (code, said) = ended(text);
    assert!(
        code != 0 && said.contains("a system call other than SYS_getpid and SYS_gettid"),
        "{said}"
    );
}

#[test]
fn what_nvcc_includes_by_itself_needs_no_header() {
    let text = r#"
        int main() {
            int a[3] = {3, 1, 2}, b[3];
            std::fill(b, b + 3, 1);
            std::copy(a, a + 3, b);
            bool alike = std::equal(a, a + 3, b);
            std::fill_n(b, 2, 1);
            int* found = std::lower_bound(b, b + 3, 2);
            int least = std::min<int>(3, 4L), most = std::numeric_limits<short>::max();
            return alike && found == b + 2 && least == 3 && most == 32767 ? 0 : 1;
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!((output.as_str(), report.code), ("", 0));
}

#[test]
fn the_system_is_asked_for_its_size() {
    let text = r#"
        #include <stdio.h>
        #include <sys/resource.h>
        #include <unistd.h>
        struct rusage used;
        int main() {
            int failed = getrusage(RUSAGE_SELF, &used);
            double seconds = used.ru_utime.tv_sec + 1e-6 * used.ru_utime.tv_usec;
            long memory = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
            printf("%d %d %ld %d %d\n", failed, seconds >= 0, sysconf(_SC_NPROCESSORS_ONLN), memory > 0, getpagesize());
        }"#;
    assert_eq!(printed(text), ("0 1 1 1 4096\n".to_owned(), 0));
}

#[test]
fn the_system_s_structure_and_its_limits_are_known() {
    let text = r#"
        #include <limits.h>
        #include <stdio.h>
        #include <sys/sysinfo.h>
        int main() {
            struct sysinfo info;
            ssize_t none = -1;
            if (sysinfo(&info) != 0 || get_nprocs() != info.procs) return 1;
            printf("%d %d %zd\n", info.totalram * info.mem_unit > 0, PATH_MAX, none);
        }"#;
    assert_eq!(printed(text), ("1 4096 -1\n".to_owned(), 0));
    let text = "#include <linux/limits.h>\n#include <stdio.h>\n\
        int main() { printf(\"%d\\n\", NAME_MAX); }";
    assert_eq!(printed(text), ("255\n".to_owned(), 0));
}

#[test]
fn iterators_of_random_access_have_every_comparison() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        #include <deque>
        #include <vector>
        template <typename I> int ordered(I a, I b) {
            return (a < b) + (a <= b) + (b > a) + (b >= a) + (b - a == 3) + (1 + a > a) + (a[1] == 2);
        }
        int main() {
            std::vector<int> v = {1, 2, 3}, w = {1, 2, 4};
            std::deque<int> d = {1, 2, 3};
            printf("%d %d", ordered(v.rbegin(), v.rend()), ordered(d.begin(), d.end()));
            std::sort(v.rbegin(), v.rend());
            std::sort(d.begin(), d.end());
            auto last = d.begin();
            last += 2;
            printf(" %d %d", v[0], *last);
            printf(" %d\n", (v > w) + (v >= w) + (w <= v));
        }"#;
    assert_eq!(printed(text), ("7 7 3 3 3\n".to_owned(), 0));
}

#[test]
fn the_header_of_random_kernels_has_the_generators_of_the_host() {
    let text = r#"
        #include <stdio.h>
        #include <curand_kernel.h>
        __global__ void k(float* out) {
            curandState state;
            curand_init(1, threadIdx.x, 0, &state);
            out[threadIdx.x] += curand_uniform(&state);
        }
        int main() {
            float* d;
            cudaMallocManaged(&d, 32 * sizeof(float));
            curandGenerator_t generator;
            curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
            curandGenerateUniform(generator, d, 32);
            k<<<1, 32>>>(d);
            cudaDeviceSynchronize();
            printf("%d\n", d[0] > 0 && d[0] <= 2);
            curandDestroyGenerator(generator);
            cudaFree(d);
        }"#;
    assert_eq!(printed(text), ("1\n".to_owned(), 0));
}

/// A device has a name and memory; a sensor it has not.
#[test]
fn the_management_library_knows_what_a_device_is() {
    let text = r#"
        #include <nvml.h>
        #include <stdio.h>
        int main() {
            nvmlDevice_t device;
            if (nvmlDeviceGetHandleByIndex(0, &device) != NVML_ERROR_UNINITIALIZED) return 1;
            unsigned count = 0, power = 0;
            nvmlInit(), nvmlDeviceGetCount(&count);
            if (nvmlDeviceGetHandleByIndex(count, &device) != NVML_ERROR_INVALID_ARGUMENT) return 2;
            if (nvmlDeviceGetHandleByIndex(0, &device)) return 3;
            char name[NVML_DEVICE_NAME_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
            if (nvmlDeviceGetName(device, name, 2) != NVML_ERROR_INSUFFICIENT_SIZE) return 4;
            cudaDeviceProp prop;
            cudaGetDeviceProperties(&prop, 0);
            if (nvmlDeviceGetName(device, name, sizeof name) || strcmp(name, prop.name)) return 5;
            nvmlMemory_t memory;
            if (nvmlDeviceGetMemoryInfo(device, &memory) || memory.total != memory.free + memory.used) return 6;
            if (nvmlDeviceGetUUID(device, uuid, sizeof uuid) || strlen(uuid) != 40) return 7;
            nvmlPciInfo_t pci;
            nvmlDevice_t same = nullptr;
            if (nvmlDeviceGetPciInfo(device, &pci) || nvmlDeviceGetHandleByPciBusId(pci.busId, &same) || same != device) return 9;
            int major, minor;
            if (nvmlDeviceGetCudaComputeCapability(device, &major, &minor) || major != prop.major) return 10;
            if (nvmlDeviceGetPowerUsage(device, &power) != NVML_ERROR_NOT_SUPPORTED) return 8;
            printf("%u %s\n", count, nvmlErrorString(NVML_ERROR_NOT_SUPPORTED));
            return nvmlShutdown();
        }"#;
    assert_eq!(printed(text), ("1 Not Supported\n".to_owned(), 0));
}

/// What programs ask for, to see which headers were included before: `helper_cuda.h` of the samples does.
#[test]
fn headers_define_the_macros_of_nvidia_s() {
    let headers = [
        ("cublas_v2.h", "CUBLAS_V2_H_"),
        ("cublas_v2.h", "CUBLAS_API_H_"),
        ("cufft.h", "_CUFFT_H_"),
        ("curand.h", "CURAND_H_"),
        ("curand_kernel.h", "CURAND_KERNEL_H_"),
        ("cusparse.h", "CUSPARSEAPI"),
        ("cusolverDn.h", "CUSOLVER_COMMON_H_"),
        ("nvrtc.h", "__NVRTC_H__"),
        ("cuComplex.h", "CU_COMPLEX_H_"),
        ("cuda_fp16.h", "__CUDA_FP16_H__"),
        ("cuda_bf16.h", "__CUDA_BF16_H__"),
        ("math_constants.h", "__MATH_CONSTANTS_H__"),
        ("stdio.h", "__CUDA_RUNTIME_API_H__"),
    ];
    for (header, name) in headers {
        let text = format!(
            "#include <{header}>\n#include <{header}>\n#ifndef {name}\n#error {name}\n#endif\nint main() {{}}"
        );
        assert_eq!(run("program.cu", &text).1.code, 0, "{header}");
    }
}

/// In C the mode of `open` is one of the arguments behind `...`.
#[test]
fn a_mode_of_open_may_be_anything() {
    let text = r#"
        #include <fcntl.h>
        #include <stdio.h>
        int main() { printf("%d %d\n", open("none", O_RDONLY, "0600"), open("none", O_RDONLY, 0)); }"#;
    assert_eq!(printed(text), ("-1 -1\n".to_owned(), 0));
}

#[test]
fn distributions_and_seeds_are_those_of_libstdcxx() {
    let text = r#"
        #include <cstdio>
        #include <random>
        template <class D> void draw(D d) {
            std::mt19937 g(42);
            double sum = 0;
            for (int i = 0; i < 200; i++) sum += (double)d(g);
            printf("%.9g\n", sum);
        }
        int main() {
            draw(std::binomial_distribution<int>(10, 0.5));
            draw(std::binomial_distribution<int>(100, 0.3));
            draw(std::binomial_distribution<long>(5000, 0.9));
            draw(std::geometric_distribution<int>(0.2));
            draw(std::gamma_distribution<double>(2, 3));
            draw(std::gamma_distribution<double>(0.4, 3));
            draw(std::lognormal_distribution<double>(0, 1));
            draw(std::cauchy_distribution<double>(0, 1));
            draw(std::weibull_distribution<double>(1, 2));
            draw(std::extreme_value_distribution<double>(1, 2));
            draw(std::chi_squared_distribution<double>(3));
            draw(std::student_t_distribution<double>(3));
            draw(std::fisher_f_distribution<double>(3, 4));
            draw(std::negative_binomial_distribution<int>(3, 0.4));
            std::seed_seq seeds{1, 2, 3};
            std::mt19937 a(seeds);
            std::mt19937_64 b(seeds);
            std::minstd_rand c(seeds);
            printf("%u\n%lu\n%lu\n", (unsigned)a(), (unsigned long)b(), (unsigned long)c());
        }"#;
    let said = "1010 6023 900015 812 1183.78832 264.75334 313.539883 -69.1177382 402.647631 442.560132 564.224837 10.5416918 369.480978 883 1710881851 1831209241179374162 504372291 ";
    prints(text, &said.replace(' ', "\n"));
}

#[test]
fn ordered_containers_take_an_object_that_compares() {
    let text = r#"
        #include <cstdio>
        #include <map>
        #include <set>
        #include <string>
        bool falling(const int& a, const int& b) { return a > b; }
        struct Modulo {
            int m;
            bool operator()(int a, int b) const { return a % m < b % m; }
        };
        int main() {
            typedef bool (*Order)(const int&, const int&);
            std::multiset<int, Order> m(falling);
            for (int i : {1, 3, 2, 3}) m.insert(i);
            for (int i : m) printf("%d ", i);
            auto shorter = [](const std::string& a, const std::string& b) {
                return a.size() < b.size();
            };
            std::set<std::string, decltype(shorter)> s(shorter);
            for (auto text : {"aaa", "b", "cc", "d"}) s.insert(text);
            for (auto& text : s) printf("%s ", text.c_str());
            std::map<int, char, Order> p(falling);
            p[1] = 'a';
            p[2] = 'b';
            auto copy = p;
            copy[9] = 'c';
            for (auto& i : copy) printf("%d%c ", i.first, i.second);
            int a[] = {4, 2, 9};
            std::set<int, Modulo> r(a, a + 3, Modulo{5});
            for (int i : r) printf("%d ", i);
            std::multimap<int, int, Modulo> mm(Modulo{2});
            mm.insert({1, 1});
            mm.insert({2, 2});
            for (auto& i : mm) printf("%d ", i.first);
        }"#;
    prints(text, "3 3 2 1 b cc aaa 9c 2b 1a 2 4 2 1 ");
}

#[test]
fn headers_of_linux_and_of_samples_know_errors() {
    let text = r#"
        #include <cublas_v2.h>
        #include <execinfo.h>
        #include <helper_cuda.h>
        #include <type_traits>
        struct Empty {};
        struct Derived : Empty { void f(); };
        struct Full : Empty { int n; };
        union Nothing {};
        struct __attribute__((aligned)) Wide { char c; };
        int main() {
            void* frames[8];
            int n = backtrace(frames, 8);
            char** names = backtrace_symbols(frames, n);
            free(names);
            static_assert(std::is_empty<Derived>::value && !std::is_empty<Full>::value, "");
            static_assert(!std::is_empty_v<Nothing> && sizeof(Wide) == 16, "");
            cublasHandle_t handle;
            checkCudaErrors(cublasCreate(&handle));
            checkCudaErrors(cublasDestroy(handle));
            checkCudaErrors(CUBLAS_STATUS_NOT_SUPPORTED);
        }"#;
    assert_eq!(printed(text).1, 1);
}
