//! What libraries of templates are written with; g++ and NVRTC take all of it.

use crate::world::*;

#[test]
fn default_template_arguments_stand_at_the_declaration() {
    prints(
        r#"
        #include <cstdio>
        namespace n {
        template <class P> struct Box { P low; };
        template <class T> struct Traits { typedef T point; };
        template <class T, class Tr = Traits<T>>
        void build(T* p, int n, Box<typename Tr::point>* b = 0);
        template <class T, class Tr> void build(T* p, int n, n::Box<typename Tr::point>* b) {
            printf("%d %d\n", n, b != 0);
        }
        namespace inner {
        template <class T, class Tr = Traits<T>> __host__ __device__
        int find(typename Tr::point q, const Box<typename Tr::point> w, const T* d, int n = 4);
        }
        template <class T, class Tr> inline __host__ __device__
        int inner::find(typename Tr::point q, const Box<typename Tr::point> w, const T* d, int n) {
            return n + (int)q;
        }
        }
        int main() {
            float x = 3;
            n::Box<float> b{1};
            n::build(&x, 2, &b);
            n::build(&x, 5);
            printf("%d\n", n::inner::find(x, b, &x));
        }"#,
        "2 1\n5 0\n7\n",
    );
}

#[test]
fn members_of_a_base_are_named_by_an_alias_of_it() {
    prints(
        r#"
        #include <cstdio>
        template <class O, class I> struct Iterator {
            I index;
            __host__ __device__ Iterator(I i) : index(i) {}
            int at() { return 7; }
        };
        template <class O, class I> struct Constant : Iterator<O, I> {
            typedef Iterator<O, I> base_t;
            __host__ __device__ Constant(I i) : base_t(i) {}
            __host__ __device__ I get(I d) const { return base_t::index + d; }
            int set() {
                base_t::index = 4;
                return base_t::at() + base_t::index;
            }
        };
        struct Plain { int v; };
        struct Derived : Plain {
            typedef Plain B;
            int v;
            int sum() { return B::v * 10 + Derived::v; }
        };
        __global__ void k() { printf("%d\n", Constant<int, int>(2).get(5)); }
        int main() {
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
            Constant<int, int> c(3);
            Derived d;
            d.v = 2;
            d.Plain::v = 1;
            printf("%d %d %d\n", c.get(4), c.set(), d.sum());
        }"#,
        "7\n8 11 12\n",
    );
}

#[test]
fn lambdas_capture_nothing_for_names_that_they_declare() {
    prints(
        r#"
        #include <cstdio>
        struct Owner {
            Owner() {}
            Owner(const Owner&) = delete;
        };
        struct Pair { int owner, size; };
        template <class F> __global__ void k(F f) { printf("%d\n", f(3, Pair{1, 2})); }
        int main() {
            Owner count, owner, v;
            int y = 4, size = 10;
            auto f = [=] __device__(int v, Pair p) {
                int count = 0;
                if (v == 3) {
                    int e = v;
                    count = e - 1 + y;
                }
                return count + p.owner + size;
            };
            k<<<1, 1>>>(f);
            cudaDeviceSynchronize();
            auto later = [=](int n) { int before = y; { int y = n; before += y; } return before + y; };
            printf("%d\n", later(5));
        }"#,
        "17\n13\n",
    );
}

#[test]
fn one_of_two_lambdas_is_a_pointer() {
    prints(
        r#"
        #include <cstdio>
        #include <memory>
        struct Holder {
            std::shared_ptr<int> p;
            Holder(int* q, bool borrowed)
                : p(q, borrowed ? [](int*) {} : [](int* own) { puts("freed"); delete own; }) {}
        };
        int main() {
            int v;
            { Holder a(&v, true), b(new int(3), false); }
            auto twice = v == v ? [](int a) { return a * 2; } : [](int a) { return a; };
            printf("%d\n", twice(4));
        }"#,
        "freed\n8\n",
    );
}

#[test]
fn templates_of_packs_are_specialised_for_none() {
    prints(
        r#"
        #include <cstdio>
        #include <type_traits>
        #include <utility>
        template <bool...> struct All;
        template <> struct All<> { enum { value = true }; };
        template <bool b, bool... rest> struct All<b, rest...> {
            enum { value = b && All<rest...>::value };
        };
        template <class T = int> struct Size { static const int n = 1; };
        template <> struct Size<> { static const int n = 4; };
        template <size_t i, class T> struct Leaf {
            T x;
            Leaf() = default;
            template <class U> explicit Leaf(U&& u) : x(std::forward<U>(u)) {}
        };
        template <size_t i, class... A> struct Tuple;
        template <size_t i> struct Tuple<i> {};
        template <size_t i, class A, class... R>
        struct Tuple<i, A, R...> : Leaf<i, A>, Tuple<i + 1, R...> {
            typedef Leaf<i, A> head_t;
            typedef Tuple<i + 1, R...> tail_t;
            Tuple() = default;
            template <class A2, class... R2, class = typename std::enable_if<
                sizeof...(R) == sizeof...(R2) && std::is_constructible<A, A2&&>::value &&
                All<std::is_constructible<R, R2&&>::value...>::value>::type>
            Tuple(A2&& a, R2&&... r)
                : head_t(std::forward<A2>(a)), tail_t(std::forward<R2>(r)...) {}
        };
        int main() {
            int v = 3;
            int* p = &v;
            Tuple<0, int*> t(p);
            Tuple<0, int, float> u(1, 2.5f);
            printf("%d %d %d %d ", All<>::value, All<true, false>::value, *t.x, (int)sizeof u);
            printf("%d %d\n", Size<int>::n, Size<char>::n);
        }"#,
        "1 0 3 8 4 1\n",
    );
}

#[test]
fn a_list_without_inner_braces_begins_a_union_s_first_member() {
    prints(
        r#"
        #include <cstdint>
        #include <cstdio>
        struct Entry {
            union {
                struct { uint32_t index; float distance; };
                uint64_t all;
            };
            int last;
        };
        template <class T> __global__ void k() {
            Entry stack[4], *top = stack;
            *top++ = Entry{3u, 2.5f};
            --top;
            printf("%u %g %d\n", top->index, top->distance, top->last);
        }
        int main() {
            k<int><<<1, 1>>>();
            cudaDeviceSynchronize();
            Entry e{1, 2, 3}, f = {{{4, 5}}, 6};
            printf("%u %g %d %u %g %d\n", e.index, e.distance, e.last, f.index, f.distance, f.last);
        }"#,
        "3 2.5 0\n1 2 3 4 5 6\n",
    );
}

#[test]
fn a_base_without_const_is_the_better_one() {
    prints(
        r#"
        #include <cstdio>
        template <int i, class A> struct Leaf { A x; };
        template <int i, class A> __host__ __device__ A& leaf(Leaf<i, A>& l) { return l.x; }
        template <int i, class A> __host__ __device__ const A& leaf(const Leaf<i, A>& l) {
            return l.x;
        }
        template <class... A> struct Tuple : Leaf<0, A...> {};
        template <int i, class... A> auto get(Tuple<A...>& t) -> decltype(leaf<i>(t)) {
            return leaf<i>(t);
        }
        struct Base {};
        struct Derived : Base {};
        int f(Base&) { return 1; }
        int f(const Base&) { return 2; }
        int g(Base*) { return 3; }
        int g(const Base*) { return 4; }
        int main() {
            Tuple<int> t;
            get<0>(t) = 3;
            const Tuple<int>& same = t;
            Derived d;
            const Derived c{};
            printf("%d %d%d%d%d\n", leaf<0>(same), f(d), f(c), g(&d), g(&c));
        }"#,
        "3 1234\n",
    );
}
