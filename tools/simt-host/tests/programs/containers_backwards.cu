// Containers walked from their ends, values tied to variables, and names of inline namespaces;
// what it prints is what g++ makes of it.
#include <bitset>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace outer {
inline namespace v1 {
template <typename T> struct Box {
    T value;
    Box(T t) : value(t) {}
};
int three() { return 3; }
}
namespace inner {
int again() { return three(); }
}
}

// An assignment that means what the value points at.
struct Target {
    int* at;
    void operator=(int value) { *at = value; }
};
Target target(int& x) { return {&x}; }

int main() {
    int numbers[] = {3, 1, 2};
    std::list<int> sorted(numbers, numbers + 3), none;
    sorted.sort();
    none.sort();
    for (int x : sorted) std::cout << x << ' ';
    sorted.sort([](const int& a, const int& b) { return a > b; });
    for (int x : sorted) std::cout << x << ' ';
    for (auto i = sorted.rbegin(); i != sorted.rend(); ++i) std::cout << *i << ' ';
    std::cout << *--sorted.end() << *std::prev(sorted.end()) << none.size() << '\n';

    std::list<std::string> twice(2, "ab");
    std::cout << twice.size() << twice.back() << '\n';

    std::set<int> few = {5, 4};
    std::cout << *few.rbegin() << *--few.end() << *std::prev(few.end()) << '\n';

    std::map<int, std::string> names;
    names[1] = "one";
    names[2] = "two";
    for (auto i = names.rbegin(); i != names.rend(); ++i) std::cout << i->first << i->second << ' ';
    auto last = names.end();
    last--;
    std::cout << last->second << '\n';

    int a = 0, b = 0, c = 0;
    std::tie(a, std::ignore) = std::make_tuple(4, 2.5f);
    std::tie(b, c) = std::make_pair(5, 6);
    target(numbers[0]) = 7;
    std::cout << a << b << c << numbers[0] << ' ' << std::bitset<8>(37) << '\n';

    for (auto [i, j] = std::pair<int, int>(0, 3); i < j; ++i) std::cout << i;
    std::cout << ' ' << outer::Box<int>(8).value << outer::three() << outer::inner::again() << '\n';
}
