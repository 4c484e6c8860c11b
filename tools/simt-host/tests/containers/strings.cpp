// What it prints is in the file beside it: what g++ prints.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <deque>
template <class F> void t(F f) {
    try { f(); puts("none"); } catch (const std::out_of_range& e) { printf("%s\n", e.what()); } catch (const std::invalid_argument& e) { printf("invalid %s\n", e.what()); }
}
int main() {
    const std::string s("abc");
    std::string u("abc");
    t([&] { s.substr(7); });
    t([&] { s.at(3); });
    t([&] { u.at(9); });
    t([&] { u.erase(4); });
    t([&] { u.insert(9, "x"); });
    t([&] { u.insert(9, s); });
    t([&] { u.replace(5, 1, "q"); });
    t([&] { u.compare(9, 1, "q"); });
    t([&] { u.compare(4, 1, s); });
    t([&] { char c[4]; u.copy(c, 2, 4); });
    t([&] { std::string x(s, 5); });
    t([&] { u.assign(s, 5, 1); });
    t([&] { std::stoi("abc"); });
    t([&] { std::stoi("99999999999"); });
    t([&] { std::stod("x"); });
    t([&] { std::deque<int> d(3); d.at(3); });
    t([&] { s.substr(3); });
    char c[4] = {};
    size_t n = s.copy(c, 9, 1);
    std::string b = {'c', 'd', 'e'}, k{'a', 'b'};
    std::string w(3, 'x'), y{"text"}, z{"text", 2};
    std::string moved = std::move(y);
    w = std::move(moved);
    printf("%zu %s %s %s %s %zu %s %zu\n", n, c, b.c_str(), k.c_str(), w.c_str(), y.size(), z.c_str(), moved.size());
}
