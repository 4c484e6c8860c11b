// Threads, locks and futures that do not wait for each other: the order cannot be told.
#include <thread>
#include <mutex>
#include <vector>
#include <future>
#include <string_view>
#include <iostream>
#include <condition_variable>
#include <pthread.h>
#include <functional>
std::mutex m;
int total = 0;
void add(int n) { std::lock_guard<std::mutex> lock(m); total += n; }
void fill(std::vector<int>& v, int n) { for (int i = 0; i < n; ++i) v.push_back(i * i); }
void* work(void* p) { int* n = (int*)p; *n *= 2; return p; }
int main() {
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i) all.emplace_back(add, i);
    for (int i = 0; i < 4; ++i) all.push_back(std::thread([i] { add(10 * i); }));
    for (auto& t : all) t.join();
    std::vector<int> v;
    std::thread t(fill, std::ref(v), 4);
    t.join();
    auto f = std::async(std::launch::async, [](int a) { return a * 1.5; }, 5);
    std::cout << total << " " << v.size() << " " << v.back() << " " << f.get() << "\n";
    pthread_t p[2]; int n[2] = {3, 4}; void* r;
    for (int i = 0; i < 2; ++i) pthread_create(&p[i], nullptr, work, &n[i]);
    for (int i = 0; i < 2; ++i) pthread_join(p[i], &r);
    std::cout << n[0] + n[1] << " " << *(int*)r << "\n";
    std::string_view s = "hello world";
    std::cout << s.substr(6) << " " << s.find('o') << " " << (s == "hello world") << "\n";
    return 0;
}
