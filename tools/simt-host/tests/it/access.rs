//! Access control.

use crate::world::{compile, printed};

#[test]
fn a_hidden_member_is_not_named_outside_of_its_class() {
    const CLASS: &str = "
        class S {
            int x = 1;
            static int n;
            void f() const {}
            static int g() { return 1; }
        protected:
            int p = 2;
            void q() {}
        public:
            int y = 3;
            struct Inner { int get(const S& s) { return s.x; } };
        };
        int S::n = 4;
        struct D : S { int own() { q(); return p; } };
        class One { One() {} public: static One& get() { static One one; return one; } };
        template <class T> class Box { T value; public: T other; };
        class Sum { int operator+(int) { return 1; } operator int() { return 1; } };
        class Kept { ~Kept() {} public: static void drop(Kept* k) { delete k; } };
        class Made { Made(int) {} Made(const Made&) {} struct Inner { int x; }; enum E { e }; typedef int T;
            public: Made() {} int n = 0; template <class T> struct Of { T t; }; };
        struct Holder { Kept kept; int n; };
        struct Derived : Kept { int n; };
        struct Around { Holder holder[2]; };
        Kept& kept();
        void take(Made m) { m.n = 1; }
    ";
    for (body, name) in [
        ("S s; return s.x;", "`S::x` is private"),
        ("S* s = new S; return s->x;", "`S::x` is private"),
        ("return S::n;", "`S::n` is private"),
        ("S s; s.f(); return 0;", "`S::f` is private"),
        ("return S::g();", "`S::g` is private"),
        ("S s; return s.p;", "`S::p` is protected"),
        ("D d; d.q(); return 0;", "`S::q` is protected"),
        ("D d; return d.x;", "`S::x` is private"),
        ("One one; return 0;", "`One::One` is private"),
        ("One* one = new One(); return 0;", "`One::One` is private"),
        ("Box<int> box; box.value = 2; return 0;", "`Box<int>::value` is private"),
        ("S s; auto l = [&] { return s.x; }; return l();", "`S::x` is private"),
        ("return Sum() + 1;", "`Sum::operator+` is private"),
        ("int x = Sum(); return x;", "`Sum::operator ` is private"),
        ("Kept k; return 0;", "`Kept::~Kept` is private"),
        ("Kept* k = new Kept; delete k; return 0;", "`Kept::~Kept` is private"),
        ("Kept(); return 0;", "`Kept::~Kept` is private"),
        (
            "Holder h; return h.n;",
            "`Kept::~Kept` is private: `Holder` cannot destroy its member `kept`",
        ),
        ("Derived d; return d.n;", "`Kept::~Kept` is private: `Derived` cannot destroy its base"),
        ("static Around a; return a.holder[1].n;", "`Holder` cannot destroy its member `kept`"),
        ("return Made(3).n;", "`Made::Made` is private"),
        ("return Made{3}.n;", "`Made::Made` is private"),
        ("Made m{3}; return m.n;", "`Made::Made` is private"),
        ("Made* m = new Made(3); return m->n;", "`Made::Made` is private"),
        ("take(3); return 0;", "`Made::Made` is private"),
        ("Made m; Made n = m; return n.n;", "`Made::Made` is private"),
        ("Made m; take(m); return 0;", "`Made::Made` is private"),
        ("Made::Inner i = {1}; return i.x;", "`Made::Inner` is private"),
        ("return Made::Inner{1}.x;", "`Made::Inner` is private"),
        ("const Made::T* t = nullptr; return t != nullptr;", "`Made::T` is private"),
        ("new Made::E; return 0;", "`Made::E` is private"),
        ("Made::Of<Made::T> of; of.t = 1; return of.t;", "`Made::T` is private"),
    ] {
        let text = format!("{CLASS}\nint main() {{ {body} }}\n");
        let said = compile("main.cu", &text).expect_err(body);
        assert!(said.contains("error[access]") && said.contains(name), "{body}:\n{said}");
        assert_eq!(said.matches("error[").count(), 1, "{body}:\n{said}");
    }
    let inside =
        "struct E : S { int own() { return this->x; } };\nint main() { return E().own(); }";
    let said = compile("main.cu", &format!("{CLASS}\n{inside}")).unwrap_err();
    assert!(said.contains("`S::x` is private"), "{said}");
    let device = "__device__ int f(const S& s) { return s.x; }\nint main() { return 0; }";
    let said = compile("main.cu", &format!("{CLASS}\n{device}")).unwrap_err();
    assert!(said.contains("`S::x` is private"), "{said}");
}

#[test]
fn members_friends_and_what_is_inside_may_name_it() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        #include <memory>
        #include <vector>
        #define PROPERTY(type, name) private: type name##_ = 1; public: type name() const { return name##_; }
        class Other;
        class S {
            int x = 1;
            static int count() { return 7; }
            friend int seen(const S& s);
            friend class Other;
            template <class T> friend class Box;
            template <class T> friend T taken(const S& s);
            friend bool operator<(const S& a, const S& b) { return a.x < b.x; }
            friend S operator+(const S& a, const S& b);
            struct Hidden { int h = 5; };
            int given = count();
        public:
            S() {}
            S(int x) : x(x) {}
            struct Inner { int get(const S& s) { return s.x; } };
            int both(const S& other) const { return x + other.x; }
            auto counter() { return [this] { return this->x + count(); }; }
            int local() {
                struct Reader { int read(const S& s) { return s.x; } } reader;
                return reader.read(*this);
            }
            static int smallest(std::vector<S> all) {
                std::sort(all.begin(), all.end(), [](const S& a, const S& b) { return a.x < b.x; });
                return all[0].x;
            }
            Hidden hidden() const { return {}; }
            template <class T> auto as() const -> decltype(T(S::count())) { return x; }
        };
        int seen(const S& s) { return s.x; }
        S operator+(const S& a, const S& b) { return S(a.x + b.x); }
        template <class T> T taken(const S& s) { return s.x; }
        class Other { public: int get(const S& s) { return s.x; } struct Deep { int get(const S& s) { return s.x; } }; };
        template <class T> class Box {
            T value = 3;
        public:
            int get(const S& s) { return s.x; }
            template <class U> int sum(const Box<U>& other) { return value + other.value; }
        };
        class Base {
        protected:
            Base() {}
            int p = 4;
            int q() { return 6; }
            int r = 8;
        public:
            virtual ~Base() {}
        };
        class Derived : public Base { friend int of_base(Derived& d) { return d.p; } public: int sum() { return p + q() + this->p; } using Base::r; using Base::q; };
        template <class D> class Counted {
            friend D;
            Counted() {}
            int c = 3;
        };
        class Thing : public Counted<Thing> { public: int get() { return this->c; } };
        class Sized {
            static constexpr int N = 4;
            static int next() { return 2; }
        public:
            struct Row { int v[N]; };
            Row row(const int (&from)[Sized::N]) const { return {{from[3], Sized::next()}}; }
            int made = Sized::next();
        };
        class Single {
            Single() {}
            int v = 9;
            PROPERTY(int, size)
        public:
            static Single& get() { static Single one; return one; }
            static Single* make() { return new Single(); }
            int value() { return v; }
            Single(const Single&) = delete;
        };
        class Kernel { int n = 2; friend __global__ void run(int* out); public: __device__ int twice() { return 2 * n; } };
        __global__ void run(int* out) { Kernel k; *out = k.n + k.twice(); }
        int main() {
            S a(2), b(5);
            int* out;
            cudaMallocManaged(&out, 4);
            run<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d %d %d ", seen(a), Other().get(a), Other::Deep().get(b), S::Inner().get(b));
            printf("%d %d %d %d ", a.both(b), a.counter()(), a.local(), S::smallest({b, a}));
            printf("%d %d %d ", a.hidden().h, a.as<int>(), taken<int>(a + b));
            printf("%d %d ", Box<int>().get(a), Box<int>().sum(Box<int>()));
            Derived d;
            printf("%d %d %d ", d.sum() + of_base(d), d.r, d.q());
            std::unique_ptr<Single> made(Single::make());
            int row[4] = {0, 0, 0, 1};
            printf("%d %d %d ", Thing().get(), Sized().row(row).v[1], Sized{}.made);
            printf("%d %d %d %d\n", Single::get().value(), made->size(), a < b, *out);
        }"#;
    assert_eq!(printed(text), ("2 2 5 5 7 9 2 2 5 2 7 2 6 18 8 6 3 2 2 9 1 1 6\n".to_owned(), 0));
}

#[test]
fn what_a_class_makes_of_itself_is_its_own() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        class Made {
            int n;
            Made(int n) : n(n) {}
            Made(const Made& other) : n(other.n + 1) {}
            ~Made() {}
            struct Inner { int x; };
            friend struct Holder;
            friend class Factory;
            static int taken(Made m = Made(3), Made other = {4}) { return m.n + other.n; }
        public:
            static int sum(const Made& a = Made(5), int b = taken()) { return a.n + b; }
            static int copied() { Made a(7); Made b = a; return b.n; }
            static Inner inner(Inner i = Inner{2}) { return i; }
            template <class F> static int call(F f) { Inner i{8}; return f(i); }
            using Open = Inner;
        };
        struct Holder { Made made{6}; int get() { return made.n; } };
        struct Wide { Holder holder; int n = 1; };
        class Factory { public: static int make() { return Made(9).n; } };
        int main() {
            Made::Open open{1};
            auto inner = Made::inner();
            Holder holder;
            std::vector<Wide> wide(1);
            printf("%d %d ", Made::sum(), Made::copied());
            printf("%d %d ", open.x, inner.x);
            printf("%d %d %d ", holder.get(), wide[0].holder.get(), Wide().n);
            printf("%d %d\n", Factory::make(), Made::call([](auto i) { return i.x; }));
        }"#;
    assert_eq!(printed(text), ("12 8 1 2 6 6 1 9 8\n".to_owned(), 0));
}

#[test]
fn a_list_alone_calls_no_explicit_constructor() {
    const CLASS: &str = "struct P { explicit P(int, int) {} P(int) {} int x = 1; };
        struct Q { explicit Q() {} explicit Q(const char*) {} Q(double, int = 0) {} };
        void take(P) {}\n";
    for (function, name) in [
        ("P f() { return {1, 2}; }", "`P`"),
        ("int f() { take({1, 2}); return 1; }", "`P`"),
        ("Q f() { return {}; }", "`Q`"),
        ("Q f() { return {\"a\"}; }", "`Q`"),
    ] {
        let text = format!("{CLASS}{function}\nint main() {{ f(); }}\n");
        let said = compile("main.cu", &text).expect_err(function);
        assert!(said.contains("a list alone does not call") && said.contains(name), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{function}:\n{said}");
    }
    for function in
        ["P f() { return P{1, 2}; }", "P f() { return {1}; }", "Q f() { return {1.5}; }"]
    {
        let text =
            format!("{CLASS}{function}\nint main() {{ take(P(1, 2)); take({{3}}); f(); }}\n");
        assert!(compile("main.cu", &text).is_ok(), "{function}");
    }
}
