// Errors of the `asm` statement and inside its text.
__global__ void k(unsigned* out, float f, double d, const unsigned c, char small) {
    unsigned x;
    asm("mov.u32 %0, %1;" : "=r"(x) : "q"(out[0]));
    asm("mov.u32 %0, %1;" : "r"(x) : "r"(out[0]));
    asm("mov.u32 %0, %1;" : "=r"(x) : "=r"(out[0]));
    asm("mov.u32 %0, %1;" : "=r"(x) : "r"(f));
    asm("mov.u32 %0, %1;" : "=r"(x) : "r"(small));
    asm("mov.u32 %0, %1;" : "=r"(x) : "l"(out[0]));
    asm("mov.u32 %0, %1;" : "=r"(x) : "n"(out[0]));
    asm("mov.u32 %0, 1;" : "=r"(c));
    asm("mov.u32 %0, 1;" : "=r"(x + 1));
    asm("mov.u32 %0, %3;" : "=r"(x) : "r"(c));
    asm("mov.u32 %0, %[other];" : "=r"(x) : [some] "r"(c));
    asm("mov.u32 %0, 1" : "=r"(x));
    asm("mov.u32 %0 1;" : "=r"(x));
    asm("{ mov.u32 %0, 1;" : "=r"(x));
    asm("mov.u32 %0, 0x1g;" : "=r"(x));
    asm("mov.u32 %0, #;" : "=r"(x));
    asm("\tmov.u32 \\%0, 1;" : "=r"(x));
}

__global__ void type(unsigned* out) { asm("{ .reg .v4 .b32 a; }" :: "r"(out[0])); }
__global__ void directive(unsigned* out) { asm(".local .b32 a;" :: "r"(out[0])); }
__global__ void misspelt(unsigned* out) { asm(".rge .b32 a;" :: "r"(out[0])); }
