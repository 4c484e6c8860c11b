#include <stdio.h>

int sum(a, b) int a; int b; { return a + b; }

int main() { printf(sum(1, 2) == 3 ? "passed\n" : "FAILED\n"); }
