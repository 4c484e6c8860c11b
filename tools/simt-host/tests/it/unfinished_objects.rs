//! Objects that an exception leaves incomplete: what is built of them is destroyed.

use crate::world::*;

#[test]
fn members_and_bases_are_destroyed_when_a_constructor_throws() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        struct D { int k; D(int k) : k(k) { std::printf("+%d ", k); } ~D() { std::printf("-%d ", k); } };
        struct A { D a{1}; D b; A(bool t) : b(2) { D local(9); if (t) throw 1; } };
        struct B : D { D m; B() : D(3), m(4) { throw 1; } };
        struct C { D a; D b; static int f() { throw 2; return 5; } C() : a(6), b(f()) {} };
        struct E { std::unique_ptr<D> p; E() : p(std::make_unique<D>(8)) { throw 3; } };
        struct F { D a; F(int k) : a(k) {} F() : F(5) { throw 4; } };
        struct G { D a; G(bool early) : a(7) { D local(9); if (early) return; std::printf("late "); } };
        template <class T> void attempt(T make) {
            try { make(); } catch (int) { std::printf("caught"); }
            std::printf("\n");
        }
        int main() {
            attempt([] { A a(true); });
            attempt([] { A a(false); });
            attempt([] { B b; });
            attempt([] { C c; });
            attempt([] { E e; });
            attempt([] { F f; });
            attempt([] { G g(true); });
            attempt([] { G g(false); });
        }"#;
    let wanted = "+1 +2 +9 -9 -2 -1 caught\n+1 +2 +9 -9 -2 -1 \n+3 +4 -4 -3 caught\n\
                  +6 -6 caught\n+8 -8 caught\n+5 -5 caught\n+7 +9 -9 -7 \n+7 +9 late -9 -7 \n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn a_constructor_that_throws_leaks_no_device_memory() {
    let text = r#"
        struct Buffer { float* p; Buffer(int n) { cudaMalloc(&p, n * 4); } ~Buffer() { cudaFree(p); } };
        struct Job { Buffer a; Job(int n) : a(n) { if (n > 100) throw n; } };
        int main() { try { Job j(200); } catch (int n) { return n - 200; } return 1; }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!((output.as_str(), report.code, report.findings.len()), ("", 0, 0));
}

#[test]
fn a_constructor_whose_body_is_a_try() {
    let text = r#"
        #include <cstdio>
        #include <stdexcept>
        struct N { int k; N(int k) : k(k) { std::printf("+%d ", k); if (k > 8) throw std::runtime_error("nine"); } ~N() { std::printf("-%d ", k); } };
        struct F {
            N a, b;
            F(int i) try : a(i), b(i + 1) { N local(0); if (i < 0) throw std::logic_error("body"); std::printf("made "); }
            catch (const std::exception& e) { std::printf("[%s] ", e.what()); }
            ~F() { std::printf("~F "); }
        };
        struct G : N { G() try : N(9) {} catch (...) { throw 5; } };
        int h() try { throw 6; } catch (int i) { return i; }
        int main() {
            for (int i : {1, 8, 9, -2})
                try { F f(i); } catch (const std::exception& e) { std::printf("%s", e.what()); }
            try { G g; } catch (int i) { std::printf("%d", i); }
            std::printf("%d", h());
        }"#;
    let wanted = "+1 +2 +0 made -0 ~F -2 -1 +8 +9 -8 [nine] nine+9 [nine] nine+-2 +-1 +0 -0 --1 --2 \
                  [body] body+9 56";
    prints(text, wanted);
}

#[test]
fn a_static_variable_that_threw_begins_again() {
    let text = r#"
        #include <cstdio>
        int tries;
        struct S { int k; S() : k(++tries) { if (k < 3) throw k; } ~S() { std::printf("-%d", k); } };
        S& s() { static S one; return one; }
        int main() {
            for (int i = 0; i < 4; ++i)
                try { std::printf("%d ", s().k); } catch (int k) { std::printf("threw %d ", k); }
        }"#;
    let wanted = "threw 1 threw 2 3 3 -3";
    prints(text, wanted);
}

#[test]
fn new_gives_back_the_memory_of_an_object_whose_constructor_throws() {
    let text = r#"
        #include <cstdio>
        struct Large { char bytes[1 << 20]; Large(bool t) { if (t) throw 1; } Large() : Large(true) {} };
        int main() {
            int caught = 0;
            for (int i = 0; i < 20000; ++i) {
                try { new Large(true); } catch (int) { ++caught; }
                try { new Large[2]; } catch (int) { ++caught; }
            }
            std::printf("%d", caught);
        }"#;
    let wanted = "40000";
    prints(text, wanted);
}

#[test]
fn parts_of_arrays_and_aggregates_are_destroyed_when_a_later_one_throws() {
    let text = r#"
        #include <array>
        #include <cstdio>
        #include <vector>
        int at, left;
        struct B {
            int id;
            B() : id(at++) { if (left-- == 0) throw id; std::printf("+%d ", id); }
            B(const B& o) : id(at++) { if (left-- == 0) throw id; std::printf("c%d ", id); }
            ~B() { std::printf("-%d ", id); }
        };
        struct M { B a, b, c; };
        struct D : B { B m; int k = 3; B n; };
        struct A { B a; B b[2]; A() {} };
        struct Two { B a, b; };
        template <class T> void attempt(const char* name, T make) {
            for (int n : {0, 2}) {
                at = 0;
                left = n;
                std::printf("%s %d: ", name, n);
                try { make(); std::printf("done\n"); } catch (int i) { std::printf("caught %d\n", i); }
            }
        }
        int main() {
            attempt("members", [] { M m; });
            attempt("braces", [] { M m{}; });
            attempt("base", [] { D d; });
            attempt("array", [] { B b[3]; });
            attempt("rows", [] { B b[2][2]; });
            attempt("std::array", [] { std::array<B, 3> a; });
            attempt("member array", [] { A a; });
            attempt("list", [] { Two t{B(), B()}; });
            attempt("copies", [] { M m; M k = m; });
            attempt("new", [] { delete new M; });
            attempt("new[]", [] { delete[] new B[3]; });
            attempt("new list", [] { delete[] new B[3]{B(), B()}; });
            attempt("vector", [] { std::vector<B> v(3); });
            attempt("captures", [] { B b; auto f = [b, c = B()] {}; });
        }"#;
    let wanted = "members 0: caught 0\nmembers 2: +0 +1 -1 -0 caught 2\nbraces 0: caught 0\nbraces 2: \
                  +0 +1 -1 -0 caught 2\nbase 0: caught 0\nbase 2: +0 +1 -1 -0 caught 2\narray 0: \
                  caught 0\narray 2: +0 +1 -1 -0 caught 2\nrows 0: caught 0\nrows 2: +0 +1 -1 -0 \
                  caught 2\nstd::array 0: caught 0\nstd::array 2: +0 +1 -1 -0 caught 2\nmember array \
                  0: caught 0\nmember array 2: +0 +1 -1 -0 caught 2\nlist 0: caught 0\nlist 2: +0 +1 \
                  -1 -0 done\ncopies 0: caught 0\ncopies 2: +0 +1 -1 -0 caught 2\nnew 0: caught 0\n\
                  new 2: +0 +1 -1 -0 caught 2\nnew[] 0: caught 0\nnew[] 2: +0 +1 -1 -0 caught 2\nnew \
                  list 0: caught 0\nnew list 2: +0 +1 -1 -0 caught 2\nvector 0: caught 0\nvector 2: \
                  +0 +1 -0 -1 caught 2\ncaptures 0: caught 0\ncaptures 2: +0 c1 -1 -0 caught 2\n";
    prints(text, wanted);
}

#[test]
fn a_class_with_its_own_memory_gets_it_back_if_its_constructor_throws() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        struct Own {
            int k;
            Own(int k) : k(k) { if (k > 8) throw k; }
            static void* operator new(size_t n) { std::printf("new %zu ", n); return std::malloc(n); }
            static void operator delete(void* p) { std::printf("delete "); std::free(p); }
        };
        struct Sized {
            long a, b;
            ~Sized() { std::printf("~ "); }
            static void* operator new(size_t n) { return std::malloc(n); }
            static void operator delete(void* p, size_t n) { std::printf("sized %zu", n); std::free(p); }
        };
        int main() {
            delete new Own(1);
            try { new Own(9); } catch (int k) { std::printf("caught %d ", k); }
            delete new Sized();
        }"#;
    prints(text, "new 4 delete new 4 delete caught 9 ~ sized 16");
}
