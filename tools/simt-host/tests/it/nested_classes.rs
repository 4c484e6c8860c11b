//! Classes in classes whose members, or which themselves, are defined outside.

use crate::world::*;

#[test]
fn members_of_a_nested_class_are_defined_outside_it() {
    let text = r#"
        #include <cstdio>
        namespace space {
        struct A {
            struct B {
                int v;
                B(int x);
                B();
                ~B();
                int get() const;
                B& operator+=(int k);
                bool operator<(const B& o) const;
                operator int() const;
                struct C { int z; C(int); int sum() const; static int more; };
            };
            B make();
            class P;
        };
        A::B::B(int x) : v(x) {}
        A::B::B() : B(7) {}
        A::B::operator int() const { return v * 100; }
        }
        using namespace space;
        space::A::B::~B() { printf("~%d\n", v); }
        int space::A::B::get() const { return v; }
        A::B& A::B::operator+=(int k) { v += k; return *this; }
        bool A::B::operator<(const B& o) const { return v < o.v; }
        A::B::C::C(int q) : z(q) {}
        int A::B::C::sum() const { return z + more; }
        int A::B::C::more = 5;
        A::B A::make() { return B(3); }
        // Another class of the same name.
        struct Z { struct B { int v; B(int x); int get() const; }; };
        Z::B::B(int x) : v(x + 1000) {}
        int Z::B::get() const { return v; }
        int main() {
            A a;
            A::B b = a.make();
            b += 4;
            A::B d;
            printf("%d %d %d %d\n", b.get(), d.get(), b < d, (int)d);
            printf("%d %d\n", A::B::C(4).sum(), Z::B(1).get());
        }"#;
    prints(text, "7 7 0 700\n9 1001\n~7\n~7\n");
}

#[test]
fn members_of_a_class_in_a_class_template_are_defined_outside_it() {
    let text = r#"
        #include <cstdio>
        template <class T> struct List {
            struct Node { T v; Node* next; Node(T a, Node* n); ~Node(); T twice() const; static int made; };
            class Step {
                Node* at;
            public:
                Step(Node* p);
                Step& operator++();
                T& operator*() const;
                bool operator!=(const Step& o) const;
            };
            Node* head = nullptr;
            void push(T);
            Step begin();
            Step end();
            template <class U> struct Pair { T a; U b; U both() const; };
        };
        template <class E> int List<E>::Node::made = 0;
        template <class E> List<E>::Node::Node(E a, Node* n) : v(a), next(n) { made++; }
        template <class E> List<E>::Node::~Node() {}
        template <class E> E List<E>::Node::twice() const { E two = 2; return v * two; }
        template <> char List<char>::Node::twice() const { return 'x'; }
        template <class T> List<T>::Step::Step(Node* p) : at(p) {}
        template <class T> typename List<T>::Step& List<T>::Step::operator++() { at = at->next; return *this; }
        template <class T> T& List<T>::Step::operator*() const { return at->v; }
        template <class T> bool List<T>::Step::operator!=(const Step& o) const { return at != o.at; }
        template <class T> void List<T>::push(T a) { head = new Node(a, head); }
        template <class T> typename List<T>::Step List<T>::begin() { return Step(head); }
        template <class T> auto List<T>::end() -> Step { return Step(nullptr); }
        template <class S> template <class V> V List<S>::Pair<V>::both() const { return a + b; }
        int main() {
            List<int> l;
            l.push(1);
            l.push(2);
            for (int& x : l) printf("%d ", x);
            List<char>::Node c('a', nullptr);
            List<int>::Pair<double> p{1, 2.5};
            printf("%d %c %d %g\n", l.head->twice(), c.twice(), List<int>::Node::made, p.both());
        }"#;
    prints(text, "2 1 4 x 2 3.5\n");
}

#[test]
fn a_nested_class_is_defined_behind_the_class_around_it() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        struct Engine {
            Engine(int n);
            ~Engine();
            int run();
            static const int factor = 10;
            struct Impl;
            class Other;
            std::unique_ptr<Impl> impl;
        };
        struct Engine::Impl {
            int n;
            Other* other = nullptr;
            Impl(int a) : n(a) {}
            int scaled() const;
        };
        class Engine::Other final : public Impl { public: Other() : Impl(1) {} };
        int Engine::Impl::scaled() const { return n * factor; }
        Engine::Engine(int n) : impl(new Impl(n)) {}
        Engine::~Engine() = default;
        int Engine::run() { Other o; return impl->scaled() + o.scaled(); }
        int main() { printf("%d\n", Engine(4).run()); }"#;
    prints(text, "50\n");
}

#[test]
fn kernels_call_methods_of_nested_classes_that_are_defined_outside() {
    let text = r#"
        #include <cstdio>
        struct Grid { struct Cell { int v; __device__ Cell(int a); __device__ int next() const; }; };
        __device__ Grid::Cell::Cell(int a) : v(a) {}
        __device__ int Grid::Cell::next() const { return v + 1; }
        __global__ void k(int* o) { o[threadIdx.x] = Grid::Cell(threadIdx.x).next(); }
        int main() {
            int* o;
            cudaMallocManaged(&o, 8);
            k<<<1, 2>>>(o);
            cudaDeviceSynchronize();
            printf("%d %d\n", o[0], o[1]);
        }"#;
    prints(text, "1 2\n");
}

#[test]
fn static_members_of_the_class_around_are_seen() {
    let text = r#"
        #include <cstdio>
        int size(int x) { return 100 * x; }
        struct Outer {
            static constexpr int width = 4;
            static int count;
            template <class T> static void raise(T& a, T b) { a = a < b ? b : a; }
            class Inner {
              public:
                struct Innermost { int go(int x) { return helper(x) + count; } };
                int next() { return ++count + width; }
                int at_least(int x) { raise(x, 7); return wide(x) ? 1 : x; }
                int global(int x) { return ::size(x); }
                __host__ __device__ int twice(int x) { return helper(x); }
            };
            template <class T> struct Of { T value; T get() { return helper(value); } };
            static bool wide(unsigned c) { return c > 9; }
            static int size(int x) { return x; }
            static __host__ __device__ int helper(int x) { return 2 * x; }
        };
        int Outer::count = 0;
        __global__ void k(int* out) { *out = Outer::Inner().twice(4); }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            k<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            Outer::Inner i;
            int next = i.next();
            int all = Outer::Inner::Innermost().go(5);
            printf("%d %d %d %d %d\n", *out, next, all, i.at_least(2), i.global(3));
            printf("%d\n", Outer::Of<int>{8}.get());
        }"#;
    prints(text, "8 5 11 7 300\n16\n");
}

#[test]
fn lambdas_see_static_members_of_the_class_around() {
    let text = r#"
        #include <cstdio>
        struct Outer {
            static int twice(int x) { return 2 * x; }
            static int count;
            static int fixed(int x) { auto f = [](int y) { return twice(y) + count; }; return f(x); }
            int plain(int x) { auto f = [](int y) { return twice(y); }; return f(x); }
            int captured(int x) { auto f = [=] { return [=](int y) { return twice(y) + own; }(x); }; return f(); }
            int own = 5;
        };
        int Outer::count = 3;
        int main() { printf("%d %d %d\n", Outer::fixed(2), Outer().plain(1), Outer().captured(2)); }"#;
    prints(text, "7 2 9\n");
}
