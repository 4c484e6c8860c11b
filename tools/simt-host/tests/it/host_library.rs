//! Parts of the host's library that programs use now and then. What is drawn, and in which order
//! functions are called, is what glibc and libstdc++ do.

use crate::world::*;

#[test]
fn distributions_draw_as_libstdcpp_does() {
    let text = r#"
        #include <cstdio>
        #include <random>
        #include <vector>
        int main() {
            std::mt19937 g(1);
            std::poisson_distribution<int> few(4.0);
            for (int i = 0; i < 5; i++) printf("%d ", few(g));
            std::discrete_distribution<int> d{1, 2, 3, 4};
            for (int i = 0; i < 8; i++) printf("%d ", d(g));
            std::vector<double> w = {0.1, 5, 2.5};
            std::discrete_distribution<> e(w.begin(), w.end());
            for (int i = 0; i < 12; i++) printf("%d ", e(g));
            long sum = 0;
            for (double mean : {12.0, 12.7, 40.0, 1000.0, 3e5}) {
                std::poisson_distribution<long> many(mean);
                for (int i = 0; i < 3000; i++) sum = sum * 31 + many(g);
                printf("%ld ", sum);
            }
        }"#;
    let said = "5 6 6 6 1 3 2 3 2 1 1 1 3 1 1 1 1 1 1 1 1 1 1 2 1 7166430081258261213 \
        3916739943079283300 -6795716593986901253 8176852989794880979 -6904654154775482514 ";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn numbers_of_48_bits_and_the_end_of_the_program() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        void first() { printf("first"); }
        void last() { printf("last "); }
        int main() {
            atexit(first);
            atexit(last);
            srand48(42);
            double a = drand48();
            long b = lrand48(), c = mrand48();
            printf("%g %ld %ld ", a, b, c);
            unsigned short x[3] = {1, 2, 3};
            a = erand48(x);
            b = nrand48(x);
            c = jrand48(x);
            printf("%g %ld %ld %d ", a, b, c, x[0]);
            exit(0);
        }"#;
    let said = "0.744525 735945821 477107655 0.441996 565063343 -1485464893 7666 last first";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn optional_values() {
    let text = r#"
        #include <cstdio>
        #include <optional>
        #include <string>
        std::optional<int> positive(int x) {
            if (x > 0) return x;
            return std::nullopt;
        }
        int main() {
            auto a = positive(1), b = positive(-1);
            printf("%d%d%d%d ", a.has_value(), b == std::nullopt, a == 1, a == b);
            b = 4;
            b.emplace(5);
            const std::optional<std::string> s = std::string("yes");
            printf("%d %s %d", b.value_or(9), s->c_str(), (int)s.value().size());
        }"#;
    assert_eq!(printed(text), ("1110 5 yes 3".to_owned(), 0));
}

#[test]
fn containers_take_ranges_and_pointers_watch() {
    let text = r#"
        #include <cstdio>
        #include <deque>
        #include <map>
        #include <memory>
        #include <numeric>
        #include <set>
        #include <string>
        #include <unordered_map>
        #include <unordered_set>
        #include <vector>
        struct Node {
            int id;
            std::shared_ptr<Node> next;
            std::weak_ptr<Node> before;
            ~Node() { printf("~%d ", id); }
        };
        int main() {
            std::map<int, std::pair<float, int>> m;
            m.insert_or_assign(3, std::make_pair(1.f, 2));
            printf("%d ", m.insert_or_assign(3, std::make_pair(9.f, 7)).second);
            m.try_emplace(3, 5.f, 5);
            m.try_emplace(4, 5.f, 6);
            printf("%d %d ", m[3].second, m[4].second);
            std::set<int> s = {3, 1, 2};
            std::unordered_set<int> u(s.begin(), s.end());
            u.emplace(9);
            std::vector<std::pair<std::string, int>> v = {{"a", 1}, {"b", 2}, {"a", 3}};
            std::unordered_map<std::string, int> n(v.begin(), v.end());
            std::map<std::string, int> o(v.begin(), v.end());
            n.insert_or_assign("b", 8);
            printf("%d %d %d %d %d ", (int)u.size(), (int)n.size(), n["b"], o["a"], std::reduce(s.begin(), s.end()));
            std::weak_ptr<Node> seen;
            {
                auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
                a->id = 1;
                b->id = 2;
                a->next = b;
                b->before = a;
                seen = a;
                printf("%d %d %d ", b->before.lock()->id, (int)seen.use_count(), seen.expired());
            }
            asm volatile("" : "+r"(s) : : "memory");
            asm volatile("" : "+m,r"(s) : "g"(s) : "memory");
            std::deque<int> d = {1, 2, 3};
            d.push_front(0);
            printf("%d %d %d%d", seen.expired(), seen.lock() == nullptr, d[1], (int)d.size());
        }"#;
    let said = "0 7 6 4 2 8 1 6 1 1 0 ~1 ~2 1 1 14";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn what_fails_sets_errno() {
    let text = r#"
        #include <cerrno>
        #include <climits>
        #include <cmath>
        #include <cstdio>
        #include <cstdlib>
        #include <cstring>
        int main() {
            FILE* file = fopen("missing", "r");
            printf("%d %d %s\n", file == nullptr, errno == ENOENT, strerror(errno));
            errno = 0;
            long most = strtol("99999999999999999999", nullptr, 10);
            printf("%d %d\n", most == LONG_MAX, errno == ERANGE);
            errno = EEXIST;
            double d = strtod("1e999", nullptr);
            printf("%d %d %s\n", std::isinf(d), errno == ERANGE, strerror(EEXIST));
        }"#;
    let said = "1 1 No such file or directory\n1 1\n1 1 File exists\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn numbers_in_strings_end_somewhere_and_may_not_fit() {
    let text = r#"
        #include <cstdio>
        #include <string>
        template <typename F> void tried(F f) {
            try {
                f();
            } catch (const std::invalid_argument& e) {
                printf("invalid %s\n", e.what());
            } catch (const std::out_of_range& e) {
                printf("range %s\n", e.what());
            }
        }
        int main() {
            tried([] { printf("%d\n", std::stoi("12x")); });
            tried([] { std::stoi("abc"); });
            tried([] { std::stoi("99999999999"); });
            tried([] { std::stoull("99999999999999999999"); });
            tried([] { std::stod("?"); });
            size_t end;
            double d = std::stod(" 2.5e1z", &end);
            printf("%g %zu %d\n", d, end, std::stoi("ff", nullptr, 16));
            std::string s(3, 'a');
            s.data()[1] = 'b';
            printf("%s\n", s.c_str());
        }"#;
    let said = "12\ninvalid stoi\nrange stoi\nrange stoull\ninvalid stod\n25 6 255\naba\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn durations_of_several_units_and_the_calendar() {
    let text = r#"
        #include <chrono>
        #include <cstdio>
        #include <cstring>
        #include <ctime>
        using namespace std::chrono;
        int main() {
            milliseconds a(1500);
            seconds b(2);
            printf("%lld %d %lld ", (long long)(a + b).count(), a < b, (long long)(minutes(1) + b).count());
            printf("%lld %g %lld ", (long long)(b / a), duration<double>(a).count(), (long long)(a % b).count());
            auto start = system_clock::now();
            auto later = start + milliseconds(10);
            time_point<high_resolution_clock, duration<double>> in_seconds = start;
            printf("%d %d %g ", start < later, in_seconds == start, duration<double, std::micro>(later - start).count());
            std::time_t when = system_clock::to_time_t(system_clock::from_time_t(1700000000));
            char line[64];
            size_t length = std::strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S %a %B %j%%", std::gmtime(&when));
            printf("%s %d %zu", line, length == std::strlen(line), std::strftime(line, 3, "%Y", std::gmtime(&when)));
        }"#;
    let said = "3500 1 62 1 1.5 1500 1 1 10000 2023-11-14 22:13:20 Tue November 318% 1 0";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn names_of_c_stand_in_std_and_traits_know_classes() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        #include <random>
        #include <type_traits>
        struct A { virtual ~A() {} };
        struct B : A {};
        enum class E { X };
        static_assert(std::is_base_of_v<A, B> && !std::is_base_of<B, A>::value);
        static_assert(std::is_convertible_v<int, double> && !std::is_convertible<A, int>::value);
        static_assert(std::is_class<A>::value && std::is_enum_v<E> && !std::is_class_v<int>);
        static_assert(std::is_same_v<std::make_signed_t<unsigned>, int> && std::is_scalar_v<E>);
        static_assert(std::is_trivially_copyable_v<float3> && !std::is_trivially_copyable_v<A>);
        static_assert(std::extent_v<int[3]> == 3 && std::rank_v<int[3][2]> == 2);
        static_assert(std::is_same_v<std::remove_cvref_t<const int&>, int>);
        int main() {
            std::FILE* file = stdout;
            std::div_t d = std::div(7, 2);
            std::uniform_int_distribution<int> up_to_most(1, std::numeric_limits<int>::max());
            std::fprintf(file, "%d %d", d.quot, d.rem);
        }"#;
    assert_eq!(printed(text), ("3 1".to_owned(), 0));
}

#[test]
fn memory_comes_from_pools() {
    let text = r#"
        #include <cstdio>
        int main() {
            cudaMemPoolProps props = {};
            props.allocType = cudaMemAllocationTypePinned;
            props.location.type = cudaMemLocationTypeDevice;
            cudaMemPool_t pool, now;
            printf("%d ", cudaMemPoolCreate(&pool, &props));
            unsigned long long kept = 1 << 20, read = 0;
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
            cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read);
            cudaDeviceSetMemPool(0, pool);
            cudaDeviceGetMemPool(&now, 0);
            printf("%llu %d ", read, now == pool);
            int* a;
            int* b;
            printf("%d ", cudaMallocFromPoolAsync(&a, 64, pool, 0));
            printf("%d ", cudaMallocAsync(&b, 64, pool, 0));
            cudaFreeAsync(a, 0);
            cudaFreeAsync(b, 0);
            printf("%d ", cudaMemPoolDestroy(pool));
            printf("%d ", cudaMallocFromPoolAsync(&a, 64, pool, 0));
            int rank = 0;
            printf("%d", cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 0, 1) == cudaErrorInvalidDevice);
        }"#;
    assert_eq!(printed(text), ("0 1048576 1 0 0 0 1 1".to_owned(), 0));
}

#[test]
fn streams_read_whole_files_and_say_how_much() {
    let text = r#"
        #include <cstdio>
        #include <iterator>
        #include <fstream>
        #include <iostream>
        #include <sstream>
        #include <string>
        #include <vector>
        int main() {
            { std::ofstream("t.bin", std::ios::binary) << "12 3.5 word\n  line two\nff\n" << 7; }
            std::ifstream in("t.bin", std::ios::binary | std::ios::ate);
            long size = in.tellg();
            in.seekg(0);
            std::vector<char> all(size);
            in.read(all.data(), size);
            printf("%ld %ld %d ", size, (long)in.gcount(), in.good());
            in.read(all.data(), 1);
            printf("%ld %d %d\n", (long)in.gcount(), in.eof(), (int)in.tellg());

            std::ifstream second("t.bin"), third("t.bin"), fourth("t.bin");
            std::stringstream buffer;
            buffer << second.rdbuf();
            typedef std::istreambuf_iterator<char> Bytes;
            std::string bytes((Bytes(third)), Bytes());
            std::vector<char> more((Bytes(fourth)), Bytes());
            printf("%zu %zu %zu\n", buffer.str().size(), bytes.size(), more.size());

            int a, b;
            double d;
            std::string word;
            char line[20];
            std::ifstream text("t.bin");
            text >> a >> d >> word >> std::ws;
            text.getline(line, 20);
            text >> std::hex >> b;
            printf("%d %g %s [%s] %d\n", a, d, word.c_str(), line, b);

            std::fstream both("t.bin", std::ios::in | std::ios::out);
            both.seekp(0);
            both << "98";
            both.seekg(0);
            both >> a;
            std::ifstream none("nowhere");
            printf("%d %d %d", a, none.rdstate() == std::ios::failbit, !none);
        }"#;
    let said = "27 27 1 0 1 -1\n27 27 27\n12 3.5 word [line two] 255\n98 1 1";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn a_vector_takes_its_memory_from_its_allocator() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        #include <vector>
        template <typename T> struct Pinned {
            typedef T value_type;
            Pinned() {}
            template <typename U> Pinned(const Pinned<U>&) {}
            T* allocate(size_t n) {
                T* at = nullptr;
                if (cudaMallocHost(&at, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
                printf("+%d ", (int)n);
                return at;
            }
            void deallocate(T* at, size_t n) {
                printf("-%d ", (int)n);
                cudaFreeHost(at);
            }
        };
        template <typename T> T sum(const std::vector<T>& v) {
            T all = 0;
            for (auto i = v.rbegin(); i != v.rend(); ++i) all = all * 10 + *i;
            return all;
        }
        __global__ void k(int* p) { p[threadIdx.x] += 1; }
        int main() {
            std::vector<int, Pinned<int>> v(3, 4);
            v.push_back(5);
            k<<<1, 4>>>(v.data());
            cudaDeviceSynchronize();
            std::vector<int, Pinned<int>> w = v;
            std::vector<int, std::allocator<int>> plain = {1, 2};
            plain.insert(plain.begin() + 1, {7, 8});
            plain.emplace(plain.begin(), 9);
            printf("%d %d %d %d ", w[0], w[3], (int)(w == v), sum(plain));
        }"#;
    let wanted = "+3 +6 -3 +4 5 6 1 28719 -4 -6 ";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn reverse_iterators_walk_all_that_has_an_order() {
    let text = r#"
        #include <algorithm>
        #include <array>
        #include <cstdio>
        #include <deque>
        #include <string>
        #include <vector>
        struct Four {
            typedef std::reverse_iterator<int*> reverse_iterator;
            int v[4] = {1, 2, 3, 4};
            reverse_iterator rbegin() { return reverse_iterator(v + 4); }
            reverse_iterator rend() { return reverse_iterator(v); }
        };
        int main() {
            std::string s = "abc", turned(s.rbegin(), s.rend());
            std::array<int, 3> a{1, 2, 3};
            std::deque<int> d{4, 5};
            d.push_front(3);
            std::vector<int> v(a.rbegin(), a.rend());
            for (auto i = a.rbegin(); i != a.rend(); ++i) printf("%d", *i);
            for (std::deque<int>::reverse_iterator i = d.rbegin(); i != d.rend(); i++) printf("%d", *i);
            std::vector<int>::reverse_iterator r = v.rbegin();
            printf(" %s %d%d%d", turned.c_str(), r[2], *(r + 1), (int)(v.rend() - r));
            std::sort(v.begin(), v.end());
            auto found = std::find(v.rbegin(), v.rend(), 2);
            printf(" %d %d", (int)(found - v.rbegin()), (int)(found.base() - v.begin()));
            Four four;
            for (int x : {*four.rbegin(), *--four.rend(), *std::make_reverse_iterator(four.v + 2)}) printf(" %d", x);
            const std::string& same = s;
            printf(" %c\n", *same.rbegin());
        }"#;
    assert_eq!(printed(text), ("321543 cba 323 1 2 4 1 2 c\n".to_owned(), 0));
}

#[test]
fn limits_say_how_many_digits_a_type_has() {
    let text = r#"
        #include <iomanip>
        #include <iostream>
        #include <limits>
        template <typename T> void say(std::stringstream& to) {
            typedef std::numeric_limits<T> limits;
            to << limits::digits10 << ' ' << limits::max_digits10 << ' ' << limits::is_exact << limits::is_iec559
               << limits::has_infinity << limits::is_modulo << ' ';
        }
        int main() {
            std::stringstream text;  // GCC's <iomanip> includes <sstream>
            say<bool>(text), say<signed char>(text), say<unsigned short>(text), say<int>(text), say<unsigned long long>(text);
            say<float>(text), say<double>(text);
            text << std::numeric_limits<float>::max_exponent << ' ' << std::numeric_limits<double>::min_exponent;
            std::cout << text.str() << std::endl;
        }"#;
    let said = "0 0 1000 2 0 1000 4 0 1001 9 0 1000 19 0 1001 6 9 0110 15 17 0110 128 -1021\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

/// The findings of a statement in line 3.
fn found(statement: &str) -> String {
    let text = format!("#include <stdio.h>\nint main() {{ char b[9];\n    {statement}\n}}\n");
    run("main.cu", &text).1.findings.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_printf_without_its_values_is_reported() {
    let few = "the format asks for 2 values, and 1 is given";
    for (statement, expected) in [
        (r#"printf("%d %d\n", 1);"#, few),
        (r#"printf("%*d\n", 3);"#, few),
        (r#"fprintf(stderr, "%s\n");"#, "the format asks for 1 value, and 0 are given"),
        (r#"snprintf(b, 9, "%d %d", 1);"#, few),
        (r#"printf("%d\n", 2.0f);"#, "`%d` prints an integer, and value 1 of"),
        (r#"printf("%d %f\n", 1, 2);"#, "`%f` prints a `double`, and value 2 of"),
    ] {
        let said = found(statement);
        assert!(said.contains(&format!("error[printf]: {expected}")), "{statement}: {said}");
        assert!(said.contains(" --> main.cu:3:5\n"), "{statement}: {said}");
    }
    for statement in [
        r#"printf("%d\n", 1, 2);"#,
        r#"printf("100%%, %5.*f %zu %c %p\n", 2, 1.0f, sizeof b, 'c', b);"#,
    ] {
        assert_eq!(found(statement), "", "{statement}");
    }
}

/// The digits are those of libcu++, compiled for the host.
#[test]
fn complex_numbers_of_cuda_on_both_sides() {
    let text = r#"
        #include <cuda/std/complex>
        #include <cstdio>
        #include <cmath>
        template <typename T> using complex = cuda::std::complex<T>;
        template <typename T> __host__ __device__ void all(T* out) {
            complex<T> a(T(1.5), T(-2)), b(T(0.25), T(3));
            auto put = [&](int i, complex<T> z) { out[2 * i] = z.real(); out[2 * i + 1] = z.imag(); };
            put(0, a * b);
            put(1, a / b);
            put(2, cuda::std::exp(a) + cuda::std::conj(b));
            put(3, cuda::std::sqrt(a));
            put(4, cuda::std::pow(a, b));
            a *= b;
            a += T(1);
            a /= T(2) * b;
            put(5, a);
            put(6, complex<T>(cuda::std::abs(a), cuda::std::norm(b)));
        }
        __global__ void kernel(double* out) { all(out); }
        int main() {
            double* seen;
            double here[14];
            cudaMallocManaged(&seen, sizeof here);
            kernel<<<1, 1>>>(seen);
            cudaDeviceSynchronize();
            all(here);
            for (int i = 0; i < 14; i++) {
                if (fabs(here[i] - seen[i]) > 1e-13) printf("%d: %g, %g ", i, here[i], seen[i]);
            }
            for (int i = 2; i < 10; i++) printf("%.17g ", here[i]);
            constexpr complex<float> one(1, 2);
            complex<double> far = complex<double>(1e200, 1e200) / complex<double>(1e200, 1e200);
            complex<double> infinite = complex<double>(INFINITY, 1) * complex<double>(INFINITY, 1);
            printf("%g %g %d %g", far.real(), far.imag(), one == one, infinite.real());
        }"#;
    let wanted = "-0.62068965517241381 -0.55172413793103448 -1.6150407290090891 -7.0751883394911834 \
        1.4142135623730951 -0.70710678118654757 -16.473520694108636 11.873977013525593 1 0 1 inf";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn arguments_are_bound_and_arrays_have_deleters() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        #include <deque>
        #include <functional>
        #include <list>
        #include <memory>
        #include <random>
        #include <vector>
        using namespace std::placeholders;
        struct Free { void operator()(int* p) const { printf("free "); cudaFree(p); } };
        int minus(int a, int b, int c) { return a - b - c; }
        int main() {
            {
                int* p;
                cudaMalloc(&p, 16);
                std::unique_ptr<int[], Free> held(p), other;
                other = std::move(held);
                printf("%d%d ", held == nullptr, other.get() == p);
            }
            auto late = std::bind(minus, _2, 10, _1);
            int n = 1;
            auto counted = std::bind([](int& n, int by) { n += by; }, std::ref(n), _1);
            counted(4);
            printf("%d %d ", late(1, 100), n);
            std::vector<int> v(5), w = {3, 1, 3, 1};
            std::mt19937 engine(7);
            std::uniform_int_distribution<int> distribution(2, 2);
            std::generate(v.begin(), v.end(), std::bind(distribution, std::ref(engine)));
            auto both = std::minmax_element(w.begin(), w.end(), [](int a, int b) { return a < b; });
            printf("%d %d %d", v[4], (int)(both.first - w.begin()), (int)(both.second - w.begin()));
            std::list<int> list = {6, 7};
            std::deque<int> queue(list.begin(), list.end()), same(2, 9);
            printf(" %d %d", queue.back(), same.back());
        }"#;
    assert_eq!(printed(text), ("11 free 89 5 2 1 2 7 9".to_owned(), 0));
}

#[test]
fn a_pause_takes_its_time_on_the_clocks_alone() {
    let text = r#"
        #include <chrono>
        #include <cstdio>
        #include <thread>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        using namespace std::chrono;
        int main() {
            auto at = [] { return steady_clock::now(); };
            auto ms = [](auto a, auto b) { return (int)duration_cast<milliseconds>(b - a).count(); };
            clock_t busy = clock();
            auto a = at();
            std::this_thread::sleep_for(duration<double>(0.05));
            auto b = at();
            usleep(20000);
            auto c = at();
            timespec pause{1, 30000000}, rest{5, 5};
            nanosleep(&pause, &rest);
            auto d = at();
            sleep(2);
            auto e = at();
            std::this_thread::sleep_until(at() + milliseconds(5));
            std::this_thread::sleep_until(a);
            std::this_thread::sleep_for(milliseconds(-7));
            auto f = at();
            printf("%d %d %d %d %d ", ms(a, b), ms(b, c), ms(c, d), ms(d, e), ms(e, f));
            timeval t, u;
            gettimeofday(&t, nullptr);
            cudaEvent_t begin, end;
            cudaEventCreate(&begin);
            cudaEventCreate(&end);
            cudaEventRecord(begin);
            std::this_thread::sleep_for(microseconds(4000));
            cudaEventRecord(end);
            cudaEventSynchronize(end);
            gettimeofday(&u, nullptr);
            float taken;
            cudaEventElapsedTime(&taken, begin, end);
            printf("%.1f %d ", taken, (int)((u.tv_sec - t.tv_sec) * 1000 + (u.tv_usec - t.tv_usec) / 1000));
            printf("%d %d\n", clock() - busy < CLOCKS_PER_SEC / 10, (int)(rest.tv_sec + rest.tv_nsec));
        }"#;
    assert_eq!(printed(text), ("50 20 1030 2000 5 4.0 4 1 0\n".to_owned(), 0));
}
