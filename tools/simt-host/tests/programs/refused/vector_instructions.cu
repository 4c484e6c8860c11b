#include <immintrin.h>

int main() {
    float out[8];
    _mm256_storeu_ps(out, _mm256_set1_ps(1.0f));
}
