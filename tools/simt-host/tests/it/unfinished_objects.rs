//! Constructors that end by an exception: what they have built is destroyed.

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
