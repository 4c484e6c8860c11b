// Slips in the text of an `asm`: each message names what is wrong and where in the text it stands. One kernel each.
__global__ void bits(unsigned* out) { asm("add.u33 %0, %0, 1;" : "+r"(out[0])); }
__global__ void guard(unsigned* out) { asm("@!p mov.u32 %0, 1;" : "+r"(out[0])); }
__global__ void special(unsigned* out) { asm("mov.u32 %0, %%laneidx;" : "=r"(out[0])); }
__global__ void written(unsigned* out) { asm("mov.u32 %%tid.x, %0;" :: "r"(out[0])); }
__global__ void number() { asm("bar.sync;" ::: "memory"); }
__global__ void arrived() { asm("bar.arrive 1;" ::: "memory"); }
__global__ void reduced(unsigned* out) { asm("red.global.add.u32 %0, [%1], %0;" :: "r"(1), "l"(out)); }
__global__ void atom(unsigned* out) { asm("atom.global.cas.b32 %0, [%1], %0;" : "=r"(out[0]) : "l"(out)); }
__global__ void added(unsigned* out) { asm("atom.global.add.u32 [%1], %0;" : "+r"(out[0]) : "l"(out)); }
__global__ void waited(unsigned* out) { asm("mbarrier.test_wait.shared.b64 %0;" : "=r"(out[0])); }
__global__ void box(unsigned* out) {
    asm("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%0}];" :: "r"(1), "l"(out));
}
__global__ void bytes(unsigned* out) { asm("cp.async.bulk.global.shared::cta.bulk_group [%1], [%0], 16, [%0];" :: "r"(1), "l"(out)); }
__global__ void least(unsigned* out) { asm("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%1], [%0], 16;" :: "r"(1), "l"(out)); }
__global__ void halves(unsigned* out) { asm("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%1], [%0], 16;" :: "r"(1), "l"(out)); }
__global__ void constant(unsigned* out) { asm("st.const.u32 [%0], 1;" :: "l"(out)); }
__global__ void sine(double* out) { asm("sin.approx.f64 %0, %0;" : "+d"(out[0])); }
__global__ void root(double* out) { asm("sqrt.approx.f64 %0, %0;" : "+d"(out[0])); }
__global__ void inverse(double* out) { asm("rcp.approx.f64 %0, %0;" : "+d"(out[0])); }
__global__ void raw(unsigned* out) {
    asm(R"(mov.u32 %0, 1;
           add.u32 %0, %0, oops;)" : "=r"(out[0]));
}
__global__ void flushed(double* out) { asm("sin.approx.ftz.f64 %0, %0;" : "+d"(out[0])); }
