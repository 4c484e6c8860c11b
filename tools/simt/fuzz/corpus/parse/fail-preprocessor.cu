#define TWO(a, b) a + b
#if 1 +
#endif
#elif
#include "missing.h"
#include <string>
#error stop here
#foo
__global__ void kernel(int* out) { out[0] = TWO(1); }
#ifdef X
