// Reads past a string literal, a global array and a malloc: the program goes on.
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void k(int* p) { p[0] = 5; }
int table[4] = {1, 2, 3, 4};
int main(int argc, char** argv) {
    const char* text = "abc";
    volatile int past = 4 + argc;             // 5: one past the zero byte
    char c = text[past];
    printf("a byte past a literal was read, and is %s\n", c == c ? "a byte" : "?");
    int* d; cudaMalloc(&d, 16); cudaMemset(d, 0, 16);
    int h = 0;
    char buffer[8];
    memcpy(buffer, "abc", 8);                 // 8 bytes from a literal of 4
    printf("memcpy: %.3s\n", buffer);
    volatile int far = 4;
    int sum = table[far];
    printf("past a global: %s\n", sum == sum ? "an int" : "?");
    int* m = (int*)malloc(10 * sizeof(int));
    for (int i = 0; i < 10; ++i) m[i] = i;
    volatile int ten = 10;
    int x = m[ten];
    printf("past malloc: %s\n", x == x ? "an int" : "?");
    printf("strcmp: %d\n", strncmp("ab", "ab\0cd", 5));
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("h = %d\n", h);
    return 0;
}
