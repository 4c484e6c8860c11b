#include <cstdlib>

int made;

void* operator new(size_t bytes) {
    ++made;
    return malloc(bytes);
}

int main() {
    delete new int(3);
    return made;
}
