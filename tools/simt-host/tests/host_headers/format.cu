// Each section is a program that ends with 0.
//# texts that std::format makes
#include <cstdio>
#include <format>
#include <string>
int wrong = 0;
void is(const std::string& made, const char* right) {
    if (made == right) return;
    std::printf("%s, not %s\n", made.c_str(), right);
    ++wrong;
}
int main() {
    is(std::format("{} {} {{}}", 1, "two"), "1 two {}");
    is(std::format("{1} {0}", 'a', true), "true a");
    is(std::format("{:>5}|{:<5}|{:^5}|{:*^6}|", 3, 3, 3, "ab"), "    3|3    |  3  |**ab**|");
    is(std::format("{:6}|{:6}|{:6}", "ab", 12, 1.5), "ab    |    12|   1.5");
    is(std::format("{:+d} {: d} {:05d} {:+05}", 4, 4, -4, 4), "+4  4 -0004 +0004");
    is(std::format("{:x} {:#X} {:#b} {:o} {:#o}", 255, 255, 5, 8, 8), "ff 0XFF 0b101 10 010");
    is(std::format("{:#06x} {:d} {:c}", 10, 'A', 66), "0x000a 65 B");
    is(std::format("{:.2f} {:8.3f}|{:<8.1e}|{:g}", 3.14159, 2.0, 12345.678, 0.0001), "3.14    2.000|1.2e+04 |0.0001");
    is(std::format("{} {} {} {} {}", 0.1, 1.0, 0.1f, 1e10, 123456.0), "0.1 1 0.1 1e+10 123456");
    is(std::format("{} {} {}", 1e-5, -2.5e300, 1.0 / 3), "1e-05 -2.5e+300 0.3333333333333333");
    is(std::format("{:{}.{}f}|{:.3}|{:.3}", 3.14159, 8, 2, "abcdef", 3.14159), "    3.14|abc|3.14");
    is(std::format("{} {} {}", 18446744073709551615ull, -9223372036854775807ll, (short)-3), "18446744073709551615 -9223372036854775807 -3");
    is(std::format("{} {:s} {:d}", std::string("text"), false, true), "text false 1");
    is(std::format("{} {}", (const void*)nullptr, __builtin_inf()), "0x0 inf");
    std::string to(5, '-');
    std::format_to(to.begin(), "{}{}", 1, "23");
    is(to, "123--");
    bool thrown = false;
    try {
        std::format("{:d}", "text");
    } catch (const std::format_error&) { thrown = true; }
    return wrong + !thrown + (std::formatted_size("{:4}", 1) != 4);
}
//# printed lines
#include <print>
int main() { std::println("{} and {:.1f}", 1, 2.0); }
