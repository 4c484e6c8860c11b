struct Held { int* p; __host__ __device__ ~Held() { } __device__ int get() const { return *p; } };
struct Shape { int n; __device__ virtual int& sides() { return n; } };
struct Square : Shape { __device__ int& sides() override { return n; } };
__device__ Held make() { Held held; return held; }
__global__ void objects(int* out) {
    Square square;
    Shape& shape = square;
    out[0] = shape.sides();
    try { out[1] = 1; } catch (...) { }
    int* p = new int[3]{1, 2, 3};
    Held* many = new (out) Held[4];
    throw 1;
}
