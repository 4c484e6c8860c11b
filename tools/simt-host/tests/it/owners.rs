//! Shared owners, constants from `std::max`, launches in lambdas, attributes of parameters.

use crate::world::*;

#[test]
fn shared_owners_end_what_they_own_as_they_were_told() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        #include <memory>
        struct Base { ~Base() { printf("~B "); } };
        struct Derived : Base { ~Derived() { printf("~D "); } };
        struct Self : std::enable_shared_from_this<Self> {
            int n = 4;
            std::shared_ptr<Self> me() { return shared_from_this(); }
            ~Self() { printf("~S "); }
        };
        struct V { virtual ~V() {} };
        struct W : V { int w = 6; };
        int main() {
            std::shared_ptr<float> d(new float(1), [](float* p) { printf("one "); delete p; });
            d = std::shared_ptr<float>(new float[3], [&](float* p) { printf("two "); delete[] p; });
            d.reset(new float[2], std::default_delete<float[]>());
            std::shared_ptr<float[]> a(new float[4]);
            a[0] = 1;
            { std::shared_ptr<Base> b(new Derived); std::shared_ptr<Base> c = std::make_shared<Derived>(); printf("%ld ", b.use_count()); }
            { auto s = std::make_shared<Self>(); auto t = s->me(); printf("%ld%d ", s.use_count(), t->n); }
            std::shared_ptr<V> v = std::make_shared<W>();
            if (auto w = std::dynamic_pointer_cast<W>(v)) printf("%d%ld ", w->w, v.use_count());
            std::shared_ptr<int> u = std::make_unique<int>(5), m = std::move(u);
            std::shared_ptr<void> any(malloc(4), free);
            printf("%d%d%d%g", *m, u == nullptr, any != nullptr, a[0]);
        }"#;
    let said = "one two 1 ~D ~B ~D ~B 24 ~S 62 5111";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn constants_from_references() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        int main() {
            constexpr unsigned w = 400;
            constexpr unsigned h = std::max(w, 1u);
            constexpr int k = std::min(3, 4) + std::clamp(9, 0, 5);
            float a[std::min(8, 9)];
            printf("%u %d %zu", h, k, sizeof a);
        }"#;
    assert_eq!(printed(text), ("400 8 32".to_owned(), 0));
}

#[test]
fn lambdas_launch_what_they_captured() {
    let text = r#"
        #include <cstdio>
        __global__ void add(double* y, double a) { y[threadIdx.x] += a; }
        template <typename K, typename... A> void timed(K kernel, A... as) {
            auto f = [&](int n) { kernel<<<1, n>>>(as...); };
            f(32);
        }
        int part([[maybe_unused]] int a, int b [[maybe_unused]] = 2) { return a; }
        int main([[maybe_unused]] int argc, char**) {
        #if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            printf("big ");
        #endif
            double* y;
            cudaMallocManaged(&y, 256);
            timed(add, y, 1.0);
            void (*second)(double*, double) = add;
            auto g = [=] { second<<<1, 32>>>(y, 2.0); };
            g();
            cudaDeviceSynchronize();
            printf("%g %d %d", y[31], part(5), __INT_MAX__ > 0 && __FLT_MAX__ > 1e38f);
        }"#;
    assert_eq!(printed(text), ("3 5 1".to_owned(), 0));
}

#[test]
fn strings_of_views_and_numbers_of_functions() {
    let text = r#"
        #include <cmath>
        #include <cstdio>
        #include <string>
        #include <string_view>
        double twice(double (*f)(double), double x) { return f(f(x)); }
        int main() {
            std::string_view s = "a/b";
            std::string t(s), u;
            u = s;
            u += s;
            double (*root)(double) = std::sqrt;
            auto floor_of = floorf;
            switch (int k = (int)t.size(); k) {
                case 3: printf("%s %s %g %g %g", t.c_str(), u.c_str(), twice(sin, 0.0), root(4), floor_of(2.5f));
            }
        }"#;
    assert_eq!(printed(text), ("a/b a/ba/b 0 2 2".to_owned(), 0));
}

#[test]
fn owners_of_single_objects_as_members_and_with_deleters() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        #include <utility>
        struct Node { int v; std::unique_ptr<Node> next; ~Node() { std::printf("-%d ", v); } };
        struct Base { virtual ~Base() {} };
        struct Derived : Base { int k; Derived(int k) : k(k) {} ~Derived() { std::printf("~%d ", k); } };
        struct Counts { int* n; void operator()(Derived* p) const { ++*n; delete p; } };
        struct Self : std::enable_shared_from_this<Self> {};
        int main() {
            std::unique_ptr<Node> head;
            for (int i = 0; i < 3; ++i) { auto n = std::make_unique<Node>(); n->v = i; n->next = std::move(head); head = std::move(n); }
            head = std::move(head->next);
            std::printf("popped ");
            int ended = 0;
            {
                std::unique_ptr<Derived, Counts> a(new Derived(5), Counts{&ended}), b(nullptr, Counts{&ended});
                b = std::move(a);
                swap(a, b);
                std::printf("%d%d%d ", a > b, nullptr == b, a != nullptr);
                std::shared_ptr<Base> shared = std::move(a);
                std::shared_ptr<Base> other = std::unique_ptr<Derived>(new Derived(6));
            }
            std::printf("%d ", ended);
            Self alone;
            try { alone.shared_from_this(); } catch (const std::bad_weak_ptr& e) { std::printf("%s ", e.what()); }
        }"#;
    let wanted = "-2 popped 111 ~6 ~5 1 bad_weak_ptr -1 -0 ";
    prints(text, wanted);
}

#[test]
fn arrays_of_owners_are_assigned_element_by_element() {
    let text = r#"
        #include <cstdio>
        #include <utility>
        #include <vector>
        struct Library { std::vector<int> by_size[2][2]; int count = 0; };
        Library load(int n) {
            Library made;
            made.by_size[0][1] = {n, n + 1};
            made.by_size[1][0].assign(3, n);
            made.count = n;
            return made;
        }
        int main() {
            Library a;
            a = load(4);
            Library b;
            b = a;
            a.by_size[0][1][0] = 9;
            Library c;
            c = std::move(b);
            printf("%d %d %d %zu %zu %d", a.by_size[0][1][0], c.by_size[0][1][0], c.by_size[0][1][1],
                   c.by_size[1][0].size(), b.by_size[1][0].size(), c.count);
        }"#;
    assert_eq!(printed(text), ("9 4 5 3 0 4".to_owned(), 0));
}

#[test]
fn copies_for_kernels_end_when_the_launch_returns() {
    // As with nvcc: the host makes one copy of an argument and destroys it.
    let text = r#"
        #include <cstdio>
        struct V {
            int* p; bool own;
            V(int n) : own(true) { cudaMalloc(&p, n * sizeof(int)); }
            V(const V& o) : p(o.p), own(false) { printf("copy "); }
            ~V() { printf("%s ", own ? "free" : "gone"); if (own) cudaFree(p); }
        };
        struct Plain { int* p; ~Plain() { printf("plain "); } };
        template <class T> __global__ void f(T v) { v.p[threadIdx.x] = 1; }
        V make() { return V(16); }
        int main() {
            V v(256);
            f<<<1, 16>>>(v); printf("1 ");
            for (int i = 0; i < 2; i++) f<<<1, 16>>>(v);
            f<<<1, 16>>>(V(16)); printf("2 ");
            f<<<1, 16>>>(make()); printf("3 ");
            if (v.p) f<<<1, 16>>>(v);
            { Plain plain{v.p}; f<<<1, 1>>>(plain); printf("4 "); }
            void (*pointer)(V) = f<V>; pointer<<<1, 1>>>(v); printf("5 ");
        }"#;
    let wanted =
        "copy gone 1 copy gone copy gone free 2 free 3 copy gone plain 4 plain copy gone 5 free ";
    assert_eq!(clean(text), wanted);
    let (_, report) = run(
        "program.cu",
        "struct V { int* p; V() { cudaMalloc(&p, 64); } ~V() { cudaFree(p); } };
        __global__ void f(V v) { v.p[threadIdx.x] = 1; }
        int main() { V v; f<<<1, 16>>>(v); f<<<1, 16>>>(v); cudaDeviceSynchronize(); }",
    );
    let found: String = report.findings.into_iter().map(|(_, said)| said).collect();
    assert!(found.contains("`p` has been freed"), "{found}");
}
