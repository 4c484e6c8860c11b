struct Before { char c; unsigned int a : 3; };
struct Behind { unsigned int a : 20; char c; };
struct Wide { unsigned char a : 9; };
struct Float { float a : 9; };
struct Bits { unsigned a : 3; };
__global__ void addresses(Bits* bits, const Bits* fixed, int* out) {
    unsigned* p = &bits->a;
    unsigned& r = bits->a;
    fixed->a = 1;
}
