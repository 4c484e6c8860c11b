//! Members of class templates: templates among them, and what is defined outside the class.

use crate::world::*;

#[test]
fn one_instance_has_members_of_its_own() {
    let text = r#"
        #include <cstdio>
        template <typename T> struct S {
            S(T);
            ~S();
            T f(T x);
            T f(T* x);
            static T g(T);
            template <typename U> U h(U u);
            T operator+(const S& o) const;
            T v;
            static int count;
        };
        template <typename T> int S<T>::count = 0;
        template <> int S<float>::count = 100;
        template <typename T> S<T>::S(T x) : v(x) { count++; }
        template <> S<char>::S(char x) : v(x + 1) { count += 10; }
        template <typename T> S<T>::~S() {}
        template <typename T> T S<T>::f(T x) { return x + v; }
        template <typename T> T S<T>::f(T* x) { return *x - v; }
        template <> double S<double>::f(double x) { return x * 100; }
        template <typename T> T S<T>::g(T x) { return x * 2; }
        template <> inline int S<int>::g(int x) { return x * 1000; }
        template <typename T> template <typename U> U S<T>::h(U u) { return u + (U)v; }
        template <typename T> T S<T>::operator+(const S<T>& o) const { return v + o.v; }
        template <typename T> __global__ void k(T* out);
        template <> __global__ void k<int>(int* out) { printf("%d\n", *out); }
        int main() {
            S<int> a(1);
            S<double> b(2);
            S<float> c(3);
            S<char> d('a');
            double two = 2;
            printf("%d %g %g %g %d %g\n", a.f(2), b.f(2), b.f(&two), c.f(2), a.g(3), b.g(3));
            printf("%g %d %c %d %d %d\n", a.h(2.5), a + a, d.v, S<int>::count, S<float>::count,
                S<char>::count);
            int* n;
            cudaMallocManaged(&n, 4);
            *n = 42;
            k<<<1, 1>>>(n);
            return cudaDeviceSynchronize();
        }"#;
    let said = "3 200 0 5 3000 6\n3.5 2 b 1 101 10\n42\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn a_partial_specialisation_has_members_of_its_own() {
    let text = r#"
        #include <cstdio>
        template <class T, int N = 2> struct V;
        template <class T, int N> struct V { int n(); };
        template <class T, int N> struct V<T*, N> { int n(); };
        template <class T, int N> int V<T, N>::n() { return N; }
        template <class T, int N> int V<T*, N>::n() { return N + 10; }
        template <> struct V<char> { int n() const; };
        int V<char>::n() const { return 3; }
        namespace space {
        template <class T> class W { public: W(); T get() const; private: T v; };
        template <class T> W<T>::W() : v(5) {}
        template <class T> T W<T>::get() const { return v; }
        template <> float W<float>::get() const { return v * 2; }
        }
        int main() {
            V<int> a;
            V<int*, 7> b;
            V<char> c;
            space::W<int> w;
            space::W<float> f;
            printf("%d %d %d %d %g\n", a.n(), b.n(), c.n(), w.get(), f.get());
        }"#;
    assert_eq!(printed(text), ("2 17 3 5 10\n".to_owned(), 0));
}

#[test]
fn classes_hold_templates_of_types() {
    let text = r#"
        #include <cstdio>
        template <typename T> struct Holder {
            template <typename U, int D = 2> struct Node;
            template <typename U, int D> struct Node {
                U u;
                T t;
                int d[D];
                int size() const { return D + N; }
            };
            static const int N = 4;
            template <typename U> struct Pick { typedef U type; static const int v = 0; };
            template <typename U> struct Pick<U*> { typedef U type; static const int v = 1; };
            template <> struct Pick<float> { typedef T type; static const int v = 2; };
            template <typename U> using Nodes = Node<U, 3>*;
            T first;
            template <typename U> typename Pick<U>::type get(U u) const { return first + *u; }
            template <typename U> Node<U> make(U u) { Node<U> n; n.u = u; n.t = first; return n; }
        };
        template <int M> struct Policy {
            template <typename T> struct Op {
                __device__ T operator()(T a, T b) const { return a + b * M; }
            };
        };
        template <typename P, typename T> __global__ void run(T* d) {
            typename P::template Op<T> op;
            typedef typename P::template Op<float> F;
            printf("%d %g\n", op(d[0], d[1]), F()(1, 2.5f));
        }
        struct Base { template <typename T> struct In { T v; In(T v) : v(v) {} }; };
        struct Derived : Base { In<int> i; Derived() : i(4) {} };
        template <typename T> struct Stat { template <typename U> static U conv(T t) { return (U)t / 2; } };
        template <typename T, typename U> U by(T t) { return Stat<T>::template conv<U>(t); }
        int main() {
            Holder<int> h{3};
            int x = 5;
            auto n = h.make(2.5f);
            Holder<int>::Nodes<double> none = nullptr;
            printf("%d %d %d %d ", h.get(&x), Holder<int>::Pick<int*>::v, Holder<int>::Pick<int>::v,
                Holder<int>::Pick<float>::v);
            printf("%g %d %d %d\n", n.u, n.t, n.size(), (int)sizeof(*none));
            Derived d;
            Base::In<double> in(2.5);
            printf("%d %g %g\n", d.i.v, in.v, by<int, double>(3));
            int* values;
            cudaMallocManaged(&values, 8);
            values[0] = 1;
            values[1] = 2;
            run<Policy<3>><<<1, 1>>>(values);
            return cudaDeviceSynchronize();
        }"#;
    let said = "8 1 0 2 2.5 3 6 24\n4 2.5 1.5\n7 8.5\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn bit_fields_lie_as_on_linux() {
    let text = r#"
        #include <cstdio>
        #include <cstring>
        struct P { unsigned r : 5; unsigned g : 6; unsigned b : 5; };
        struct F { int a : 3; unsigned b : 1; int : 4; unsigned long long c : 40; bool d : 1; };
        struct M {
            int x;
            unsigned a : 3, b : 5;
            short y;
            unsigned short h : 5, i : 6, j : 5;
            int z : 20;
            int w : 20;
            unsigned : 0;
            unsigned char q : 2;
        };
        union C { struct { unsigned short b : 5, g : 6, r : 5; }; unsigned short u; };
        struct K {
            unsigned n : 10;
            int s : 6;
            __device__ K(unsigned n) : n(n), s(-3) {}
            __device__ void up() { n += 5; s--; }
        };
        template <typename T> void show(const T& t) {
            unsigned char c[sizeof(T)];
            memcpy(c, &t, sizeof(T));
            for (unsigned i = 0; i < sizeof(T); i++) printf("%02x", c[i]);
            printf("\n");
        }
        __global__ void k(P* p) {
            int i = threadIdx.x;
            P q = p[i];
            q.r = i + 30;
            p[i] = q;
            p[i].g += 2;
            p[i].b = p[i].r++;
            K made(1020);
            made.up();
            C c;
            c.u = 0;
            c.g = i + 1;
            printf("%d %d %d %d %d %d\n", p[i].r, p[i].g, p[i].b, made.n, made.s, c.u);
        }
        int main() {
            P* p;
            cudaMallocManaged(&p, 2 * sizeof(P));
            p[0] = P{1, 2, 3};
            p[1] = P{.g = 63, .b = 2};
            k<<<1, 2>>>(p);
            cudaDeviceSynchronize();
            F f;
            memset(&f, 0, sizeof f);
            f.a = 5;
            f.b = 3;
            f.c = (1ull << 39) + 7;
            f.d = true;
            show(f);
            M l = {1, 2, 3, 4, 6};
            printf("%d %d %d %d %d %d\n", l.x, l.a, l.b, l.y, l.h, l.w);
            M m;
            memset(&m, 0, sizeof m);
            m.x = -1;
            m.a = 7;
            m.i = 5;
            m.j = 30;
            m.z = -1;
            m.w = 77777;
            m.q = 2;
            show(m);
            int v = p[0].r = 35;
            printf("%d %d %d %d\n", v, p[0].r--, f.a, m.z < 0 && m.w == 77777);
        }"#;
    let said = "31 4 30 1 -4 32\n0 1 31 1 -4 64\n0d07000000800100\n\
                1 2 3 4 6 0\nffffffff07000000a0f00000ffff0f00d12f010002000000\n3 3 -3 1\n";
    let (printed, code) = printed(text);
    assert_eq!((printed.as_str(), code), (said, 0));
}

#[test]
fn a_cast_of_a_reference_to_its_own_type_reads_the_value() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        struct Box {
            int d[3];
            int& operator[](int i) { return d[i]; }
            int& at(int i) { return d[i]; }
        };
        int main() {
            Box box = {{5, 2, 8}};
            std::vector<int> v = {5, 2, 8};
            bool first = v.size() == 3;
            printf("%d %d %d ", (int)box[1], (int)box.at(2), int(box[0]));
            printf("%d %d %d", (int)v[1], static_cast<int>(v[2]), (int)(first ? v[0] : v[1]));
        }"#;
    assert_eq!(printed(text), ("2 8 5 2 8 5".to_owned(), 0));
}

#[test]
fn an_address_operator_of_a_class_is_called() {
    let text = r#"
        #include <cstdio>
        struct Proxy {
            int* at;
            int* operator&() const { return at; }
            int operator&(int mask) const { return *at & mask; }
        };
        struct Plain { int a; int operator&(int mask) const { return a & mask; } };
        int main() {
            int values[2] = {6, 7};
            Plain plain = {5};
            printf("%d %d %d", *&Proxy{values + 1}, Proxy{values} & 3, (&plain)->a);
        }"#;
    assert_eq!(printed(text), ("7 2 5".to_owned(), 0));
}

/// What a declaration gives may name other members, those with values among them.
#[test]
fn values_of_declarations_name_members() {
    let text = r#"
        #include <stdio.h>
        #include <vector>
        int n = 100;
        struct Size { int w = 4; int h = w * 2; int area = w * h; };
        struct Around { Size size; int next = size.w + 1; };
        struct Hides { int n; int m = n + 1; float half = m * 0.5f; };
        struct HidesAll { int n = 1; int m = n + 1; };
        __global__ void kernel() {
            Size one{10}, two{2, 3}, none{};
            Hides hides{3};
            printf("%d %d %d %g ", one.area, two.area, none.area, hides.half);
        }
        int main() {
            Size one{10}, two = {2, 3}, none, last{.h = 5};
            Around around{{3}};
            Hides hides{3};
            HidesAll all{}, usual;
            std::vector<Size> list = {{2}, {3, 4}};
            Size* made = new Size{8};
            printf("%d %d %d %d ", one.area, two.area, none.area, last.area);
            printf("%d %d %g %d %d ", around.next, around.size.area, hides.half, all.m, usual.m);
            printf("%d %d %d ", list[0].area, list[1].area, made->area);
            delete made;
            kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    let wanted = "200 6 32 20 4 18 2 2 2 8 12 128 200 6 32 2 ";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn references_live_as_long_as_the_program() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <vector>
        int n = 3;
        int& alias = n;
        const int& five = 5;
        std::vector<int> list = {1, 2};
        std::vector<int>& all = list;
        struct Told { int v; Told(int i) : v(i) { printf("+%d ", i); } ~Told() { printf("-%d ", v); } };
        const Told& told() { static const Told& one = Told(4); return one; }
        struct Single { int v = 3; static Single& get() { static Single& one = *new Single; return one; } };
        struct Holder { static int& ref; };
        int& Holder::ref = n;
        template <typename T> T& of() { static T& one = *new T(); return one; }
        int& variable() { static int v = 7; return v; }
        int main() {
            static int& r = variable();
            r = 9;
            static auto& same = n;
            same += 1;
            static int&& moved = 5;
            moved++;
            printf("%d %d %d %d ", variable(), n, moved, five);
            alias = 11;
            all.push_back(3);
            Holder::ref += 1;
            int* p = &alias;
            printf("%d %d %d ", n, (int)list.size(), *p);
            Single::get().v++;
            of<int>() += 2;
            printf("%d %d %d %d ", Single::get().v, of<int>(), told().v, told().v);
        }"#;
    assert_eq!(printed(text), ("9 4 6 5 12 3 12 +4 4 2 4 4 -4 ".to_owned(), 0));
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn templates_and_calls_go_deep() {
    let text = r#"
        #include <cstdio>
        template <int N> struct Sum { static const int v = Sum<N - 1>::v + N; };
        template <> struct Sum<0> { static const int v = 0; };
        template <int N> __host__ __device__ int add(int x) { return add<N - 1>(x) + N; }
        template <> __host__ __device__ int add<0>(int x) { return x; }
        __global__ void k(int* o) { *o = add<64>(1); }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%d %d %d\n", Sum<100>::v, add<64>(2), *o);
        }"#;
    assert_eq!(printed(text), ("5050 2082 2081\n".to_owned(), 0));
}

/// A level may take much of the stack: how many there are depends on that, and no thread ends.
/// A level that begins with little left ends on this stack, of less than a thread usually has.
#[test]
#[cfg(not(target_arch = "wasm32"))]
fn the_last_level_may_be_the_largest() {
    let compile_all = || {
        for open in ["if (x) ", "for (int i = 0; i < 2; i++) "] {
            for nested in 70..122 {
                let open = open.repeat(nested);
                let text = format!(
                    "template <int N> int f(int x) {{ {open} return f<N + 1>(x); return 0; }}
                    int main() {{ return f<0>(1); }}"
                );
                let said = compile("main.cu", &text).expect_err("it has no end");
                assert!(said.contains("call one another more than"), "{said}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1900 << 10);
    thread.spawn(compile_all).unwrap().join().unwrap();
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn deep_levels_that_are_large_are_refused() {
    let (open, close) = ("(1 + ".repeat(28), ")".repeat(28));
    let classes = format!(
        "template <int N> struct R {{ static const int v = {open}R<N + 1>::v{close}; }};
        int main() {{ return R<0>::v; }}"
    );
    let ifs = "if (x) {".repeat(40);
    let ends = "}".repeat(40);
    let functions = format!(
        "template <int N> __host__ __device__ int f(int x) {{ {ifs} return f<N + 1>(x); {ends} return 0; }}
        __global__ void k() {{ f<0>(1); }}
        int main() {{ return f<0>(1); }}"
    );
    for text in [classes, functions] {
        let said = compile("main.cu", &text).expect_err("it has no end");
        assert!(said.contains(" deep"), "{said}");
    }
    let mut long = String::from("__device__ int f0(int x) { return x; }\n");
    for i in 1..=250 {
        let before = i - 1;
        long += &format!(
            "__device__ int f{i}(int x) {{ {ifs} return f{before}(x); {ends} return 0; }}\n"
        );
    }
    let text = format!("{long}__global__ void k(int* o) {{ *o = f250(1); }} int main() {{}}");
    let said = compile("main.cu", &text).expect_err("its calls are deep");
    assert!(said.contains(" deep"), "{said}");
}

#[test]
fn functions_defaulted_outside_their_class() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <utility>
        #include <vector>
        struct S { std::string a; std::vector<int> v; S(); S(const S&); S(S&&) noexcept; S& operator=(const S&); S& operator=(S&&) noexcept; ~S(); };
        S::S() = default;
        S::S(const S&) = default;
        S::S(S&&) noexcept = default;
        S& S::operator=(const S&) = default;
        S& S::operator=(S&&) noexcept = default;
        S::~S() = default;
        struct P { virtual ~P(); virtual int f() = 0; };
        P::~P() = default;
        struct Q : P { std::string s{"q"}; ~Q() override; int f() override { return 3; } };
        Q::~Q() = default;
        template <class T> struct Box { T t; Box(); Box(const Box&); Box& operator=(const Box&); };
        template <class T> Box<T>::Box() = default;
        template <class T> Box<T>::Box(const Box&) = default;
        template <class T> Box<T>& Box<T>::operator=(const Box&) = default;
        struct Out { struct In { int x{3}; In(); In(In&&) noexcept; ~In(); }; In i; Out(); };
        Out::In::In() = default;
        Out::In::In(In&&) noexcept = default;
        Out::In::~In() = default;
        Out::Out() = default;
        int main() {
            S s;
            s.a = "hello";
            s.v = {1, 2, 3};
            S t = s, u = std::move(s);
            std::printf("%s %zu %s %zu %zu%zu ", t.a.c_str(), t.v.size(), u.a.c_str(), u.v.size(), s.a.size(), s.v.size());
            s = t;
            std::printf("%s ", s.a.c_str());
            s = std::move(u);
            std::printf("%s %zu%zu ", s.a.c_str(), u.a.size(), u.v.size());
            P* p = new Q;
            std::printf("%d ", p->f());
            delete p;
            Box<std::string> b;
            b.t = "x";
            Box<std::string> c(b);
            c = b;
            Out o;
            Out::In in(std::move(o.i));
            std::printf("%s %d %d", c.t.c_str(), in.x, (int)noexcept(S(std::move(s))));
        }"#;
    let wanted = "hello 3 hello 3 00 hello hello 00 3 x 3 1";
    prints(text, wanted);
}

#[test]
fn a_constant_may_be_in_a_type_of_a_template_parameter() {
    let text = r#"
        #include <cstdio>
        struct Tuned {
            enum { parts = 3 };
            struct Sort {
                static const int threads = 32;
                struct Digits { static constexpr int bits = 5; };
            };
            typedef Sort Best;
        };
        template <class P> struct Sizes {
            enum { threads = P::Best::threads, bits = P::Sort::Digits::bits };
            int words[P::Best::Digits::bits];
        };
        template <class P> __global__ __launch_bounds__(P::Best::threads, P::parts) void k() {
            __shared__ int s[P::Sort::Digits::bits];
            s[0] = P::Best::threads;
            printf("%d %d %d\n", s[0], (int)sizeof s, int(P::Sort::Digits::bits) - 1);
        }
        template <class P> __global__ __launch_bounds__(int(P::Best::threads)) void choose() {
            printf("%d\n", P::parts > P::Best::threads ? P::Best::threads : P::Sort::Digits::bits);
        }
        int main() {
            k<Tuned><<<1, 1>>>();
            choose<Tuned><<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%d %d %d\n", Sizes<Tuned>::threads, Sizes<Tuned>::bits,
                (int)sizeof(Sizes<Tuned>));
        }"#;
    assert_eq!(printed(text), ("32 20 4\n5\n32 5 20\n".to_owned(), 0));
}

#[test]
fn a_definition_outside_the_class_adds_the_side_that_it_names() {
    let text = r#"
        #include <cstdio>
        struct V {
            float x;
            V(float);
            float length() const;
            __device__ float twice() const;
        };
        __device__ V::V(float a) : x(a) {}
        __device__ float V::length() const { return x; }
        float V::twice() const { return x * 2; }
        template <class T> struct Box {
            Box(T);
            Box(const Box&);
            ~Box();
            T get() const;
            T get(int) const;
            struct Inner { int f(); };
            T v;
        };
        struct Before { Box<int>* boxes; };
        template <class T> __device__ Box<T>::Box(T a) : v(a) {}
        template <class T> __host__ __device__ Box<T>::Box(const Box& o) : v(o.v + 1) {}
        template <class T> __device__ Box<T>::~Box() {}
        template <class U> __device__ U Box<U>::get() const { return v; }
        template <class U> __device__ U Box<U>::get(int i) const { return v + i; }
        template <class U> __device__ int Box<U>::Inner::f() { return 8; }
        namespace n {
        struct Y { Y(); int g(); int m; };
        __device__ int Y::g() { return m; }
        }
        __device__ n::Y::Y() { m = 9; }
        __global__ void k() {
            V v(3);
            Box<int> one(5), other(one);
            Box<int>::Inner inner;
            n::Y y;
            printf("%g %g %d %d %d %d\n", v.length(), v.twice(), other.get(), one.get(2), inner.f(),
                y.g());
        }
        int main() {
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%g %d\n", V(4).length(), Box<int>(6).get(1));
        }"#;
    assert_eq!(printed(text), ("3 6 6 7 8 9\n4 7\n".to_owned(), 0));
}

#[test]
fn the_copy_of_an_object_refers_to_what_its_reference_does() {
    let text = r#"
        #include <cstdio>
        #include <string>
        struct L { std::string s; int& x; };
        int main() {
            int x = 1;
            L a{"k", x};
            L b(a);
            b.x = 7;
            printf("%d %d %s\n", x, a.x, b.s.c_str());
        }"#;
    assert_eq!(printed(text), ("7 7 k\n".to_owned(), 0));
}
