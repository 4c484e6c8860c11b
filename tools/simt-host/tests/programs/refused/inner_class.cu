#include <stdio.h>

template <typename T> struct Outer {
    struct Inner;
    Inner* inner;
};
template <typename T> struct Outer<T>::Inner { T value; };

int main() {
    Outer<int>::Inner inner = {3};
    printf(inner.value == 3 ? "passed\n" : "FAILED\n");
}
