#include <cuda.h>

int main() { cuCtxSynchronize(); }
