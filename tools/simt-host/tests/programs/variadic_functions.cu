// Functions with any number of arguments, and the lists that they hand on.
#include <cstdio>
#include <cstdarg>
#include <cstdlib>
#include <stdarg.h>
enum Level { LOW, HIGH };
static void say(const char* format, ...);
static void say(const char* format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
int sum(int count, ...) {
    va_list ap;
    va_start(ap, count);
    int s = 0;
    for (int i = 0; i < count; ++i) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
double mixed(const char* kinds, ...) {
    va_list ap, again;
    va_start(ap, kinds);
    va_copy(again, ap);
    double s = 0;
    for (; *kinds; ++kinds) {
        if (*kinds == 'd') s += va_arg(ap, double);
        else if (*kinds == 'l') s += va_arg(ap, long long);
        else s += va_arg(ap, int);
    }
    va_end(ap);
    s += va_arg(again, int) * 1000;
    va_end(again);
    return s;
}
struct Log {
    char text[64];
    int put(const char* format, ...) {
        va_list args;
        va_start(args, format);
        int n = vsnprintf(text, sizeof(text), format, args);
        va_end(args);
        return n;
    }
};
#define CHECK(x, ...) do { if (!(x)) say(__VA_ARGS__); } while (0)
int main() {
    short small = -3; char c = 'q'; float f = 1.5f; unsigned char u = 200; bool b = true;
    say("%d %c %g %u %d %s|%5.2f|%-6s|%*d|%ld %zu %lld %p\n", small, c, f, u, b, "text", 2.345, "ab", 4, 7, 1L << 40, sizeof(int), -5LL, (void*)0);
    say("nothing\n");
    printf("%d %d\n", sum(3, 1, 2, 3), sum(0));
    printf("%g\n", mixed("idl", 4, 0.5, 1LL << 33));
    Log log;
    int n = log.put("%s-%d-%x", "name", HIGH, 255);
    printf("%d %s\n", n, log.text);
    CHECK(n == 0, "%s:%d\n", "line", 12);
    return 0;
}
