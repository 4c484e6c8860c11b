#include <stdio.h>
#include <variant>

int main() {
    std::variant<int, float> value = 3;
    printf(std::get<int>(value) == 3 ? "passed\n" : "FAILED\n");
}
