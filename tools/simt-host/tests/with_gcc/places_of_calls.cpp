#include <cstdio>
#include <source_location>
int log(const char* what, const std::source_location at = std::source_location::current()) {
    printf("%s %u %s\n", what, at.line(), at.function_name());
    return (int)at.line();
}
int deep(int a = log("inner")) { return a; }
struct C {
    C(std::source_location at = std::source_location::current()) { printf("C %u\n", at.line()); }
    int m(double) const { return log("m"); }
};
int line(int n = __builtin_LINE()) { return n; }
void f(const char*) { log("f"); }
int main() {
    log("main");
    f("");
    auto here = std::source_location::current();
    printf("%u\n", here.line());
    printf("%d\n", deep());
    C c;
    c.m(1);
    static_assert(__builtin_LINE() == 22);
    printf("%d %s\n", line(), __builtin_FUNCTION());
}
