#include <stdio.h>
#include <valarray>

int main() {
    std::valarray<float> values = {1, 2};
    printf(values.sum() == 3 ? "passed\n" : "FAILED\n");
}
