// Operands that do not fit their instruction. One kernel each: the first error ends it.
#define ADD "add.u64 %0, %0, 1;"

__global__ void macro(unsigned* out) { asm(ADD : "+r"(out[0])); }
__global__ void width(unsigned* out) { asm("add.u32 %0, %0, 1;\n\t" "add.u64\t%0, %0, 1;" : "+r"(out[0])); }
__global__ void class_(float* out) { asm("add.u32 %0, %0, 1;" : "+f"(out[0])); }
__global__ void number(float* out) { asm("add.f32 %0, %0, 1;" : "+f"(out[0])); }
__global__ void real(unsigned* out) { asm("add.u32 %0, %0, 1.0;" : "+r"(out[0])); }
__global__ void count(unsigned* out) { asm("add.u32 %0, %0;" : "+r"(out[0])); }
__global__ void input(unsigned* out) { asm("add.u32 %0, %0, 1;" :: "r"(out[0])); }
__global__ void constant(unsigned* out) { asm("pmevent %0;" :: "r"(out[0])); }
__global__ void undeclared(unsigned* out) { asm("add.u32 r1, %0, 1;" :: "r"(out[0])); }
__global__ void read_only(unsigned* out) { asm("mov.u32 %%tid.x, %0;" :: "r"(out[0])); }
__global__ void special(unsigned* out) { asm("mov.u32 %0, %%gridid;" : "=r"(out[0])); }
__global__ void component(unsigned* out) { asm("mov.u32 %0, %%tid.q;" : "=r"(out[0])); }
__global__ void predicate(unsigned* out) { asm("@%0 mov.u32 %0, 1;" : "+r"(out[0])); }
__global__ void label(unsigned* out) { asm("bra DONE; { DONE: }" :: "r"(out[0])); }
__global__ void twice(unsigned* out) { asm("{ .reg .b32 a; .reg .f32 a; }" :: "r"(out[0])); }
__global__ void modifier(unsigned* out) { asm("add.wide.u32 %0, %0, 1;" : "+r"(out[0])); }
__global__ void untyped(unsigned* out) { asm("add %0, %0, 1;" : "+r"(out[0])); }
__global__ void bits(unsigned* out) { asm("{ .reg .pred p; setp.lt.b32 p, %0, 1; }" : "+r"(out[0])); }
__global__ void space(unsigned* out) { asm("ld.global.u32 %0, [%0];" : "+r"(out[0])); }
__global__ void wide(unsigned* out) { asm("ld.v4.u64 {%0, %0, %0, %0}, [%1];" : "+l"(*(long*)out) : "l"(out)); }
__global__ void vector(unsigned* out) { asm("ld.v2.u32 %0, [%1];" : "+r"(out[0]) : "l"(out)); }
__global__ void address(unsigned* out) { asm("ld.u32 %0, %1;" : "+r"(out[0]) : "l"(out)); }
