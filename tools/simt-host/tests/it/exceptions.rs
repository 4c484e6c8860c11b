//! Exceptions: unwinding, handlers, and what ends a program.

use crate::world::*;

#[test]
fn a_destructor_may_throw_inside_while_another_exception_is_on_its_way() {
    let text = r#"
        #include <cstdio>
        #include <exception>
        #include <stdexcept>
        struct G {
            ~G() {
                try { throw std::runtime_error("inner"); }
                catch (std::exception& e) { std::printf("%s %d ", e.what(), std::uncaught_exceptions()); }
            }
        };
        struct W { ~W() { std::printf("~W "); } };
        void deep() { W w; G g; throw std::logic_error("deep"); }
        void middle() { try { W w; deep(); } catch (std::runtime_error&) { std::printf("wrong "); } }
        int main() {
            try { middle(); } catch (std::logic_error& e) { std::printf("%s ", e.what()); }
            try { try { throw 1; } catch (...) { throw std::runtime_error("second"); } } catch (std::exception& e) { std::printf("%s ", e.what()); }
            try {
                try { throw 2; } catch (int i) { try { throw 2.5; } catch (double d) { std::printf("%g ", d); } throw; }
            } catch (int i) { std::printf("%d %d", i, std::uncaught_exceptions()); }
        }"#;
    let wanted = "inner 1 ~W ~W deep second 2.5 2 0";
    prints(text, wanted);
}

#[test]
fn a_vector_stays_as_it_was_if_growing_throws() {
    let text = r#"
        #include <cstdio>
        #include <stdexcept>
        #include <vector>
        struct Copies { int i; Copies(int i) : i(i) {} Copies(const Copies& o) : i(o.i) { std::printf("c%d ", i); } Copies(Copies&& o) : i(o.i) { std::printf("m%d ", i); } };
        struct Moves { int i; Moves(int i) : i(i) {} Moves(const Moves& o) : i(o.i) { std::printf("c%d ", i); } Moves(Moves&& o) noexcept : i(o.i) { std::printf("m%d ", i); } };
        struct Only { int i; Only(int i) : i(i) {} Only(Only&& o) : i(o.i) { std::printf("m%d ", i); } };
        int left = -1;
        struct T {
            int i;
            T(int i) : i(i) {}
            T(const T& o) : i(o.i) { if (left-- == 0) throw std::runtime_error("copy"); std::printf("c%d ", i); }
            ~T() { std::printf("-%d ", i); }
        };
        template <class E> void grow() {
            std::vector<E> v;
            for (int i = 0; i < 4; ++i) v.emplace_back(i);
            v.reserve(20);
            std::printf("\n");
        }
        template <class F> void attempt(const std::vector<T>& v, int n, F change) {
            left = n;
            try { change(); } catch (const std::exception& e) { std::printf("%s", e.what()); }
            left = -1;
            std::printf(" %zu %zu\n", v.size(), v.capacity());
        }
        int main() {
            grow<Copies>(); grow<Moves>(); grow<Only>();
            std::vector<T> v;
            for (int i = 0; i < 4; ++i) v.emplace_back(i);
            std::printf("\n");
            attempt(v, 2, [&] { v.emplace_back(4); });
            attempt(v, 1, [&] { v.reserve(50); });
            attempt(v, 0, [&] { v.push_back(v[0]); });
            attempt(v, 1, [&] { v.resize(9, v[0]); });
            attempt(v, 2, [&] { std::vector<T> w(v); });
            attempt(v, 2, [&] { std::vector<T> w(5, T(3)); });
            attempt(v, 9, [&] { v.push_back(v[1]); });
            attempt(v, 9, [&] { v.resize(6, v[1]); v.shrink_to_fit(); });
            try { std::vector<int> w((size_t)-1); } catch (const std::length_error& e) { std::printf("%s\n", e.what()); }
        }"#;
    let wanted = "c0 c0 c1 c0 c1 c2 c3 \nm0 m0 m1 m0 m1 m2 m3 \nm0 m0 m1 m0 m1 m2 m3 \nc0 -0 c0 c1 -0 \
                  -1 \nc0 c1 -0 -1 -4 copy 4 4\nc0 -0 copy 4 4\ncopy 4 4\nc0 -0 copy 4 4\nc0 c1 -0 -1 \
                  copy 4 4\nc3 c3 -3 -3 -3 copy 4 4\nc1 c0 c1 c2 c3 -0 -1 -2 -3  5 8\nc1 c1 -1 c0 c1 \
                  c2 c3 c1 c1 -0 -1 -2 -3 -1 -1  6 6\ncannot create std::vector larger than \
                  max_size()\n-0 -1 -2 -3 -1 -1 ";
    prints(text, wanted);
}

#[test]
fn an_exception_is_destroyed_by_its_last_handler() {
    let text = r#"
        #include <cstdio>
        #include <exception>
        #include <string>
        struct E {
            int k;
            E(int k) : k(k) { std::printf("+%d ", k); }
            E(const E& o) : k(o.k) { std::printf("c%d ", k); }
            E(E&& o) noexcept : k(o.k) { std::printf("m%d ", k); }
            ~E() { std::printf("-%d ", k); }
        };
        struct P : E { std::string text; P() : E(7), text("a text that is too long to be kept inside") {} };
        void passes() { try { throw E(3); } catch (E& e) { e.k = 4; std::printf("first "); throw; } }
        int main() {
            try { throw E(1); } catch (const E& e) { std::printf("[%d] ", e.k); }
            try { throw E(2); } catch (E e) { std::printf("[%d] ", e.k); }
            try { passes(); } catch (E e) { std::printf("[%d] ", e.k); }
            try { E local(5); throw local; } catch (...) { std::printf("any "); }
            E outer(6);
            try { throw outer; } catch (E&) {}
            try { try { throw P(); } catch (P& p) { throw p; } } catch (E& e) { std::printf("[%d] ", e.k); }
            try { try { throw E(8); } catch (E&) { E inside(9); throw 1; } } catch (int) { std::printf("int "); }
            std::printf("\n");
            std::exception_ptr kept;
            try { throw E(10); } catch (...) { kept = std::current_exception(); }
            std::exception_ptr copy = kept;
            kept = nullptr;
            try { std::rethrow_exception(copy); } catch (E& e) { std::printf("[%d] ", e.k); }
            copy = std::make_exception_ptr(11);
            try { std::rethrow_exception(copy); } catch (int i) { std::printf("%d ", i); }
            for (int i = 0; i < 3; ++i) {
                try { throw E(12 + i); } catch (E&) { if (i == 0) continue; if (i == 1) break; }
            }
            std::printf("end ");
        }"#;
    let wanted = "+1 [1] -1 +2 c2 [2] -2 -2 +3 first c4 [4] -4 -4 +5 m5 -5 any -5 +6 c6 -6 +7 c7 -7 \
                  [7] -7 +8 +9 -9 -8 int \n+10 [10] -10 11 +12 -12 +13 -13 end -6 ";
    prints(text, wanted);
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn nested_exceptions_and_kinds_of_handlers() {
    let text = r#"
        #include <cstdio>
        #include <exception>
        #include <stdexcept>
        #include <string>
        #include <typeinfo>
        void nest(int n) {
            try { if (n == 0) throw std::runtime_error("leaf"); nest(n - 1); }
            catch (...) { std::throw_with_nested(std::logic_error("level " + std::to_string(n))); }
        }
        void tell(const std::exception& e) {
            std::printf("%s, ", e.what());
            try { std::rethrow_if_nested(e); } catch (const std::exception& inner) { tell(inner); }
        }
        struct A { virtual ~A() {} };
        struct B : A { int k = 5; };
        struct C : A {};
        int main() {
            try { nest(2); } catch (const std::exception& e) { tell(e); }
            B b;
            A& a = b;
            std::printf("%d ", dynamic_cast<B&>(a).k);
            try { dynamic_cast<C&>(a); } catch (const std::bad_cast& e) { std::printf("%s ", e.what()); }
            try { throw &b; } catch (C*) { std::printf("C "); } catch (A* p) { std::printf("A %d ", p == &b); }
            try { throw nullptr; } catch (int* p) { std::printf("int* %d ", p == nullptr); }
            int n = 7;
            try { throw &n; } catch (void* p) { std::printf("void* %d ", p == &n); }
            try { throw (const int*)&n; } catch (int*) { std::printf("int* "); } catch (const int* p) { std::printf("const int* %d ", *p); }
            try { throw "text"; } catch (const char* s) { std::printf("%s ", s); }
        }"#;
    let wanted = "level 2, level 1, level 0, leaf, 5 std::bad_cast A 1 int* 1 void* 1 const int* 7 \
                  text ";
    prints(text, wanted);
}

#[test]
fn noexcept_asks_what_functions_declare() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        #include <string>
        #include <type_traits>
        #include <utility>
        #include <vector>
        struct A { A() {} A(const A&) {} A(A&&) noexcept {} A& operator=(const A&) { return *this; } A& operator=(A&&) noexcept { return *this; } };
        struct B { B() noexcept {} B(const B&) {} B(B&&) {} B& operator=(B&&) { return *this; } ~B() noexcept(false) {} };
        struct C { A a; };
        struct D { int n; std::string s; std::vector<A> v; std::unique_ptr<int> p; };
        int f();
        int g() noexcept;
        void h() noexcept(sizeof(int) == 4);
        template <class T> void k(T) noexcept(std::is_integral<T>::value);
        struct V { virtual void v() noexcept {} virtual void w() {} int operator[](int) const noexcept { return 0; } };
        template <class T> void swapped(T& a, T& b) noexcept(noexcept(T(std::move(a))) && noexcept(a = std::move(b))) {}
        int main() {
            V v; A a, b; B c, d;
            auto l = [] {};
            auto n = [](int i) noexcept { return i; };
            int x = 0;
            std::printf("%d%d%d%d%d ", noexcept(f()), noexcept(g()), noexcept(h()), noexcept(k(1)), noexcept(k(1.0)));
            std::printf("%d%d%d%d%d ", noexcept(1 + 2), noexcept(throw 1), noexcept(new int), noexcept(A()), noexcept(B()));
            std::printf("%d%d%d%d%d ", noexcept(v.v()), noexcept(v.w()), noexcept(v[1]), noexcept(l()), noexcept(n(1)));
            std::printf("%d%d%d%d ", noexcept(swapped(a, b)), noexcept(swapped(c, d)), noexcept(x = g()), noexcept(f() + g()));
            std::printf("%d%d%d%d ", std::is_nothrow_move_constructible_v<A>, std::is_nothrow_move_constructible_v<B>, std::is_nothrow_move_constructible_v<C>, std::is_nothrow_move_constructible_v<D>);
            std::printf("%d%d%d%d ", std::is_nothrow_copy_constructible_v<A>, std::is_nothrow_copy_constructible_v<int>, std::is_nothrow_default_constructible_v<A>, std::is_nothrow_default_constructible_v<D>);
            std::printf("%d%d%d%d ", std::is_nothrow_move_assignable_v<A>, std::is_nothrow_move_assignable_v<B>, std::is_nothrow_move_assignable_v<D>, std::is_nothrow_copy_assignable_v<A>);
            std::printf("%d%d%d%d ", std::is_nothrow_destructible_v<A>, std::is_nothrow_destructible_v<B>, std::is_nothrow_constructible_v<A, const A&>, std::is_nothrow_swappable_v<A>);
            std::printf("%d%d%d", std::is_copy_assignable_v<A>, std::is_copy_assignable_v<D>, std::is_move_assignable_v<D>);
        }"#;
    let wanted = "01110 10000 10101 1010 1011 0101 1010 1001 101";
    prints(text, wanted);
}

#[test]
fn temporaries_of_references_and_functions_at_exit() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        #include <vector>
        struct N { int k; N(int k = 0) : k(k) { std::printf("+%d ", k); } N(const N& o) : k(o.k) { std::printf("c%d ", k); } ~N() { std::printf("-%d ", k); } };
        const N& same(const N& n) { return n; }
        struct Holder { const N& n; };
        N& first() { static N n(90); return n; }
        static N global(80);
        int main() {
            std::atexit([] { std::printf("one "); });
            first();
            std::atexit([] { std::printf("two "); });
            { int k = same(N(1)).k + same(N(2)).k; std::printf("sum %d ", k); }
            { const int& k = same(N(3)).k + 1; std::printf("k %d ", k); }
            { const N& n = N(4); std::printf("kept %d ", n.k); }
            { const int& k = N(5).k; std::printf("part %d ", k); }
            { Holder h{N(6)}; std::printf("held %d ", h.n.k); }
            for (const N& n : std::vector<N>{N(7), N(8)}) std::printf("in %d ", n.k);
            std::printf("\n");
        }"#;
    let wanted = "+80 +90 +1 +2 -2 -1 sum 3 +3 -3 k 4 +4 kept 4 -4 +5 part 5 -5 +6 held 6 -6 +7 +8 c7 \
                  c8 -8 -7 in 7 in 8 -7 -8 \ntwo -90 one -80 ";
    prints(text, wanted);
}

#[test]
fn an_exception_that_nothing_may_let_out_ends_the_program() {
    let text = r#"
        #include <cstdio>
        #include <exception>
        #include <stdexcept>
        struct D { const char* s; ~D() { std::printf("~%s ", s); } };
        void inner() { D d{"inner"}; throw std::runtime_error("why"); }
        void f() noexcept { D d{"f"}; inner(); }
        int main() {
            D d{"main"};
            std::printf("start ");
            try { f(); } catch (...) { std::printf("caught "); }
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!((output.as_str(), report.code), ("start ~inner ", 134));
    let handled = format!(
        "#include <cstdlib>\n{}",
        text.replace(
            "D d{\"main\"};",
            "std::set_terminate([] { std::printf(\"handler \"); std::exit(3); });"
        )
    );
    let (output, report) = run("program.cu", &handled);
    assert_eq!(
        (output.as_str(), report.code, report.diagnostics.len()),
        ("start ~inner handler ", 3, 0)
    );
}

#[test]
fn an_exception_that_is_never_caught_says_what_it_is() {
    let text = r#"
        #include <stdexcept>
        struct Own : std::runtime_error { Own() : std::runtime_error("the text") {} };
        int main() { throw Own(); }"#;
    let program = compile("program.cu", text).unwrap();
    let mut world = World::default();
    let report = simt_host::run(&program, &["p".to_owned()], &simt::Config::default(), &mut world);
    let said = String::from_utf8_lossy(&world.errors).into_owned();
    let wanted = "terminate called after throwing an instance of 'Own'\n  what():  the text\n";
    assert!(said.contains(wanted) && report.code == 134, "{said}");
}
