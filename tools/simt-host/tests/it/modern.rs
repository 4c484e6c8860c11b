//! C++17 as programs write it, on the host and in kernels: each case stands for one that was refused.

use crate::world::*;

#[test]
fn a_specialisation_stands_outside_of_its_namespace() {
    let text = r#"
        #include <functional>
        #include <stdio.h>
        #include <unordered_map>
        #include <unordered_set>
        struct A {
            int x;
            bool operator==(const A& o) const { return x == o.x; }
        };
        template <> struct std::hash<A> {
            size_t operator()(const A& a) const noexcept { return a.x * 31; }
        };
        namespace own {
        template <class T> struct tag { static const int v = 0; };
        namespace inner { template <class T, int N> struct two { int f() { return 0; } }; struct later; }
        }
        template <> struct own::tag<A> { static const int v = 7; };
        template <class T> struct own::tag<T*> { static const int v = 8; };
        template <class T> struct own::inner::two<T, 3> { int f() { return 3; } };
        struct own::inner::later { int n = 9; };
        int main() {
            std::unordered_map<A, int> m;
            m[A{3}] = 4;
            std::unordered_set<A> s{A{1}, A{1}};
            printf("%d %d ", m[A{3}], (int)s.size());
            printf("%d %d %d ", own::tag<A>::v, own::tag<int*>::v, own::tag<int>::v);
            printf("%d %d\n", own::inner::two<int, 3>().f(), own::inner::later().n);
        }"#;
    prints(text, "4 1 7 8 0 3 9\n");
}

#[test]
fn an_inline_namespace_may_be_named() {
    let text = r#"
        #include <stdio.h>
        namespace a::b { inline namespace v1 { template <class T> struct box { T t; }; int f() { return 5; } } }
        namespace other { namespace v1 { int f() { return 6; } } }
        int main() { printf("%d %d %d\n", a::b::v1::box<int>{4}.t, a::b::v1::f(), other::v1::f()); }"#;
    prints(text, "4 5 6\n");
}

#[test]
fn a_conversion_function_may_be_a_template() {
    let text = r#"
        #include <stdio.h>
        #include <type_traits>
        struct Any {
            double v;
            template <class T> __host__ __device__ operator T() const { return (T)v; }
        };
        struct Pointer {
            void* p;
            template <class T> operator T*() const { return (T*)p; }
        };
        struct Integers {
            template <class T, class = std::enable_if_t<std::is_integral<T>::value>> operator T() const { return 3; }
            operator double() const { return 0.5; }
        };
        void take(float f) { printf("%g ", f); }
        __global__ void k(float* o, Any a) {
            int i = a;
            o[0] = i;
            o[1] = a;
        }
        int main() {
            Any a{2.5};
            int i = a;
            take(a);
            Pointer p{&i};
            int* q = p;
            int n = Integers();
            double d = Integers();
            printf("%d %d %d %ld %d %g\n", i, *q, (int)a, static_cast<long>(a), n, d);
            float* o;
            cudaMallocManaged(&o, 8);
            k<<<1, 1>>>(o, a);
            cudaDeviceSynchronize();
            printf("%g %g\n", o[0], o[1]);
        }"#;
    prints(text, "2.5 2 2 2 2 3 0.5\n2 2.5\n");
}

#[test]
fn a_result_type_names_this() {
    let text = r#"
        #include <stdio.h>
        struct B {
            int n = 4;
            int add(int x) { return n + x; }
            template <class T> auto f(T t) -> decltype(this->add(t)) { return this->add(t); }
            template <class T> __host__ __device__ auto g(T t) const -> decltype(this->n * t) { return n * t; }
            template <class T> auto h(T t) -> decltype(add(t)) { return add(t); }
            template <class T> static auto s(T t) -> decltype(t + 1) { return t + 1; }
            auto me() -> decltype(this) { return this; }
        };
        __global__ void k(float* o, B b) { *o = b.g(1.5f); }
        int main() {
            B b;
            float* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o, b);
            cudaDeviceSynchronize();
            printf("%d %g %d %d %d %g\n", b.f(2), b.g(1.5), b.h(1), B::s(1), b.me()->n, *o);
        }"#;
    prints(text, "6 6 5 2 4 6\n");
}

#[test]
fn a_member_hides_a_function_of_c_in_decltype() {
    let text = r#"
        #include <math.h>
        #include <stdio.h>
        #include <string.h>
        #include <strings.h>
        struct S {
            float index;
            int y1;
            double time;
            decltype(index) twice() { return index * 2; }
            decltype(y1) z = 3;
            auto t() -> decltype(time) { return time; }
            __host__ __device__ decltype(index) d() const { return index; }
        };
        template <class T> struct V {
            T index;
            auto a() -> decltype(index) { return index; }
            decltype(index) b;
        };
        __global__ void k(float* o, S s) { *o = s.d(); }
        int main() {
            S s{1.5f, 2, 2.5};
            V<float> v{1, 2};
            float* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o, s);
            cudaDeviceSynchronize();
            printf("%g %d %g %g %g %g\n", s.twice(), s.z, s.t(), v.a(), v.b, *o);
        }"#;
    prints(text, "3 3 2.5 1 2 1.5\n");
}

#[test]
fn a_type_of_an_expression_has_types_that_make_values() {
    let text = r#"
        #include <stdio.h>
        #include <vector>
        struct P {
            struct Q {
                int a, b;
                Q(int x, int y) : a(x), b(y) {}
            };
            typedef int type;
            static int two() { return 2; }
        };
        template <class T> int made(T t) { return typename decltype(t)::type(3.7); }
        int main() {
            P x;
            std::vector<int> v{1, 2};
            auto a = decltype(x)::type(2.9);
            auto b = decltype(x)::Q(1, 2);
            printf("%d %d %d %d %d\n", a, b.a + b.b, decltype(x)::two(), made(x), (int)decltype(v)::value_type(5.5));
        }"#;
    prints(text, "2 3 2 3 5\n");
}

#[test]
fn enumerations_have_operators() {
    let text = r#"
        #include <stdint.h>
        #include <stdio.h>
        #include <type_traits>
        enum class Mode : uint8_t { none = 0, read = 1, write = 2, exec = 4 };
        __host__ __device__ constexpr Mode operator|(Mode a, Mode b) {
            using U = std::underlying_type_t<Mode>;
            return static_cast<Mode>(static_cast<U>(a) | static_cast<U>(b));
        }
        __host__ __device__ constexpr Mode operator&(Mode a, Mode b) { return Mode(int(a) & int(b)); }
        __host__ __device__ constexpr Mode& operator|=(Mode& a, Mode b) { return a = a | b; }
        __host__ __device__ constexpr bool operator!(Mode a) { return a == Mode::none; }
        __host__ __device__ constexpr Mode operator~(Mode a) { return Mode(~unsigned(a) & 7); }
        static_assert((Mode::read | Mode::write) == Mode(3), "it is a constant");
        enum Day { mon, tue, wed, sun = 6 };
        Day& operator++(Day& d) { return d = d == sun ? mon : Day(d + 1); }
        Day operator++(Day& d, int) {
            Day old = d;
            ++d;
            return old;
        }
        namespace n {
        enum class E { a, b };
        template <class T, class = std::enable_if_t<std::is_enum<T>::value>> constexpr int operator-(T a, T b) { return int(a) - int(b); }
        }
        __global__ void k(int* o) {
            Mode m = Mode::read;
            m |= Mode::exec;
            *o = int(m) * 10 + !(m & Mode::write);
        }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            Mode m{5};
            Day d = sun;
            Day old = d++;
            printf("%d %d %d %d %d %d\n", *o, int(~m), old, d, mon | wed, n::E::b - n::E::a);
        }"#;
    prints(text, "51 2 6 0 2 1\n");
}

#[test]
fn a_temporary_is_whole_where_its_base_is_meant() {
    let text = r#"
        #include <stdio.h>
        #include <utility>
        template <class D> struct Shape {
            __host__ __device__ float area() const { return static_cast<const D*>(this)->own(); }
        };
        struct Square : Shape<Square> {
            float side;
            __host__ __device__ explicit Square(float s) : side(s) {}
            __host__ __device__ float own() const { return side * side; }
        };
        template <class S> __host__ __device__ float twice(const Shape<S>& s) { return 2 * s.area(); }
        struct B {
            int x;
            B(int x) : x(x) {}
            B(B&& o) : x(o.x) { o.x = -1; }
            B(const B&) = delete;
            ~B() { printf("~B %d ", x); }
        };
        struct D : B {
            int y;
            D(int x) : B(x), y(7) {}
            D(D&& o) : B(std::move(o)), y(o.y) {}
            ~D() { printf("~D "); }
        };
        void f(const B& b) { printf("%d %d ", b.x, static_cast<const D&>(b).y); }
        void g(B&& b) { B c(std::move(b)); }
        __global__ void k(float* o) {
            o[0] = twice(Square(2));
            o[1] = Square(3).area();
        }
        int main() {
            float* o;
            cudaMallocManaged(&o, 8);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%g %g %g\n", o[0], o[1], twice(Square(2)));
            f(D(3));
            D d(4);
            g(std::move(d));
            printf("%d\n", d.x);
            { const B& held = D(9); printf("%d ", held.x); }
            printf("\n");
        }"#;
    prints(text, "8 9 8\n3 7 ~D ~B 3 ~B 4 -1\n9 ~D ~B 9 \n~D ~B -1 ");
}

#[test]
fn functions_beside_a_class_begin_and_end_it() {
    let text = r#"
        #include <stdio.h>
        struct G { int a[2]; };
        int* begin(G& g) { return g.a; }
        int* end(G& g) { return g.a + 2; }
        namespace n {
        struct L { int a[3]; };
        __host__ __device__ int* begin(L& l) { return l.a; }
        __host__ __device__ int* end(L& l) { return l.a + 3; }
        }
        __global__ void k(int* o) {
            n::L l{{1, 2, 3}};
            *o = 0;
            for (int& x : l) *o += x;
        }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            G g{{4, 5}};
            for (int x : g) printf("%d ", x);
            printf("%d\n", *o);
        }"#;
    prints(text, "4 5 6\n");
}

#[test]
fn the_type_of_a_template_s_value_is_deduced() {
    let text = r#"
        #include <stdio.h>
        template <auto V> struct Constant {
            static constexpr auto value = V;
            using type = decltype(V);
        };
        template <auto... V> constexpr int count() { return sizeof...(V); }
        template <auto N> __global__ void k(int* o) { *o = N + Constant<3>::value; }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<4u><<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%d %d %c %d\n", *o, (int)sizeof(Constant<true>::type), Constant<'x'>::value, count<1, 'a', true>());
        }"#;
    prints(text, "7 1 x 3\n");
}

#[test]
fn iterators_of_own_go_as_far_as_they_can() {
    let text = r#"
        #include <algorithm>
        #include <iterator>
        #include <list>
        #include <stdio.h>
        struct Counter {
            using iterator_category = std::random_access_iterator_tag;
            using value_type = int;
            using difference_type = std::ptrdiff_t;
            using pointer = const int*;
            using reference = int;
            int v;
            int operator*() const { return v; }
            Counter& operator++() { ++v; return *this; }
            Counter& operator--() { --v; return *this; }
            Counter& operator+=(difference_type n) { v += n; return *this; }
            bool operator==(const Counter& o) const { return v == o.v; }
            bool operator!=(const Counter& o) const { return v != o.v; }
        };
        struct Forward {
            using iterator_category = std::forward_iterator_tag;
            using value_type = int;
            using difference_type = std::ptrdiff_t;
            using pointer = const int*;
            using reference = int;
            int v;
            int operator*() const { return v; }
            Forward& operator++() { ++v; return *this; }
        };
        int main() {
            Counter c{3};
            Forward f{1};
            std::list<int> l{1, 2, 3};
            std::advance(f, 2);
            std::advance(c, -1);
            auto it = std::prev(l.end(), 2);
            std::reverse_iterator<Counter> r(Counter{10});
            ++r;
            printf("%d %d %d %d %d %d\n", *c, *f, *std::next(c, 4), *std::next(f), *it, *r);
        }"#;
    prints(text, "2 3 6 4 2 8\n");
}

#[test]
fn pairs_and_arrays_count_as_tuples() {
    let text = r#"
        #include <algorithm>
        #include <array>
        #include <stdio.h>
        #include <string>
        #include <string_view>
        #include <tuple>
        using namespace std::literals;
        int add(int a, int b) { return a + b; }
        int main() {
            std::array<int, 3> a{1, 2, 3};
            std::get<1>(a) = 7;
            std::tuple_element_t<1, std::pair<int, float>> half = 0.5;
            printf("%d %d %g ", std::apply(add, std::pair{4, 5}), std::get<1>(a), half);
            printf("%d %d ", (int)std::tuple_size_v<std::pair<int, int>>, (int)std::tuple_size<std::array<int, 3>>::value);
            printf("%d\n", std::apply([](auto... x) { return (x + ...); }, a));
            auto [least, most] = std::minmax({3, 1, 2});
            printf("%d %d ", least, most);
            printf("%d %d\n", (int)"ab\0c"sv.size(), (int)("ab"s + "c"s).size());
        }"#;
    prints(text, "9 7 0.5 2 3 11\n1 3 4 3\n");
}

#[test]
fn the_host_has_cuda_atomics() {
    let text = r#"
        #include <cuda/atomic>
        #include <new>
        #include <stdio.h>
        using Atomic = cuda::atomic<int, cuda::thread_scope_system>;
        __global__ void k(Atomic* a) { a->fetch_add(2); }
        int main() {
            Atomic* a;
            cudaMallocManaged(&a, sizeof *a);
            new (a) Atomic(5);
            k<<<1, 32>>>(a);
            cudaDeviceSynchronize();
            printf("%d ", a->load());
            a->store(3, cuda::memory_order_release);
            a->fetch_add(4, cuda::memory_order_relaxed);
            int expected = 8;
            bool first = a->compare_exchange_strong(expected, 9);
            bool second = a->compare_exchange_strong(expected, 9);
            printf("%d %d %d %d ", first, expected, second, a->load());
            ++*a;
            *a += 5;
            (*a)--;
            int n = *a;
            int most = a->fetch_max(6);
            printf("%d %d %d %d ", n, most, a->exchange(1), a->is_lock_free());
            cuda::std::atomic<int> c{3};
            c.fetch_or(4);
            cuda::atomic_ref<int, cuda::thread_scope_device> r(n);
            r.fetch_sub(2);
            cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
            printf("%d %d\n", c.load(), n);
        }"#;
    prints(text, "69 0 7 1 9 14 14 14 1 7 12\n");
}

#[test]
fn the_nearer_base_is_better_and_an_ellipsis_is_worst() {
    let text = r#"
        #include <stdio.h>
        struct Input {};
        struct Forward : Input {};
        struct Random : Forward {};
        struct Contiguous : Random {};
        __host__ __device__ int go(Input) { return 1; }
        __host__ __device__ int go(Forward) { return 2; }
        __host__ __device__ int go(const Random&) { return 3; }
        int at(const void*) { return 1; }
        int at(const Input*) { return 2; }
        int at(const Forward*) { return 3; }
        template <class T> int rest(T, long) { return 1; }
        template <class T> int rest(T, ...) { return 2; }
        int last(long) { return 1; }
        int last(...) { return 2; }
        __global__ void k(int* o) { *o = go(Contiguous()) * 10 + go(Forward()); }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            Contiguous c;
            printf("%d %d %d %d %d %d\n", *o, go(c), at(&c), rest(1, 0), last(0), last("x"));
        }"#;
    prints(text, "32 3 3 1 1 2\n");
}
