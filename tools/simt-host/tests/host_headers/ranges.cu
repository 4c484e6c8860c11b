// Each section is a program that ends with 0, with g++ -std=c++20 as well.
//# algorithms on ranges
#include <algorithm>
#include <ranges>
#include <vector>
int main() {
    std::vector<int> v{3, 1, 2}, w(3);
    std::ranges::sort(v);
    bool right = std::ranges::is_sorted(v) && std::ranges::count(v, 2) == 1 && *std::ranges::max_element(v) == 3 && std::ranges::min(v) == 1;
    std::ranges::sort(v, std::greater<int>());
    right = right && v[0] == 3 && std::ranges::any_of(v, [](int x) { return x == 2; }) && std::ranges::find(v, 1) == v.end() - 1;
    int sum = 0;
    std::ranges::for_each(v, [&](int x) { sum += x; });
    std::ranges::transform(v, w.begin(), [](int x) { return 2 * x; });
    std::ranges::reverse(w);
    return right && sum == 6 && std::ranges::equal(w, std::vector<int>{2, 4, 6}) ? 0 : 1;
}
//# views
#include <ranges>
#include <vector>
int main() {
    int sum = 0;
    for (int i : std::views::iota(0, 10) | std::views::filter([](int x) { return x % 3 == 0; }) | std::views::transform([](int x) { return x * x; })) sum += i;
    bool right = sum == 9 + 36 + 81;
    sum = 0;
    for (int i : std::views::iota(5) | std::views::take(3)) sum += i;
    right = right && sum == 18;
    std::vector<int> v{1, 2, 3, 4, 5};
    for (int& x : v | std::views::drop(2)) x = 0;
    for (int x : v | std::views::filter([](int x) { return x > 0; }) | std::views::take(5)) sum += x;
    return right && sum == 21 && v[4] == 0 ? 0 : 1;
}
