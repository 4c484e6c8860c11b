// What it prints is in the file beside it: what g++ prints.
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
void one() {
    using namespace std::string_literals;
    using namespace std::chrono_literals;
    auto text = "x"s + "y";
    std::printf("%s %d ", text.c_str(), (int)(2s + 500ms).count());
}
void two() {
    using namespace std::literals;
    std::printf("%zu %zu %d ", "a\0b"s.size(), "ab"sv.size(), (int)(2s).count());
}
void three() {
    using namespace std;
    printf("%s %d ", "z"s.c_str(), (int)(3min).count());
}
void four() {
    using namespace std::chrono;
    std::printf("%d\n", (int)(1h).count());
}
int main() {
    one();
    two();
    three();
    four();
}
