struct Held { int* p; __host__ __device__ ~Held() { } };
struct Shape { __device__ virtual int sides() const { return 0; } };
struct Square : Shape { __device__ int sides() const override { return 4; } };
__device__ int called(int x) { return x; }
__global__ void objects(int* out) {
    Held held;
    Square square;
    const Shape& shape = square;
    out[0] = shape.sides();
    try { out[1] = 1; } catch (...) { }
    int* p = new int[3]{1, 2, 3};
    int (*f)(int) = called;
    throw 1;
}
