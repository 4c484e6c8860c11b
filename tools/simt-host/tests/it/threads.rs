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

/// As with libstdc++ under any schedule, one of which runs each thread at once.
#[test]
fn the_headers_of_threads_do_as_with_gcc() {
    check(
        r#"#include <thread>
        #include <mutex>
        #include <functional>
        #include <vector>
        #include <iostream>
        #include <memory>
        struct W { int n = 0; void run(int k) { n += k; } void operator()(int& x) { x++; } };
        int main() {
          W w; std::thread a(&W::run, &w, 3); a.join(); int x = 1; std::thread b(w, std::ref(x)); b.join();
          std::thread c([](std::unique_ptr<int> p) { std::cout << *p << "\n"; }, std::make_unique<int>(5)); c.join();
          std::vector<std::thread> v; for (int i = 0; i < 3; i++) v.emplace_back([&, i] { x += i; }); for (auto& t : v) t.join();
          v.clear(); v.push_back(std::thread(&W::run, std::ref(w), 4)); v.back().join();
          std::cout << w.n << " " << x << " " << (std::this_thread::get_id() == std::thread::id()) << "\n";
          std::thread d, e([] {}); d = std::move(e); d.join(); std::swap(d, e); d.swap(e);
          std::this_thread::sleep_for(std::chrono::milliseconds(1)); std::this_thread::sleep_until(std::chrono::steady_clock::now());
        }"#,
        "5\n7 5 0\n",
    );
    check(
        r#"#include <mutex>
        #include <condition_variable>
        #include <iostream>
        #include <chrono>
        #include <map>
        int main() {
          std::mutex m, n; { std::scoped_lock l(m, n); } { std::lock(m, n); std::lock_guard<std::mutex> a(m, std::adopt_lock), b(n, std::adopt_lock); }
          { std::unique_lock<std::mutex> l(m, std::try_to_lock); std::cout << l.owns_lock() << bool(l) << "\n"; std::unique_lock<std::mutex> k(std::move(l)); std::cout << k.owns_lock() << "\n"; k.unlock(); k.try_lock(); }
          std::recursive_mutex r; { std::lock_guard<std::recursive_mutex> a(r); std::lock_guard<std::recursive_mutex> b(r); } std::timed_mutex t; std::cout << t.try_lock_for(std::chrono::seconds(1)) << "\n"; t.unlock();
          std::condition_variable cv; bool done = true; { std::unique_lock<std::mutex> l(m); cv.wait(l, [&] { return done; }); std::cout << cv.wait_for(l, std::chrono::milliseconds(1), [&] { return done; }) << "\n"; std::cout << (cv.wait_for(l, std::chrono::milliseconds(1)) == std::cv_status::timeout) << "\n"; }
          { std::lock_guard l(m); std::lock_guard<std::mutex>* p = nullptr; (void)p; } { std::scoped_lock l(m); } std::once_flag f; std::call_once(f, [] { std::cout << "once\n"; });
        }"#,
        "11\n1\n1\n1\n1\nonce\n",
    );
    check(
        r#"#include <atomic>
        #include <iostream>
        struct P { int a, b; };
        int main() {
          std::atomic<int> a{1}, b(2); a++; ++a; a += 3; a |= 8; a--; int e = 5; std::cout << a.load() << " " << a.compare_exchange_weak(e, 7, std::memory_order_release, std::memory_order_relaxed) << e << "\n";
          std::atomic<bool> f{false}; f = true; std::cout << f.load() << f.exchange(false) << "\n"; std::atomic_flag g = ATOMIC_FLAG_INIT; std::cout << g.test_and_set() << g.test_and_set() << "\n"; g.clear();
          int arr[3] = {1, 2, 3}; std::atomic<int*> p{arr}; p++; p.fetch_add(1); std::cout << *p.load() << "\n"; std::atomic<double> d{1.5}; double o = d.load(); while (!d.compare_exchange_weak(o, o + 1)); std::cout << d.load() << "\n";
          std::atomic<P> q{P{1, 2}}; P r = q; std::cout << r.b << a.is_lock_free() << "\n"; std::atomic_int i{3}; std::atomic_uint64_t u{4}; std::atomic_size_t s{5}; std::cout << i.fetch_sub(1) << u.fetch_and(6) << s.fetch_xor(1) << "\n";
          std::atomic_thread_fence(std::memory_order_seq_cst); std::atomic_signal_fence(std::memory_order_acquire); std::atomic_fetch_add(&i, 2); std::atomic_store(&i, 9); std::cout << std::atomic_load(&i) << std::atomic_exchange(&i, 1) << "\n"; std::atomic<unsigned long long> z{}; z.store(3, std::memory_order_release); std::cout << z.load(std::memory_order_acquire) << (z.fetch_or(4) ) << "\n"; std::cout << std::atomic<int>::is_always_lock_free << "\n";
        }"#,
        "13 013\n11\n01\n3\n2.5\n21\n345\n99\n33\n1\n",
    );
    check(
        r#"#include <latch>
        #include <semaphore>
        #include <mutex>
        #include <shared_mutex>
        #include <numbers>
        #include <thread>
        #include <iostream>
        int main() {
          std::latch l(2); int x = 0; { std::jthread a([&] { x++; l.count_down(); }); } std::thread b([&] { x += 2; l.arrive_and_wait(); }); b.join(); l.wait(); std::cout << x << l.try_wait() << "\n";
          std::binary_semaphore s(0); s.release(); s.acquire(); std::counting_semaphore<4> c(2); std::cout << c.try_acquire() << c.try_acquire() << c.try_acquire() << c.max() << "\n";
          std::shared_mutex m; { std::shared_lock a(m); std::shared_lock b(m); std::cout << m.try_lock() << "\n"; } { std::unique_lock<std::shared_mutex> w(m); std::cout << m.try_lock_shared() << w.owns_lock() << "\n"; }
          std::cout.precision(12); std::cout << std::numbers::pi << " " << std::numbers::sqrt2_v<float> << " " << std::numbers::e << "\n";
        }"#,
        "31\n1104\n0\n01\n3.14159265359 1.41421353817 2.71828182846\n",
    );
}
