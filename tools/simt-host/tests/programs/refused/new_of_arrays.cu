#include <cstdlib>

struct Pooled {
    int value;
    static void* operator new[](size_t bytes) { return malloc(bytes); }
};

int main() {
    Pooled* all = new Pooled[4];
    return all == nullptr;
}
