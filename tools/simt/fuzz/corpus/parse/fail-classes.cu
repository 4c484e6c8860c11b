struct S { int v; __device__ int get() { auto f = [this] { return v; }; return f(); } };
template <typename T> struct P {};
template <typename T> struct P<T*> { int v; };
struct D : S {};
union U { struct { int a; } b; };
struct C { static int count; ~C(); };
