//! Threads: each has its own `thread_local` variables.

use crate::world::*;

fn check(text: &str, wanted: &str) {
    let (printed, report) = run("program.cu", text);
    let said: Vec<_> = report.diagnostics.iter().map(|d| &d.message).collect();
    assert_eq!((&*printed, report.code), (wanted, 0), "{text}\n{said:?}");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn a_thread_has_its_own_thread_local_variables() {
    check(
        "#include <cstdio>
        #include <thread>
        thread_local int x = 1;
        thread_local int wide[4] = {1, 2, 3, 4};
        struct Counts { static thread_local int calls; };
        thread_local int Counts::calls = 7;
        int next() { static thread_local int n = 0; return ++n; }
        int* mine() { return &x; }
        int main() {
            int a = 0, b = 0, sum = 0;
            x = 3; wide[2] = 30; Counts::calls = 8;
            int* outer = mine();
            bool same = true;
            std::thread t([&] {
                a = next(); b = next();
                sum = x + wide[2] + Counts::calls;
                same = outer == mine();
                x = 5; wide[2] = 50; Counts::calls = 9;
                std::thread inner([&] { sum = 100 * sum + x; x = 6; });
                inner.join();
                sum = 100 * sum + x;
            });
            t.join();
            printf(\"%d %d %d %d %d\\n\", a, b, next(), sum, same);
            printf(\"%d %d %d\\n\", x, wide[2], Counts::calls);
        }",
        "1 2 1 110105 0\n3 30 8\n",
    );
}

#[test]
fn objects_of_a_thread_are_destroyed_when_it_ends() {
    check(
        "#include <cstdio>
        #include <thread>
        #include <vector>
        struct Log { int n = 1; ~Log() { printf(\"~%d \", n); } };
        Log whole{9};
        thread_local Log log;
        thread_local std::vector<int> made(2);
        int main() {
            log.n = 4;
            std::thread t([] { log.n = 2; thread_local Log late; late.n = 3; made.push_back(1); });
            t.join();
            printf(\"| %d | \", (int)made.size());
        }",
        "~3 ~2 | 2 | ~4 ~9 ",
    );
}

#[test]
fn tasks_and_posix_threads_are_threads() {
    check(
        "#include <cstdio>
        #include <future>
        #include <pthread.h>
        static __thread int x = 1;
        void* set(void*) { x = 5; return 0; }
        int main() {
            int seen = 0;
            std::async(std::launch::async, [&] { seen = x; x = 4; }).get();
            pthread_t t; pthread_create(&t, 0, set, 0); pthread_join(t, 0);
            printf(\"%d %d\\n\", seen, x);
            std::async(std::launch::deferred, [] { x = 6; }).get();
            printf(\"%d\\n\", x);
        }",
        "1 1\n6\n",
    );
}

#[test]
fn threads_have_numbers() {
    check(
        "#include <cstdio>
        #include <thread>
        int main() {
            std::thread::id main = std::this_thread::get_id(), a, b;
            std::thread t([&] { a = std::this_thread::get_id(); });
            std::thread u([&] { b = std::this_thread::get_id(); });
            printf(\"%d \", t.get_id() == a && u.get_id() == b && a != b && a != main && b != main);
            t.join(); u.join();
            printf(\"%d\\n\", main == std::this_thread::get_id() && t.get_id() == std::thread::id());
        }",
        "1 1\n",
    );
}

#[test]
fn an_exception_leaves_the_threads_variables() {
    check(
        "#include <cstdio>
        #include <future>
        thread_local int x = 1;
        int main() {
            try { std::async(std::launch::async, [] { x = 2; throw 3; }).get(); }
            catch (int n) { printf(\"%d %d\\n\", n, x); }
        }",
        "3 1\n",
    );
}

#[test]
fn a_variable_of_a_thread_that_has_ended_is_gone() {
    let (_, said) = ended(
        "#include <thread>
        thread_local int x = 1;
        int main() { int* p = 0; std::thread t([&] { p = &x; }); t.join(); return *p; }",
    );
    assert!(said.contains("the host reads `x`, which has been freed"), "{said}");
}
