#include <cstdio>
#include <thread>
#include <string>
#include <vector>
#include <memory>
#include <map>
#include <stdexcept>
struct Log {
    const char* n;
    Log(const char* n) : n(n) { printf("+%s\n", n); }
    ~Log() { printf("-%s\n", n); }
};
namespace a {
Log one("one");
namespace {
Log two("two");
}
}
extern Log fwd;
Log* pf = &fwd;
Log& rf = fwd;
Log before("before");
Log fwd("fwd");
Log& fn() {
    static Log l("local");
    return l;
}
Log& use = fn();
const std::map<std::string, int> table = {{"a", 1}, {"b", 2}};
int n = table.at("b");
template <class T>
struct S {
    static T val;
    static const char* name;
    static Log log;
};
template <class T>
T S<T>::val = T(3);
template <class T>
const char* S<T>::name = "gen";
template <class T>
Log S<T>::log("tmpl");
template <>
const char* S<int>::name = "int";
int sv = S<int>::val + (int)S<double>::val;
Log* lp = &S<char>::log;
thread_local std::vector<int> tv = [] {
    printf("tv init\n");
    return std::vector<int>{1, 2, 3};
}();
thread_local int td = tv.size() + 1;
struct T {
    static thread_local std::unique_ptr<Log> p;
};
thread_local std::unique_ptr<Log> T::p = std::make_unique<Log>("tp");

int main() {
    printf("main %d %d %s %s\n", n, sv, S<int>::name, S<double>::name);
    printf("%p\n", (void*)(&rf - pf));
    std::thread t([] {
        try {
            printf("%d\n", td);
        } catch (std::exception& e) {
            printf("caught %s\n", e.what());
        }
    });
    t.join();
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += tv[i];
    printf("%d\n", sum);
}
