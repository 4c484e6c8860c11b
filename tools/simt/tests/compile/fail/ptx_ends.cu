// Texts of an `asm` that end too early, or do not go on as PTX.
__global__ void end(unsigned* out) { asm("mov.u32 %0, 1;\n\tret" : "=r"(out[0])); }
__global__ void word(unsigned* out) { asm("mov.u32 %0, 1; more" : "=r"(out[0])); }
__global__ void called(unsigned* out) { asm("call f, (%0);" :: "r"(out[0])); }
