//! The generator: the same seed gives the same text, and the language is covered.

use random_kernels::generate::{Batch, Kind};

const BATCH: Batch = Batch { kind: Kind::Kernels, seed: 5, kernels: 20 };

/// A sample of what the simulator accepts, one construct per line.
const CONSTRUCTS: &str = "if (
} else {
} else if (
switch (
default:
} break;
for (
while (
do {
break;
continue;
return;
#pragma unroll
 ? 
 && 
 || 
 %= 
 <<= 
 >>= 
++;
--;
struct 
alignas(
union 
.method(
template <typename T, int N>
if constexpr
[=](
[&](
__noinline__
__forceinline__
static_cast<
(n - 1,
__shared__
__syncthreads();
__syncthreads_count(
__syncthreads_and(
__syncthreads_or(
__shfl_sync(
__shfl_xor_sync(
__shfl_up_sync(
__shfl_down_sync(
__ballot_sync(
__any_sync(
__all_sync(
__match_any_sync(
matched(
__reduce_add_sync(
__reduce_xor_sync(
0x0000ffffu
atomicAdd(
atomicSub(
atomicMin(
atomicMax(
atomicAnd(
atomicOr(
atomicXor(
atomicExch(
atomicCAS(
atomicInc(
atomicDec(
add_by_cas(
tiled_partition<
.ballot(
.shfl_down(
__constant__ 
__restrict__
make_float4(
make_uchar4(
__popc(
__clzll(
__ffs(
__brev(
__byte_perm(
__funnelshift_lc(
__umulhi(
__dp4a(
__fadd_rd(
__fmaf_rz(
__fdiv_ru(
__fsqrt_rn(
__dmul_rz(
__fma_rd(
fmaf(
sqrt(
rintf(
copysign
ldexpf(
__float2int_rd(
__double2ll_ru(
__ll2float_rz(
__uint_as_float(
__double2float_ru(
isnan(
__hadd_rn(
__hfma(
__hmul2_rn(
__float2half_rz(
__float2bfloat16_ru(
__half2int_rd(
__hltu(
hrint(
virtual 
override
operator()
namespace 
enum class
reinterpret_cast<const 
u32 (*pointer
__vadd4(
fmodf(
ilogbf(
__hdiv(
*p";

#[test]
fn a_seed_gives_one_text() {
    assert_eq!(BATCH.program(3, None), BATCH.program(3, None));
    assert_ne!(BATCH.program(3, None), BATCH.program(4, None));
    assert_ne!(BATCH.program(3, None), Batch { seed: 6, ..BATCH }.program(3, None));
}

#[test]
fn no_value_in_parentheses_reads_as_a_function_type() {
    let texts = [
        (29, "return u32(bool(v)) + Base"),
        (71, "(u32)i8(i8(j18)) & 0x10f00fu)"),
        (376, "return u32(u16(i8(x))) + Base"),
    ];
    let batch = Batch { seed: 13, kernels: 100, ..BATCH };
    for (file, text) in texts {
        assert!(batch.program(file, None).contains(text), "file {file}");
    }
}

#[test]
fn a_kernel_is_the_same_alone() {
    let (all, alone) = (BATCH.program(0, None), BATCH.program(0, Some(7)));
    let kernel = |text: &str| {
        let from =
            text.find("__global__ void k7(").or_else(|| text.find("__global__ void c7(")).unwrap();
        text[from..].split("finish(").next().unwrap().to_owned()
    };
    assert_eq!(kernel(&all), kernel(&alone));
    assert_eq!(alone.matches("__global__").count(), 1);
}

#[test]
fn the_language_is_covered() {
    let text: String = (0..80).map(|file| BATCH.program(file, None)).collect();

    let missing: Vec<&str> =
        CONSTRUCTS.lines().filter(|construct| !text.contains(construct)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}
