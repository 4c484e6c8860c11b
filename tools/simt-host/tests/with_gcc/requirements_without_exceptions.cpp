#include <concepts>
#include <cstdio>
template <class T>
concept Swp = requires(T a, T b) {
    { a.swap(b) } noexcept -> std::same_as<void>;
    { a.size() } noexcept;
};
template <class T>
concept Call = requires(T f) {
    { f(1) } noexcept -> std::convertible_to<double>;
};
struct A {
    void swap(A&) noexcept {}
    int size() const noexcept { return 0; }
};
struct B {
    void swap(B&) {}
    int size() const noexcept { return 0; }
};
struct C {
    void swap(C&) noexcept {}
    int size() const { return 0; }
};
struct F {
    int operator()(int) noexcept { return 0; }
};
struct G {
    int operator()(int) { return 0; }
};
int main() { printf("%d%d%d%d%d\n", Swp<A>, Swp<B>, Swp<C>, Call<F>, Call<G>); }
