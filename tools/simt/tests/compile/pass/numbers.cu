enum Mode { plain, twice = 5 };
enum class Color : unsigned char { red, green };
constexpr int square(int x) { return x * x; }
__constant__ float weights[4] = {1.0f, 2.0f, 0.5f};
__device__ unsigned int counter;
__global__ void numbers(double* d, float* f, long long* l, unsigned char* c, bool* b, size_t n, Mode mode) {
    int i = threadIdx.x;
    unsigned int u = i;
    if (i - 1 < u) l[i] = -1;
    l[i] = (long long)u * i;
    c[i] = i + 300;
    b[i] = f[i];
    f[i] = f[i] * weights[i & 3] + 1;
    float p = f[i] * f[i + 1];
    f[i + 2] = p - f[i];
    d[i] = sqrt(d[i]) + fabs(f[i]) - min(i, 3);
    short s = static_cast<short>(d[i]);
    l[i] += s + sizeof(int[3]) + n / 8 + n % 8;
    if (mode == twice) atomicInc(&counter, 10u);
    Color color = i ? Color::red : Color::green;
    l[i + 1] = (int)color;
    printf("%d %f %s\n", i, f[i], "text");
    assert(i < 1024);
}
