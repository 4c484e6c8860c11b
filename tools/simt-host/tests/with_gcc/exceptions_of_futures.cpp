#include <future>
#include <cstdio>
#include <stdexcept>
#include <thread>
int bad(int x) {
    if (x) throw std::runtime_error("bad");
    return 3;
}
int main() {
    auto f = std::async(std::launch::async, bad, 1);
    auto f2 = std::async(bad, 1);
    auto f3 = std::async(std::launch::deferred, bad, 1);
    printf("called\n");
    try {
        f.get();
    } catch (std::exception& e) {
        printf("1 %s\n", e.what());
    }
    try {
        f2.get();
    } catch (std::exception& e) {
        printf("2 %s\n", e.what());
    }
    try {
        f3.get();
    } catch (std::exception& e) {
        printf("3 %s\n", e.what());
    }
    std::promise<int> p;
    auto pf = p.get_future();
    std::thread t([&] {
        try {
            throw 5;
        } catch (...) {
            p.set_exception(std::current_exception());
        }
    });
    t.join();
    try {
        pf.get();
    } catch (int e) {
        printf("4 %d\n", e);
    }
    std::packaged_task<int(int)> k(bad);
    auto kf = k.get_future();
    k(1);
    try {
        kf.get();
    } catch (std::exception& e) {
        printf("5 %s\n", e.what());
    }
    std::promise<void> q;
    auto qf = q.get_future();
    q.set_exception(std::make_exception_ptr(std::logic_error("lg")));
    try {
        qf.get();
    } catch (std::logic_error& e) {
        printf("6 %s\n", e.what());
    }
    std::future<int> bf;
    {
        std::promise<int> b;
        bf = b.get_future();
    }
    try {
        bf.get();
    } catch (std::future_error& e) {
        printf("7 %d\n", e.code() == std::future_errc::broken_promise);
    }
    auto v = std::async([] { throw std::out_of_range("oor"); });
    try {
        v.get();
    } catch (std::out_of_range& e) {
        printf("8 %s\n", e.what());
    }
    std::shared_future<int> sf = std::async(bad, 1).share();
    for (int i = 0; i < 2; i++) try {
            sf.get();
        } catch (std::exception& e) {
            printf("9 %s\n", e.what());
        }
    std::promise<int> tw;
    tw.set_value(1);
    try {
        tw.set_value(2);
    } catch (std::future_error& e) {
        printf("10\n");
    }
    std::async(std::launch::async, bad, 1);
    printf("end\n");
}
