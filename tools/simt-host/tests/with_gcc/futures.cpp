#include <future>
#include <cstdio>
#include <memory>
#include <vector>
#include <string>
struct C {
    int k = 4;
    int m(int x) { return k + x; }
};
std::unique_ptr<int> mk() { return std::unique_ptr<int>(new int(8)); }
int& ref(int& r) {
    r++;
    return r;
}
int work(std::promise<int> p) {
    p.set_value(77);
    return 0;
}
int main() {
    C c;
    auto a = std::async(std::launch::async, &C::m, &c, 3);
    printf("%d\n", a.get());
    auto u = std::async(mk);
    printf("%d\n", *u.get());
    int x = 1;
    auto r = std::async(std::launch::deferred, ref, std::ref(x));
    printf("%d ", x);
    r.get() = 9;
    printf("%d\n", x);
    std::promise<int> p;
    auto f = p.get_future();
    std::thread t(work, std::move(p));
    t.join();
    printf("%d\n", f.get());
    std::vector<std::future<int>> v;
    for (int i = 0; i < 3; i++)
        v.push_back(std::async(std::launch::async | std::launch::deferred, [i] { return i * i; }));
    int s = 0;
    for (auto& q : v) s += q.get();
    printf("%d\n", s);
    std::packaged_task<int(int, int)> k([](int a, int b) { return a + b; });
    auto kf = k.get_future();
    std::thread th(std::move(k), 2, 3);
    th.join();
    printf("%d\n", kf.get());
    std::promise<void> done;
    done.get_future().wait_for(std::chrono::seconds(0));
    done.set_value();
    std::promise<std::string> ps;
    auto fs = ps.get_future().share();
    ps.set_value("hi");
    printf("%s %s\n", fs.get().c_str(), fs.get().c_str());
    auto d = std::async(std::launch::deferred, [] {
        printf("now\n");
        return 1;
    });
    printf("%d\n", d.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    d.wait();
    printf("%d %d\n", d.get(), d.valid());
    std::async(std::launch::deferred, [] { printf("never\n"); });
    std::future<void> e;
    try {
        e.get();
    } catch (const std::future_error& er) {
        printf("%s\n", er.code() == std::future_errc::no_state ? "no" : "?");
    }
    std::shared_future<void> sv = std::async([] {}).share();
    auto s2 = sv;
    sv.get();
    s2.wait();
    std::packaged_task<void()> pt([] { throw 3; });
    auto pf = pt.get_future();
    pt();
    try {
        pf.get();
    } catch (int i) {
        printf("int %d\n", i);
    }
    try {
        auto again = pt.get_future();
    } catch (std::future_error& e) {
        printf("%s\n", "taken");
    }
}
